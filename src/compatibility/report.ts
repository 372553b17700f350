/** The decision table of a pair of summaries, with the predicates over calls that may be captured. */
import { CLASS_ROWS_MAX } from '../base/limits.js';
import { FALSE } from '../analysis/guards.js';
import type { Summary } from '../analysis/summary.js';
import type { Guard } from '../analysis/terms.js';
import { effectsOf } from './compare.js';
import { cover, cubeGuard, type Cube } from './cubes.js';
import { escalationReasons, type Reviewed } from './decide.js';
import { describeCube, describeEffect, describeGuard } from './describe.js';
import { explainDifferences, explainViolations, spanOf, type Explained } from './explain.js';
import type { CallShape } from './call-shape.js';
import { predicateFor } from './predicate.js';
import { pairVerdict, regionsOf, type Regions } from './regions.js';
import { withinLimits } from './within-limits.js';
import type { ClassRow, DescribedEffect, PairReport, Reason, Verdict } from './verdict.js';

const VERDICT_ORDER: readonly Verdict[] = ['changed', 'escalated', 'narrower', 'equal'];

export function reportPair(source: Summary, target: Summary, shape: CallShape, reviewed: Reviewed): PairReport {
  return withinLimits(
    () => report(source, target, shape, reviewed),
    (reason): PairReport => ({
      verdict: 'escalated',
      classes: [{ condition: 'all supported calls', verdict: 'escalated', sourceEffects: [], targetEffects: [], reasons: [reason] }],
      equalWhen: { kind: 'none', code: 'too-large', reason: reason.message },
      containedWhen: { kind: 'none', code: 'too-large', reason: reason.message },
      equalInputs: [],
      sourceInputs: [],
      targetInputs: [],
      availability: [],
      reasons: [reason],
    }),
  );
}

function report(source: Summary, target: Summary, shape: CallShape, reviewed: Reviewed): PairReport {
  const { guards } = source.store;
  const regions = regionsOf(source, target, reviewed);
  const { byVerdict } = regions;
  const rows: ClassRow[] = [];
  let left = 0;
  for (const verdict of VERDICT_ORDER) {
    const { cubes, count } = cover(guards, byVerdict[verdict], regions.possible);
    const shown = cubes.slice(0, Math.max(CLASS_ROWS_MAX / VERDICT_ORDER.length, 1));
    rows.push(...shown.map((cube) => classRow(source, target, verdict, cube, regions)));
    left += count - shown.length;
  }
  const contained = guards.or(byVerdict.equal, byVerdict.narrower);
  const sides: Explained = { source, target, possible: guards.and(regions.comparison.domain, regions.theory) };
  const inputs = { source: new Set(source.inputs), target: new Set(target.inputs) };
  const reasons = rows.filter((row) => row.verdict === 'changed' || row.verdict === 'escalated').flatMap((row) => row.reasons);
  return {
    verdict: pairVerdict(regions, contained),
    classes: rows,
    ...(left === 0 ? {} : { classesNote: `${String(left)} more classes are not shown; the predicates cover them.` }),
    equalWhen: predicateFor(byVerdict.equal, regions, source, target, shape, reviewed),
    containedWhen: predicateFor(contained, regions, source, target, shape, reviewed),
    equalInputs: source.inputs.filter((name) => inputs.target.has(name)),
    sourceInputs: source.inputs.filter((name) => !inputs.target.has(name)),
    targetInputs: target.inputs.filter((name) => !inputs.source.has(name)),
    availability: availability(regions, sides),
    reasons: distinct(reasons),
  };
}

function classRow(source: Summary, target: Summary, verdict: Verdict, cube: Cube, regions: Regions): ClassRow {
  const { store } = source;
  const { guards } = store;
  const { comparison, theory } = regions;
  const here = guards.all([cubeGuard(guards, cube), comparison.domain, theory]);
  const sides: Explained = { source, target, possible: here };
  return {
    condition: cube.length === 0 ? 'all supported calls' : describeCube(store, cube),
    verdict,
    sourceEffects: effectsIn(source, here),
    targetEffects: effectsIn(target, here),
    reasons: rowReasons(verdict, sides, regions),
  };
}

function rowReasons(verdict: Verdict, sides: Explained, regions: Regions): readonly Reason[] {
  const { guards } = sides.source.store;
  const { comparison } = regions;
  const violation = guards.all([sides.possible, guards.not(comparison.contained), guards.not(comparison.undecided)]);
  switch (verdict) {
    case 'equal':
      return [];
    case 'narrower':
      return explainDifferences(comparison, sides);
    case 'changed':
      return explainViolations(comparison, sides, guards.witness(violation) ?? new Map<number, boolean>());
    case 'escalated': {
      const stops = escalationReasons(sides.source, sides.target, sides.possible);
      if (violation === FALSE) return stops;
      const condition = describeGuard(sides.source.store, violation, sides.possible);
      const world: Reason = {
        code: 'world-fact',
        message: `The target may do more than the source when ${condition}.`,
        side: 'both',
        next: 'Decide such calls one by one with declared facts, or review them.',
      };
      return [...stops, world, ...explainViolations(comparison, sides, guards.witness(violation)!)];
    }
  }
}

function effectsIn(summary: Summary, possible: Guard): DescribedEffect[] {
  return effectsOf(summary)
    .filter((at) => summary.store.guards.and(at.outcome.when, possible) !== FALSE)
    .map((at) => describeEffect(summary.store, at.outcome, possible, spanOf(summary, at.index).span));
}

/** Where the target does less, in words. */
function availability(regions: Regions, sides: Explained): string[] {
  const { guards } = sides.source.store;
  const narrower = guards.and(sides.possible, regions.byVerdict.narrower);
  if (narrower === FALSE) return [];
  return explainDifferences(regions.comparison, { ...sides, possible: narrower }).map((reason) => reason.message);
}

function distinct(reasons: readonly Reason[]): Reason[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}
