/**
 * The decision procedure against an oracle that runs both sides: small random summaries, every combination of the facts
 * about the world, concrete sequences of effects compared by trying.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/canonical-json.js';
import { FALSE, TRUE } from '../../src/analysis/guards.js';
import { literalOf } from '../../src/analysis/literal.js';
import { Rewriter } from '../../src/analysis/rewrite.js';
import { callSubstitution } from '../../src/analysis/specialise.js';
import { Store } from '../../src/analysis/store.js';
import type { Guard, TermId } from '../../src/analysis/terms.js';
import { evaluatePredicate } from '../../src/compatibility/evaluate-predicate.js';
import { regionsOf } from '../../src/compatibility/regions.js';
import { reportPair } from '../../src/compatibility/report.js';
import { isContained, type Verdict } from '../../src/compatibility/verdict.js';
import { Builder, decideWith, NO_FOLD, REVIEWED } from '../unit/compatibility/kit.js';

type Atom = { readonly kind: 'has' | 'one' | 'dash' | 'number' } | { readonly kind: 'fact'; readonly name: string };
type Formula =
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'not'; readonly of: Formula }
  | { readonly kind: 'and' | 'or'; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'true' };
type Value = 'x' | 'first' | 'second';
interface Effect {
  readonly operation: string;
  readonly value: Value;
  readonly when: Formula;
  readonly context: boolean;
}
interface Side {
  readonly effects: readonly Effect[];
  readonly refuses: Formula;
  readonly stops: Formula | undefined;
}

const FACTS = ['f', 'g', 'h'];
const atom: fc.Arbitrary<Atom> = fc.oneof(
  fc.constantFrom('has' as const, 'one' as const, 'dash' as const, 'number' as const).map((kind) => ({ kind })),
  fc.constantFrom(...FACTS).map((name) => ({ kind: 'fact' as const, name })),
);
const formula = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    atom.map((a) => ({ kind: 'atom' as const, atom: a })),
    fc.constant({ kind: 'true' as const }),
    fc.record({ kind: fc.constant('not' as const), of: tie('formula') }),
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('formula'), right: tie('formula') }),
  ),
})).formula;
const effect: fc.Arbitrary<Effect> = fc.record({
  operation: fc.constantFrom('a', 'b'),
  value: fc.constantFrom<Value>('x', 'first', 'second'),
  when: formula,
  context: fc.boolean(),
});
const side: fc.Arbitrary<Side> = fc.record({
  effects: fc.array(effect, { maxLength: 3 }),
  refuses: formula,
  stops: fc.option(formula, { nil: undefined, freq: 6 }),
});
/** Sides that differ a little are the interesting ones. */
const sides: fc.Arbitrary<[Side, Side]> = fc.oneof(
  fc.tuple(side, side),
  side.map((s): [Side, Side] => [s, s]),
  fc
    .tuple(side, formula, fc.nat(2))
    .map(([s, extra, at]): [Side, Side] => [
      s,
      { ...s, effects: s.effects.map((e, i) => (i === at ? { ...e, when: { kind: 'and', left: e.when, right: extra } } : e)) },
    ]),
  fc.tuple(side, effect).map(([s, e]): [Side, Side] => [s, { ...s, effects: [...s.effects, e].slice(-3) }]),
);
const ARGUMENTS: readonly JsonObject[] = [{}, { x: 'one' }, { x: '-x' }, { x: 'first' }, { x: 'second' }, { x: 3 }, { x: null }];

// The symbolic form

function guardOf(builder: Builder, f: Formula): Guard {
  const { guards } = builder.store;
  switch (f.kind) {
    case 'true':
      return TRUE;
    case 'not':
      return guards.not(guardOf(builder, f.of));
    case 'and':
      return guards.and(guardOf(builder, f.left), guardOf(builder, f.right));
    case 'or':
      return guards.or(guardOf(builder, f.left), guardOf(builder, f.right));
    case 'atom':
      switch (f.atom.kind) {
        case 'has':
          return builder.has('x');
        case 'one':
          return builder.equals('x', builder.store.string('one'));
        case 'dash':
          return builder.startsWith('x', '-');
        case 'number':
          return guards.and(builder.has('x'), builder.is('x', 'integer'));
        case 'fact':
          return builder.fails(f.atom.name);
      }
  }
}
function termOf(builder: Builder, value: Value): TermId {
  return value === 'x'
    ? builder.store.intern({ kind: 'conditional', when: builder.has('x'), then: builder.arg('x'), otherwise: builder.store.string('first') })
    : builder.store.string(value);
}
function summaryOf(store: Store, s: Side): Builder {
  const builder = new Builder(store);
  for (const e of s.effects)
    builder.effect(e.operation, { when: guardOf(builder, e.when), dimensions: { value: termOf(builder, e.value) }, contexts: e.context ? ['tx'] : [] });
  const refused = guardOf(builder, s.refuses);
  builder.throws(refused).returns(store.guards.not(refused));
  if (s.stops !== undefined) builder.escalate(guardOf(builder, s.stops));
  return builder;
}

