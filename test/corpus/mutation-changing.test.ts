/**
 * Handlers mutated in ways that change effects. No mutant may be contained for a call that it affects, in either direction.
 * Which calls those are is not taken from the operator but from running both sides (mutation/recorder.ts).
 */
import { describe, expect, test } from 'vitest';
import { campaign, newTally, type Mutant } from './mutation/campaign.js';
import { CHANGING } from './mutation/changing.js';
import { HANDLERS } from './mutation/handlers.js';
import { Random } from './mutation/random.js';
import { HAS_PYTHON } from './mutation/recorder.js';
import { Source } from './mutation/source.js';

const SEED = Number(process.env['FCD_SEED'] ?? 20261201);
/** Mutants of one operator and handler; all of them with FCD_MUTANTS=1000. */
const PER_OPERATOR = Number(process.env['FCD_MUTANTS'] ?? 3);

describe.skipIf(!HAS_PYTHON)(`effect-changing mutants, seed ${String(SEED)}`, () => {
  const operators = new Set<string>();
  const totals = newTally();

  test.each(HANDLERS.map((handler) => [handler.name, handler] as const))('%s', async (_name, handler) => {
    const random = new Random(SEED);
    const mutants = CHANGING.flatMap((operator): Mutant[] => {
      const all = [...new Set(operator.mutants(Source.of(handler.module)).map((mutant) => mutant.text))].filter((text) => text !== handler.module);
      while (all.length > PER_OPERATOR) all.splice(random.below(all.length), 1);
      return all.map((module) => ({ operator: operator.name, module }));
    });
    const tally = newTally();
    await campaign(handler, mutants, tally);
    for (const name of tally.operators) operators.add(name);
    for (const key of ['affected', 'changed', 'escalated', 'same', 'equal', 'contained', 'alike', 'broken'] as const) totals[key] += tally[key];
    expect(tally.failures, tally.failures.join('\n\n')).toEqual([]);
    expect(tally.affected).toBeGreaterThan(0);
  });

  test('at least fifteen operators change something, and nothing of it is certified', () => {
    const of = (part: number, whole: number): string => `${String(part)} of ${String(whole)} (${((100 * part) / Math.max(whole, 1)).toFixed(1)} %)`;
    console.log(
      [
        `seed ${String(SEED)}: ${String(operators.size)} operators changed something`,
        `affected calls not certified: ${of(totals.changed + totals.escalated, totals.affected)}, of these changed ${of(totals.changed, totals.affected)}`,
        `unaffected calls contained: ${of(totals.contained, totals.same)}, equal ${of(totals.equal, totals.same)}`,
        `mutants that run alike: ${String(totals.alike)}, that do not run: ${String(totals.broken)}`,
      ].join('\n'),
    );
    expect(operators.size).toBeGreaterThanOrEqual(15);
    expect(totals.changed + totals.escalated).toBe(totals.affected);
  });
});
