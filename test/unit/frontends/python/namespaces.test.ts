/** Names that are reached through a namespace: a package's own submodules, the namespace of a module, the class around a method. */
import { describe, expect, it } from 'vitest';
import { binding, expression, fn, lower } from './lowered.js';

async function writes(source: string): Promise<string[]> {
  return (await lower(source)).foreignWrites.map(({ identity }) => identity);
}

describe('a submodule that its package imports', () => {
  const files = { 'p/__init__.py': 'from . import b\nfrom . import b as c\n', 'p/b.py': 'def f(): pass\n', 'p/d.py': 'from p import b\n' };

  it.each([
    ['p', 'b', 'module p.b'],
    ['p', 'c', 'alias p::b'],
    ['p.d', 'b', 'alias p::b'],
  ])('%s: %s', async (module, name, shown) => {
    expect(await binding(files, name, module)).toContain(shown);
  });

  it('is not the submodule where the package binds the name to something else too', async () => {
    expect(await binding({ ...files, 'p/__init__.py': 'b = 1\nfrom . import b\n' }, 'b', 'p')).toContain('rebound-name');
  });
});

describe('the namespace of a module', () => {
  it.each(['locals()["f"] = 1', 'vars()["f"] = 1', 'locals().update(f=1)', 'x = locals()', 'x = [n for n in (vars(),)]', '__builtins__["open"] = 1', '__builtins__.open = 1', 'def g(): __builtins__["open"] = 1'])('may be written: %s', async (line) => {
    expect(await writes(`def f(): pass\n${line}\n`)).toContain('*');
  });

  it.each(['x = locals()["f"]', 'x = "f" in vars()', 'def g(f): return locals()', 'def g(f): return "%(f)s" % vars()'])('is only read, or is a function’s: %s', async (line) => {
    expect(await writes(`def f(): pass\n${line}\n`)).toEqual([]);
  });

  it.each(['sys.modules["m"].f = 1', 'sys.modules[__name__].f = 1', 'this = sys.modules[__name__]\nthis.f = 1', 'setattr(sys.modules["m"], "f", 1)', 'importlib.import_module("m").f = 1'])('is that of the module by its name: %s', async (line) => {
    expect(await writes(`import importlib, sys\ndef f(): pass\n${line}\n`)).toContain('@m::f');
  });

  it('binds a name anew in an annotation', async () => {
    expect(await binding('f = 1\nx: (f := int) = 2\n', 'f')).toContain('ambiguous-binding');
  });
});

describe('classes', () => {
  it.each(['type', 'abc.ABCMeta'])('that are made by a subclass of %s are shared', async (base) => {
    expect(await writes(`import abc\nclass L(${base}): pass\nclass M(L):\n    def m(cls): cls.run = 1\n`)).toEqual(['*.run']);
    expect(await writes('import abc\nclass M(abc.ABC):\n    def m(self): self.run = 1\n')).toEqual([]);
  });

  it('are themselves inside of their methods, whatever the module calls so', async () => {
    expect(await fn('__class__ = 1\nclass C:\n    def m(self): return __class__\n', 'm#C.m')).toContain('unsupported "dynamic-name"');
    expect(await expression('__class__', '__class__ = 1\ndef f():')).toContain('@m::__class__');
  });

  it('have patterns of attributes as they are written', async () => {
    expect(await fn('class C:\n    def m(self):\n        match self:\n            case C(__a=1): return self.__b\n', 'm#C.m')).toMatch(/class @m::C\(__a = [\s\S]*\._C__b/);
  });
});