// The oracle: plain runs

type Facts = Readonly<Record<string, boolean>>;
interface Happened {
  readonly action: string;
  readonly context: boolean;
  readonly value: string;
}
function truth(f: Formula, args: JsonObject, facts: Facts): boolean {
  const x = args['x'];
  switch (f.kind) {
    case 'true':
      return true;
    case 'not':
      return !truth(f.of, args, facts);
    case 'and':
      return truth(f.left, args, facts) && truth(f.right, args, facts);
    case 'or':
      return truth(f.left, args, facts) || truth(f.right, args, facts);
    case 'atom':
      switch (f.atom.kind) {
        case 'has':
          return x !== undefined;
        case 'one':
          return x === 'one';
        case 'dash':
          return typeof x === 'string' && x.startsWith('-');
        case 'number':
          return typeof x === 'number';
        case 'fact':
          return facts[f.atom.name]!;
      }
  }
}
function run(s: Side, args: JsonObject, facts: Facts): { effects: Happened[]; refuses: boolean; stops: boolean } {
  const value = (v: Value): string => JSON.stringify(v === 'x' ? (args['x'] === undefined ? 'first' : args['x']) : v);
  return {
    effects: s.effects
      .filter((e) => truth(e.when, args, facts))
      .map((e) => ({ action: `${e.operation} ${value(e.value)}`, context: e.context, value: value(e.value) })),
    refuses: truth(s.refuses, args, facts),
    stops: s.stops !== undefined && truth(s.stops, args, facts),
  };
}
function embeds(inner: readonly Happened[], outer: readonly Happened[]): boolean {
  const [first, ...rest] = inner;
  if (first === undefined) return true;
  return outer.some((candidate, at) => candidate.action === first.action && (!candidate.context || first.context) && embeds(rest, outer.slice(at + 1)));
}
/** A source effect that is left out although a later one with the same text value is kept. */
function losesDependency(source: readonly Happened[], target: readonly Happened[]): boolean {
  const covers = (t: Happened, s: Happened): boolean => t.action === s.action && (!s.context || t.context);
  return source.some(
    (dropped, k) =>
      !target.some((t) => covers(t, dropped)) &&
      source.slice(k + 1).some((later) => later.value === dropped.value && dropped.value.startsWith('"') && target.some((t) => covers(t, later))),
  );
}
type Outcome = 'equal' | 'narrower' | 'violated' | 'undecided';
function outcomeOf(source: Side, target: Side, args: JsonObject, facts: Facts): Outcome {
  const [s, t] = [run(source, args, facts), run(target, args, facts)];
  if (t.stops || (s.stops && t.effects.length > 0)) return 'undecided';
  if (!embeds(t.effects, s.effects) || losesDependency(s.effects, t.effects)) return 'violated';
  const same = s.effects.length === t.effects.length && s.effects.every((e, i) => e.action === t.effects[i]!.action && e.context === t.effects[i]!.context);
  return same && s.refuses === t.refuses && !s.stops ? 'equal' : 'narrower';
}
function factsMentioned(s: Side): Set<string> {
  return new Set(
    JSON.stringify(s)
      .match(/"name":"(\w)"/g)
      ?.map((m) => m.slice(8, 9)) ?? [],
  );
}
const ALL_FACTS: readonly Facts[] = Array.from({ length: 1 << FACTS.length }, (_, bits) =>
  Object.fromEntries(FACTS.map((name, at) => [name, ((bits >> at) & 1) === 1])),
);

function expected(source: Side, target: Side, args: JsonObject): readonly Verdict[] {
  const outcomes = ALL_FACTS.map((facts) => ({ facts, outcome: outcomeOf(source, target, args, facts) }));
  const all = new Set(outcomes.map((o) => o.outcome));
  if (!all.has('violated') && !all.has('undecided')) return all.has('narrower') ? ['narrower'] : ['equal'];
  if (!all.has('violated')) return ['escalated'];
  // Sure: some facts that the target asks about, whatever the others are. A simplified guard asks about at least the facts
  // that make a difference and at most those that are written.
  const sureWith = (shared: ReadonlySet<string>): boolean =>
    ALL_FACTS.some((facts) =>
      outcomes.filter((o) => FACTS.every((name) => !shared.has(name) || o.facts[name] === facts[name])).every((o) => o.outcome === 'violated'),
    );
  const difference = new Set(
    FACTS.filter((name) =>
      ALL_FACTS.some((facts) => JSON.stringify(run(target, args, facts)) !== JSON.stringify(run(target, args, { ...facts, [name]: !facts[name]! }))),
    ),
  );
  return sureWith(difference) ? ['changed'] : sureWith(factsMentioned(target)) ? ['changed', 'escalated'] : ['escalated'];
}

