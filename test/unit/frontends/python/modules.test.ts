/** Imports between modules, star imports, packages, and what of a release is read. */
import { describe, expect, it } from 'vitest';
import { lowerPython } from '../../../../src/frontends/python/lower.js';
import { binding, body, lower } from './lowered.js';

describe('imports', () => {
  it.each([
    ['import git', 'git', 'py:git'],
    ['import git.exc', 'git', 'py:git'],
    ['import git.exc as e', 'e', 'py:git.exc'],
    ['import git . exc as e', 'e', 'py:git.exc'],
    ['from git . exc import BadName as B', 'B', 'py:git.exc#BadName'],
    ['from p import q', 'q', 'module p.q'],
    ['from p import x', 'x', 'alias p::x'],
    ['from p.q import y', 'y', 'alias p.q::y'],
    ['import p.q', 'p', 'module p'],
    ['import p.q as r', 'r', 'module p.q'],
    ['from . import q', 'q', 'unresolved-name:1'],
  ])('%s', async (source, name, expected) => {
    expect(await binding({ 'm.py': source, 'p/__init__.py': 'x = 1', 'p/q.py': 'y = 1' }, name)).toBe(expected);
  });
  it('reads relative imports from where they stand', async () => {
    const files = { 'p/__init__.py': 'from .q import y\nfrom . import q as mod', 'p/q.py': 'from .. import x\nfrom . import r', 'p/r.py': '' };
    expect(await binding(files, 'y', 'p')).toBe('alias p.q::y');
    expect(await binding(files, 'mod', 'p')).toBe('module p.q');
    expect(await binding(files, 'x', 'p.q')).toBe('unresolved-name:1');
    expect(await binding(files, 'r', 'p.q')).toBe('module p.r');
  });
  it('stops at a submodule that takes the place of a name', async () => {
    expect(await binding({ 'p/__init__.py': 'def q(): pass', 'p/q.py': '' }, 'q', 'p')).toBe('ambiguous-binding:1');
    expect(await binding({ 'p/__init__.py': 'from .q import q', 'p/q.py': 'q = 1' }, 'q', 'p')).toBe('alias p.q::q');
  });
  it('stops at names of a module that computes them', async () => {
    const files = { 'm.py': 'from p import q\nfrom p import z', 'p/__init__.py': 'def __getattr__(name): return 1', 'p/q.py': '' };
    expect(await binding(files, 'q')).toBe('dynamic-name:1');
    expect(await binding(files, 'z')).toBe('dynamic-name:2');
  });
  it('resolves imports in functions alike', async () => {
    expect(await body('import git\nfrom git import Repo as R')).toBe('%git = <py:git> %R = <py:git#Repo>');
  });
});

describe('star imports', () => {
  it('bind the public names of a project module, through others and in circles', async () => {
    const files = { 'm.py': 'from a import *\nx = len', 'a.py': 'from b import *\ndef open(): pass\n_hidden = 1', 'b.py': 'from c import *\nfrom a import *', 'c.py': 'def len(): pass' };
    expect(await binding(files, 'open')).toBe('alias a::open');
    expect(await binding(files, 'len')).toBe('alias a::len');
    expect(await binding(files, 'x')).toBe('value @m::len');
    expect(await binding(files, '_hidden')).toBe('nothing');
  });
  it.each([
    ['a literal list', "__all__ = ['_b']", 'alias a::_b'],
    ['a list that is added to', "__all__ = ['_b']\n__all__ += ['c']", 'nothing'],
    ['a computed list', '__all__ = [n for n in dir()]', 'nothing'],
  ])('read %s of exports', async (_, all, expected) => {
    expect(await binding({ 'm.py': 'from a import *\nx = nowhere', 'a.py': `${all}\n_b = 1` }, '_b')).toBe(expected);
  });
  it.each([
    ['from outside', 'from x import *', {}],
    ['with unknown exports', 'from a import *', { 'a.py': '__all__ = f()' }],
    ['of a module with one from outside', 'from a import *', { 'a.py': 'from x import *' }],
    ['in a condition', 'if x:\n  from a import *', { 'a.py': '' }],
    ['in try', 'try:\n  from _m import *\nexcept ImportError: pass', {}],
  ])('stop every name before them, and builtins: %s', async (_, star, files) => {
    const source = `def before(): pass\n${star}\ndef after(): pass\nx = len`;
    expect(await binding({ 'm.py': source, ...files }, 'before')).toBe('star-import:1');
    expect(await binding({ 'm.py': source, ...files }, 'after')).toBe('function m#after');
    expect(await binding({ 'm.py': source, ...files }, 'x')).toMatch(/^value unsupported "star-import"/);
  });
  it('stop a name that is bound again', async () => {
    expect(await binding({ 'm.py': 'from a import *\nfrom b import *', 'a.py': 'x = 1', 'b.py': 'x = 2' }, 'x')).toBe('rebound-name:2');
    expect(await binding({ 'm.py': 'x = 0\nfrom a import *', 'a.py': 'x = 1' }, 'x')).toBe('rebound-name:2');
  });
  it('may bring submodules of a package', async () => {
    expect(await binding({ 'm.py': 'from p import *\nx = open', 'p/__init__.py': 'from . import open as o', 'p/open.py': '' }, 'x')).toBe('value @m::open');
    expect(await binding({ 'm.py': 'from p import *\nx = open', 'p/__init__.py': '', 'p/open.py': '' }, 'open')).toBe('star-import:1');
  });
});

describe('what is read', () => {
  const ids = async (paths: readonly string[], texts: Readonly<Record<string, string>> = {}): Promise<string[]> => [...(await lowerPython({ files: paths.map((path) => ({ path, text: texts[path] ?? '' })) })).modules.keys()];

  it('finds the root of a wheel, of a source tree and of a flat project', async () => {
    expect(await ids(['pkg/__init__.py', 'pkg/server.py'])).toEqual(['pkg', 'pkg.server']);
    expect(await ids(['src/pkg/__init__.py', 'src/pkg/server.py', 'tests/test_a.py', 'setup.py'])).toEqual(['pkg', 'pkg.server']);
    expect(await ids(['server.py'])).toEqual(['server']);
  });
  it('leaves out tests beside the product, unless the product imports them', async () => {
    expect(await ids(['pkg/__init__.py', 'tests/__init__.py', 'tests/conf.py', 'setup.py'])).toEqual(['pkg']);
    expect(await ids(['pkg/__init__.py', 'tests/__init__.py', 'tests/conf.py', 'tests/other.py'], { 'pkg/__init__.py': 'def f():\n  import tests.conf', 'tests/conf.py': '' })).toEqual(['pkg', 'tests', 'tests.conf']);
  });
  it('takes a package before a module beside it, and refuses two files of one name', async () => {
    expect((await lower({ 'a.py': 'x = 1', 'a/__init__.py': 'x = 2' })).modules.get('a')?.file).toBe('a/__init__.py');
    const program = await lowerPython({ files: [{ path: 'one/a.py', text: 'x = 1' }, { path: 'two/a.py', text: 'x = 2' }], roots: ['one', 'two'] });
    expect(program.syntaxErrors).toMatchObject([{ file: 'one/a.py', detail: 'two/a.py is a module of the same name' }]);
    expect(program.modules.get('a')?.bindings.get('x')).toMatchObject({ kind: 'unsupported', code: 'syntax-error' });
  });
});
