/** Damaged files: each loads or is refused with places; nothing else is thrown, by the loader or by the linter. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProfileError } from '../../../src/profile/finding.js';
import { inventoryFiles, packagedProfilesFolder, readSource } from '../../../src/profile/host.js';
import { lintInventory, lintProfile } from '../../../src/profile/lint.js';
import { loadInventory, loadProfile } from '../../../src/profile/load.js';

const SOUND = `inventory: demo
language: python
package: pkg:pypi/demo
modules: [demo, demo.core]
aliases: { "py:demo#f": "py:demo.core#f" }
classes: { "py:demo#Error": ["py:builtins#Exception"] }
constants: { "py:demo#N": "1" }
entries:
  - callee: py:demo.core#f
    parameters: "a, /, *words, key=None, **options"
    forms:
      - { id: old, versions: "<2", when: 'words.all(w, !w.startsWith("-"))', model: guard, throws: [{ type: py:demo#Error, when: 'a == ""' }] }
      - { id: new, versions: ">=2", model: effect, operation: demo.read, dimensions: { path: a, range: { value: flatten(words), exact: false } }, type: "list<str>", throws: never }
relations:
  - { id: r, versions: ">=2", reason: why, if: { callee: py:demo.core#f, arguments: [p] }, implies: { callee: py:demo.core#f, arguments: [p] }, when: 'isHex(p, 40)' }
`;
const PROFILE = `id: s/t
version: 1
tool: t
package: pkg:pypi/s
language: python
entry: [{ function: "s#main", parameters: [{ name: r, input: "option:root", type: str }] }]
inventories: [demo]
operations: { demo.read: { description: d, dimensions: { path: { order: [a, b], lowering: true } } } }
inputs: { "option:root": { description: d } }
arguments: [{ name: path, types: [array], items: [string] }]
domain: args.path.size() < 3
bounds: [{ operation: demo.read, when: dimensions.path == "b", reason: r }]
facts: [{ id: f, description: d, call: { callee: "py:demo.core#f", arguments: [args.path] }, throws: true }]
`;

const JUNK = [
  '',
  ' ',
  '\n',
  '\t',
  ':',
  '-',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  '&a ',
  '*a',
  '!!set ',
  '#',
  '|',
  '>',
  ',',
  '\u0000',
  '\ud800',
  '\u{1F600}',
  '__proto__: 1\n',
  'py:',
  '..',
  '<',
  '~=',
  '((',
  'null',
  '1e999',
];

/** Cuts, doubles or replaces a few pieces of a text. */
const damaged = (text: string) =>
  fc
    .array(fc.record({ at: fc.nat(text.length), length: fc.nat(12), junk: fc.constantFrom(...JUNK), double: fc.boolean() }), { minLength: 1, maxLength: 3 })
    .map((cuts) => cuts.reduce((current, { at, length, junk, double }) => current.slice(0, at) + junk + current.slice(double ? at : at + length), text));

function refusedOr(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    for (const finding of error.findings) {
      expect(finding).toMatchObject({ file: 'x.yaml', severity: 'error' });
      expect([finding.line! >= 1, finding.column! >= 1, finding.fix.length > 0]).toEqual([true, true, true]);
    }
  }
}

describe('damaged files', () => {
  it('inventories', () => {
    fc.assert(
      fc.property(damaged(SOUND), (text) => {
        refusedOr(() => void lintInventory(loadInventory({ file: 'x.yaml', text })));
      }),
      { numRuns: 150 },
    );
  });
  it('profiles', () => {
    const demo = loadInventory({ file: 'demo.yaml', text: SOUND });
    fc.assert(
      fc.property(damaged(PROFILE), (text) => {
        refusedOr(
          () =>
            void lintProfile(
              loadProfile({ file: 'x.yaml', text }, () => undefined),
              [demo],
            ),
        );
      }),
      { numRuns: 150 },
    );
  });
  it('the packaged inventories', () => {
    const folder = packagedProfilesFolder();
    for (const path of inventoryFiles(folder)) {
      const { text } = readSource(path, folder);
      fc.assert(
        fc.property(damaged(text), (broken) => {
          refusedOr(() => void loadInventory({ file: 'x.yaml', text: broken }));
        }),
        { numRuns: 2 },
      );
    }
  });
});
