/** A hand-written program in which every kind of node occurs, in the text that the printer gives. */
export const EVERY_KIND = `program python

module app.server file=src/app/server.py {
  binding Options = class app.server#Options
  binding git = external <py:git>
  binding helpers = module app.helpers
  binding join = alias @app.helpers::join
  binding limit = value binary py.mul(4, 1024)
  binding serve = function app.server#serve
  binding star = unsupported "star-import" "from x import *"
  effects {
    call @app.server::serve("x")
    for @app.server::star in list[] {
      continue
    }
  }
}

module app.helpers file="src/app/odd name.py" {
  binding join = function app.helpers#join
}

function app.server#serve (positional-only path, mode: <py:builtins#str> = "r", rest words, keyword-only deep = null, keyword-rest options) async module=app.server writes=[@limit] decorators=[call <py:functools#wraps>(@app.helpers::join), <py:click#command>] returns=<py:builtins#int> {
  %repository = call <py:git#Repo>(%path, search = true, ...%words, ...:%options)
  [%first, *%others] = %repository.pair = tuple[1, -2, ...%words]
  %text py.add= template("at ", str %path, "", repr %mode : template(">", "" 10))
  delete %repository.cache["key"]
  define %inner = closure app.server#serve.inner
  define %Local = class app.server#serve.<locals>.Local
  %ids = comprehension list app.server#serve.<listcomp>(%x.id for %x in %app.server#serve::words if %x)
  %map = comprehension record app.server#serve.<dictcomp>(%k: %v for [%k, %v] in call %app.server#serve::options.items())
  %lazy = comprehension generator app.server#serve.<genexpr>(%y async for %y in %app.server#serve::words)
  %unique = comprehension set app.server#serve.<setcomp>(%z for %z in %app.server#serve::words)
  if unary py.not %deep {
    %a = and(%deep, or(%mode, nullish(%path, undefined)))
  } else {
    %b = (if %deep then 1.5f else float(NaN)).real
  }
  match %mode {
    case value py.eq "r" if %deep {
      spawn call %inner()
    }
    case or(value py.is null, [_, *%tail], {"k": _ as %w, **%left}) {
      defer call %inner()
    }
    case class <py:app#Shape>(%x, side = value py.eq 2) {
      assert %x, "no shape"
    }
    case unsupported "unsupported-syntax" "?" {
      assert %x
    }
    case @app.server::limit {
      %s = %words[slice 1 : : 2][slice :][0]
    }
  }
  async for %item in %words {
    if %item?.name {
      break
    }
    continue
  } else {
    %handler = closure app.server#serve.<lambda>
  }
  while (%left := %left?.[0]) {
    unsupported "dynamic-name" "exec"
  }
  try {
    async with call %open(%path) as %file, %lock {
      await call %file?.(b"00ff", special(Ellipsis))
    }
  } catch (tuple[<py:builtins#OSError>, <"py:x y">] as %error) {
    throw new @app.server::Options(%error) from %error
  } catch (<py:builtins#ValueError>) {
    throw
  } catch {
    (unsupported "unresolved-name" "x")
  } else {
    %record = record{"a": 1, ...%options}
  } finally {
    %"odd name" = set[%path]
  }
  (if %a then %b else null)
  unsupported "module-state" "global x" = 3
  return %record
}

function app.server#serve.inner () generator module=app.server parent=app.server#serve defaults=call writes=[text, @limit] {
  yield
  yield %app.server#serve::text
  yield* %app.server#serve::words
  @app.server::limit = %app.server#serve::text = false
  return
}

function app.server#serve.<lambda> (a) module=app.server name="lambda expression" parent=app.server#serve {
  return binary py.sub(%a, 10000000000000000000000)
}

function app.helpers#join (left, right) module=app.helpers {
  return binary py.add(%left, %right)
}

function app.server#Options.check~2 (self) module=app.server {
  throw %self
}

class app.server#Options (<py:pydantic#BaseModel>) module=app.server decorators=[<py:dataclasses#dataclass>] {
  field path: <py:builtins#str> = "."
  field deep
  method check = app.server#Options.check~2
  unsupported {
    call <py:builtins#print>("class body")
  }
}

class app.server#serve.<locals>.Local () module=app.server {
}

foreign-write attribute <py:git#Repo.diff>
foreign-write environment <"py:os#environ x">
syntax-error src/app/broken.py "expected \\":\\""
`;
