/**
 * The data of a summary: terms (values), propositions (facts that are true or false in one run) and loops.
 * All are immutable and hash-consed by `Store`; ids are indices into it. There is no unnamed unknown: whatever is not a
 * constant, an argument or an input is the named result of a named call.
 */
import type { ConstantValue } from '../ir/nodes.js';

export type TermId = number;
export type PropositionId = number;
/** A node of the decision diagram over propositions. 0 is false, 1 is true. */
export type Guard = number;
/** Index of a loop record in the store. */
export type LoopIndex = number;

export type JsonType = 'null' | 'boolean' | 'integer' | 'float' | 'string' | 'array' | 'object';

/** What a reviewed callee did: the identity of an observation or effect. Two sides agree on it only when all members are equal. */
export interface Behaviour {
  readonly callee: string;
  readonly form: string;
  /** Version range of the form that applied, or `=1.2.3` where no range was reviewed for equality. */
  readonly range: string;
  /** Digest of the inventory entry. */
  readonly entry: string;
}

export type ListKind = 'list' | 'tuple' | 'set';

/** A run of list elements that is there when `when` holds. A `spread` contributes all elements of a collection term. */
export type Segment =
  { readonly kind: 'items'; readonly when: Guard; readonly items: readonly TermId[] } | { readonly kind: 'spread'; readonly when: Guard; readonly of: TermId };

export interface RecordField {
  readonly when: Guard;
  readonly key: TermId;
  readonly value: TermId;
}

export type Term =
  | { readonly kind: 'constant'; readonly value: ConstantValue }
  /** The call's arguments (empty path) or a value inside them. Means something only where `has` holds for every prefix. */
  | { readonly kind: 'argument'; readonly path: readonly (string | number)[] }
  /** A registered input, for example `option:repository`. */
  | { readonly kind: 'input'; readonly name: string; readonly type?: string }
  /** A library thing as a value: module, class, function, constant; also an access path begun at a typed value (`self`). */
  | { readonly kind: 'external'; readonly identity: string; readonly self?: TermId }
  /** A project function as a value; `frame` is the activation it captured (evaluation only), `self` a bound receiver. */
  | { readonly kind: 'function'; readonly function: string; readonly frame?: number; readonly self?: TermId }
  | { readonly kind: 'class'; readonly class: string; readonly frame?: number }
  /** A pure operation tagged with its language. `type` is the type of the result where known. */
  | { readonly kind: 'apply'; readonly fn: string; readonly args: readonly TermId[]; readonly type?: string }
  /** The result of a reviewed call (reading or effectful). `args[0]` is the receiver or the none constant. */
  | {
      readonly kind: 'observe';
      readonly behaviour: Behaviour;
      readonly args: readonly TermId[];
      readonly world: TermId;
      readonly type?: string;
      readonly resource?: TermId;
    }
  /** Clock, random, generated id: equal only to itself; `serial` numbers the calls of one behaviour in program order. */
  | { readonly kind: 'fresh'; readonly behaviour: Behaviour; readonly args: readonly TermId[]; readonly serial: number; readonly type?: string }
  /** Effect-free code that is not modelled: digest of its normal form and its inputs. */
  | { readonly kind: 'opaque'; readonly digest: string; readonly args: readonly TermId[]; readonly world: TermId }
  | { readonly kind: 'list'; readonly as: ListKind; readonly segments: readonly Segment[] }
  /** Fields in insertion order; a later field hides an earlier one of the same key; keys that no field has come from `rest`. */
  | {
      readonly kind: 'record';
      readonly fields: readonly RecordField[];
      readonly rest?: TermId;
      readonly removed?: readonly { readonly when: Guard; readonly key: TermId }[];
      readonly type?: string;
    }
  | { readonly kind: 'conditional'; readonly when: Guard; readonly then: TermId; readonly otherwise: TermId }
  /** The element of the loop at nesting depth `depth` (0 outermost) while its body is read. */
  | { readonly kind: 'element'; readonly depth: number; readonly of: TermId; readonly type?: string }
  /** A value that a loop carries or leaves behind, named by the loop. */
  | { readonly kind: 'loop'; readonly loop: LoopIndex; readonly name: string; readonly type?: string }
  /** While a loop body is read: the value of a carried variable at the start of an iteration. */
  | { readonly kind: 'carried'; readonly depth: number; readonly name: string; readonly type?: string }
  /** The content of an exception that a call threw; `type` absent: unknown type. */
  | { readonly kind: 'error'; readonly call: TermId; readonly type?: string }
  /** The world after these mutating calls; empty: as the call found it. */
  | { readonly kind: 'world'; readonly after: readonly TermId[]; readonly name?: string }
  /** A mutable object of this evaluation; never in a summary. */
  | { readonly kind: 'object'; readonly allocation: number };

export type Proposition =
  /** The arguments contain this path. */
  | { readonly kind: 'has'; readonly path: readonly (string | number)[] }
  /** The value has this JSON type (integers and floats apart). */
  | { readonly kind: 'type'; readonly of: TermId; readonly is: JsonType }
  /** Same value and type. */
  | { readonly kind: 'equal'; readonly left: TermId; readonly right: TermId }
  /** A named pure test. */
  | { readonly kind: 'test'; readonly fn: string; readonly args: readonly TermId[] }
  /** This call throws; with `type`, an exception of that type or a subtype, or of one of several types joined by `TYPE_UNION`. */
  | { readonly kind: 'throws'; readonly call: TermId; readonly type?: string }
  /** The loop is left by this exit. */
  | { readonly kind: 'exists'; readonly loop: LoopIndex; readonly exit: string };

/**
 * A loop over a collection, read once with a symbolic element. Its identity is its content: what it iterates, what its
 * exits are, what it carries and which effects it has. Guards and terms inside may mention `element` and `carried` of its depth.
 */
export interface Loop {
  readonly over: TermId;
  readonly depth: number;
  readonly exits: readonly { readonly name: string; readonly when: Guard; readonly value?: TermId }[];
  /** Values before the loop and after one more iteration, by a name that is stable under renaming. */
  readonly carried: readonly { readonly name: string; readonly initial: TermId; readonly next: TermId }[];
  /** Canonical keys of the effects inside, in order, with their guards inside the iteration. */
  readonly effects: readonly { readonly key: string; readonly when: Guard }[];
}

/** Between the exception types of one proposition, which are sorted. */
export const TYPE_UNION = '|';

