import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type JsonObject, type JsonValue } from '../../../src/base/canonical-json.js';
import { parseJsonStrict } from '../../../src/base/parse-json.js';
import { conditional, equal, list, listOf } from '../../../src/analysis/construct.js';
import { TRUE } from '../../../src/analysis/guards.js';
import { Store } from '../../../src/analysis/store.js';
import { encodeSummary } from '../../../src/analysis/summary-codec.js';
import { decodeSummary, SummaryFormatError } from '../../../src/analysis/summary-decode.js';
import type { Summary } from '../../../src/analysis/summary.js';
import { Builder, decideWith } from '../compatibility/kit.js';

/** One of everything that a summary can hold. `noise` changes the order of discovery. */
function rich(store: Store, noise: boolean): Builder {
  const builder = new Builder(store);
  if (noise) for (const name of ['z', 'y', 'x', 'files']) builder.is(name, 'array');
  const { guards } = store;
  builder.domain = guards.and(builder.has('x'), builder.is('x', 'string'));
  const input = builder.input('env:HOME', 'optional<str>');
  const external = store.intern({ kind: 'external', identity: 'py:git#Repo', self: input });
  const behaviour = { callee: 'c', form: 'f', range: '>=1', entry: 'sha256:1' };
  const opaque = store.intern({ kind: 'opaque', digest: 'sha256:2', args: [external], world: store.startWorld });
  const fresh = store.intern({ kind: 'fresh', behaviour, args: [], serial: 1, type: 'str' });
  const over = builder.arg('files');
  const element = store.intern({ kind: 'element', depth: 0, of: over, type: 'str' });
  const carried = store.intern({ kind: 'carried', depth: 0, name: 'v0' });
  const loop = store.internLoop({
    over,
    depth: 0,
    exits: [{ name: 'throw 0', when: equal(store, element, store.string('-')), value: element }],
    carried: [{ name: 'v0', initial: store.constant({ type: 'float', value: -0 }), next: carried }],
    effects: [{ key: 'k', when: equal(store, element, carried) }],
  });
  const left = store.propositionGuard({ kind: 'exists', loop, exit: 'throw 0' });
  const after = store.intern({ kind: 'loop', loop, name: 'v0' });
  const error = store.intern({ kind: 'error', call: builder.observe('open', [fresh]), type: 'py:builtins#OSError' });
  const record = store.intern({
    kind: 'record',
    fields: [{ when: left, key: store.string('a'), value: after }],
    rest: builder.arg('options'),
    removed: [{ when: TRUE, key: store.string('b') }],
    type: 'dict',
  });
  const constants = listOf(store, 'tuple', [
    store.constant({ type: 'float', value: NaN }),
    store.constant({ type: 'float', value: -Infinity }),
    store.constant({ type: 'bytes', hex: '00ff' }),
    store.constant({ type: 'special', name: 'Ellipsis' }),
    store.constant({ type: 'undefined' }),
    store.int(10n ** 30n),
    store.true,
    store.null,
  ]);
  const segments = list(store, 'list', [
    { kind: 'spread', when: left, of: over },
    { kind: 'items', when: builder.startsWith('x', '-'), items: [opaque, error] },
  ]);
  const choice = conditional(store, builder.fails('check', [builder.arg('x')], 'T'), record, constants);
  return builder
    .effect('write', { when: guards.not(left), dimensions: { path: choice, words: segments }, contexts: ['tx'], loops: [loop] })
    .effect('protect', { protective: true })
    .disclose(fresh, left)
    .throws(left)
    .escalate(builder.equals('x', store.string('stop')))
    .returns(guards.not(left));
}

const textOf = (summary: Summary): string => canonicalJson(encodeSummary(summary).semantic);

