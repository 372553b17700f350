/**
 * What the evaluator must be told about a language. An implementation (src/semantics/<language>) knows the meaning of
 * operators, builtin values and builtin functions; it pulls in no parser. The evaluator knows control flow, names,
 * calls, exceptions, the heap and the inventories.
 */
import type { Expression } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import type { Machine } from './machine.js';
import type { CallArguments } from './state.js';
import type { Guard, TermId } from './terms.js';
import type { Fold } from './fold.js';

/** Implementation of an inventory entry with `model: intrinsic`. Returns the result; throws and stops through the machine. */
export type Intrinsic = (machine: Machine, call: IntrinsicCall) => TermId;
export interface IntrinsicCall {
  /** Parameters of the inventory entry, bound. `rest` parameters are list terms, `keyword-rest` parameters record terms. */
  readonly parameters: ReadonlyMap<string, TermId>;
  /** The receiver, for methods of values. */
  readonly self?: TermId;
  readonly arguments: CallArguments;
  readonly identity: string;
  readonly span: Span;
}

/** How a value is iterated: known guarded items, or a collection whose elements are unknown. */
export type IterationPart =
  | { readonly kind: 'item'; readonly when: Guard; readonly item: TermId }
  | { readonly kind: 'collection'; readonly when: Guard; readonly of: TermId; readonly elementType?: string };

export interface LanguageSemantics {
  readonly language: string;
  readonly fold: Fold;
  /** Identities of the exceptions that the evaluator itself raises. */
  readonly errors: {
    readonly type: string;
    readonly name: string;
    readonly attribute: string;
    readonly key: string;
    readonly index: string;
    readonly assertion: string;
    readonly value: string;
    readonly any: string;
  };
  readonly intrinsics: ReadonlyMap<string, Intrinsic>;
  /** Names of the methods of builtin collections that change their receiver. */
  readonly mutators: ReadonlySet<string>;
  truthy(machine: Machine, value: TermId, span: Span): Guard;
  unary(machine: Machine, operator: string, operand: TermId, span: Span): TermId;
  binary(machine: Machine, operator: string, left: TermId, right: TermId, span: Span): TermId;
  /** In-place form of a binary operator; must mutate where the language does. */
  augmented(machine: Machine, operator: string, left: TermId, right: TermId, span: Span): TermId;
  /** Text of a value by a template conversion (`format`, `str`, `repr`, `ascii`). */
  convert(machine: Machine, conversion: string, value: TermId, format: TermId | undefined, span: Span): TermId;
  /** Member of a builtin value, or undefined where the machine should look further (typed values, instances, classes, modules). Called with leaves only. */
  member(machine: Machine, object: TermId, name: string, span: Span): TermId | undefined;
  index(machine: Machine, object: TermId, index: TermId, span: Span): TermId;
  setIndex(machine: Machine, object: TermId, index: TermId, value: TermId, span: Span): void;
  deleteIndex(machine: Machine, object: TermId, index: TermId, span: Span): void;
  slice(machine: Machine, object: TermId, lower: TermId | undefined, upper: TermId | undefined, step: TermId | undefined, span: Span): TermId;
  /** Parts in order; stops the path and returns undefined where it cannot say. */
  iterate(machine: Machine, value: TermId, span: Span): readonly IterationPart[] | undefined;
  /** A class attribute that is not a plain method or field (enum members, generated methods), or undefined. */
  classMember(machine: Machine, classTerm: TermId, name: string, span: Span): TermId | undefined;
  /** Constructs an instance of a project class whose construction the language or a library defines (enum, dataclass, validated record); undefined: ordinary. */
  construct(machine: Machine, classTerm: TermId, args: CallArguments, span: Span): TermId | undefined;
  /** Applies a decorator that is a builtin construct of the language to a method (property, staticmethod, classmethod); undefined: call it. */
  methodKind(machine: Machine, decorators: readonly Expression[], owner: TermId, span: Span): 'plain' | 'property' | 'static' | 'class' | undefined;
  /** Whether an exception or other value is an instance of a class value (external or project). */
  isInstance(machine: Machine, value: TermId, classTerm: TermId, span: Span): Guard;
  /** Condition under which a JSON-schema term accepts a value; stops where a keyword is not known. */
  schemaAccepts(machine: Machine, schema: TermId, value: TermId, span: Span): Guard;
  /** Binds arguments to the typed parameters of a function as the library does that validates by signature. Undefined after a stop. */
  bindSignature(
    machine: Machine,
    handler: TermId,
    args: TermId,
    span: Span,
  ): { readonly accepted: Guard; readonly values: ReadonlyMap<string, TermId> } | undefined;
}
