/** Every expression and statement form, as IR text that was checked by hand. */
import { describe, expect, it } from 'vitest';
import { body, expression, fn } from './lowered.js';

const EXPRESSIONS: readonly (readonly [source: string, printed: string])[] = [
  ['f"{a!r:>10}|{{b}}|{c:{a}.{b!s}}"', 'template(repr %a : template(">10"), "|{b}|", format %c : template(format %a, ".", str %b))'],
  ['f"{a = }{a=!s}{a=:>3}"', 'template("a = ", repr %a, "a=", str %a, "a=", format %a : template(">3"))'],
  ['f"{a["k"]}" "b{}" r"\\d"', 'template(format %a["k"], "b{}\\\\d")'],
  ['rf"\\d{a}\\{{"', 'template("\\\\d", format %a, "\\\\{")'],
  ['"\\x41\\u00e9\\U0001F600\\101\\n\\q\\\\"', '"Aé😀A\\n\\\\q\\\\"'],
  ['b"\\x00\\377a"', 'b"00ff61"'],
  ['"\\N{DASH}"', 'unsupported "unsupported-syntax" "an escape in a string literal"'],
  ['"a" b"c"', 'unsupported "syntax-error" "bytes beside text"'],
  ['r"\\\\"', '"\\\\\\\\"'],
  ['0xFF + 0o17 + 0b11 + 1_000 + 00', 'binary py.add(binary py.add(binary py.add(binary py.add(255, 15), 3), 1000), 0)'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['1.5 + .5 + 5. + 1e3', 'binary py.add(binary py.add(binary py.add(1.5f, 0.5f), 5.0f), 1000.0f)'],
  ['1e999', 'float(Infinity)'],
  ['2j', 'unsupported "unsupported-syntax" "the number 2j"'],
  ['a < b < c', 'and(binary py.lt(%a, %b), binary py.lt(%b, %c))'],
  ['a < b() < c() != a', 'and(and(binary py.lt(%a, (%".t1" := call %b())), binary py.lt(%".t1", (%".t2" := call %c()))), binary py.ne(%".t2", %a))'],
  ['a not in b is not c', 'and(binary py.notIn(%a, %b), binary py.isNot(%b, %c))'],
  ['a[1:2, 3]', '%a[tuple[call <py:builtins#slice>(1, 2, null), 3]]'],
  ['a[...]', '%a[special(Ellipsis)]'],
  ['a[::2]', '%a[slice : : 2]'],
  ['a[1,]', '%a[tuple[1]]'],
  ['a[*b]', '%a[tuple[...%b]]'],
  ['a(b, *c, k=1, **kw)', 'call %a(%b, ...%c, k = 1, ...:%kw)'],
  ['a(k=b, *c)', 'call %a(...%c, k = %b)'],
  ['lambda x, *y, z=a: (x, y, z)', 'closure m#f.<lambda>'],
  ['[x for x in a if x for y in x]', 'comprehension list "m#f.<comprehension 2:12>"(%x for %x in %m#f::a if %x for %y in %x)'],
  ['{x: y for x, y in a}', 'comprehension record "m#f.<comprehension 2:12>"(%x: %y for [%x, %y] in %m#f::a)'],
  ['{*a, 1}', 'set[...%a, 1]'],
  ['{**a, "k": 1}', 'record{...%a, "k": 1}'],
  ['(x for x in a)', 'comprehension generator "m#f.<comprehension 2:12>"(%x for %x in %m#f::a)'],
  ['a if b else c', 'if %b then %a else %c'],
  ['not a or b and c', 'or(unary py.not %a, and(%b, %c))'],
  ['-a ** ~b', 'unary py.neg binary py.pow(%a, unary py.invert %b)'],
  ['(x := a) + x', 'binary py.add((%x := %a), %x)'],
  ['[*a.b(), 1]', 'list[...call %a.b(), 1]'],
  ['a @ b // c', 'binary py.floordiv(binary py.matmul(%a, %b), %c)'],
  ['__name__', '"m"'],
  ['...', 'special(Ellipsis)'],
  ['a & b ^ c', 'binary py.xor(binary py.and_(%a, %b), %c)'],
];

const STATEMENTS: readonly (readonly [source: string, printed: string])[] = [
  ['x, *y = a', '[%x, *%y] = %a'],
  ['(x, [y, z]) = a', '[%x, [%y, %z]] = %a'],
  ['x = y = a', '%x = %y = %a'],
  ['x: int = a', '%x = %a'],
  ['x: int', ''],
  ['a.b: int = 1', '%a.b = 1'],
  ['a[b]: int', '%a %b'],
  ['a[1:2] = b', '%a[call <py:builtins#slice>(1, 2, null)] = %b'],
  ['del a[0], (b.c, x)\nx = 1', 'delete %a[0] delete %b.c delete %x %x = 1'],
  ['a += b', '%a py.add= %b'],
  ['a.b //= c', '%a.b py.floordiv= %c'],
  ['with a as x, b: pass', 'with %a as %x, %b { }'],
  ['with (a as x, b as y): pass', 'with %a as %x, %b as %y { }'],
  ['with (a, b): pass', 'with %a, %b { }'],
  ['with (a, b) as x: pass', 'with tuple[%a, %b] as %x { }'],
  ['try:\n  pass\nexcept (A, B) as e:\n  raise\nexcept C:\n  raise X from e\nexcept:\n  pass\nelse:\n  a\nfinally:\n  b', 'try { } catch (tuple[unsupported "unresolved-name" "nothing binds A", unsupported "unresolved-name" "nothing binds B"] as %e) { throw } catch (unsupported "unresolved-name" "nothing binds C") { throw unsupported "unresolved-name" "nothing binds X" from %e } catch { } else { %a } finally { %b }'],
  ['try:\n  pass\nexcept* A:\n  pass', 'unsupported "unsupported-syntax" "an exception group handler"'],
  ['raise', 'unsupported "unsupported-syntax" "a raise without a value outside of an except clause"'],
  ['raise a from b', 'throw %a from %b'],
  ['assert a, b', 'assert %a, %b'],
  ['for x, *y in a:\n  break\nelse:\n  continue_', 'for [%x, *%y] in %a { break } else { (unsupported "unresolved-name" "nothing binds continue_") }'],
  ['while a:\n  continue\nelse:\n  pass', 'while %a { continue }'],
  ['if a:\n  b\nelif c:\n  pass\nelse:\n  a', 'if %a { %b } else { if %c { } else { %a } }'],
  ['match a:\n  case -1 | 2.5 | None: pass\n  case "x" "y": pass\n  case a.b.c: pass\n  case {"k": v, -1: _, **rest} if v: pass\n  case [x, *_, (y, *z)]: pass\n  case (w,): pass\n  case (w): pass\n  case C(1, k=-2, n=(3 | 4) as n, o=D(p=_)): pass\n  case str() as s: pass\n  case 1 + 2j: pass\n  case _: pass', 'match %a { case or(value py.eq unary py.neg 1, value py.eq 2.5f, value py.is null) { } case value py.eq "xy" { } case value py.eq %a.b.c { } case {"k": %v, unary py.neg 1: _, **%rest} if %v { } case [%x, *_, [%y, *%z]] { } case [%w] { } case %w { } case class (unsupported "unresolved-name" "nothing binds C")(value py.eq 1, k = value py.eq unary py.neg 2, n = or(value py.eq 3, value py.eq 4) as %n, o = class (unsupported "unresolved-name" "nothing binds D")(p = _)) { } case class <py:builtins#str>() as %s { } case unsupported "unsupported-syntax" "the pattern complex_pattern" { } case _ { } }'],
  ['match a, b:\n  case *x, 1: pass', 'match tuple[%a, %b] { case [*%x, value py.eq 1] { } }'],
  ['global G\nG = 1', '@m::G = 1'],
  ['import os.path, a.b as c\nfrom x.y import z as w, v', '%os = <py:os> %c = <py:a.b> %w = <py:x.y#z> %v = <py:x.y#v>'],
  ['print(a)', 'call <py:builtins#print>(%a)'],
  ['x = yield\ny = yield from a', '%x = yield %y = yield* %a'],
  ['type X = int', '%X = unsupported "unsupported-syntax" "a type alias is used as a value"'],
  ['async def g(): pass', 'define %g = closure m#f.g'],
  ['class K: pass', 'define %K = class m#f.<locals>.K'],
];

const IN_ASYNC: readonly (readonly [source: string, printed: string])[] = [
  ['async for x in a: await x\nasync with a as b: pass\nreturn [await y async for y in a if await y], (z async for z in b)', 'async for %x in %a { await %x } async with %a as %b { } return tuple[comprehension list "m#f.<comprehension 4:12>"(await %y async for %y in %m#f::a if await %y), comprehension generator "m#f.<comprehension 4:51>"(%z async for %z in %m#f::b)]'],
];

describe('expressions', () => {
  it.each(EXPRESSIONS)('%s', async (source, printed) => {
    expect(await expression(source)).toBe(printed);
  });
});

describe('statements', () => {
  it.each(STATEMENTS)('%j', async (source, printed) => {
    expect(await body(source)).toBe(printed);
  });
  it.each(IN_ASYNC)('%j', async (source, printed) => {
    expect(await body(source, 'async def f(a, b):')).toBe(printed);
  });
});

describe('heads of functions', () => {
  it('keeps kinds of parameters, defaults, annotations and decorators', async () => {
    expect(await fn('import d\n@d.one\n@d.two(1)\ndef f(a, /, b: int, *args: str, c=2, **kw) -> bool: pass')).toBe(
      'function m#f (positional-only a, b: <py:builtins#int>, rest args: <py:builtins#str>, keyword-only c = 2, keyword-rest kw) module=m decorators=[@m::d.one, call @m::d.two(1)] returns=<py:builtins#bool> { }',
    );
  });
  it('knows generators and async functions, and yields that belong to another function', async () => {
    expect(await fn('async def f():\n  yield 1')).toContain(' async generator ');
    expect(await fn('def f():\n  def g(): yield 1\n  return lambda: (yield)')).not.toContain(' generator ');
    expect(await fn('def f():\n  def g(a=(yield 1)): pass')).toContain(' generator ');
  });
  it('reads annotations that are given as text, not those inside Literal or of Annotated', async () => {
    expect(await fn('import git\nfrom typing import Annotated as A, Literal\ndef f(a: "git.Repo | None", b: list["git.Repo"], c: Literal["git"], d: A["int", "git"], e: "Literal[\'x\']", g: "1 +"): pass')).toBe(
      'function m#f (a: binary py.or_(@m::git.Repo, null), b: <py:builtins#list>[@m::git.Repo], c: @m::Literal["git"], d: @m::A[tuple[<py:builtins#int>, "git"]], e: @m::Literal["x"], ' +
        'g: unsupported "unsupported-syntax" "an annotation whose text is no expression") module=m { }',
    );
  });
  it('gives the place of the text to everything in an annotation', async () => {
    expect(await expression('1', 'def f(a: "int"):')).toBe('1');
  });
});
