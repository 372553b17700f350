/** What a name refers to, in every kind of scope; and every kind of trouble with a name, with its code and place. */
import { describe, expect, it } from 'vitest';
import { binding, body, fn, lower, printed } from './lowered.js';

describe('scopes', () => {
  it.each([
    ['a parameter', 'def f(git): return git', '%git'],
    ['a local', 'def f():\n  git = 1\n  return git', '%git'],
    ['a local that is assigned later', 'def f():\n  return git\n  git = 1', '%git'],
    ['an annotation alone', 'def f():\n  git: int\n  return git', '%git'],
    ['a loop', 'def f(a):\n  for git in a: pass\n  return git', '%git'],
    ['an unpacking', 'def f(a):\n  (x, [*git]) = a\n  return git', '%git'],
    ['an except clause', 'def f(a):\n  try: a()\n  except E as git: pass\n  return git', '%git'],
    ['an import', 'def f():\n  import git\n  return git', '%git'],
    ['an aliased import', 'def f():\n  from x import y as git\n  return git', '%git'],
    ['with', 'def f(a):\n  with a as git: pass\n  return git', '%git'],
    ['a walrus', 'def f(a):\n  a(git := 1)\n  return git', '%git'],
    ['a walrus in a comprehension', 'def f(a):\n  [(git := x) for x in a]\n  return git', '%git'],
    ['a walrus in a default of a lambda', 'def f():\n  lambda x=(git := 1): x\n  return git', '%git'],
    ['a walrus in a lambda is its own', 'def f():\n  lambda: (git := 1)\n  return git', '@m::git'],
    ['a comprehension target is its own', 'def f(a):\n  [git for git in a]\n  return git', '@m::git'],
    ['a capture', 'def f(a):\n  match a:\n    case [git]: pass\n  return git', '%git'],
    ['a capture by as', 'def f(a):\n  match a:\n    case C(x=1) as git: pass\n  return git', '%git'],
    ['the rest of a mapping', 'def f(a):\n  match a:\n    case {**git}: pass\n  return git', '%git'],
    ['a starred capture', 'def f(a):\n  match a:\n    case [*git]: pass\n  return git', '%git'],
    ['a dotted pattern binds nothing', 'def f(a):\n  match a:\n    case git.x: pass\n  return git', '@m::git'],
    ['del', 'def f():\n  del git\n  return git', '%git'],
    ['an augmented assignment', 'def f():\n  git += 1\n  return git', '%git'],
    ['a nested function', 'def f():\n  def git(): pass\n  return git', '%git'],
    ['a nested class', 'def f():\n  class git: pass\n  return git', '%git'],
    ['global', 'def f():\n  global git\n  return git', '@m::git'],
    ['a member binds nothing', 'def f(a):\n  a.git = 1\n  return git', '@m::git'],
    ['a nested body binds nothing here', 'def f():\n  def g():\n    git = 1\n  return git', '@m::git'],
  ])('%s', async (_, source, expected) => {
    expect(await fn(`import git\n${source}`)).toContain(`return ${expected} `);
  });

  it('captures the variable of the nearest function around, past classes', async () => {
    const program = await printed('def f(x):\n  class K:\n    x = 1\n    def m(self): return x\n  return K');
    expect(program).toContain('function m#f.<locals>.K.m (self) module=m parent=m#f { return %m#f::x }');
  });
  it('takes `global` of a class body for the body alone', async () => {
    expect(await printed('def f(x):\n  class K:\n    global x\n    def m(self): return x\n  return K')).toContain('{ return %m#f::x }');
  });
  it('binds nonlocal variables of the function around and lists what is written', async () => {
    const program = await printed('G = 0\ndef f(x):\n  def g():\n    global G\n    nonlocal x\n    x = G = 1\n  return g');
    expect(program).toContain('writes=[@G, x] { %m#f::x = @m::G = 1 }');
  });
  it('refuses nonlocal without a variable', async () => {
    expect(await fn('def f():\n  nonlocal y\n  y = 1')).toContain('unsupported "unsupported-syntax" "nonlocal y names no variable of a function around"');
  });
  it('evaluates decorators, defaults and annotations around the function', async () => {
    const text = await printed('def f(x):\n  @x\n  def x(y=x): return y\n  return x');
    expect(text).toContain('function m#f.x (y = %m#f::x) module=m parent=m#f decorators=[%m#f::x]');
  });
  it('reads the first iterable of a comprehension around it', async () => {
    expect(await body('return [a for a in a for b in a]')).toContain('(%a for %a in %m#f::a for %b in %a)');
  });
  it('does not show class names to methods; a constant is shown to defaults', async () => {
    const text = await printed('X = 1\nclass K:\n  X = 2\n  Y = f()\n  def m(self, a=X, b=Y): return X');
    expect(text).toContain('(self, a = 2, b = unsupported "ambiguous-binding" "Y is a name of the class body")');
    expect(text).toContain('{ return @m::X }');
  });
  it('does not inline a class name that is bound twice', async () => {
    expect(await printed('class K:\n  X = 1\n  def m(self, a=X): pass\n  X = 2')).toContain('(self, a = unsupported "ambiguous-binding"');
  });
  it('spells private names as their class does', async () => {
    const text = await printed('def __g(): pass\nclass _K:\n  __x = 1\n  def __m(self): return self.__x, __g(), self.__y__\n');
    expect(text).toContain('return tuple[%self._K__x, call (unsupported "unresolved-name" "nothing binds _K__g")(), %self.__y__]');
    expect(text).toContain('field _K__x = 1 method _K__m = ');
  });
  it('knows type parameters from names of the module', async () => {
    expect(await fn('T = 1\ndef f[T](x: T): return T')).toContain('"T is a type parameter"');
    expect(await printed('class K[T](list[T]): pass')).toContain('<py:builtins#list>[unsupported "unsupported-syntax" "T is a type parameter"]');
  });
});

