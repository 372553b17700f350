/**
 * What one tool of one release can do, as a function of its arguments: the evaluator's result and the input of
 * compatibility. In memory it lives in a `Store`; `summary-codec.ts` writes it as canonical JSON and reads it back.
 */
import type { Span } from '../ir/span.js';
import type { Store } from './store.js';
import type { Behaviour, Guard, LoopIndex, TermId } from './terms.js';

/** Closed: every way in which the compiler can fail to decide. Each has an entry in docs/ESCALATIONS.md. */
export const ESCALATION_CODES = [
  'unreviewed-callee',
  'no-modelled-form',
  'version-unknown',
  'refused-by-inventory',
  'unsupported-syntax',
  'syntax-error',
  'unresolved-name',
  'ambiguous-binding',
  'star-import',
  'conditional-import',
  'rebound-name',
  'dynamic-name',
  'module-state',
  'monkey-patched',
  'metaclass',
  'unsupported-operation',
  'unsupported-class',
  'unsupported-generator',
  'unsupported-loop',
  'recursion',
  'limit',
  'unbound-input',
  'tool-absent',
  'tool-registered-twice',
  'registration-unproved',
  'entry-missing',
  'binding-unsupported',
  'spawned',
  'shared-state',
] as const;
export type EscalationCode = (typeof ESCALATION_CODES)[number];

export interface Context {
  readonly operation: string;
  readonly dimensions: readonly Dimension[];
}
export interface Dimension {
  readonly name: string;
  readonly value: TermId;
  readonly exact: boolean;
}

export interface EffectOutcome {
  readonly kind: 'effect';
  /** Condition under which it happens, outside any loop. */
  readonly when: Guard;
  /** The call as a term: equal calls in equal worlds are equal terms. */
  readonly call: TermId;
  readonly behaviour: Behaviour;
  readonly operation: string;
  /** Sorted by name. */
  readonly dimensions: readonly Dimension[];
  readonly protective: boolean;
  readonly baseline: boolean;
  /** Innermost last. */
  readonly contexts: readonly Context[];
  /** Loops it stands in, outermost first; the condition inside an iteration is part of the loop's identity. */
  readonly loops: readonly LoopIndex[];
  /** Position in program order among the effects of this summary. */
  readonly order: number;
}
/** Something that the caller (or another channel) learns. Arguments told back to their caller are not counted. */
export interface DiscloseOutcome {
  readonly kind: 'disclose';
  readonly when: Guard;
  /** `caller` for results and error texts, otherwise a notification or log channel. */
  readonly channel: string;
  /** A resource term of the inventory, an input term, or the call whose result is told when no resource is named. */
  readonly source: TermId;
}
export interface ExitOutcome {
  readonly kind: 'exit';
  readonly when: Guard;
  readonly how: 'return' | 'throw';
  /** Exception identity; absent when unknown or for returns. */
  readonly type?: string;
  /** Whether an effect may have happened before it: the condition under which one did. */
  readonly effectsBefore: Guard;
}
export interface EscalateOutcome {
  readonly kind: 'escalate';
  readonly when: Guard;
  readonly code: EscalationCode;
  readonly message: string;
  /** What a person can do about it. */
  readonly next: string;
}
export type Outcome = EffectOutcome | DiscloseOutcome | ExitOutcome | EscalateOutcome;

export interface Summary {
  readonly store: Store;
  readonly tool: string;
  readonly language: string;
  /** The supported argument domain of the profile. */
  readonly domain: Guard;
  /** The condition, over start-up facts and inputs, under which the server serves at all; a call that arrives proves it. */
  readonly serving: Guard;
  /** The release is proved not to serve the tool; the only outcome is then a refusal. */
  readonly absent: boolean;
  readonly outcomes: readonly Outcome[];
  /** Registered inputs that any outcome depends on, sorted. */
  readonly inputs: readonly string[];
  /** Behaviours used anywhere, sorted by canonical JSON. */
  readonly behaviours: readonly Behaviour[];
  /** Source places of each outcome, same index: the effect's call first, then the call chain outward. */
  readonly spans: readonly (readonly Span[])[];
}

/** A dependency as the analysis used it. */
export interface UsedDependency {
  readonly name: string;
  readonly ecosystem: string;
  readonly version?: string;
  readonly declared?: string;
  readonly source: 'locked' | 'declared' | 'given' | 'unknown';
}

/** Everything that ties a summary to what it was made from. Contains no time, host or path outside the release. */
export interface Evidence {
  readonly schema: 1;
  /** Digest of the semantic part. */
  readonly semantic: string;
  readonly release: { readonly purl: string; readonly artifact?: string; readonly tree: string };
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly functions: readonly { readonly function: string; readonly digest: string }[];
  readonly dependencies: readonly UsedDependency[];
  readonly profile: { readonly id: string; readonly version: number; readonly digest: string };
  readonly inventories: readonly { readonly id: string; readonly digest: string }[];
  readonly compiler: { readonly name: string; readonly version: string; readonly ir: number };
  readonly spans: readonly (readonly Span[])[];
}
