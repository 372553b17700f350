import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InventorySet } from '../../../src/profile/inventory-set.js';
import type { Inventory } from '../../../src/profile/inventory.js';
import { loadInventory } from '../../../src/profile/load.js';

const inventory = (text: string): Inventory => loadInventory({ file: 'x.yaml', text }).inventory;

const GIT = inventory(`inventory: git
language: python
package: pkg:pypi/git
modules: [git, git.exc, git.objects, git.objects.commit]
aliases:
  py:git#BadName: py:git.exc#BadName
  py:git.exc#BadName: py:gitdb.exc#BadName
  py:git#Repository: py:git#Repo
  py:git#Repo.old: py:git#Repo.new.path
  py:oldgit: py:git
  py:git#errors: py:git.exc
classes:
  py:git.exc#GitError: [py:builtins#Exception]
  py:git.exc#CommandError: [py:git.exc#GitError, py:other#Mixin]
  py:gitdb.exc#BadName: [py:builtins#Exception]
constants: { "py:git#NULL": '"n"' }
entries:
  - callee: py:git#Repo.rev_parse
    parameters: rev
    forms:
      - { id: old, versions: "<3", model: guard }
      - { id: new, versions: ">=3,<4", model: fresh }
      - { id: any, when: 'rev == ""', model: guard }
  - callee: py:git#Repo.head
    access: attribute
    forms: [{ id: x, model: fresh }]
relations:
  - { id: always, reason: r, if: { callee: py:git#Repo.rev_parse, arguments: [r] }, implies: { callee: py:git#Repo.rev_parse, arguments: [r] } }
  - { id: ranged, versions: ">=3", reason: r, if: { callee: py:git#Repo.rev_parse, arguments: [r] }, implies: { callee: py:git#Repo.rev_parse, arguments: [r] } }
`);
const BUILTINS = inventory(`inventory: builtins
language: python
modules: [builtins]
classes: { "py:builtins#object": [], "py:builtins#Exception": ["py:builtins#object"] }
entries:
  - { callee: "py:builtins#len", parameters: x, forms: [{ id: x, model: guard }] }
`);
const set = new InventorySet([GIT, BUILTINS]);

describe('identities', () => {
  it.each([
    ['py:git#Repo', 'py:git#Repo'],
    ['py:git#exc', 'py:git.exc'],
    ['py:git#exc.GitError', 'py:git.exc#GitError'],
    ['py:git#objects.commit.Commit.message', 'py:git.objects.commit#Commit.message'],
    ['py:git#BadName', 'py:gitdb.exc#BadName'],
    ['py:git#exc.BadName', 'py:gitdb.exc#BadName'],
    ['py:git#Repository', 'py:git#Repo'],
    ['py:git#Repository.rev_parse', 'py:git#Repo.rev_parse'],
    ['py:git#RepositoryX.rev_parse', 'py:git#RepositoryX.rev_parse'],
    ['py:git#Repository.old.deep', 'py:git#Repo.new.path.deep'],
    ['py:oldgit#Repository', 'py:git#Repo'],
    ['py:oldgit', 'py:git'],
    ['py:oldgit.exc#BadName', 'py:gitdb.exc#BadName'],
    ['py:oldgit.exc', 'py:git.exc'],
    ['py:oldgits#Repository', 'py:oldgits#Repository'],
    ['py:git#errors', 'py:git.exc'],
    ['py:git#errors.BadName', 'py:gitdb.exc#BadName'],
    ['py:unknown#exc.BadName', 'py:unknown#exc.BadName'],
  ])('%s is %s', (identity, canonical) => {
    expect(set.canonicalIdentity(identity)).toBe(canonical);
  });
  it('canonical names are fixed points', () => {
    const step = fc.constantFrom('git', 'exc', 'objects', 'commit', 'BadName', 'Repo', 'Repository', 'old', 'errors', 'x');
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), fc.array(step, { maxLength: 4 }), (module, path) => {
        const identity = `py:${module.join('.')}${path.length === 0 ? '' : `#${path.join('.')}`}`;
        const canonical = set.canonicalIdentity(identity);
        expect(set.canonicalIdentity(canonical)).toBe(canonical);
      }),
    );
  });
  it('looks entries up by any name, and only as they are accessed', () => {
    expect(set.lookup('py:git#Repository.rev_parse', 'call')?.callee).toBe('py:git#Repo.rev_parse');
    expect(set.lookup('py:git#Repo.rev_parse', 'attribute')).toBeUndefined();
    expect(set.lookup('py:git#Repo.head', 'attribute')?.callee).toBe('py:git#Repo.head');
    expect(set.lookup('py:git#Repo.head', 'call')).toBeUndefined();
    expect(set.lookup('py:git#Repo', 'call')).toBeUndefined();
  });
  it('knows modules, classes, constants and prefixes', () => {
    expect([set.isModule('py:git.exc'), set.isModule('py:git#exc'), set.isModule('py:git#Repo'), set.isModule('py:gitdb')]).toEqual([true, true, false, false]);
    expect([set.isClass('py:git#exc.GitError'), set.isClass('py:git#Repo')]).toEqual([true, false]);
    expect([set.constant('py:oldgit#NULL')?.text, set.constant('py:git#OTHER')]).toEqual(['"n"', undefined]);
    expect(['py:git', 'py:git#Repo', 'py:git#Repository', 'py:git.objects', 'py:builtins'].map((name) => set.isPrefix(name))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['py:git#Rep', 'py:git#Repo.rev_parse', 'py:gi', 'py:'].map((name) => set.isPrefix(name))).toEqual([false, false, false, false]);
  });
});

