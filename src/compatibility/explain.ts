/** Why a comparison fails in one run: each violation with the place on both sides and what differs, in words. */
import { unreachable } from '../base/errors.js';
import type { Span } from '../ir/span.js';
import { equal } from '../analysis/construct.js';
import { FALSE, TRUE } from '../analysis/guards.js';
import type { DiscloseOutcome, EffectOutcome, Summary } from '../analysis/summary.js';
import type { Guard } from '../analysis/terms.js';
import { effectsOf, type At, type Comparison, type Difference, type Violation } from './compare.js';
import { describeDisclosure, describeGuard, describeTerm } from './describe.js';
import { deedOf } from './doings.js';
import { FactReader } from './read-facts.js';
import type { Reason, ReasonDetail } from './verdict.js';

export interface Explained {
  readonly source: Summary;
  readonly target: Summary;
  /** What is possible at all: domain and theory. */
  readonly possible: Guard;
}

type Run = ReadonlyMap<number, boolean>;

/** The violations that happen in one run (an assignment; what it does not mention is false). */
export function explainViolations(comparison: Comparison, sides: Explained, run: Run): Reason[] {
  const holds = (guard: Guard): boolean => sides.source.store.guards.evaluate(guard, (variable) => run.get(variable) ?? false);
  return comparison.violations.filter((violation) => holds(violation.when)).map((violation) => explainViolation(violation, sides, holds));
}

function explainViolation(violation: Violation, sides: Explained, holds: (guard: Guard) => boolean): Reason {
  const { store } = sides.source;
  switch (violation.kind) {
    case 'effect':
      return explainEffect(violation.target, sides, holds);
    case 'order':
      return {
        code: 'count-or-order',
        message: 'The target performs the same effects more often than the source, or in another order.',
        side: 'target',
        ...firstSpan(sides.target, holds),
      };
    case 'protection':
      return {
        code: 'protection-dropped',
        message: `The source sets a protection (${effectWords(sides.source, violation.source.outcome)}) that the target does not set.`,
        side: 'source',
        ...effectDetail(sides, sides.source, violation.source),
        ...spanOf(sides.source, violation.source.index),
      };
    case 'dependency':
      return {
        code: 'dependency-dropped',
        message: `The target leaves out ${effectWords(sides.source, violation.source.outcome)}, on which ${effectWords(sides.target, violation.target.outcome)} builds.`,
        side: 'target',
        ...spanOf(sides.target, violation.target.index),
        ...otherSpan(sides.source, violation.source.index),
        ...effectDetail(sides, sides.source, violation.source),
      };
    case 'disclosure':
      return {
        code: 'disclosure-added',
        message: `The target tells ${describeDisclosure(store, violation.target.outcome)}, which the source does not.`,
        side: 'target',
        ...spanOf(sides.target, violation.target.index),
        ...disclosureDetail(sides, violation.target.outcome),
      };
    case 'bound':
      return {
        code: 'bound-exceeded',
        message: `The profile never certifies ${effectWords(sides.target, violation.target.outcome)}: ${violation.reason}.`,
        side: 'target',
        ...spanOf(sides.target, violation.target.index),
        ...effectDetail(sides, sides.target, violation.target),
      };
    default:
      return unreachable(violation);
  }
}

/** Compares a target effect that nothing covers with the source effect that is most like it. */
function explainEffect(target: At<EffectOutcome>, sides: Explained, holds: (guard: Guard) => boolean): Reason {
  const where = { ...spanOf(sides.target, target.index), ...effectDetail(sides, sides.target, target) };
  const nearest = nearestEffect(target.outcome, sides, holds);
  if (nearest === undefined) {
    return {
      code: 'effect-added',
      message: `The target performs ${effectWords(sides.target, target.outcome)}; the source performs no ${target.outcome.operation} in such a call.`,
      side: 'target',
      ...where,
    };
  }
  const { source, differing } = nearest;
  const place = { ...where, ...otherSpan(sides.source, source.index) };
  const first = differing[0];
  if (first === undefined) {
    if (sides.source.store.guards.and(source.outcome.when, sides.possible) === FALSE) {
      return {
        code: 'condition-widened',
        message: `The target performs ${effectWords(sides.target, target.outcome)}; the source does not in such a call.`,
        side: 'target',
        ...place,
      };
    }
    if (!holds(source.outcome.when)) {
      return {
        code: 'condition-widened',
        message: `The source performs ${effectWords(sides.source, source.outcome)} only when ${describeGuard(sides.source.store, source.outcome.when, sides.possible)}; the target also otherwise.`,
        side: 'target',
        ...place,
      };
    }
    const dropped = source.outcome.contexts.length > target.outcome.contexts.length;
    return {
      code: dropped ? 'protection-dropped' : 'context-changed',
      message: `${effectWords(sides.target, target.outcome)} runs ${contextWords(target.outcome)} in the target and ${contextWords(source.outcome)} in the source.`,
      side: 'target',
      ...place,
    };
  }
  const { store } = sides.source;
  if (!first.exact) {
    return {
      code: 'dimension-inexact',
      message: `The ${first.name} of ${target.outcome.operation} is only known approximately, so that both sides cannot be proved equal.`,
      side: 'target',
      ...place,
    };
  }
  const words = differing
    .map((d) => `${d.name} is ${describeTerm(store, d.source)} in the source and ${describeTerm(store, d.target)} in the target`)
    .join('; ');
  const reader = new FactReader(store, sides.possible);
  const detail: ReasonDetail = {
    kind: 'dimensions',
    operation: target.outcome.operation,
    differing: differing.map((d) => ({ name: d.name, source: reader.value(d.source), target: reader.value(d.target) })),
  };
  return { code: 'dimension-changed', message: `${target.outcome.operation}: ${words}.`, side: 'target', ...place, detail };
}

