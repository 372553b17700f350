/**
 * The decision as guards: where the target's effects are contained in the source's, where both are equal, and where
 * either side is not decided. Both summaries live in one store; they may be specialised to a call or not.
 *
 * Containment is an order-preserving injective match of the target's effects into the source's, decided for every
 * assignment at once by dynamic programming over guards. Conditions on top of it: nothing protective is lost, no dropped
 * effect is one that a remaining effect builds on, nothing new is disclosed. Equality is containment both ways with
 * the same exits. What the guards mean for a verdict is in decide.ts and classes.ts.
 */
import { InvariantError } from '../base/errors.js';
import { FALSE, TRUE } from '../analysis/guards.js';
import type { DiscloseOutcome, EffectOutcome, EscalateOutcome, Outcome, Summary } from '../analysis/summary.js';
import type { Guard } from '../analysis/terms.js';
import { effectMatcher, type EffectMatcher } from './same-effect.js';
import type { Envelope } from './envelope.js';

/** An outcome with its place in the summary, so that evidence can be found. */
export interface At<Kind extends Outcome> {
  readonly outcome: Kind;
  readonly index: number;
}

export interface Comparison {
  /** The target does nothing that the source would not have done. */
  readonly contained: Guard;
  /** Both do the same; implies `contained`. */
  readonly equal: Guard;
  /** One side is not decided where it matters. */
  readonly undecided: Guard;
  /** Supported calls. */
  readonly domain: Guard;
  /** Both releases serve: the call was formed against the one and is about to run on the other. */
  readonly serving: Guard;
  /** Why `contained` fails, each with the condition under which it does. */
  readonly violations: readonly Violation[];
  /** Where the target is contained without being equal, by kind. */
  readonly differences: readonly Difference[];
}

export type Violation =
  | { readonly kind: 'effect'; readonly when: Guard; readonly target: At<EffectOutcome> }
  | { readonly kind: 'order'; readonly when: Guard }
  | { readonly kind: 'protection'; readonly when: Guard; readonly source: At<EffectOutcome> }
  | { readonly kind: 'dependency'; readonly when: Guard; readonly source: At<EffectOutcome>; readonly target: At<EffectOutcome> }
  | { readonly kind: 'disclosure'; readonly when: Guard; readonly target: At<DiscloseOutcome> }
  | { readonly kind: 'bound'; readonly when: Guard; readonly target: At<EffectOutcome>; readonly reason: string };

export type Difference =
  | { readonly kind: 'dropped'; readonly when: Guard; readonly source: At<EffectOutcome> }
  | { readonly kind: 'disclosure-dropped'; readonly when: Guard; readonly source: At<DiscloseOutcome> }
  | { readonly kind: 'refused'; readonly when: Guard }
  | { readonly kind: 'answered'; readonly when: Guard }
  | { readonly kind: 'other'; readonly when: Guard };

export function compare(source: Summary, target: Summary, envelope: Envelope): Comparison {
  if (source.store !== target.store) throw new InvariantError('summaries are compared in one store');
  return new Comparer(source, target, envelope).compare();
}

/** Effects in program order. */
export function effectsOf(summary: Summary): At<EffectOutcome>[] {
  return summary.outcomes
    .map((outcome, index) => ({ outcome, index }))
    .filter((at): at is At<EffectOutcome> => at.outcome.kind === 'effect')
    .sort((left, right) => left.outcome.order - right.outcome.order);
}
export function disclosuresOf(summary: Summary): At<DiscloseOutcome>[] {
  return summary.outcomes.map((outcome, index) => ({ outcome, index })).filter((at): at is At<DiscloseOutcome> => at.outcome.kind === 'disclose');
}
export function escalationsOf(summary: Summary): At<EscalateOutcome>[] {
  return summary.outcomes.map((outcome, index) => ({ outcome, index })).filter((at): at is At<EscalateOutcome> => at.outcome.kind === 'escalate');
}

