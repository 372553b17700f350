/**
 * A lowered release: modules, their bindings, functions and classes. A frontend produces it without IO from the files
 * it is given; the evaluator reads nothing else.
 *
 * Printed as text that begins with `program language`, followed by modules, functions, classes and facts in any order; the
 * form of each is given with its type. Attributes of a head (`module=…`) come in any order, each at most once; those with
 * the usual value are left out. Spans as in `nodes.ts`: those of functions and classes come last in the head.
 */
import type { ClassId, Expression, FunctionId, ModuleId, Statement } from './nodes.js';
import type { Span } from './span.js';

/**
 * Printed: `name: annotation = default`, with the kind before it unless it is `positional`: `rest args`.
 */
export interface Parameter {
  readonly name: string;
  readonly span: Span;
  /** How a call may supply it. `rest` collects positionals, `keyword-rest` collects keywords. */
  readonly kind: 'positional-only' | 'positional' | 'keyword-only' | 'rest' | 'keyword-rest';
  readonly default?: Expression;
  /** The annotation as an expression, where the language gives one. Never used to prove an identity; schemas are built from it. */
  readonly annotation?: Expression;
}

/**
 * Printed: `function id (parameters) async generator module=m name=n parent=p defaults=call writes=[x, @y] decorators=[d] returns=t { … }`.
 * `name` is left out when it is the last part of the id. Head and body are code of the function: its locals have no owner there.
 */
export interface IrFunction {
  readonly id: FunctionId;
  readonly name: string;
  readonly module: ModuleId;
  /** The function in whose activation this one is created; absent at module level. */
  readonly parent?: FunctionId;
  readonly span: Span;
  readonly parameters: readonly Parameter[];
  readonly async: boolean;
  readonly generator: boolean;
  /** When defaults are evaluated: once at definition, or at each call. */
  readonly defaultsAt: 'definition' | 'call';
  /** Source order: the first is applied last. */
  readonly decorators: readonly Expression[];
  readonly body: readonly Statement[];
  /** Variables of enclosing activations (or module variables, as `@name`) that this function assigns. */
  readonly writesOuter: readonly string[];
  readonly returns?: Expression;
}

/** Printed: `field name: annotation = default`. */
export interface ClassField {
  readonly name: string;
  readonly span: Span;
  readonly annotation?: Expression;
  readonly default?: Expression;
}

/**
 * Printed: `class id (bases) module=m name=n decorators=[d] { … }` with a line for each field, then `method name = id` for
 * each method, then `unsupported { … }`.
 */
export interface IrClass {
  readonly id: ClassId;
  readonly name: string;
  readonly module: ModuleId;
  readonly span: Span;
  readonly bases: readonly Expression[];
  readonly decorators: readonly Expression[];
  /** Class-level assignments and annotations in source order. */
  readonly fields: readonly ClassField[];
  readonly methods: readonly { readonly name: string; readonly function: FunctionId }[];
  /** Anything in the class body that is neither a field, a method, a docstring nor `pass`. */
  readonly unsupported: readonly Statement[];
}

/**
 * What a module-level name is. `value` is assigned exactly once in the whole load closure, unconditionally.
 * Printed: `function id`, `class id`, `external <py:git>`, `module id`, `alias @module::name`, `value e`, `unsupported "code" "detail"`.
 */
export type Binding =
  | { readonly kind: 'function'; readonly function: FunctionId; readonly span: Span }
  | { readonly kind: 'class'; readonly class: ClassId; readonly span: Span }
  | { readonly kind: 'external'; readonly identity: string; readonly span: Span }
  | { readonly kind: 'module'; readonly module: ModuleId; readonly span: Span }
  | { readonly kind: 'alias'; readonly module: ModuleId; readonly name: string; readonly span: Span }
  | { readonly kind: 'value'; readonly value: Expression; readonly span: Span }
  /** Not provable: rebound, conditional, written from elsewhere, star import. Reading it stops with `code`. */
  | { readonly kind: 'unsupported'; readonly code: import('./nodes.js').UnsupportedCode; readonly detail: string; readonly span: Span };

/** Printed: `module id file=path { … }` with `binding name = …` for each binding, then `effects { … }`. */
export interface Module {
  readonly id: ModuleId;
  readonly file: string;
  readonly bindings: ReadonlyMap<string, Binding>;
  /** Top-level statements that are not definitions, imports or single assignments, in order (calls, conditionals, loops). */
  readonly effects: readonly Statement[];
}

/**
 * A write that the load-closure scan found and that may change what a name on a handler path means.
 * Printed: `foreign-write how <identity>`.
 */
export interface ForeignWrite {
  /** Canonical identity prefix that is written: `py:git#Repo.diff`, `py:os#environ`, or `@module::name`. */
  readonly identity: string;
  readonly span: Span;
  readonly how: 'attribute' | 'setattr' | 'global' | 'item' | 'environment' | 'delete';
}

export interface Program {
  readonly language: string;
  readonly modules: ReadonlyMap<ModuleId, Module>;
  readonly functions: ReadonlyMap<FunctionId, IrFunction>;
  readonly classes: ReadonlyMap<ClassId, IrClass>;
  readonly foreignWrites: readonly ForeignWrite[];
  /** Modules whose text could not be parsed, with the place. Only an error when a path needs them. Printed: `syntax-error file "detail"`. */
  readonly syntaxErrors: readonly { readonly file: string; readonly span: Span; readonly detail: string }[];
}
