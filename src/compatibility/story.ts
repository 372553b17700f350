/** What both releases do in one concrete call, as data for a report. The verdict is `decide.ts`'s. */
import { FALSE } from '../analysis/guards.js';
import { theoryOf } from '../analysis/theory.js';
import type { Summary } from '../analysis/summary.js';
import type { Guard } from '../analysis/terms.js';
import { compare, effectsOf } from './compare.js';
import { cubeGuard, type CubeLiteral } from './cubes.js';
import { factsOf, specialisedSides, type PendingCall, type Reviewed } from './decide.js';
import { doingsOf, NOTHING_KNOWN, refusedIn, type Doings } from './doings.js';
import type { Fact } from './facts.js';
import { FactReader } from './read-facts.js';
import { withinLimits } from './within-limits.js';

export interface CallStory {
  /** Facts on which every effect of both sides depends: said once. */
  readonly provided: readonly Fact[];
  readonly source: Doings;
  readonly target: Doings;
}

export function tellCall(source: Summary, target: Summary, call: PendingCall, reviewed: Reviewed): CallStory {
  // The decision says that a limit was passed.
  return withinLimits(
    () => tell(source, target, call, reviewed),
    () => ({ provided: [], source: NOTHING_KNOWN, target: NOTHING_KNOWN }),
  );
}

function tell(wholeSource: Summary, wholeTarget: Summary, call: PendingCall, reviewed: Reviewed): CallStory {
  const { source, target } = specialisedSides(wholeSource, wholeTarget, call, reviewed);
  const { guards } = source.store;
  const comparison = compare(source, target, reviewed.envelope);
  const { all } = factsOf(source, target, comparison);
  const possible = guards.all([comparison.domain, theoryOf(source.store, all, reviewed.knowledge), comparison.serving]);
  const provided = sharedFacts([source, target], possible);
  const runs = guards.and(possible, cubeGuard(guards, provided));
  return {
    provided: new FactReader(source.store, possible).facts(provided),
    source: doingsOf(source, runs, { refusedIn: guards.not(refusedIn(target)), conditions: true }),
    target: doingsOf(target, runs, { refusedIn: guards.not(refusedIn(source)), conditions: true }),
  };
}

/** Facts that hold wherever any effect of these happens. */
export function sharedFacts(sides: readonly Summary[], possible: Guard): readonly CubeLiteral[] {
  const { store } = sides[0]!;
  const { guards } = store;
  const conditions = sides.flatMap((side) => effectsOf(side).map((at) => guards.and(at.outcome.when, possible))).filter((when) => when !== FALSE);
  const any = guards.any(conditions);
  if (any === FALSE) return [];
  const shared: CubeLiteral[] = [];
  for (const proposition of guards.order(guards.support(any))) {
    const literal = [true, false].map((holds) => ({ proposition, holds })).find((each) => guards.entails(any, cubeGuard(guards, [each])));
    const known = guards.and(possible, cubeGuard(guards, shared));
    if (literal !== undefined && !guards.entails(known, cubeGuard(guards, [literal]))) shared.push(literal);
  }
  return shared;
}
