import { describe, expect, test } from 'vitest';
import { conditional, equal, has, hasType, list, listOf } from '../../../src/analysis/construct.js';
import { FALSE, TRUE } from '../../../src/analysis/guards.js';
import { Store } from '../../../src/analysis/store.js';
import type { TermId } from '../../../src/analysis/terms.js';

const argument = (store: Store, ...path: (string | number)[]): TermId => store.intern({ kind: 'argument', path });

describe('identity by content', () => {
  test('the order in which members are written does not matter', () => {
    const store = new Store();
    const x = argument(store, 'x');
    expect(store.intern({ kind: 'apply', fn: 'f', args: [x], type: 'str' })).toBe(store.intern({ type: 'str', args: [x], fn: 'f', kind: 'apply' }));
  });

  test('constants that JSON cannot tell apart are apart', () => {
    const store = new Store();
    const floats = [0, -0, NaN, Infinity, -Infinity].map((value) => store.constant({ type: 'float', value }));
    expect(new Set(floats).size).toBe(5);
    expect(new Set(floats.map((id) => store.termKey(id))).size).toBe(5);
    expect(store.int(1)).not.toBe(store.constant({ type: 'float', value: 1 }));
  });

  test('an index and a key of the same text are different paths', () => {
    const store = new Store();
    const [index, key] = [has(store, ['x', 0]), has(store, ['x', '0'])];
    expect(index).not.toBe(key);
    expect(store.guardKey(index)).not.toBe(store.guardKey(key));
  });

  test('keys and diagrams do not depend on the order of discovery', () => {
    const build = (store: Store, reverse: boolean): { key: string; guard: string } => {
      const names = ['a', 'b', 'c', 'd'];
      for (const name of reverse ? [...names].reverse() : names) hasType(store, argument(store, name), 'string');
      let value = store.string('end');
      for (const name of names) value = conditional(store, has(store, [name]), argument(store, name), value);
      const guard = store.guards.any(names.map((name) => equal(store, value, store.string(name))));
      return { key: store.termKey(value), guard: store.guardKey(guard) };
    };
    expect(build(new Store(), false)).toEqual(build(new Store(), true));
  });

  test('a chain of worlds as long as a large handler has effects needs no stack', () => {
    const store = new Store();
    const behaviour = { callee: 'c', form: 'f', range: '*', entry: 'e' };
    let world = store.startWorld;
    for (let at = 0; at < 20_000; at += 1)
      world = store.intern({ kind: 'world', after: [world, store.intern({ kind: 'observe', behaviour, args: [store.int(at)], world })] });
    expect(store.termKey(world)).toMatch(/^[0-9a-f]{40}$/);
    expect(store.sources(world).calls.size).toBe(20_000);
  });

  test('eighty undecided ifs that each add to a list stay linear', () => {
    const store = new Store();
    let value = listOf(store, 'list', [store.string('start')]);
    for (let at = 0; at < 80; at += 1) {
      const longer = list(store, 'list', [
        { kind: 'spread', when: TRUE, of: value },
        { kind: 'items', when: TRUE, items: [store.string(`--${String(at)}`)] },
      ]);
      value = conditional(store, has(store, [`a${String(at).padStart(2, '0')}`]), longer, value);
    }
    const term = store.term(value);
    expect(term.kind === 'list' && term.segments.length).toBe(81);
    const nodes = term.kind === 'list' ? term.segments.reduce((sum, segment) => sum + store.guards.size(segment.when), 0) : 0;
    expect(nodes).toBe(80);
  });
});

describe('equality', () => {
  test('lists with absent items are compared item by item', () => {
    const store = new Store();
    const [g, h] = [has(store, ['g']), has(store, ['h'])];
    const item = (when: number, text: string) => ({ kind: 'items' as const, when, items: [store.string(text)] });
    const left = list(store, 'list', [item(g, 'a'), item(TRUE, 'b')]);
    const right = list(store, 'list', [item(h, 'a'), item(TRUE, 'b')]);
    expect(equal(store, left, right)).toBe(store.guards.not(store.guards.xor(g, h)));
    expect(equal(store, left, listOf(store, 'list', [store.string('b')]))).toBe(store.guards.not(g));
    expect(equal(store, left, listOf(store, 'list', [store.string('c')]))).toBe(FALSE);
    expect(equal(store, left, listOf(store, 'tuple', [store.string('b')]))).toBe(FALSE);
  });

  test('spreads of one collection cancel; others leave one proposition', () => {
    const store = new Store();
    const x = argument(store, 'x');
    const with1 = (text: string) =>
      list(store, 'list', [
        { kind: 'spread', when: TRUE, of: x },
        { kind: 'items', when: TRUE, items: [store.string(text)] },
      ]);
    expect(equal(store, with1('a'), with1('b'))).toBe(FALSE);
    const other = list(store, 'list', [
      { kind: 'spread', when: TRUE, of: argument(store, 'y') },
      { kind: 'items', when: TRUE, items: [store.string('a')] },
    ]);
    expect(store.guards.size(equal(store, with1('a'), other))).toBe(1);
  });

  test('records are compared by key, the last field of a key counts', () => {
    const store = new Store();
    const g = has(store, ['g']);
    const field = (when: number, key: string, value: TermId) => ({ when, key: store.string(key), value });
    const left = store.intern({ kind: 'record', fields: [field(TRUE, 'a', store.int(1)), field(g, 'a', store.int(2)), field(TRUE, 'b', store.null)] });
    const right = store.intern({ kind: 'record', fields: [field(TRUE, 'b', store.null), field(TRUE, 'a', store.int(2))] });
    expect(equal(store, left, right)).toBe(g);
    expect(equal(store, left, store.intern({ kind: 'record', fields: [field(TRUE, 'a', store.int(1))] }))).toBe(FALSE);
  });
});
