/**
 * The argument space of a pair, cut by verdict. Facts about the world are quantified away, towards caution: a region is
 * contained when it is so for all of them, changed when it is so for some (and whatever only the source asks about).
 */
import { FALSE } from '../analysis/guards.js';
import type { Store } from '../analysis/store.js';
import type { Summary } from '../analysis/summary.js';
import type { Guard, PropositionId } from '../analysis/terms.js';
import { theoryOf } from '../analysis/theory.js';
import { compare, type Comparison } from './compare.js';
import { factsOf, surely, type Reviewed } from './decide.js';
import type { PairVerdict, Verdict } from './verdict.js';

export interface Regions {
  readonly comparison: Comparison;
  /** What holds between all propositions that occur. */
  readonly theory: Guard;
  /** Facts about the world that occur. */
  readonly world: ReadonlySet<PropositionId>;
  /** Arguments and inputs that are supported and possible. */
  readonly possible: Guard;
  /** Over arguments and inputs; together they are `possible`, and no two overlap. */
  readonly byVerdict: Readonly<Record<Verdict, Guard>>;
}

export function regionsOf(source: Summary, target: Summary, reviewed: Reviewed): Regions {
  const { store } = source;
  const { guards } = store;
  const comparison = compare(source, target, reviewed.envelope);
  const facts = factsOf(source, target, comparison);
  const theory = guards.and(theoryOf(store, facts.all, reviewed.knowledge), comparison.serving);
  const world = worldFactsAmong(store, facts.all);
  const possible = guards.exists(guards.and(comparison.domain, theory), world);
  const always = (guard: Guard): Guard => guards.and(possible, guards.forAll(guards.implies(guards.and(comparison.domain, theory), guard), world));
  const decided = guards.not(comparison.undecided);
  const equal = always(guards.and(comparison.equal, decided));
  const contained = always(guards.and(comparison.contained, decided));
  const sure = guards.exists(surely(comparison, guards.and(comparison.domain, theory), theory, facts.sourceOnly, store), world);
  const changed = guards.all([possible, sure, guards.not(contained)]);
  return {
    comparison,
    theory,
    world,
    possible,
    byVerdict: {
      equal,
      narrower: guards.and(contained, guards.not(equal)),
      changed,
      escalated: guards.all([possible, guards.not(contained), guards.not(changed)]),
    },
  };
}

export function pairVerdict({ byVerdict, possible }: Regions, contained: Guard): PairVerdict {
  const { changed, escalated } = byVerdict;
  if (possible === FALSE) return 'escalated';
  if (changed === FALSE && escalated === FALSE) return 'compatible';
  if (contained !== FALSE) return 'conditional';
  return escalated === FALSE ? 'incompatible' : 'escalated';
}

function worldFactsAmong(store: Store, ids: Iterable<PropositionId>): Set<PropositionId> {
  return new Set([...ids].filter((id) => store.isWorldFact(id)));
}