describe('decide agrees with runs of both sides', () => {
  test('for every call', () => {
    fc.assert(
      fc.property(sides, fc.constantFrom(...ARGUMENTS), ([source, target], args) => {
        const store = new Store();
        const decision = decideWith(summaryOf(store, source), summaryOf(store, target), args);
        expect(expected(source, target, args)).toContain(decision.verdict);
        if (decision.verdict === 'changed' || decision.verdict === 'escalated') expect(decision.reasons.length).toBeGreaterThan(0);
      }),
      { numRuns: 4000 },
    );
  });

  test('a summary is equal to itself', () => {
    fc.assert(
      fc.property(side, fc.constantFrom(...ARGUMENTS), (s, args) => {
        const store = new Store();
        const decision = decideWith(summaryOf(store, s), summaryOf(store, s), args);
        expect(decision.verdict).toBe(ALL_FACTS.some((facts) => run(s, args, facts).stops) ? 'escalated' : 'equal');
      }),
      { numRuns: 500 },
    );
  });

  test('an effect that happens is never performed once more, nor in another order', () => {
    fc.assert(
      fc.property(fc.array(effect, { minLength: 1, maxLength: 4 }), fc.nat(3), fc.constantFrom(...ARGUMENTS), (effects, at, args) => {
        const always = effects.map((e): Effect => ({ ...e, when: { kind: 'true' } }));
        const chosen = always[at % always.length]!;
        const base: Side = { effects: always, refuses: { kind: 'true' }, stops: undefined };
        const verdict = (changed: readonly Effect[]): Verdict => {
          const store = new Store();
          return decideWith(summaryOf(store, base), summaryOf(store, { ...base, effects: changed }), args).verdict;
        };
        expect(verdict([...always, chosen])).toBe('changed');
        expect(verdict(always.filter((e) => e !== chosen))).not.toBe('equal');
        const reversed = [...always].reverse();
        const key = (e: Effect): string => JSON.stringify(run({ ...base, effects: [e] }, args, {}).effects);
        if (reversed.map(key).join() !== always.map(key).join()) expect(verdict(reversed)).toBe('changed');
      }),
      { numRuns: 300 },
    );
  });
});

describe('classes and predicates agree with decide', () => {
  test('for every call', () => {
    fc.assert(
      fc.property(sides, ([source, target]) => {
        const store = new Store();
        const [a, b] = [summaryOf(store, source), summaryOf(store, target)];
        const regions = regionsOf(a.build(), b.build(), REVIEWED);
        const report = reportPair(a.build(), b.build(), { arguments: ['x'], additionalArguments: false }, REVIEWED);
        for (const args of ARGUMENTS) {
          const { verdict } = decideWith(a, b, args);
          const rewriter = new Rewriter(store, NO_FOLD, callSubstitution(store, { arguments: literalOf(args), inputs: new Map() }, NO_FOLD));
          const classes = (Object.keys(regions.byVerdict) as Verdict[]).filter((name) => rewriter.guard(regions.byVerdict[name]) !== FALSE);
          expect(classes).toHaveLength(1);
          const [named] = classes;
          // A class speaks for all its calls, so it may only be more cautious than the decision for one of them.
          if (named === 'equal') expect(verdict).toBe('equal');
          if (named === 'narrower') expect(isContained(verdict)).toBe(true);
          for (const [predicate, allowed] of [
            [report.equalWhen, ['equal']],
            [report.containedWhen, ['equal', 'narrower']],
          ] as const) {
            const result = predicate.kind === 'none' ? undefined : evaluatePredicate(predicate.text, { args, source: new Map(), target: new Map() });
            expect(result?.kind).not.toBe('error');
            if (result?.kind === 'captured') expect(allowed).toContain(verdict);
            const inClass = named !== undefined && (allowed as readonly Verdict[]).includes(named);
            if (predicate.kind === 'predicate' && predicate.exact) expect(result?.kind === 'captured').toBe(inClass);
          }
        }
        const table = new Set(report.classes.map((row) => row.verdict));
        expect(report.verdict === 'compatible').toBe(!table.has('changed') && !table.has('escalated'));
      }),
      { numRuns: 400 },
    );
  });
});
