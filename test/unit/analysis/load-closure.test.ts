import { describe, expect, test } from 'vitest';
import type { Library } from '../../../src/analysis/library.js';
import { unreviewedLoads } from '../../../src/analysis/load-closure.js';
import { lowerPython } from '../../../src/frontends/python/lower.js';

const library = (known: readonly string[]): Library => ({
  canonical: (identity) => identity,
  entry: (identity) => (known.includes(identity) ? { callee: identity, access: 'call', parameters: [], forms: [], digest: '' } : undefined),
  isPrefix: () => false,
  isModule: () => false,
  isClass: () => false,
  isSubclass: () => false,
  lineage: (identity) => [identity],
  constant: () => undefined,
  forms: () => ({ kind: 'forms', forms: [] }),
  relations: [],
});

async function loads(files: Readonly<Record<string, string>>, known: readonly string[] = []): Promise<string[]> {
  const program = await lowerPython({ files: Object.entries(files).map(([path, text]) => ({ path, text })) });
  return unreviewedLoads(program, library(known), 'm').map((load) => `${load.identity} ${load.span.file}:${String(load.span.line)}`);
}

describe('library calls while modules load', () => {
  test('an unreviewed one is found, in whatever module the entry loads and however it is wrapped', async () => {
    expect(
      await loads({
        'm/__init__.py': 'import patcher\nfrom .a import x\npatcher.install()\n',
        'm/a.py': 'from patcher import more\nx = 1\nif x:\n    more(2)\n',
      }),
    ).toEqual(['py:patcher#install m/__init__.py:3', 'py:patcher#more m/a.py:4']);
  });
  test('a reviewed one, one inside a function and one in a module that is not loaded are not', async () => {
    const files = {
      'm/__init__.py': 'import patcher\npatcher.install()\n\ndef f():\n    patcher.later()\n',
      'm/other.py': 'import patcher\npatcher.other()\n',
    };
    expect(await loads(files, ['py:patcher#install'])).toEqual([]);
  });
});
