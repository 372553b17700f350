/**
 * Values and conditions as data, for reports to put in words: trees without ids, cut at a depth. Data only;
 * `read-facts.ts` reads them from a store.
 */
import type { ConstantValue } from '../ir/nodes.js';
import type { JsonType } from '../analysis/terms.js';

export type Value =
  | { readonly kind: 'constant'; readonly value: ConstantValue }
  | { readonly kind: 'argument'; readonly path: readonly (string | number)[] }
  | { readonly kind: 'input'; readonly name: string }
  /** What a call gives: a reviewed callee by its identity, or a pure operation by its name. */
  | { readonly kind: 'call'; readonly callee: string; readonly receiver?: Value; readonly args: readonly Value[] }
  /** Texts one after the other. */
  | { readonly kind: 'text'; readonly parts: readonly Value[] }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'record'; readonly fields: readonly { readonly name: Value; readonly value: Value; readonly sometimes: boolean }[]; readonly open: boolean }
  /** One of these, by conditions that the report leaves out. */
  | { readonly kind: 'choice'; readonly of: readonly Value[] }
  /** The element that a condition about a list speaks of. */
  | { readonly kind: 'element'; readonly of: Value }
  /** What a loop leaves. */
  | { readonly kind: 'gathered'; readonly over: Value }
  | { readonly kind: 'error'; readonly of: Value }
  /** A module, class or function. */
  | { readonly kind: 'named'; readonly identity: string }
  /** Nested deeper than a report shows. */
  | { readonly kind: 'cut' };

export interface ListItem {
  readonly value: Value;
  /** All elements of the value. */
  readonly spread: boolean;
  readonly sometimes: boolean;
}

export interface Fact {
  readonly holds: boolean;
  /** About the world: neither arguments nor inputs settle it. */
  readonly world: boolean;
  readonly claim: Claim;
}

export type Claim =
  | { readonly kind: 'given'; readonly path: readonly (string | number)[] }
  | { readonly kind: 'type'; readonly of: Value; readonly is: JsonType }
  | { readonly kind: 'equal'; readonly left: Value; readonly right: Value }
  | { readonly kind: 'test'; readonly fn: string; readonly args: readonly Value[] }
  | { readonly kind: 'throws'; readonly call: Value; readonly error?: string }
  /** The list has an element for which the condition holds. */
  | { readonly kind: 'some'; readonly over: Value; readonly when: Condition }
  /** A loop is left in a way whose condition has no short form. */
  | { readonly kind: 'left'; readonly over: Value; readonly exit: string };

/** Any of the alternatives, each a list of facts that hold together. No facts: always. */
export interface Condition {
  readonly anyOf: readonly (readonly Fact[])[];
  /** Alternatives that were left out. */
  readonly more: number;
  /** Facts that hold in all of several alternatives, of those that say what is there and not what is missing. */
  readonly always: readonly Fact[];
}

export const ALWAYS: Condition = { anyOf: [[]], more: 0, always: [] };