describe('classes', () => {
  it.each<[string, string, boolean | undefined]>([
    ['py:git.exc#GitError', 'py:git.exc#GitError', true],
    ['py:git#exc.GitError', 'py:builtins#Exception', true],
    ['py:git.exc#GitError', 'py:builtins#object', true],
    ['py:git.exc#GitError', 'py:gitdb.exc#BadName', false],
    ['py:git#BadName', 'py:git#exc.BadName', true],
    // py:other#Mixin is declared nowhere: what it derives from is not known.
    ['py:git.exc#CommandError', 'py:git.exc#GitError', true],
    ['py:git.exc#CommandError', 'py:gitdb.exc#BadName', undefined],
    ['py:nowhere#E', 'py:builtins#Exception', undefined],
    ['py:nowhere#E', 'py:nowhere#E', true],
  ])('%s under %s: %s', (identity, ancestor, expected) => {
    expect(set.isSubclass(identity, ancestor)).toBe(expected);
  });
  it('lists ancestors nearest first', () => {
    expect(set.lineage('py:git.exc#CommandError')).toEqual([
      'py:git.exc#CommandError',
      'py:git.exc#GitError',
      'py:other#Mixin',
      'py:builtins#Exception',
      'py:builtins#object',
    ]);
    expect(set.lineage('py:nowhere#E')).toEqual(['py:nowhere#E']);
  });
});

