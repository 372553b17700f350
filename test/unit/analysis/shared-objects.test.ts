import { describe, expect, test } from 'vitest';
import { SharedObjects } from '../../../src/analysis/shared-objects.js';
import type { Library } from '../../../src/analysis/library.js';
import { lowerPython } from '../../../src/frontends/python/lower.js';
import { MUTATORS } from '../../../src/semantics/python/mutators.js';

const noLibrary: Library = {
  canonical: (identity) => identity,
  entry: () => undefined,
  isPrefix: () => false,
  isModule: () => false,
  isClass: () => false,
  isSubclass: () => false,
  lineage: (identity) => [identity],
  constant: () => undefined,
  forms: () => ({ kind: 'forms', forms: [] }),
  relations: [],
};

async function mayChange(code: string): Promise<boolean> {
  const program = await lowerPython({ files: [{ path: 'm/__init__.py', text: `STATE = {}\n${code}` }] });
  return new SharedObjects(program, noLibrary, MUTATORS).mayChangeModuleVariable('m', 'STATE');
}

describe('a module object that some code may change', () => {
  test.each([
    ['an element assigned', 'def f(k, v):\n    STATE[k] = v\n'],
    ['an element deleted', 'def f(k):\n    del STATE[k]\n'],
    ['a method that changes', 'def f(k):\n    STATE.update(k)\n'],
    ['through a local alias', 'def f(k, v):\n    state = STATE\n    state[k] = v\n'],
    ['through an element', 'def f(k, v):\n    STATE["list"].append(v)\n'],
    ['through an alias of an element', 'def f(k, v):\n    xs = STATE["list"]\n    xs.append(v)\n'],
    ['through a loop variable', 'def f(v):\n    for x in STATE.values():\n        x.append(v)\n'],
    ['through a walrus', 'def f(v):\n    if (x := STATE.get("a")):\n        x.append(v)\n'],
    ['through a parameter', 'def put(d, k, v):\n    d[k] = v\n\ndef f(k, v):\n    put(STATE, k, v)\n'],
    ['through a keyword argument', 'def put(k, into):\n    into[k] = 1\n\ndef f(k):\n    put(k, into=STATE)\n'],
    ['through a method of a project class', 'class A:\n    def put(self, d, k):\n        d[k] = 1\n\ndef f(a, k):\n    a.put(STATE, k)\n'],
    ['given to an unknown function', 'import other\n\ndef f():\n    other.remember(STATE)\n'],
    ['held in another object', 'def f(v):\n    box = [STATE]\n    box[0]["k"] = v\n'],
    ['in place', 'def f(v):\n    x = STATE\n    x |= v\n'],
    ['from a nested function', 'def f():\n    def g(v):\n        STATE["k"] = v\n    return g\n'],
  ])('%s', async (_, code) => {
    expect(await mayChange(code)).toBe(true);
  });

  test.each([
    ['read by key', 'def f(k):\n    return STATE[k]\n'],
    ['read by method', 'def f(k):\n    return STATE.get(k)\n'],
    ['iterated and tested', 'def f(k):\n    return [x for x in STATE if k in STATE]\n'],
    ['another object changed', 'def f(k):\n    out = []\n    out.append(k)\n    return out\n'],
    ['given to a project function that only reads', 'def look(d, k):\n    return d[k]\n\ndef f(k):\n    return look(STATE, k)\n'],
  ])('not when %s', async (_, code) => {
    expect(await mayChange(code)).toBe(false);
  });
});