class Comparer {
  private readonly source: Summary;
  private readonly target: Summary;
  private readonly envelope: Envelope;
  private readonly match: EffectMatcher;
  private readonly sourceEffects: readonly At<EffectOutcome>[];
  private readonly targetEffects: readonly At<EffectOutcome>[];

  constructor(source: Summary, target: Summary, envelope: Envelope) {
    this.source = source;
    this.target = target;
    this.envelope = envelope;
    this.match = effectMatcher(source.store, envelope);
    this.sourceEffects = effectsOf(source);
    this.targetEffects = effectsOf(target);
  }

  compare(): Comparison {
    const { guards } = this.source.store;
    const violations = [
      ...this.effectViolations(),
      ...this.protectionViolations(),
      ...this.dependencyViolations(),
      ...this.disclosureViolations(),
      ...this.boundViolations(),
    ];
    const contained = guards.not(guards.any(violations.map((violation) => violation.when)));
    const { equal, differences } = this.equality(contained);
    const targetDoes = guards.any(this.target.outcomes.filter((o) => o.kind === 'effect' || o.kind === 'disclose').map((o) => o.when));
    // Without a source there is no contract to stay inside.
    const undecided = this.source.absent ? TRUE : guards.or(undecidedIn(this.target), guards.and(undecidedIn(this.source), targetDoes));
    return {
      contained,
      equal: guards.and(equal, guards.not(undecidedIn(this.source))),
      undecided,
      domain: guards.and(this.source.domain, this.target.domain),
      serving: guards.and(this.source.serving, this.target.serving),
      violations: violations.filter((violation) => violation.when !== FALSE),
      differences: differences.filter((difference) => difference.when !== FALSE),
    };
  }

  /** Baseline effects are a set; the others are a sequence. */
  private effectViolations(): Violation[] {
    const { guards } = this.source.store;
    const violations: Violation[] = [];
    for (const target of this.targetEffects) {
      const { outcome } = target;
      // A protective effect more is no harm.
      if (outcome.protective) continue;
      const when = this.uncovered(outcome, this.sourceEffects, (source) => {
        const same = this.match.contained(outcome, source);
        return outcome.baseline ? guards.or(same, this.match.sameResource(outcome, source)) : same;
      });
      violations.push({ kind: 'effect', target, when });
    }
    const single = guards.any(violations.map((violation) => violation.when));
    const ordered = this.embeds(this.ordinary(this.targetEffects), this.ordinary(this.sourceEffects), (t, s) => this.match.contained(t, s));
    violations.push({ kind: 'order', when: guards.and(guards.not(ordered), guards.not(single)) });
    return violations;
  }

  /** Where `effect` happens and no candidate that covers it does. */
  private uncovered(effect: EffectOutcome, candidates: readonly At<EffectOutcome>[], covers: (candidate: EffectOutcome) => Guard): Guard {
    const { guards } = this.source.store;
    let left = effect.when;
    // The plain counterpart first: what it covers needs no comparison of one argument with another.
    const plain = candidates.filter((at) => at.outcome.operation === effect.operation && covers(at.outcome) === TRUE);
    for (const at of plain) left = guards.and(left, guards.not(at.outcome.when));
    for (const at of candidates) {
      if (left === FALSE) return FALSE;
      if (!plain.includes(at)) left = guards.and(left, guards.not(guards.and(at.outcome.when, covers(at.outcome))));
    }
    return left;
  }

  private ordinary(effects: readonly At<EffectOutcome>[]): EffectOutcome[] {
    return effects.map((at) => at.outcome).filter((effect) => !effect.baseline && !effect.protective);
  }

