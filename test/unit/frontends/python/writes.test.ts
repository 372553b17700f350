/** The load-closure scan: each kind of write is reported at its place, and what the writing code made itself is not. */
import { describe, expect, it } from 'vitest';
import { writes } from './lowered.js';

describe('writes that may change what a name means', () => {
  it.each([
    ['an attribute of a library', 'import git\ngit.Repo.diff = x', ['attribute py:git#Repo.diff 2']],
    ['through an imported name', 'from git import Repo as R\nR.diff = x', ['attribute py:git#Repo.diff 2']],
    ['through an alias', 'import git\nR = git.Repo\nR.diff = x', ['attribute @m::R.diff 3', 'attribute py:git#Repo.diff 3']],
    ['through a local alias', 'import git\ndef f():\n  r = git.Repo\n  r.diff = x', ['attribute py:git#Repo.diff 4']],
    ['through either of two', 'import git\ndef f(a):\n  r = git.Repo if a else git.Head\n  r.diff = x', ['attribute py:git#Head.diff 4', 'attribute py:git#Repo.diff 4']],
    ['of another module', 'import n\nn.x = 1', ['attribute @n::x 2']],
    ['of a class, from outside', 'class K: pass\nK.run = x', ['attribute @m::K.run 2']],
    ['of a class, in a class method', 'class K:\n  @classmethod\n  def f(cls):\n    cls.run = x', ['attribute @m::K.run 4']],
    ['of a builtin', 'import builtins\nbuiltins.open = x', ['attribute py:builtins#open 2']],
    ['in a class body', 'import git\nclass K:\n  git.Repo.diff = x', ['attribute *.diff 3']],
    ['in a default', 'import git\ndef f(a=setattr(git.Repo, "diff", 1)): pass', ['setattr py:git#Repo.diff 2']],
    ['in a lambda', 'import git\nf = lambda: setattr(git.Repo, "diff", 1)', ['setattr py:git#Repo.diff 2']],
    ['setattr on a parameter', 'def f(o):\n  setattr(o, "diff", 1)', ['setattr *.diff 2']],
    ['setattr with a computed name', 'import git\ndef f(n):\n  setattr(git.Repo, n, 1)', ['setattr py:git#Repo 3']],
    ['setattr of anything', 'def f(o, n):\n  setattr(o, n, 1)', ['setattr * 2']],
    ['setattr on a module of the project', 'import n\ndef f(k):\n  setattr(n, k, 1)', ['setattr * 3']],
    ['setattr as a value', 'x = map(setattr, a, b, c)', ['global * 1']],
    ['delattr', 'import git\ndelattr(git.Repo, "diff")', ['setattr py:git#Repo.diff 2']],
    ['object.__setattr__', 'import git\nobject.__setattr__(git.Repo, "diff", 1)', ['setattr py:git#Repo.diff 2']],
    ['__setattr__ of an object', 'def f(o):\n  o.__setattr__("diff", 1)', ['setattr *.diff 2']],
    ['a namespace', 'import git\ngit.Repo.__dict__["diff"] = x', ['item py:git#Repo.diff 2']],
    ['a namespace by vars', 'import git\nvars(git.Repo)["diff"] = x', ['item py:git#Repo.diff 2']],
    ['a namespace by update', 'import git\ngit.Repo.__dict__.update(x)', ['item py:git#Repo 2']],
    ['a namespace of anything', 'def f(o):\n  o.__dict__.update(x)', ['item * 2']],
    ['sys.modules', 'import sys\nsys.modules["git"] = x', ['item py:git 2']],
    ['sys.modules by a computed name', 'import sys\nsys.modules[__name__ + "x"] = x', ['item * 2']],
    ['a member of sys.modules', 'import sys\nsys.modules["git"].Repo = x', ['attribute py:git#Repo 2']],
    ['a module by name', 'import importlib\nimportlib.import_module("git").Repo = x', ['attribute py:git#Repo 2']],
    ['a member by getattr', 'import git\ngetattr(git, "Repo").diff = x', ['attribute py:git#Repo.diff 2']],
    ['an import by a computed name', 'import importlib\ndef f(n): importlib.import_module(n)', ['global * 2']],
    ['globals', 'globals()["f"] = x', ['item * 1']],
    ['globals handed on', 'f(globals())', ['global * 1']],
    ['exec', 'exec(x)', ['global * 1']],
    ['the import path', 'import sys\nsys.path.insert(0, x)', ['item * 2']],
    ['the import path by +=', 'import sys\nsys.path += x', ['attribute * 2']],
    ['mocks', 'from unittest import mock\nmock.patch("git.Repo").start()', ['global * 2']],
    ['the environment', 'import os\nos.environ["A"] = x', ['environment py:os#environ 2']],
    ['the environment by a method', 'from os import environ\nenviron.update(x)', ['environment py:os#environ 2']],
    ['the environment by putenv', 'import os\nos.putenv("A", x)', ['environment py:os#environ 2']],
    ['the working directory', 'import os\nos.chdir(x)', ['environment py:os#getcwd 2']],
    ['del', 'import git\ndel git.Repo.diff', ['delete py:git#Repo.diff 2']],
    ['a loop variable', 'import git\nfor git.Repo.diff in x: pass', ['attribute py:git#Repo.diff 2']],
    ['a with target', 'import git\nwith x as git.Repo.diff: pass', ['attribute py:git#Repo.diff 2']],
    ['a comprehension target', 'import git\n[1 for git.Repo.diff in x]', ['attribute py:git#Repo.diff 2']],
    ['an unpacking', 'import git\n(a, [*git.Repo.diff]) = x', ['attribute py:git#Repo.diff 2']],
    ['an augmented assignment', 'import git\ngit.Repo.diff += x', ['attribute py:git#Repo.diff 2']],
    ['an object from a parameter', 'def f(o):\n  o.diff = x', ['attribute *.diff 2']],
    ['an object from a loop', 'def f():\n  for o in g():\n    o.diff = x', ['attribute *.diff 3']],
    ['a member of an instance', 'class K:\n  def f(self):\n    self.repo.diff = x', ['attribute *.diff 3']],
    ['an object that a function returns', 'def f():\n  o = g()\n  o.diff = x', ['attribute *.diff 3']],
    ['a local that is more than what it was made as', 'import git\ndef f(o):\n  r = git.Repo()\n  r = o\n  r.diff = x', ['attribute *.diff 5']],
    ['a receiver that is assigned', 'import git\nclass K:\n  def f(self):\n    self = git\n    self.Repo = x', ['attribute py:git#Repo 5']],
    ['a broken function', 'import git\ndef f():\n  x = = 1\n  git.Repo.diff = y\n', ['attribute *.diff 2']],
    ['what is not lowered', 'import git\ndef f():\n  try: pass\n  except* E: git.Repo.diff = y\n', ['attribute *.diff 4']],
  ])('%s', async (_, source, expected) => {
    expect(await writes({ 'm.py': source, 'n.py': 'x = 0' })).toEqual(expected);
  });
});