describe('trouble with a name of the module', () => {
  it.each([
    ['two functions', 'def f(): pass\ndef f(): pass', 'rebound-name:2'],
    ['rebinding at the end', 'def f(): pass\ndef g(): pass\nf = g', 'rebound-name:3'],
    ['rebinding an import', 'from os import path as f\nf = 1', 'rebound-name:2'],
    ['importing something else', 'from a import f\nfrom b import f', 'rebound-name:2'],
    ['importing the same again', 'from a import f\nfrom a import f', 'py:a#f'],
    ['a conditional', 'if x():\n  def f(): pass', 'ambiguous-binding:1'],
    ['try-import', 'try:\n  from a import f\nexcept ImportError:\n  f = None', 'conditional-import:1'],
    ['a loop', 'for f in []: pass', 'ambiguous-binding:1'],
    ['with', 'with x() as f: pass', 'ambiguous-binding:1'],
    ['unpacking', 'f, g = 1, 2', 'ambiguous-binding:1'],
    ['a chain', 'f = g = 1', 'ambiguous-binding:1'],
    ['augmented assignment', 'f = 1\nf += 1', 'rebound-name:2'],
    ['deletion', 'def f(): pass\ndel f', 'rebound-name:2'],
    ['a walrus', 'x = (f := 1)', 'ambiguous-binding:1'],
    ['match', 'match 1:\n  case f: pass', 'ambiguous-binding:1'],
    ['a type alias', 'type f = int', 'ambiguous-binding:1'],
    ['global in a function', 'f = 1\ndef g():\n  global f\n  f = 2', 'module-state:1'],
    ['global in a method, import', 'def f(): pass\nclass K:\n  def g(self):\n    global f\n    import f', 'module-state:1'],
    ['global in a class body', 'f = 1\nclass K:\n  global f\n  f = 2', 'module-state:1'],
    ['for type checkers', 'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n  from a import f', 'conditional-import:3'],
    ['for type checkers and in fact', 'import typing as t\nif t.TYPE_CHECKING:\n  from a import f\nelse:\n  f = 1', 'value 1'],
    ['not for type checkers', 'from typing import TYPE_CHECKING\nif not TYPE_CHECKING:\n  f = 1', 'value 1'],
    ['a TYPE_CHECKING of its own', 'TYPE_CHECKING = True\nif TYPE_CHECKING:\n  from a import f\nelse:\n  f = 1', 'ambiguous-binding:2'],
    ['when run as a program', 'f = 1\nif __name__ == "__main__":\n  f = 2', 'ambiguous-binding:2'],
    ['an annotation alone', 'f: int', 'nothing'],
    ['a value', 'f: int = 1', 'value 1'],
  ])('%s', async (_, source, expected) => {
    expect(await binding(source, 'f')).toBe(expected);
  });

  it('keeps statements of names that are not proved as effects', async () => {
    const text = await printed('def f(): pass\nf = wrap(f)\nx = y = g()\na, b = h()\n"text"\n');
    expect(text).toContain('effects { define @m::f = closure m#f @m::f = call');
    expect(text).toMatch(/@m::x = @m::y = call .*\[@m::a, @m::b\] = call/);
  });
  it('lowers a destructuring with a comprehension once', async () => {
    expect((await lower('a, b = [x for x in y], 1\n')).syntaxErrors).toEqual([]);
  });
  it('stops at names that nothing binds, and knows builtins', async () => {
    expect(await body('return nowhere, len, __file__')).toBe(
      'return tuple[unsupported "unresolved-name" "nothing binds nowhere", <py:builtins#len>, unsupported "unresolved-name" "__file__ depends on where the release is installed"]',
    );
  });
});

describe('classes', () => {
  it.each([
    ['a metaclass', 'class K(metaclass=M): pass', 'metaclass'],
    ['computed bases', 'class K(*bases): pass', 'unsupported-syntax'],
    ['a statement', 'class K:\n  if x: y = 1', 'unsupported-syntax'],
    ['a nested class', 'class K:\n  class L: pass', 'unsupported-syntax'],
    ['a call', 'class K:\n  f()', 'unsupported-syntax'],
    ['a formatted text', 'class K:\n  f"{x()}"', 'unsupported-syntax'],
    ['a walrus', 'class K:\n  x = (y := 1)', 'unsupported-syntax'],
    ['a field and a method', 'class K:\n  def x(self): pass\n  x = 1', 'ambiguous-binding'],
    ['a field twice', 'class K:\n  x = 1\n  x: int', 'ambiguous-binding'],
    ['__getattr__', 'class K:\n  def __getattr__(self, n): pass', 'dynamic-name'],
    ['__getattribute__ as a field', 'class K:\n  __getattribute__ = f', 'dynamic-name'],
    ['__init_subclass__', 'class K:\n  def __init_subclass__(cls): pass', 'dynamic-name'],
  ])('refuses %s', async (_, source, code) => {
    expect([...(await lower(source)).classes.values()][0]?.unsupported.map((one) => (one.kind === 'unsupported' ? one.code : one.kind))).toContain(code);
  });
  it('keeps fields, methods and decorators', async () => {
    expect(await printed('import d\n@d.c\nclass K(d.B):\n  "doc"\n  x: int = 1\n  y: "K"\n  ...\n  pass\n  @property\n  def m(self): pass')).toContain(
      'class m#K (@m::d.B) module=m decorators=[@m::d.c] { field x: <py:builtins#int> = 1 field y: @m::K method m = m#K.m }',
    );
  });
});