  /** `inner` maps into `outer` in order, each effect that happens to another one that happens. */
  private embeds(
    wholeInner: readonly EffectOutcome[],
    wholeOuter: readonly EffectOutcome[],
    same: (inner: EffectOutcome, outer: EffectOutcome) => Guard,
  ): Guard {
    const { guards } = this.source.store;
    const { inner, outer } = withoutCommonEnds(wholeInner, wholeOuter, same);
    // row[j]: the inner effects so far map into the first j outer ones.
    let row: Guard[] = Array.from({ length: outer.length + 1 }, () => TRUE);
    for (const effect of inner) {
      const next: Guard[] = [guards.and(guards.not(effect.when), row[0]!)];
      outer.forEach((candidate, at) => {
        const skipsInner = guards.and(guards.not(effect.when), row[at + 1]!);
        const matched = guards.all([row[at]!, effect.when, candidate.when, same(effect, candidate)]);
        next.push(guards.any([skipsInner, next[at]!, matched]));
      });
      row = next;
    }
    return row[outer.length]!;
  }

  /** Every protection that the source sets stands in the target too, before what it stood before. */
  private protectionViolations(): Violation[] {
    const { guards } = this.source.store;
    const acting = this.targetEffects.filter((at) => !at.outcome.baseline && !at.outcome.protective);
    return this.sourceEffects
      .filter((at) => at.outcome.protective)
      .map((source): Violation => {
        const kept = (before: number): Guard =>
          guards.any(
            this.targetEffects
              .filter((at) => at.outcome.protective && at.outcome.order < before)
              .map((at) => guards.and(at.outcome.when, this.match.contained(at.outcome, source.outcome))),
          );
        const later = this.sourceEffects.filter((at) => at.outcome.order > source.outcome.order && !at.outcome.baseline && !at.outcome.protective);
        const losses = acting.map((target) => {
          const protectedInSource = guards.any(later.map((at) => guards.and(at.outcome.when, this.match.contained(target.outcome, at.outcome))));
          const lostBefore = guards.and(protectedInSource, guards.not(kept(target.outcome.order)));
          return guards.and(target.outcome.when, guards.or(lostBefore, guards.not(kept(Number.POSITIVE_INFINITY))));
        });
        return { kind: 'protection', source, when: guards.and(source.outcome.when, guards.any(losses)) };
      });
  }

  /** An effect that the target leaves out although a later one, which it keeps, builds on it. */
  private dependencyViolations(): Violation[] {
    const { guards } = this.source.store;
    const violations: Violation[] = [];
    const sources = this.sourceEffects.filter((at) => !at.outcome.baseline && !at.outcome.protective);
    const targets = this.targetEffects.filter((at) => !at.outcome.baseline && !at.outcome.protective);
    for (const [k, dropped] of sources.entries()) {
      const missing = this.uncovered(dropped.outcome, targets, (target) => this.match.contained(target, dropped.outcome));
      if (missing === FALSE) continue;
      for (const target of targets) {
        const builtOn = guards.any(
          sources
            .slice(k + 1)
            .map((later) =>
              guards.all([this.match.buildsOn(later.outcome, dropped.outcome), later.outcome.when, this.match.contained(target.outcome, later.outcome)]),
            ),
        );
        const when = guards.all([missing, target.outcome.when, builtOn]);
        if (when !== FALSE) violations.push({ kind: 'dependency', source: dropped, target, when });
      }
    }
    return violations;
  }

  private disclosureViolations(): Violation[] {
    return disclosuresOf(this.target)
      .filter((at) => this.counts(at.outcome))
      .map((target): Violation => ({ kind: 'disclosure', target, when: this.undisclosed(target.outcome, this.source) }));
  }

  /** Where `disclosure` happens and `other` has none such. */
  private undisclosed(disclosure: DiscloseOutcome, other: Summary): Guard {
    const { guards } = this.source.store;
    const candidates = disclosuresOf(other).filter((at) => at.outcome.channel === disclosure.channel);
    let left = disclosure.when;
    for (const at of candidates) if (at.outcome.source === disclosure.source) left = guards.and(left, guards.not(at.outcome.when));
    for (const at of candidates) {
      if (left === FALSE) return FALSE;
      left = guards.and(left, guards.not(guards.and(at.outcome.when, this.match.sameValue(disclosure.source, at.outcome.source))));
    }
    return left;
  }

