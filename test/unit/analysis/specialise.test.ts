import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/canonical-json.js';
import { conditional, equal, has, hasType, listOf, throws } from '../../../src/analysis/construct.js';
import type { Fold } from '../../../src/analysis/fold.js';
import { FALSE, TRUE } from '../../../src/analysis/guards.js';
import { literalAt, literalOf, literalTerm, parseLiteral, type Literal } from '../../../src/analysis/literal.js';
import { Rewriter } from '../../../src/analysis/rewrite.js';
import { callSubstitution, specialise } from '../../../src/analysis/specialise.js';
import { Store } from '../../../src/analysis/store.js';
import { testText, textOf } from '../../../src/analysis/text-tests.js';
import { theoryOf, type Knowledge } from '../../../src/analysis/theory.js';
import type { EffectOutcome, Summary } from '../../../src/analysis/summary.js';
import type { Guard, JsonType, TermId } from '../../../src/analysis/terms.js';

const NO_FOLD: Fold = { term: () => undefined, test: () => undefined };
/** `upper` on constants. */
const UPPER: Fold = {
  term: (store, fn, [only]) => {
    const text = only === undefined ? undefined : textOf(store, only);
    return fn === 'upper' && text !== undefined ? store.string(text.toUpperCase()) : undefined;
  },
  test: () => undefined,
};
const knowledge = (fold: Fold): Knowledge => ({ fold, isSubclass: (a, b) => a === b, classes: [], relations: [], relationHolds: () => undefined });

function rewriter(store: Store, args: JsonValue, fold: Fold = NO_FOLD, inputs: Record<string, string | null> = {}): Rewriter {
  return new Rewriter(store, fold, callSubstitution(store, { arguments: literalOf(args), inputs: new Map(Object.entries(inputs)) }, fold));
}
const argument = (store: Store, ...path: (string | number)[]): TermId => store.intern({ kind: 'argument', path });

