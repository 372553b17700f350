/**
 * The verdict for one concrete call. Escalates unless a change is sure; a change is sure only when it happens whatever
 * those facts are that only the source asks about.
 */
import { FALSE } from '../analysis/guards.js';
import { propositionsOf, theoryOf, type Knowledge } from '../analysis/theory.js';
import { specialise, type ConcreteCall } from '../analysis/specialise.js';
import type { Literal } from '../analysis/literal.js';
import type { Summary } from '../analysis/summary.js';
import type { Guard, PropositionId } from '../analysis/terms.js';
import { compare, effectsOf, escalationsOf, type Comparison } from './compare.js';
import { describeEffect, describeLiteral } from './describe.js';
import type { Envelope } from './envelope.js';
import { explainDifferences, explainViolations, spanOf, type Explained } from './explain.js';
import { FactReader } from './read-facts.js';
import { withinLimits } from './within-limits.js';
import type { CallDecision, DescribedEffect, Reason, Side, Verdict } from './verdict.js';

export interface Reviewed {
  readonly knowledge: Knowledge;
  readonly envelope: Envelope;
}

export interface PendingCall {
  readonly arguments: Literal;
  readonly inputs: { readonly source: ReadonlyMap<string, string | null>; readonly target: ReadonlyMap<string, string | null> };
  /** Facts declared for evaluation, over propositions of the store that both summaries live in. */
  readonly facts?: Guard;
}

export function decideCall(source: Summary, target: Summary, call: PendingCall, reviewed: Reviewed): CallDecision {
  return withinLimits(
    () => {
      const sides = specialisedSides(source, target, call, reviewed);
      return decide(sides.source, sides.target, reviewed);
    },
    (reason) => ({ verdict: 'escalated', sourceEffects: [], targetEffects: [], reasons: [reason] }),
  );
}

/** Both summaries with the call put in. */
export function specialisedSides(source: Summary, target: Summary, call: PendingCall, reviewed: Reviewed): { readonly source: Summary; readonly target: Summary } {
  const side = (summary: Summary, inputs: ReadonlyMap<string, string | null>): Summary => {
    const concrete: ConcreteCall = { arguments: call.arguments, inputs, ...(call.facts === undefined ? {} : { facts: call.facts }) };
    return specialise(summary, concrete, reviewed.knowledge.fold);
  };
  return { source: side(source, call.inputs.source), target: side(target, call.inputs.target) };
}

/** Both summaries are specialised to the call. */
export function decide(source: Summary, target: Summary, reviewed: Reviewed): CallDecision {
  const { store } = source;
  const { guards } = store;
  const comparison = compare(source, target, reviewed.envelope);
  const facts = factsOf(source, target, comparison);
  const theory = guards.and(theoryOf(store, facts.all, reviewed.knowledge), comparison.serving);
  const possible = guards.and(comparison.domain, theory);
  const sides: Explained = { source, target, possible };
  const answer = (verdict: Verdict, reasons: readonly Reason[]): CallDecision => ({
    verdict,
    sourceEffects: describeEffects(source, possible),
    targetEffects: describeEffects(target, possible),
    reasons,
  });
  if (possible === FALSE)
    return answer('escalated', [
      {
        code: 'outside-domain',
        message: 'The call is outside the domain that the profile supports.',
        side: 'both',
        next: 'Review the call by hand, or widen the profile.',
      },
    ]);

  const violated = guards.all([possible, guards.not(comparison.undecided), guards.not(comparison.contained)]);
  if (violated !== FALSE) {
    const sure = surely(comparison, possible, theory, facts.sourceOnly, store);
    if (sure !== FALSE) {
      const run = guards.witness(guards.and(sure, violated))!;
      return answer('changed', explainViolations(comparison, sides, run));
    }
  }
  if (guards.and(possible, comparison.undecided) !== FALSE) return answer('escalated', escalationReasons(source, target, possible));
  if (violated !== FALSE) return answer('escalated', worldFactReasons(comparison, sides, violated, facts.sourceOnly));
  const unequal = guards.and(possible, guards.not(comparison.equal));
  return unequal === FALSE ? answer('equal', []) : answer('narrower', explainDifferences(comparison, sides));
}