describe('summaries as canonical JSON', () => {
  test('what is written is read back, and written again it is the same', () => {
    const first = encodeSummary(rich(new Store(), false).build());
    const text = canonicalJson(first.semantic);
    const store = new Store();
    const decoded = decodeSummary(parseJsonStrict(text), store, first.spans);
    expect(textOf(decoded)).toBe(text);
    expect(encodeSummary(decoded)).toEqual(first);
  });

  test('the order of discovery does not show', () => {
    expect(textOf(rich(new Store(), true).build())).toBe(textOf(rich(new Store(), false).build()));
    const used = new Store();
    rich(used, false).build();
    for (let at = 0; at < 50; at += 1) used.string(`other ${String(at)}`);
    const again = decodeSummary(encodeSummary(rich(new Store(), true).build()).semantic, used);
    expect(textOf(again)).toBe(textOf(rich(new Store(), false).build()));
  });

  test('two releases that are read into one store meet in equal terms', () => {
    const { semantic } = encodeSummary(rich(new Store(), false).build());
    const store = new Store();
    const [a, b] = [decodeSummary(semantic, store), decodeSummary(semantic, store)];
    expect(a.outcomes).toEqual(b.outcomes);
    expect(decideWith({ build: () => a }, { build: () => b }, { x: 'a', files: ['p'], options: {} }).verdict).toBe('equal');
  });

  test('effects that exclude each other have no order, others keep theirs', () => {
    const build = (swap: boolean, exclusive: boolean): string => {
      const builder = new Builder(new Store());
      const when = builder.has('x');
      const otherwise = exclusive ? builder.store.guards.not(when) : TRUE;
      // The kit names the world by position, which is order; one callee each keeps the calls alike.
      const effects = [() => effectOf(builder, 'a', when), () => effectOf(builder, 'b', otherwise)];
      for (const effect of swap ? effects.reverse() : effects) effect();
      return textOf(withOrder(builder.build()));
    };
    expect(build(true, true)).toBe(build(false, true));
    expect(build(true, false)).not.toBe(build(false, false));
  });

  test('disclosures and exits are one outcome each, wherever they stand', () => {
    const split = new Builder(new Store());
    const when = split.has('x');
    const not = split.store.guards.not(when);
    const secret = split.input('env:S');
    split.disclose(secret, when).returns(when).disclose(secret, not).returns(not);
    const joined = new Builder(new Store());
    joined.disclose(joined.input('env:S')).returns();
    expect(textOf(split.build())).toBe(textOf(joined.build()));
  });

  test('meaning shows: another constant, condition, context or mark is other bytes', () => {
    const of = (change: (builder: Builder) => unknown): string => {
      const builder = new Builder(new Store());
      change(builder);
      return textOf(builder.build());
    };
    const texts = [
      of((b) => b.effect('w', { dimensions: { v: b.store.int(1) } })),
      of((b) => b.effect('w', { dimensions: { v: b.store.constant({ type: 'float', value: 1 }) } })),
      of((b) => b.effect('w', { dimensions: { v: b.store.string('1') } })),
      of((b) => b.effect('w', { dimensions: { v: b.store.int(1) }, exact: false })),
      of((b) => b.effect('w', { dimensions: { v: b.store.int(1) }, protective: true })),
      of((b) => b.effect('w', { dimensions: { v: b.store.int(1) }, baseline: true })),
      of((b) => b.effect('w', { dimensions: { v: b.store.int(1) }, contexts: ['tx'] })),
      of((b) => b.effect('w', { dimensions: { v: b.store.int(1) }, when: b.has('x') })),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });
});

function effectOf(builder: Builder, operation: string, when: number): void {
  builder.effect(operation, { when });
}
/** The same world for every call. */
function withOrder(summary: Summary): Summary {
  const { store } = summary;
  return {
    ...summary,
    outcomes: summary.outcomes.map((outcome) => {
      if (outcome.kind !== 'effect') return outcome;
      const call = store.term(outcome.call);
      return call.kind === 'observe' ? { ...outcome, call: store.intern({ ...call, world: store.startWorld }) } : outcome;
    }),
  };
}

describe('documents of another form', () => {
  const { semantic } = encodeSummary(rich(new Store(), false).build());
  test('any change of a value or member is refused or means something else', () => {
    const places: (readonly (string | number)[])[] = [];
    const walk = (value: JsonValue, path: readonly (string | number)[]): void => {
      places.push(path);
      if (Array.isArray(value)) value.forEach((item: JsonValue, at) => walk(item, [...path, at]));
      else if (typeof value === 'object' && value !== null) for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
    };
    walk(semantic, []);
    const text = canonicalJson(semantic);
    fc.assert(
      fc.property(
        fc.constantFrom(...places.filter((path) => path.length > 0)),
        fc.constantFrom<JsonValue>(null, true, -1, 1e9, 1.5, 'q', [], {}),
        (path, value) => {
          const copy = structuredClone(semantic) as unknown as Record<string, never>;
          let at: Record<string | number, unknown> = copy;
          for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>;
          at[path.at(-1)!] = value;
          if (canonicalJson(copy) === text) return;
          try {
            expect(textOf(decodeSummary(copy as unknown as JsonObject, new Store()))).not.toBe(text);
          } catch (error) {
            expect(error).toBeInstanceOf(SummaryFormatError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
  test('a node refers to earlier nodes of the right kind only', () => {
    const forward: JsonValue = { ...semantic, nodes: [{ kind: 'apply', fn: 'f', args: [0] }] };
    expect(() => decodeSummary(forward, new Store())).toThrow(/nodes\[0\]\.args\[0\].*earlier term/);
  });
});
