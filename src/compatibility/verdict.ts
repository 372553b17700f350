/**
 * What a comparison says: for one concrete call, and for a pair of summaries as a whole. Data only; every value here is
 * plain and can be printed as JSON. `decide.ts` and `report.ts` produce them.
 */
import type { Span } from '../ir/span.js';
import type { EscalationCode } from '../analysis/summary.js';
import type { Deed } from './doings.js';
import type { Fact, Value } from './facts.js';

/** For one concrete call, or one class of calls. *Contained* is `equal` or `narrower`. */
export type Verdict = 'equal' | 'narrower' | 'changed' | 'escalated';

/** For all supported calls of a tool: all contained, some, none, or not decided. */
export type PairVerdict = 'compatible' | 'conditional' | 'incompatible' | 'escalated';

export type Side = 'source' | 'target';

/** Why a verdict is what it is. Escalations keep the evaluator's code. */
export type ReasonCode =
  | EscalationCode
  /** The target has an effect that no source effect covers. */
  | 'effect-added'
  /** Source and target have the same operation with another dimension value. */
  | 'dimension-changed'
  /** A dimension is only known approximately, so that equality is not proved. */
  | 'dimension-inexact'
  /** The effect happens under more conditions than in the source. */
  | 'condition-widened'
  /** The same effect happens more often, or in another order. */
  | 'count-or-order'
  /** A protection around an effect is gone, or a protective effect before it. */
  | 'protection-dropped'
  /** An effect that a remaining one depends on is gone. */
  | 'dependency-dropped'
  /** Another context (transaction, lock) stands around the effect. */
  | 'context-changed'
  | 'disclosure-added'
  /** The effect is outside what the profile lets any certificate cover. */
  | 'bound-exceeded'
  /** The target refuses or does less. */
  | 'refused'
  | 'effect-dropped'
  | 'protection-added'
  | 'dimension-lowered'
  | 'disclosure-dropped'
  /** The target answers where the source refused; no effect on either side. */
  | 'answered'
  /** Depends on facts about the world that the call does not carry. */
  | 'world-fact'
  /** The call is outside the profile's supported domain. */
  | 'outside-domain'
  | 'limit';

export interface Reason {
  readonly code: ReasonCode;
  /** A full sentence. */
  readonly message: string;
  readonly side: Side | 'both';
  readonly span?: Span;
  /** The place on the other side that it was compared with. */
  readonly otherSpan?: Span;
  /** What a person can do about it. */
  readonly next?: string;
  /** The same as data, where a report can say it shorter. */
  readonly detail?: ReasonDetail;
  /** Facts about the world under which the target may do more. */
  readonly turnsOn?: readonly Fact[];
}

export type ReasonDetail =
  /** Performed by the target and not by the source, or the other way round. */
  | { readonly kind: 'effect'; readonly deed: Deed }
  /** The same operation with other values. */
  | { readonly kind: 'dimensions'; readonly operation: string; readonly differing: readonly { readonly name: string; readonly source: Value; readonly target: Value }[] }
  | { readonly kind: 'disclosure'; readonly told: Value; readonly channel: string };

/** One effect in words, as `decide` and reports show it. */
export interface DescribedEffect {
  readonly operation: string;
  readonly dimensions: Readonly<Record<string, string>>;
  /** Condition in words; `always` when unconditional. */
  readonly when: string;
  readonly context: readonly string[];
  readonly protective: boolean;
  readonly baseline: boolean;
  readonly span?: Span;
}

export interface CallDecision {
  readonly verdict: Verdict;
  /** Effects that can happen in this call, in program order. */
  readonly sourceEffects: readonly DescribedEffect[];
  readonly targetEffects: readonly DescribedEffect[];
  /** Never empty for `changed` and `escalated`. */
  readonly reasons: readonly Reason[];
}

/** One row of a pair's decision table: a region of the argument space in which the answer is the same. */
export interface ClassRow {
  /** Condition over arguments and inputs in words; `all supported calls` when there is only one. */
  readonly condition: string;
  readonly verdict: Verdict;
  readonly sourceEffects: readonly DescribedEffect[];
  readonly targetEffects: readonly DescribedEffect[];
  readonly reasons: readonly Reason[];
}

/** A CEL predicate over `args`, `source` and `target`, or why there is none. */
export type Predicate =
  | {
      readonly kind: 'predicate';
      readonly text: string;
      /** True when it captures exactly the certified calls; false when some had no form in CEL and are left out. */
      readonly exact: boolean;
    }
  | { readonly kind: 'none'; readonly code: 'no-call' | 'no-cel-form' | 'too-large'; readonly reason: string };

export interface PairReport {
  readonly verdict: PairVerdict;
  readonly classes: readonly ClassRow[];
  /** Set when the table was cut at the limit: what is missing, in words. */
  readonly classesNote?: string;
  readonly equalWhen: Predicate;
  readonly containedWhen: Predicate;
  /** Inputs that both sides read: the verdicts hold where both have the same value. Sorted. */
  readonly equalInputs: readonly string[];
  /** Inputs that only one side reads, sorted. */
  readonly sourceInputs: readonly string[];
  readonly targetInputs: readonly string[];
  /** Where the target is less available than the source, in words. */
  readonly availability: readonly string[];
  readonly reasons: readonly Reason[];
}

export function isContained(verdict: Verdict): boolean {
  return verdict === 'equal' || verdict === 'narrower';
}