interface DifferingDimension {
  readonly name: string;
  readonly source: number;
  readonly target: number;
  readonly exact: boolean;
}

function nearestEffect(
  target: EffectOutcome,
  sides: Explained,
  holds: (guard: Guard) => boolean,
): { source: At<EffectOutcome>; differing: readonly DifferingDimension[] } | undefined {
  const { store } = sides.source;
  const candidates = effectsOf(sides.source)
    .filter((at) => at.outcome.operation === target.operation)
    .map((source) => {
      const differing = target.dimensions.flatMap((dimension): DifferingDimension[] => {
        const other = source.outcome.dimensions.find((candidate) => candidate.name === dimension.name);
        if (other === undefined) return [{ name: dimension.name, source: store.null, target: dimension.value, exact: true }];
        const exact = dimension.exact && other.exact;
        const same = equal(store, dimension.value, other.value);
        return same === TRUE || (same !== FALSE && holds(same) && exact) ? [] : [{ name: dimension.name, source: other.value, target: dimension.value, exact }];
      });
      return { source, differing, happens: holds(source.outcome.when) };
    });
  candidates.sort((left, right) => left.differing.length - right.differing.length || Number(right.happens) - Number(left.happens));
  return candidates[0];
}

/** Where a contained target is not equal: what it does less, within what is possible. */
export function explainDifferences(comparison: Comparison, sides: Explained): Reason[] {
  const { guards } = sides.source.store;
  return comparison.differences
    .filter((difference) => guards.and(difference.when, sides.possible) !== FALSE)
    .map((difference) => explainDifference(difference, sides));
}

function explainDifference(difference: Difference, sides: Explained): Reason {
  const { guards } = sides.source.store;
  const when = describeGuard(sides.source.store, difference.when, sides.possible);
  const condition = when === 'always' ? '' : ` when ${when}`;
  switch (difference.kind) {
    case 'dropped':
      return {
        code: 'effect-dropped',
        message: `The target does not perform ${effectWords(sides.source, difference.source.outcome)}${condition}.`,
        side: 'source',
        ...spanOf(sides.source, difference.source.index),
        ...effectDetail(sides, sides.source, difference.source),
      };
    case 'disclosure-dropped':
      return {
        code: 'disclosure-dropped',
        message: `The target does not tell ${describeDisclosure(sides.source.store, difference.source.outcome)}${condition}.`,
        side: 'source',
        ...spanOf(sides.source, difference.source.index),
        ...disclosureDetail(sides, difference.source.outcome),
      };
    case 'refused':
      return { code: 'refused', message: `The target refuses${condition}; the source does not.`, side: 'target', ...exitSpan(sides.target, guards.and(difference.when, sides.possible)) };
    case 'answered':
      return { code: 'answered', message: `The target answers${condition}; the source refuses.`, side: 'source', ...exitSpan(sides.source, guards.and(difference.when, sides.possible)) };
    case 'other':
      return {
        code: 'protection-added',
        message: `The target runs the same effects under other contexts, lowered values or added protections${condition}.`,
        side: 'target',
      };
    default:
      return unreachable(difference);
  }
}

function effectDetail(sides: Explained, summary: Summary, { outcome, index }: At<EffectOutcome>): { readonly detail: ReasonDetail } {
  const deed = deedOf(new FactReader(summary.store, sides.possible), outcome, summary.spans[index]?.[0]);
  return { detail: { kind: 'effect', deed } };
}

function disclosureDetail(sides: Explained, { source, channel }: DiscloseOutcome): { readonly detail: ReasonDetail } {
  return { detail: { kind: 'disclosure', told: new FactReader(sides.source.store, sides.possible).value(source), channel } };
}

function effectWords(summary: Summary, effect: EffectOutcome): string {
  const dimensions = effect.dimensions.map((d) => `${d.name} ${describeTerm(summary.store, d.value)}`).join(', ');
  return dimensions === '' ? effect.operation : `${effect.operation} (${dimensions})`;
}

function contextWords(effect: EffectOutcome): string {
  return effect.contexts.length === 0 ? 'outside any context' : `under ${effect.contexts.map((context) => context.operation).join(', ')}`;
}

export function spanOf(summary: Summary, index: number): { span?: Span } {
  const span = summary.spans[index]?.[0];
  return span === undefined ? {} : { span };
}

function otherSpan(summary: Summary, index: number): { otherSpan?: Span } {
  const span = summary.spans[index]?.[0];
  return span === undefined ? {} : { otherSpan: span };
}

function firstSpan(summary: Summary, holds: (guard: Guard) => boolean): { span?: Span } {
  const first = effectsOf(summary).find((at) => !at.outcome.baseline && holds(at.outcome.when));
  return first === undefined ? {} : spanOf(summary, first.index);
}

/** Where the call is refused in these runs. */
function exitSpan(summary: Summary, here: Guard): { span?: Span } {
  const { guards } = summary.store;
  const at = summary.outcomes.findIndex((outcome) => outcome.kind === 'exit' && outcome.how === 'throw' && guards.and(outcome.when, here) !== FALSE);
  return at < 0 ? {} : spanOf(summary, at);
}
