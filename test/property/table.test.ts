/**
 * The table for people against the regions that it tells of: for random summaries and every call, the first row whose
 * facts hold has the answer of the region of the call. The facts are evaluated here, on their own.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/canonical-json.js';
import { FALSE, TRUE } from '../../src/analysis/guards.js';
import { literalOf } from '../../src/analysis/literal.js';
import { Rewriter } from '../../src/analysis/rewrite.js';
import { callSubstitution } from '../../src/analysis/specialise.js';
import { Store } from '../../src/analysis/store.js';
import type { Guard } from '../../src/analysis/terms.js';
import type { Fact } from '../../src/compatibility/facts.js';
import { regionsOf } from '../../src/compatibility/regions.js';
import { tabulatePair } from '../../src/compatibility/table.js';
import type { Verdict } from '../../src/compatibility/verdict.js';
import { Builder, NO_FOLD, REVIEWED } from '../unit/compatibility/kit.js';

const TESTS = ['has x', 'x is one', 'x is dash', 'x is number', 'has y', 'world a', 'world b'] as const;
type Test = (typeof TESTS)[number];
/** Tests that hold together, each or its negation; any of them. */
type Cases = readonly (readonly { readonly test: Test; readonly holds: boolean }[])[];
interface Side {
  readonly effects: readonly { readonly operation: string; readonly when: Cases }[];
  readonly refuses: Cases;
}

const cases: fc.Arbitrary<Cases> = fc.array(fc.array(fc.record({ test: fc.constantFrom(...TESTS), holds: fc.boolean() }), { maxLength: 3 }), { maxLength: 3 });
const side: fc.Arbitrary<Side> = fc.record({ effects: fc.array(fc.record({ operation: fc.constantFrom('read', 'write'), when: cases }), { maxLength: 3 }), refuses: cases });
const sides = fc.oneof(fc.tuple(side, side), fc.tuple(side, cases).map(([s, refuses]): [Side, Side] => [s, { ...s, refuses }]));

const CALLS: readonly JsonObject[] = [{}, { x: null }, { x: 3 }, { x: 'one' }, { x: '-' }, { x: 'z' }].flatMap((call): JsonObject[] => [call, { ...call, y: 1 }]);

function guardOf(builder: Builder, any: Cases): Guard {
  const { guards } = builder.store;
  const one = (name: Test): Guard => {
    switch (name) {
      case 'has x':
        return builder.has('x');
      case 'x is one':
        return builder.equals('x', builder.store.string('one'));
      case 'x is dash':
        return builder.startsWith('x', '-');
      case 'x is number':
        return guards.and(builder.has('x'), builder.is('x', 'integer'));
      case 'has y':
        return builder.has('y');
      case 'world a':
      case 'world b':
        return builder.fails(name);
    }
  };
  return guards.any(any.map((all) => guards.all(all.map(({ test: name, holds }) => (holds ? one(name) : guards.not(one(name)))))));
}

function summaryOf(store: Store, { effects, refuses }: Side): Builder {
  const builder = new Builder(store);
  const refused = guardOf(builder, refuses);
  for (const { operation, when } of effects) builder.effect(operation, { when: store.guards.and(guardOf(builder, when), store.guards.not(refused)) });
  return builder.throws(refused).returns(store.guards.not(refused));
}

/** The propositions of this file only. */
function holdsIn(call: JsonObject, { claim, holds, world }: Fact): boolean {
  expect(world).toBe(false);
  const x = call['x'];
  switch (claim.kind) {
    case 'given':
      return (String(claim.path[0]) in call) === holds;
    case 'type':
      return (claim.is === 'integer' ? typeof x === 'number' : claim.is === 'null' ? x === null : typeof x === claim.is) === holds;
    case 'equal':
      return (claim.right.kind === 'constant' && claim.right.value.type === 'string' && x === claim.right.value.value) === holds;
    case 'test':
      return (typeof x === 'string' && x.startsWith('-')) === holds;
    case 'throws':
    case 'some':
    case 'left':
      throw new Error(`a claim that no summary here makes: ${claim.kind}`);
  }
}

describe('the table for people', () => {
  test.each([false, true])('has the answer of every call (all classes: %s)', (allClasses) => {
    fc.assert(
      fc.property(sides, ([source, target]) => {
        const store = new Store();
        const [a, b] = [summaryOf(store, source).build(), summaryOf(store, target).build()];
        const { byVerdict } = regionsOf(a, b, REVIEWED);
        const table = tabulatePair(a, b, REVIEWED, { allClasses });
        expect(table.more).toBe(0);
        expect(new Set(table.rows.map((row) => row.verdict))).toEqual(new Set((Object.keys(byVerdict) as Verdict[]).filter((name) => byVerdict[name] !== FALSE)));
        for (const call of CALLS) {
          const rewriter = new Rewriter(store, NO_FOLD, callSubstitution(store, { arguments: literalOf(call), inputs: new Map() }, NO_FOLD));
          const verdict = (Object.keys(byVerdict) as Verdict[]).find((name) => rewriter.guard(byVerdict[name]) === TRUE);
          const common = table.common.every((fact) => holdsIn(call, fact));
          const row = table.rows.find(({ calls }, at) => {
            expect(calls.more).toBe(0);
            return (common || at === table.rows.length - 1) && calls.anyOf.some((facts) => facts.every((fact) => holdsIn(call, fact)));
          });
          // A call in which neither side does anything may stand with those of which the target does less.
          if (row?.verdict === 'narrower') expect(['narrower', 'equal']).toContain(verdict);
          else expect(row?.verdict).toBe(verdict);
        }
      }),
      { numRuns: 400 },
    );
  });
});