describe('literal arguments', () => {
  test('numbers keep their spelling, keys their place', () => {
    const literal = parseLiteral('{"b": 1.0, "2": [1, -0.5e3, "3"], "1": {"x": 7}, "__proto__": 4}');
    expect(literal.kind === 'object' && [...literal.members.keys()]).toEqual(['b', '2', '1', '__proto__']);
    expect(literalAt(literal, ['b'])).toEqual({ kind: 'number', lexeme: '1.0' });
    expect(literalAt(literal, ['2', 1])).toEqual({ kind: 'number', lexeme: '-0.5e3' });
    expect(literalAt(literal, ['1', 'x'])).toEqual({ kind: 'number', lexeme: '7' });
    expect(literalAt(literal, ['__proto__'])).toEqual({ kind: 'number', lexeme: '4' });
    expect(literalAt(literal, ['2', 3])).toBeUndefined();
  });
  test('what the strict parser refuses is refused', () => {
    expect(() => parseLiteral('{"a": 1, "a": 2}')).toThrow(/twice/);
    expect(() => parseLiteral('{"a": 9007199254740993}')).toThrow();
  });
  test('any JSON value survives', () => {
    const toJson = (literal: Literal): JsonValue => {
      switch (literal.kind) {
        case 'null':
          return null;
        case 'boolean':
        case 'string':
          return literal.value;
        case 'number':
          return Number(literal.lexeme);
        case 'array':
          return literal.items.map(toJson);
        case 'object':
          return Object.fromEntries([...literal.members].map(([key, value]) => [key, toJson(value)]));
      }
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        if (/\\ud[89a-f]/i.test(text) || text.includes('__proto__')) return;
        let parsed: Literal;
        try {
          parsed = parseLiteral(text);
        } catch {
          return;
        }
        expect(toJson(parsed)).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });
});

const jsonType = (value: JsonValue): JsonType =>
  value === null
    ? 'null'
    : typeof value === 'boolean'
      ? 'boolean'
      : typeof value === 'string'
        ? 'string'
        : typeof value === 'number'
          ? Number.isInteger(value)
            ? 'integer'
            : 'float'
          : Array.isArray(value)
            ? 'array'
            : 'object';

const VALUES: readonly JsonValue[] = ['', 'a', '-a', 'a-', 'ab', 'abc', '0f', 1, 2, 1.5, true, false, null, [], ['a'], { k: 'a' }, {}];
const PATHS: readonly (readonly (string | number)[])[] = [['x'], ['y'], ['x', 'k'], ['x', 0], ['y', 'k', 'z']];

interface Atom {
  readonly build: (store: Store) => Guard;
  readonly holds: (args: JsonValue) => boolean;
}
function valueAt(args: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let at: unknown = args;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) !== (typeof part === 'number') || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string | number, unknown>)[part];
  }
  return at as JsonValue;
}
const TESTS: readonly [string, (a: string, b: string) => boolean][] = [
  ['text.startsWith', (a, b) => a.startsWith(b)],
  ['text.endsWith', (a, b) => a.endsWith(b)],
  ['text.contains', (a, b) => a.includes(b)],
  ['text.only', (a, b) => [...a].every((c) => b.includes(c))],
];
const OPERANDS = ['', 'a', '-', 'ab', 'b', 'bc', 'abc-', '0123456789abcdef'];
const atom: fc.Arbitrary<Atom> = fc.oneof(
  fc.constantFrom(...PATHS).map((path): Atom => ({ build: (store) => has(store, path), holds: (args) => valueAt(args, path) !== undefined })),
  fc
    .tuple(fc.constantFrom(...PATHS), fc.constantFrom<JsonType>('null', 'boolean', 'integer', 'float', 'string', 'array', 'object'))
    .map(([path, type]): Atom => ({
      build: (store) => hasType(store, argument(store, ...path), type),
      holds: (args) => {
        const value = valueAt(args, path);
        return value !== undefined && jsonType(value) === type;
      },
    })),
  fc
    .tuple(fc.constantFrom(...PATHS), fc.constantFrom(...VALUES.filter((value) => typeof value !== 'object' || value === null)))
    .map(([path, constant]): Atom => ({
      build: (store) => equal(store, argument(store, ...path), literalTerm(store, literalOf(constant))),
      holds: (args) => valueAt(args, path) === constant,
    })),
  fc.tuple(fc.constantFrom(...PATHS), fc.constantFrom(...TESTS), fc.constantFrom(...OPERANDS)).map(([path, [fn, decide], operand]): Atom => ({
    build: (store) => testText(store, fn, [argument(store, ...path), store.string(operand)]),
    holds: (args) => {
      const value = valueAt(args, path);
      return typeof value === 'string' && decide(value, operand);
    },
  })),
  fc.tuple(fc.constantFrom(...PATHS), fc.nat(3)).map(([path, length]): Atom => ({
    build: (store) => testText(store, 'text.isHex', [argument(store, ...path), store.int(length)]),
    holds: (args) => {
      const value = valueAt(args, path);
      return typeof value === 'string' && value.length === length && /^[0-9a-f]*$/.test(value);
    },
  })),
  fc.constantFrom('A', 'AB', '').map((text): Atom => ({
    build: (store) => equal(store, store.intern({ kind: 'apply', fn: 'upper', args: [argument(store, 'x')], type: 'str' }), store.string(text)),
    holds: (args) => {
      const value = valueAt(args, ['x']);
      return typeof value === 'string' && value.toUpperCase() === text;
    },
  })),
);
const argsOf = fc.record({ x: fc.constantFrom(...VALUES), y: fc.constantFrom(...VALUES, { k: { z: 1 } }) }, { requiredKeys: [] });