describe('versions', () => {
  const entry = set.lookup('py:git#Repo.rev_parse', 'call')!;
  const ids = (version: string | undefined) => set.formsFor(entry, version).forms.map((form) => form.id);
  it('choose forms, in order', () => {
    expect([ids('2.9'), ids('3'), ids('3.9.9'), ids('4')]).toEqual([['old', 'any'], ['new', 'any'], ['new', 'any'], ['any']]);
    expect(set.formsFor(entry, '3')).toMatchObject({ kind: 'forms' });
  });
  it('are asked for where they decide and are not known', () => {
    expect(set.formsFor(entry, undefined)).toMatchObject({
      kind: 'version-needed',
      package: 'pkg:pypi/git',
      ranges: ['<3', '>=3,<4', '*'],
      forms: [{ id: 'any' }],
    });
    expect(set.formsFor(set.lookup('py:git#Repo.head', 'attribute')!, undefined)).toMatchObject({ kind: 'forms', forms: [{ id: 'x' }] });
  });
  it('that are no versions are an error, not "no form"', () => {
    expect(() => set.formsFor(entry, 'three')).toThrow(/version/);
  });
  it('choose relations, and an unknown version drops those that need one', () => {
    const relations = (version: string | undefined) =>
      set.relationsFor((name) => (name === 'pkg:pypi/git' ? version : undefined)).map((relation) => relation.id);
    expect([relations('2'), relations('3'), relations(undefined)]).toEqual([['always'], ['always', 'ranged'], ['always']]);
    expect(set.relations).toHaveLength(2);
  });
  it('belong to a package', () => {
    expect(set.packageOf(entry)).toBe('pkg:pypi/git');
    expect(set.packageOf(set.lookup('py:builtins#len', 'call')!)).toBeUndefined();
    expect(() => set.packageOf({ ...entry })).toThrow(/not of this set/);
  });
});

describe('conflicts', () => {
  const head = (id: string) => `inventory: ${id}\nlanguage: python\nmodules: [a]\n`;
  const entry = (callee: string) => `entries: [{ callee: "${callee}", forms: [{ id: x, model: guard }] }]\n`;
  it.each([
    ['one callee', [entry('py:a#f'), entry('py:a#f')], /callee "py:a#f"/],
    ['one callee under two names', [entry('py:a#f'), `aliases: { "py:b#f": "py:a#f" }\n${entry('py:b#f')}`], /callee "py:a#f"/],
    ['one alias to two names', ['aliases: { "py:a#f": "py:b#f" }\n', 'aliases: { "py:a#f": "py:c#f" }\n'], /alias "py:a#f"/],
    ['one class with other bases', ['classes: { "py:a#E": [] }\n', 'classes: { "py:a#E": ["py:a#F"] }\n'], /class "py:a#E"/],
    ['one constant', [`constants: { "py:a#N": "1" }\n`, `constants: { "py:a#N": "1" }\n`], /constant "py:a#N"/],
    ['aliases in a circle', ['aliases: { "py:a#f": "py:b#f" }\n', 'aliases: { "py:b#f": "py:a#f" }\n'], /circle/],
    ['an alias of itself', ['aliases: { "py:a#f": "py:a#f.g" }\n'], /circle/],
    ['classes in a circle', ['classes: { "py:a#E": ["py:a#F"] }\n', 'classes: { "py:a#F": ["py:a#E"] }\n'], /own ancestor/],
  ])('%s', (_name, bodies, message) => {
    const inventories = bodies.map((body, index) => inventory(head(`i${index}`) + body));
    expect(() => new InventorySet(inventories)).toThrow(message);
    if (bodies.length === 2 && !message.source.includes('circle') && !message.source.includes('ancestor')) {
      expect(() => new InventorySet(inventories.slice(0, 1))).not.toThrow();
    }
  });
  it('the same alias and class twice is none, and diamonds are no circles', () => {
    const same = 'aliases: { "py:a#f": "py:b#f" }\nclasses: { "py:a#A": [], "py:a#B": ["py:a#A"], "py:a#C": ["py:a#A"], "py:a#D": ["py:a#B", "py:a#C"] }\n';
    const both = new InventorySet([inventory(head('i0') + same), inventory(head('i1') + same)]);
    expect(both.isSubclass('py:a#D', 'py:a#A')).toBe(true);
  });
  it("a profile's own entries win", () => {
    const own = inventory(head('own') + entry('py:builtins#len')).entries;
    const merged = new InventorySet([BUILTINS], { language: 'python', package: 'pkg:pypi/server', entries: own });
    const found = merged.lookup('py:builtins#len', 'call')!;
    expect([found.digest === own.get('py:builtins#len')?.digest, merged.packageOf(found)]).toEqual([true, 'pkg:pypi/server']);
  });
});