describe('state of the project', () => {
  it.each([
    ['an element', 'S = {}\ndef f(): S["a"] = 1', ['item @m::S 2']],
    ['a method of a list', 'S = []\ndef f(): S.append(1)', ['item @m::S 2']],
    ['through a local', 'S = []\ndef f():\n  s = S\n  s.append(1)', ['item @m::S 4']],
    ['in place through a local', 'S = []\ndef f():\n  s = S\n  s += [1]', ['item @m::S 4']],
    ['of another module', 'import n\ndef f(): n.S.clear()', ['item @n::S 2']],
    ['through a function that changes what it gets', 'S = []\ndef g(s): s.append(1)\ndef f(): g(S)', ['item @m::S 3']],
    ['an instance with a method that changes it', 'class K:\n  def set(self, x): self.x = x\nS = K()', ['item @m::S 3']],
    ['an instance of a subclass', 'class K:\n  def add(self, x): self.xs.append(x)\nclass L(K): pass\nS = L()', ['item @m::S 4']],
    ['a member of an instance', 'class K: pass\nS = K()\ndef f(): S.x = 1', ['attribute @m::S.x 3']],
  ])('is reported: %s', async (_, source, expected) => {
    expect(await writes({ 'm.py': source, 'n.py': 'S = [1]' })).toEqual(expected);
  });
});

describe('writes that change nothing else', () => {
  it.each([
    ['an instance in its methods', 'class K:\n  def __init__(self):\n    self.x = 1\n    self.y["a"] = 2\n    setattr(self, n, 1)\n    self.__dict__.update(a=1)'],
    ['a new instance', 'class K: pass\ndef f():\n  k = K()\n  k.x = 1\n  K().y = 2'],
    ['a new instance of a library class', 'import git\ndef f():\n  r = git.Repo(".")\n  r.x = 1'],
    ['what a function made and returns', 'class K: pass\ndef g():\n  k = K()\n  return k\ndef f():\n  k = g()\n  k.x = 1'],
    ['an exception', 'def f():\n  try: pass\n  except E as e: e.code = 1'],
    ['a function', 'def f():\n  def g(): pass\n  g.x = 1\n  return g'],
    ['an instance made in a class method', 'class K:\n  @classmethod\n  def f(cls):\n    k = cls()\n    k.x = 1\n    o = object.__new__(cls)\n    o.y = 1'],
    ['elements of what was made here, and of parameters', 'def f(p):\n  d = {}\n  d["a"] = 1\n  p["a"] = 1\n  d.update(p)\n  l = []\n  l += [1]'],
    ['reading namespaces', 'def f(o):\n  return vars(o), vars(o).items(), globals()["x"], globals().get("y"), "z" in globals(), o.__dict__["a"]'],
    ['an import by a name in plain sight', 'import importlib\nx = importlib.import_module("git")'],
    ['state that is only read', 'S = {"a": 1}\ndef f(x):\n  print(S)\n  return S["a"], S.get(x), len(S), [s for s in S]'],
    ['super().__setattr__', 'class K:\n  def f(self, n, v): super().__setattr__(n, v)'],
  ])('%s', async (_, source) => {
    expect(await writes(source)).toEqual([]);
  });
});