describe('propositions on concrete arguments', () => {
  test('each is settled, as the value says', () => {
    fc.assert(
      fc.property(atom, argsOf, (a, args) => {
        const store = new Store();
        // `upper` of something that is not text never runs in a handler: its guard asks for the type.
        if (typeof valueAt(args, ['x']) !== 'string' && a.build(store).toString() !== '' && mentionsUpper(store, a.build(store))) return;
        expect(rewriter(store, args, UPPER).guard(a.build(store))).toBe(a.holds(args) ? TRUE : FALSE);
      }),
      { numRuns: 1000 },
    );
  });

  test('what the theory says between them is true of every call', () => {
    fc.assert(
      fc.property(fc.array(atom, { minLength: 1, maxLength: 12 }), argsOf, (atoms, args) => {
        const store = new Store();
        const guards = atoms.map((a) => a.build(store));
        if (typeof valueAt(args, ['x']) !== 'string' && guards.some((guard) => mentionsUpper(store, guard))) return;
        const ids = new Set(guards.flatMap((guard) => [...store.guards.support(guard)]));
        const theory = theoryOf(store, ids, knowledge(UPPER));
        expect(rewriter(store, args, UPPER).guard(theory)).toBe(TRUE);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('theory of text', () => {
  test('every pair of tests, on every text', () => {
    const operands = ['', 'a', 'b', 'ab', 'ba', 'abc', 'g', '0f', '0123456789abcdef'];
    const texts = ['', 'a', 'b', 'ab', 'ba', 'aba', 'abc', 'g', 'ag', '0f', 'f', 'a0f'];
    const tests = [
      ...operands.flatMap((operand) => TESTS.map(([fn, decide]) => ({ fn, operand, decide }))),
      ...[0, 1, 2, 3].map((length) => ({ fn: 'text.isHex', operand: length, decide: (text: string) => text.length === length && /^[0-9a-f]*$/.test(text) })),
    ];
    for (const left of tests) {
      for (const right of tests) {
        const store = new Store();
        const x = store.intern({ kind: 'input', name: 'i', type: 'str' });
        const [a, b] = [left, right].map((t) => testText(store, t.fn, [x, typeof t.operand === 'number' ? store.int(t.operand) : store.string(t.operand)]));
        const ids = [a!, b!].flatMap((guard) => [...store.guards.support(guard)]);
        const theory = theoryOf(store, ids, knowledge(NO_FOLD));
        for (const text of texts)
          expect([left.fn, left.operand, right.fn, right.operand, text, rewriter(store, {}, NO_FOLD, { i: text }).guard(theory)]).toEqual([
            left.fn,
            left.operand,
            right.fn,
            right.operand,
            text,
            TRUE,
          ]);
      }
    }
  });

  test('what it must say', () => {
    const store = new Store();
    const x = store.intern({ kind: 'input', name: 'i', type: 'str' });
    const says = (fn: string, operand: string): Guard => testText(store, fn, [x, fn === 'text.isHex' ? store.int(Number(operand)) : store.string(operand)]);
    const theory = (...guards: Guard[]): Guard =>
      theoryOf(
        store,
        guards.flatMap((guard) => [...store.guards.support(guard)]),
        knowledge(NO_FOLD),
      );
    const implies = (a: Guard, b: Guard): boolean => store.guards.entails(store.guards.and(theory(a, b), a), b);
    const excludes = (a: Guard, b: Guard): boolean => store.guards.and(theory(a, b), store.guards.and(a, b)) === FALSE;
    expect(implies(says('text.startsWith', '--output'), says('text.startsWith', '-'))).toBe(true);
    expect(excludes(says('text.startsWith', '-'), says('text.startsWith', 'a'))).toBe(true);
    expect(excludes(says('text.isHex', '40'), says('text.startsWith', '-'))).toBe(true);
    expect(implies(says('text.endsWith', '.git'), says('text.contains', 'git'))).toBe(true);
    expect(excludes(equal(store, x, store.string('main')), says('text.startsWith', '-'))).toBe(true);
    expect(excludes(equal(store, x, store.string('main')), equal(store, x, store.string('other')))).toBe(true);
    expect(implies(equal(store, x, store.string('-')), says('text.startsWith', '-'))).toBe(true);
  });
});

function mentionsUpper(store: Store, guard: Guard): boolean {
  return [...store.guards.support(guard)].some((id) => {
    const proposition = store.proposition(id);
    return proposition.kind === 'equal' && [proposition.left, proposition.right].some((term) => store.term(term).kind === 'apply');
  });
}

describe('terms', () => {
  test('defaults, applications and inputs fold', () => {
    const store = new Store();
    const x = argument(store, 'x');
    const value = store.intern({ kind: 'apply', fn: 'upper', args: [conditional(store, has(store, ['x']), x, store.string('d'))], type: 'str' });
    expect(rewriter(store, { x: 'a' }, UPPER).term(value)).toBe(store.string('A'));
    expect(rewriter(store, {}, UPPER).term(value)).toBe(store.string('D'));
    const input = store.intern({ kind: 'input', name: 'option:r', type: 'optional<py:pathlib#Path>' });
    expect(rewriter(store, {}, NO_FOLD, { 'option:r': null }).term(input)).toBe(store.null);
    expect(store.term(rewriter(store, {}, NO_FOLD, { 'option:r': '/srv' }).term(input))).toMatchObject({ kind: 'apply', fn: 'py:pathlib#Path' });
    expect(rewriter(store, {}).term(input)).toBe(input);
  });

  test('what is computed from an absent argument is absent, and a proposition about it false', () => {
    const store = new Store();
    const call = store.intern({
      kind: 'observe',
      behaviour: { callee: 'c', form: 'f', range: '*', entry: 'e' },
      args: [store.null, argument(store, 'x')],
      world: store.startWorld,
    });
    expect(rewriter(store, {}).guard(throws(store, call))).toBe(FALSE);
    const present = rewriter(store, { x: 'a' }).guard(throws(store, call));
    expect(store.guards.size(present)).toBe(1);
  });

  test('a list or record with an absent value is absent, one behind a condition is dropped', () => {
    const store = new Store();
    const x = argument(store, 'x');
    const plain = listOf(store, 'list', [store.string('a'), x]);
    const behind = store.intern({
      kind: 'list',
      as: 'list',
      segments: [
        { kind: 'items', when: TRUE, items: [store.string('a')] },
        { kind: 'items', when: has(store, ['x']), items: [x] },
      ],
    });
    const settled = rewriter(store, {});
    expect(settled.term(plain)).toBe(settled.absent);
    expect(settled.term(store.intern({ kind: 'record', fields: [{ when: TRUE, key: store.string('k'), value: x }] }))).toBe(settled.absent);
    expect(settled.term(behind)).toBe(listOf(store, 'list', [store.string('a')]));
  });

  test('deep terms need no stack', () => {
    const store = new Store();
    let term = argument(store, 'x');
    for (let at = 0; at < 50_000; at += 1) term = store.intern({ kind: 'apply', fn: 'f', args: [term] });
    expect(rewriter(store, { x: 'a' }).term(term)).not.toBe(term);
  });
});

describe('loops', () => {
  /** for f in files: if f starts with "-": raise; if f == "stop": break */
  function checking(store: Store): { loop: number; refused: Guard; stopped: Guard } {
    const over = argument(store, 'files');
    const element = store.intern({ kind: 'element', depth: 0, of: over });
    const option = testText(store, 'text.startsWith', [element, store.string('-')]);
    const stop = store.guards.and(store.guards.not(option), equal(store, element, store.string('stop')));
    const loop = store.internLoop({
      over,
      depth: 0,
      exits: [
        { name: 'throw 0', when: option, value: element },
        { name: 'break', when: stop },
      ],
      carried: [{ name: 'v0', initial: store.string('none'), next: element }],
      effects: [],
    });
    return {
      loop,
      refused: store.propositionGuard({ kind: 'exists', loop, exit: 'throw 0' }),
      stopped: store.propositionGuard({ kind: 'exists', loop, exit: 'break' }),
    };
  }

  test('the first exit counts', () => {
    const store = new Store();
    const { refused, stopped } = checking(store);
    const settled = (files: JsonValue): Guard[] => [refused, stopped].map((guard) => rewriter(store, { files }).guard(guard));
    expect(settled(['a', '-b'])).toEqual([TRUE, FALSE]);
    expect(settled(['a', 'stop', '-b'])).toEqual([FALSE, TRUE]);
    expect(settled(['a'])).toEqual([FALSE, FALSE]);
    expect(settled([])).toEqual([FALSE, FALSE]);
  });

  test('of two exits that one element could take, the first in order is taken', () => {
    const store = new Store();
    const over = argument(store, 'files');
    const element = store.intern({ kind: 'element', depth: 0, of: over });
    const starts = (text: string): Guard => testText(store, 'text.startsWith', [element, store.string(text)]);
    const loop = store.internLoop({
      over,
      depth: 0,
      exits: [
        { name: 'a', when: starts('-') },
        { name: 'b', when: starts('--') },
      ],
      carried: [],
      effects: [],
    });
    const [a, b] = ['a', 'b'].map((exit) => store.propositionGuard({ kind: 'exists', loop, exit }));
    expect([a!, b!].map((guard) => rewriter(store, { files: ['x', '--y'] }).guard(guard))).toEqual([TRUE, FALSE]);
  });

  test('values that a loop leaves behind', () => {
    const store = new Store();
    const { loop } = checking(store);
    const last = store.intern({ kind: 'loop', loop, name: 'v0' });
    const thrown = store.intern({ kind: 'loop', loop, name: 'throw 0' });
    expect(rewriter(store, { files: ['a', 'b'] }).term(last)).toBe(store.string('b'));
    expect(rewriter(store, { files: [] }).term(last)).toBe(store.string('none'));
    expect(rewriter(store, { files: ['a', '-x', '-y'] }).term(thrown)).toBe(store.string('-x'));
  });

  test('effects inside appear once an iteration, up to the exit', () => {
    const store = new Store();
    const over = argument(store, 'files');
    const element = store.intern({ kind: 'element', depth: 0, of: over });
    const option = testText(store, 'text.startsWith', [element, store.string('-')]);
    const loop = store.internLoop({
      over,
      depth: 0,
      exits: [{ name: 'throw 0', when: option }],
      carried: [],
      effects: [{ key: 'k', when: store.guards.not(option) }],
    });
    const behaviour = { callee: 'c', form: 'f', range: '*', entry: 'e' };
    const effect: EffectOutcome = {
      kind: 'effect',
      when: TRUE,
      call: store.intern({ kind: 'observe', behaviour, args: [store.null, element], world: store.startWorld }),
      behaviour,
      operation: 'write',
      dimensions: [{ name: 'path', value: element, exact: true }],
      protective: false,
      baseline: false,
      contexts: [],
      loops: [loop],
      order: 0,
    };
    const summary: Summary = { store, tool: 't', language: 'python', domain: TRUE, serving: TRUE, absent: false, outcomes: [effect], inputs: [], behaviours: [], spans: [[]] };
    const paths = (files: JsonValue): unknown[] =>
      specialise(summary, { arguments: literalOf({ files }), inputs: new Map() }, NO_FOLD)
        .outcomes.filter((o): o is EffectOutcome => o.kind === 'effect' && o.when === TRUE && o.loops.length === 0)
        .map((o) => textOf(store, o.dimensions[0]!.value));
    expect(paths(['a', 'b'])).toEqual(['a', 'b']);
    expect(paths(['a', '-b', 'c'])).toEqual(['a']);
    expect(paths([])).toEqual([]);
  });

  test('an unknown collection keeps the loop, with its conditions rewritten', () => {
    const store = new Store();
    const over = store.intern({ kind: 'input', name: 'config:files' });
    const element = store.intern({ kind: 'element', depth: 0, of: over });
    const when = equal(store, element, argument(store, 'x'));
    const exit = (condition: Guard): Guard =>
      store.propositionGuard({
        kind: 'exists',
        loop: store.internLoop({ over, depth: 0, exits: [{ name: 'hit', when: condition }], carried: [], effects: [] }),
        exit: 'hit',
      });
    expect(rewriter(store, { x: 'a' }).guard(exit(when))).toBe(exit(equal(store, element, store.string('a'))));
    expect(rewriter(store, {}).guard(exit(when))).toBe(FALSE);
  });

  test('lists that are built element by element', () => {
    const store = new Store();
    const over = argument(store, 'files');
    const element = store.intern({ kind: 'element', depth: 0, of: over });
    const image = store.intern({ kind: 'apply', fn: 'upper', args: [element], type: 'str' });
    const mapped = store.intern({
      kind: 'loop',
      loop: store.internLoop({ over, depth: 0, exits: [], carried: [{ name: 'map', initial: store.null, next: image }], effects: [] }),
      name: 'map',
      type: 'list',
    });
    const kept = store.intern({
      kind: 'loop',
      loop: store.internLoop({
        over,
        depth: 0,
        exits: [{ name: 'keep', when: store.guards.not(equal(store, element, store.string('a'))) }],
        carried: [],
        effects: [],
      }),
      name: 'filter',
      type: 'list',
    });
    const settled = rewriter(store, { files: ['a', 'b'] }, UPPER);
    expect(settled.term(mapped)).toBe(listOf(store, 'list', [store.string('A'), store.string('B')]));
    expect(settled.term(kept)).toBe(listOf(store, 'list', [store.string('b')]));
  });
});

describe('theory of calls and loops', () => {
  const behaviour = (callee: string) => ({ callee, form: 'f', range: '*', entry: 'e' });
  test('throws: a subtype implies, unrelated types exclude unless a class is both', () => {
    const store = new Store();
    const call = store.intern({ kind: 'observe', behaviour: behaviour('c'), args: [store.null], world: store.startWorld });
    const [any, os, missing, git] = [throws(store, call), throws(store, call, 'OSError'), throws(store, call, 'Missing'), throws(store, call, 'GitError')];
    const bases: Record<string, string[]> = { Missing: ['OSError'], NoSuchPath: ['GitError', 'OSError'] };
    const isSubclass = (a: string, b: string): boolean => a === b || (bases[a] ?? []).some((base) => isSubclass(base, b));
    const ids = [any, os, missing, git].flatMap((guard) => [...store.guards.support(guard)]);
    const without = theoryOf(store, ids, { ...knowledge(NO_FOLD), isSubclass, classes: ['Missing', 'OSError', 'GitError'] });
    expect(store.guards.entails(store.guards.and(without, missing), store.guards.and(os, any))).toBe(true);
    expect(store.guards.and(without, store.guards.and(os, git))).toBe(FALSE);
    const withBoth = theoryOf(store, ids, { ...knowledge(NO_FOLD), isSubclass, classes: ['Missing', 'OSError', 'GitError', 'NoSuchPath'] });
    expect(store.guards.and(withBoth, store.guards.and(os, git))).not.toBe(FALSE);
  });

  test('relations hold for the same arguments in the same world only', () => {
    const store = new Store();
    const call = (callee: string, word: string, world = store.startWorld): TermId =>
      store.intern({ kind: 'observe', behaviour: behaviour(callee), args: [store.string('repo'), store.string(word)], world });
    const relation = {
      id: 'r',
      versions: '*',
      reason: '',
      if: { callee: 'parse', arguments: ['repo', 'word'] },
      implies: { callee: 'diff', arguments: ['repo', 'word'] },
    };
    const theory = (left: TermId, right: TermId): boolean => {
      const [premise, conclusion] = [throws(store, left), throws(store, right)];
      const ids = [premise, conclusion].flatMap((guard) => [...store.guards.support(guard)]);
      return store.guards.entails(store.guards.and(theoryOf(store, ids, { ...knowledge(NO_FOLD), relations: [relation] }), premise), conclusion);
    };
    expect(theory(call('parse', 'main'), call('diff', 'main'))).toBe(true);
    expect(theory(call('parse', 'main'), call('diff', 'other'))).toBe(false);
    expect(theory(call('diff', 'main'), call('parse', 'main'))).toBe(false);
    const later = store.intern({ kind: 'world', after: [call('commit', 'x')] });
    expect(theory(call('parse', 'main'), call('diff', 'main', later))).toBe(false);
  });

  test('one loop is left by one exit', () => {
    const store = new Store();
    const element = store.intern({ kind: 'element', depth: 0, of: argument(store, 'x') });
    const loop = store.internLoop({
      over: argument(store, 'x'),
      depth: 0,
      exits: [
        { name: 'a', when: has(store, ['p']) },
        { name: 'b', when: equal(store, element, store.null) },
      ],
      carried: [],
      effects: [],
    });
    const [a, b] = ['a', 'b'].map((exit) => store.propositionGuard({ kind: 'exists', loop, exit }));
    expect(
      store.guards.and(
        theoryOf(
          store,
          [a!, b!].flatMap((guard) => [...store.guards.support(guard)]),
          knowledge(NO_FOLD),
        ),
        store.guards.and(a!, b!),
      ),
    ).toBe(FALSE);
  });
});