  /** The caller's own arguments, constants and inputs that the profile allows to be told are no disclosure. */
  private counts(disclosure: DiscloseOutcome): boolean {
    const term = this.source.store.term(disclosure.source);
    if (term.kind === 'argument' || term.kind === 'constant') return false;
    return !(term.kind === 'input' && this.envelope.disclosableInputs.has(term.name));
  }

  private boundViolations(): Violation[] {
    const { guards } = this.source.store;
    return this.targetEffects.flatMap((target) =>
      this.envelope
        .bounds(this.source.store, target.outcome)
        .map(({ when, reason }): Violation => ({ kind: 'bound', target, reason, when: guards.and(target.outcome.when, when) })),
    );
  }

  private equality(contained: Guard): { equal: Guard; differences: Difference[] } {
    const { guards } = this.source.store;
    const exact = (left: EffectOutcome, right: EffectOutcome): Guard => this.match.exact(left, right);
    const sequence = (effects: readonly At<EffectOutcome>[]): EffectOutcome[] => effects.map((at) => at.outcome).filter((effect) => !effect.baseline);
    const [sourceSequence, targetSequence] = [sequence(this.sourceEffects), sequence(this.targetEffects)];
    const differences: Difference[] = [];
    for (const source of this.sourceEffects) {
      const when = this.uncovered(source.outcome, this.targetEffects, (target) => {
        const same = exact(target, source.outcome);
        return source.outcome.baseline ? guards.or(same, this.match.sameResource(source.outcome, target)) : same;
      });
      differences.push({ kind: 'dropped', source, when });
    }
    for (const source of disclosuresOf(this.source)) {
      if (this.counts(source.outcome)) differences.push({ kind: 'disclosure-dropped', source, when: this.undisclosed(source.outcome, this.target) });
    }
    const [sourceThrows, targetThrows] = [throwsIn(this.source), throwsIn(this.target)];
    differences.push({ kind: 'refused', when: guards.and(targetThrows, guards.not(sourceThrows)) });
    differences.push({ kind: 'answered', when: guards.and(sourceThrows, guards.not(targetThrows)) });
    const bothWays = guards.and(
      this.embeds(targetSequence, sourceSequence, exact),
      this.embeds(sourceSequence, targetSequence, (s, t) => exact(t, s)),
    );
    const named = guards.any(differences.map((difference) => difference.when));
    const equal = guards.all([contained, bothWays, guards.not(named)]);
    differences.push({ kind: 'other', when: guards.all([contained, guards.not(bothWays), guards.not(named)]) });
    return { equal, differences };
  }
}

/**
 * Takes off effects at both ends that are plainly the same on both sides under the same condition: whenever one happens
 * so does the other, and mapping them to each other never stands in the way of a better match.
 */
function withoutCommonEnds(
  inner: readonly EffectOutcome[],
  outer: readonly EffectOutcome[],
  same: (inner: EffectOutcome, outer: EffectOutcome) => Guard,
): { inner: readonly EffectOutcome[]; outer: readonly EffectOutcome[] } {
  const alike = (left: EffectOutcome | undefined, right: EffectOutcome | undefined): boolean =>
    left !== undefined && right !== undefined && left.when === right.when && same(left, right) === TRUE;
  let start = 0;
  while (alike(inner[start], outer[start])) start += 1;
  let end = 0;
  while (inner.length - end > start && outer.length - end > start && alike(inner[inner.length - 1 - end], outer[outer.length - 1 - end])) end += 1;
  return { inner: inner.slice(start, inner.length - end), outer: outer.slice(start, outer.length - end) };
}

function undecidedIn(summary: Summary): Guard {
  return summary.store.guards.any(escalationsOf(summary).map((at) => at.outcome.when));
}

function throwsIn(summary: Summary): Guard {
  return summary.store.guards.any(summary.outcomes.filter((outcome) => outcome.kind === 'exit' && outcome.how === 'throw').map((outcome) => outcome.when));
}