export interface Facts {
  readonly all: ReadonlySet<PropositionId>;
  /** Open facts (not about inputs) that only the source asks about. */
  readonly sourceOnly: ReadonlySet<PropositionId>;
}

export function factsOf(source: Summary, target: Summary, comparison: Comparison): Facts {
  const { store } = source;
  const mentioned = (summary: Summary): Set<PropositionId> => propositionsOf(store, [...summary.outcomes.map((outcome) => outcome.when), summary.domain, summary.serving]);
  const [ofSource, ofTarget] = [mentioned(source), mentioned(target)];
  const all = new Set([...ofSource, ...ofTarget, ...propositionsOf(store, [comparison.contained, comparison.equal, comparison.undecided, comparison.domain])]);
  return { all, sourceOnly: new Set([...ofSource].filter((id) => !ofTarget.has(id) && isOpen(source, id))) };
}

/** A fact that neither the call nor an input of the deployment settles. */
function isOpen(summary: Summary, id: PropositionId): boolean {
  const { store } = summary;
  if (store.isWorldFact(id)) return true;
  const sources = store.guardSources(store.guards.variable(id));
  return sources.inputs.size === 0 && sources.argumentPaths.size === 0;
}

/** Where the violation happens whatever the source-only facts are, as far as they are possible. */
export function surely(comparison: Comparison, possible: Guard, theory: Guard, sourceOnly: ReadonlySet<PropositionId>, store: Summary['store']): Guard {
  const { guards } = store;
  const violation = guards.not(guards.or(comparison.contained, comparison.undecided));
  const whatever = guards.forAll(guards.implies(theory, violation), sourceOnly);
  return guards.and(whatever, guards.exists(possible, sourceOnly));
}

function describeEffects(summary: Summary, possible: Guard): DescribedEffect[] {
  return effectsOf(summary)
    .filter((at) => summary.store.guards.and(at.outcome.when, possible) !== FALSE)
    .map((at) => describeEffect(summary.store, at.outcome, possible, spanOf(summary, at.index).span));
}

/** The escalations of either side that can happen, each once. */
export function escalationReasons(source: Summary, target: Summary, possible: Guard): Reason[] {
  const { guards } = source.store;
  const reasons = new Map<string, Reason>();
  if (source.absent)
    reasons.set('absent', { code: 'tool-absent', message: 'The source release does not serve the tool.', side: 'source', next: 'Register the tool as new.' });
  const collect = (summary: Summary, side: Side): void => {
    for (const { outcome, index } of escalationsOf(summary)) {
      if (guards.and(outcome.when, possible) === FALSE) continue;
      const reason: Reason = { code: outcome.code, message: outcome.message, side, next: outcome.next, ...spanOf(summary, index) };
      reasons.set(JSON.stringify(reason), reason);
    }
  };
  collect(target, 'target');
  collect(source, 'source');
  return [...reasons.values()];
}

function worldFactReasons(comparison: Comparison, sides: Explained, violated: Guard, sourceOnly: ReadonlySet<PropositionId>): Reason[] {
  const { store } = sides.source;
  const run = store.guards.witness(violated)!;
  const deciding = store.guards.order(propositionsOf(store, [violated])).filter((id) => sourceOnly.has(id) && run.has(id));
  const literals = deciding.map((id) => ({ proposition: id, holds: run.get(id) === true }));
  const facts = literals.map((literal) => describeLiteral(store, literal));
  const world: Reason = {
    code: 'world-fact',
    message: `The target may do more than the source, depending on facts that the call does not carry${facts.length === 0 ? '' : `: ${facts.join('; ')}`}.`,
    side: 'both',
    next: 'Review whether the fact can hold for this call, or declare it for evaluation.',
    ...(literals.length === 0 ? {} : { turnsOn: new FactReader(store, sides.possible).facts(literals) }),
  };
  return [world, ...explainViolations(comparison, sides, run)];
}
