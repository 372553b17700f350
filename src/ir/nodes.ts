/**
 * The intermediate representation that every frontend lowers to and that one evaluator reads.
 *
 * It keeps the structure of the source (no basic blocks): the evaluator needs to know which handler catches which
 * throw and which loop an exit leaves. It is language-neutral in form; an operation whose meaning differs between
 * languages is named with the language's tag (`py.add`, `js.add`), and the language's `Semantics` says what it means.
 *
 * What it is not: executable on its own, optimised, or complete for any language. What a frontend does not understand
 * becomes an `unsupported` node with a reason; nothing is ever dropped.
 *
 * Every node has a span. Each comment has one shape: meaning; operand rules; what the span points at; printed form.
 * The printed form is the specification of `print.ts` and `parse.ts`, which round-trip. Its general rules:
 * - A name that is no identifier, and an id or file with other characters than letters, digits and `_ $ . # ~ < > / @ + -`,
 *   is a JSON string: `%"odd name"`. Text is always a JSON string. `;` begins a comment that ends with the line.
 * - Parentheses group. They are needed around a conditional or `yield` that is an operand (of a prefix word, a statement's
 *   head, a clause), and around those, `await`, `unary`, `closure`, `unsupported` and numbers before `.`, `[` and arguments.
 * - A statement ends with its line. Line ends inside brackets do not count, except that `.`, `?.` and `[` of an access
 *   stand on the line of their object.
 * - A span is written after its node as `@file:line:column-line:column`; of nodes that end together the innermost comes
 *   first. Without it, the node's span is its place in the text that is read.
 */
import type { Span } from './span.js';

/** JSON scalar constants. `num` tells 1 from 1.0 where the language does. Bytes are hexadecimal text. */
export type ConstantValue =
  | { readonly type: 'null' }
  | { readonly type: 'undefined' }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly hex: string }
  /** Decimal text without loss, for example "1", "-3", "10000000000000000000000". */
  | { readonly type: 'int'; readonly value: string }
  | { readonly type: 'float'; readonly value: number }
  /** A singleton of the language with no JSON form, for example Python's Ellipsis or NotImplemented. */
  | { readonly type: 'special'; readonly name: string };

/** One actual argument of a call. Keyword `name` is set for `f(name=x)`; `spread` for `*x` / `...x`; `spread-keywords` for `**x`. */
export type Argument =
  | { readonly kind: 'positional'; readonly value: Expression }
  | { readonly kind: 'keyword'; readonly name: string; readonly value: Expression }
  | { readonly kind: 'spread'; readonly value: Expression }
  | { readonly kind: 'spread-keywords'; readonly value: Expression };

/** One element of a list, tuple or set display; a spread contributes the elements of an iterable. */
export type Element =
  | { readonly kind: 'item'; readonly value: Expression }
  | { readonly kind: 'spread'; readonly value: Expression };

/** One entry of a record display. A computed key is an expression; a spread contributes the entries of a mapping. */
export type Entry =
  | { readonly kind: 'entry'; readonly key: Expression; readonly value: Expression }
  | { readonly kind: 'spread'; readonly value: Expression };

/** One part of a template: literal text, or an expression with its conversion and format. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `conversion` is the language's name for it ("str", "repr", "ascii"); `format` is itself a template. */
  | { readonly kind: 'value'; readonly value: Expression; readonly conversion: string; readonly format?: readonly TemplatePart[] };

/** One clause of a comprehension: a `for` binding or an `if` filter, in source order. */
export type Clause =
  | { readonly kind: 'for'; readonly target: Target; readonly iterable: Expression; readonly async: boolean }
  | { readonly kind: 'if'; readonly test: Expression };

export interface Constant {
  /** A literal. Span: the literal. Printed: `null`, `undefined`, `true`, `"text"`, `3`, `3.0f`, `float(NaN)`, `b"00ff"`, `special(Ellipsis)`. */
  readonly kind: 'constant';
  readonly span: Span;
  readonly value: ConstantValue;
}
export interface Local {
  /**
   * A variable of a function activation: a parameter, an assigned name, a loop or catch variable. `owner` is the id of
   * the function whose activation holds it; an owner other than the enclosing function is a captured variable.
   * Span: the name. Printed: `%name` in the code of its owner (a function's head and body, the parentheses of a
   * comprehension), `%owner::name` elsewhere.
   */
  readonly kind: 'local';
  readonly span: Span;
  readonly name: string;
  readonly owner: FunctionId;
}
export interface ModuleVariable {
  /** A name at the top level of a project module. Resolved through `Module.bindings`. Span: the name. Printed: `@module::name`. */
  readonly kind: 'module-variable';
  readonly span: Span;
  readonly module: ModuleId;
  readonly name: string;
}
export interface External {
  /**
   * A name resolved to something outside the project: an imported module or name, or a builtin of the language. The
   * identity is canonical: `py:git`, `py:git.exc#BadName`, `py:builtins#len`. Span: the name. Printed: `<py:git.exc#BadName>`.
   */
  readonly kind: 'external';
  readonly span: Span;
  readonly identity: string;
}
export interface ListDisplay {
  /** Ordered construction. `as` tells a mutable list from a tuple from a set. Span: the display. Printed: `list[a, ...b]`, `tuple[a]`, `set[a]`. */
  readonly kind: 'list';
  readonly span: Span;
  readonly as: 'list' | 'tuple' | 'set';
  readonly elements: readonly Element[];
}
export interface RecordDisplay {
  /** A mapping with insertion order. Span: the display. Printed: `record{"k": v, ...rest}`. */
  readonly kind: 'record';
  readonly span: Span;
  readonly entries: readonly Entry[];
}
export interface Comprehension {
  /**
   * A comprehension. `as: generator` is lazy and may be consumed at most once. `key` only for records. It has its own
   * activation: targets are locals owned by `scope`. Span: the comprehension.
   * Printed: `comprehension list scope(v for %x in xs if t)`, `comprehension record scope(k: v async for %x in xs)`.
   */
  readonly kind: 'comprehension';
  readonly span: Span;
  readonly as: 'list' | 'set' | 'record' | 'generator';
  readonly scope: FunctionId;
  readonly key?: Expression;
  readonly value: Expression;
  readonly clauses: readonly Clause[];
}
export interface Member {
  /** Attribute access. `optional` is `a?.b`. Span: the whole access. Printed: `a.name`, `a?.name`. */
  readonly kind: 'member';
  readonly span: Span;
  readonly object: Expression;
  readonly name: string;
  readonly optional: boolean;
}
export interface Index {
  /** Subscription by a computed key. Span: the whole subscription. Printed: `a[i]`, `a?.[i]`. */
  readonly kind: 'index';
  readonly span: Span;
  readonly object: Expression;
  readonly index: Expression;
  readonly optional: boolean;
}
export interface Slice {
  /** A slice; absent bounds are absent. Span: the whole subscription. Printed: `a[slice i : j : k]`, `a[slice :]`. */
  readonly kind: 'slice';
  readonly span: Span;
  readonly object: Expression;
  readonly lower?: Expression;
  readonly upper?: Expression;
  readonly step?: Expression;
}
export interface Call {
  /** A call. Evaluation order: callee, then arguments in source order. `optional` is `f?.()`. Span: the call. Printed: `call f(a, name = b, ...c, ...:d)`, `call f?.(a)`. */
  readonly kind: 'call';
  readonly span: Span;
  readonly callee: Expression;
  readonly arguments: readonly Argument[];
  readonly optional: boolean;
}
export interface New {
  /** Construction where the language marks it. Span: the construction. Printed: `new C(a)`. */
  readonly kind: 'new';
  readonly span: Span;
  readonly callee: Expression;
  readonly arguments: readonly Argument[];
}
export interface Closure {
  /** A function value made here; it captures the enclosing activation. Span: the function's head. Printed: `closure function-id`. */
  readonly kind: 'closure';
  readonly span: Span;
  readonly function: FunctionId;
}
export interface Unary {
  /** `operator` is tagged: `py.not`, `py.neg`, `js.typeof`. Span: the operation. Printed: `unary py.not a`. */
  readonly kind: 'unary';
  readonly span: Span;
  readonly operator: string;
  readonly operand: Expression;
}
export interface Binary {
  /**
   * `operator` is tagged: `py.add`, `py.eq`, `py.in`, `py.is`, `js.strictEq`. Comparison chains are lowered to `logical`
   * over `let` temporaries. Span: the operation. Printed: `binary py.add(a, b)`.
   */
  readonly kind: 'binary';
  readonly span: Span;
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}
export interface Logical {
  /** Short-circuit operation whose value is one of its operands. `nullish` is `a ?? b`. Span: the operation. Printed: `and(a, b)`, `or(a, b)`, `nullish(a, b)`. */
  readonly kind: 'logical';
  readonly span: Span;
  readonly operator: 'and' | 'or' | 'nullish';
  readonly left: Expression;
  readonly right: Expression;
}
export interface Conditional {
  /** `then if test else otherwise`. Span: the expression. Printed: `if t then a else b`. */
  readonly kind: 'conditional';
  readonly span: Span;
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}
export interface Template {
  /** Text built from parts. Span: the literal. Printed: `template("text", str a, repr b : template(">10"))`, an empty conversion as `""`. */
  readonly kind: 'template';
  readonly span: Span;
  readonly parts: readonly TemplatePart[];
}
export interface AssignExpression {
  /** Assignment as an expression (walrus); its value is the assigned value. Span: the expression. Printed: `(t := v)`. */
  readonly kind: 'assign-expression';
  readonly span: Span;
  readonly target: Target;
  readonly value: Expression;
}
export interface Await {
  /** Waits for an asynchronous value. Span: the expression. Printed: `await a`. */
  readonly kind: 'await';
  readonly span: Span;
  readonly value: Expression;
}
export interface Yield {
  /** Yields from a generator; `delegate` is `yield from`. Span: the expression. Printed: `yield`, `yield a`, `yield* a`. */
  readonly kind: 'yield';
  readonly span: Span;
  readonly value?: Expression;
  readonly delegate: boolean;
}
export interface UnsupportedExpression {
  /** Something the frontend does not understand. Evaluating it stops with `code`. Span: the source. Printed: `unsupported "code" "detail"`. */
  readonly kind: 'unsupported';
  readonly span: Span;
  readonly code: UnsupportedCode;
  readonly detail: string;
}
export type Expression =
  | Constant
  | Local
  | ModuleVariable
  | External
  | ListDisplay
  | RecordDisplay
  | Comprehension
  | Member
  | Index
  | Slice
  | Call
  | New
  | Closure
  | Unary
  | Binary
  | Logical
  | Conditional
  | Template
  | AssignExpression
  | Await
  | Yield
  | UnsupportedExpression;

/** Where an assignment, a loop or a `with` puts a value. */
export type Target =
  | Local
  | ModuleVariable
  | Member
  | Index
  /** Destructuring by position; at most one starred target takes the rest. Span: the list. Printed: `[a, *b]`. */
  | { readonly kind: 'unpack'; readonly span: Span; readonly elements: readonly { readonly target: Target; readonly starred: boolean }[] }
  | UnsupportedExpression;

/** Patterns of `match` statements. Each has a span and the printed form given. */
export type Pattern =
  /** Matches anything, binds nothing. Printed: `_`. */
  | { readonly kind: 'wildcard'; readonly span: Span }
  /** Binds the subject, optionally only where the inner pattern matches. Printed: `p as %x`, `%x`. */
  | { readonly kind: 'capture'; readonly span: Span; readonly target: Local | ModuleVariable; readonly pattern?: Pattern }
  /** Equality by the operator (`py.eq`, or `py.is` for singletons). Printed: `value py.eq e`. */
  | { readonly kind: 'value'; readonly span: Span; readonly operator: string; readonly value: Expression }
  /** Any of several. Printed: `or(p, q)`. */
  | { readonly kind: 'or'; readonly span: Span; readonly alternatives: readonly Pattern[] }
  /** Sequences by position; one element may be starred. Printed: `[p, *q]`. */
  | { readonly kind: 'sequence'; readonly span: Span; readonly elements: readonly { readonly pattern: Pattern; readonly starred: boolean }[] }
  /** Mappings by key; `rest` takes the others. Printed: `{k: p, **rest}`. */
  | { readonly kind: 'mapping'; readonly span: Span; readonly entries: readonly { readonly key: Expression; readonly pattern: Pattern }[]; readonly rest?: Local }
  /** Instances of a class with attribute patterns. Printed: `class C(p, name = q)`. */
  | {
      readonly kind: 'class';
      readonly span: Span;
      readonly class: Expression;
      readonly positional: readonly Pattern[];
      readonly keywords: readonly { readonly name: string; readonly pattern: Pattern }[];
    }
  | UnsupportedExpression;

export interface Assign {
  /** Evaluates `value`, then stores it in the targets from left to right. Span: the statement. Printed: `t = u = v`. */
  readonly kind: 'assign';
  readonly span: Span;
  readonly targets: readonly Target[];
  readonly value: Expression;
}
export interface AugmentedAssign {
  /** In-place operation, which mutates where the language does (`list += x`). `operator` is the tagged binary one. Printed: `t py.add= v`. */
  readonly kind: 'augmented-assign';
  readonly span: Span;
  readonly target: Target;
  readonly operator: string;
  readonly value: Expression;
}
export interface Delete {
  /** Removes a variable, member or element. Printed: `delete t`. */
  readonly kind: 'delete';
  readonly span: Span;
  readonly target: Target;
}
export interface ExpressionStatement {
  /** Evaluates for effect. Span: the statement. Printed: the expression, a conditional or `unsupported` in parentheses. */
  readonly kind: 'expression';
  readonly span: Span;
  readonly expression: Expression;
}
export interface If {
  /** Two-way branch on the language's truth of `test`. Span: the head. Printed: `if t { … } else { … }`. */
  readonly kind: 'if';
  readonly span: Span;
  readonly test: Expression;
  readonly then: readonly Statement[];
  readonly otherwise: readonly Statement[];
}
export interface Match {
  /** First case whose pattern matches and whose guard holds. Falls through to nothing. Span: the head, also of cases. Printed: `match s { case p if g { … } }`. */
  readonly kind: 'match';
  readonly span: Span;
  readonly subject: Expression;
  readonly cases: readonly { readonly pattern: Pattern; readonly guard?: Expression; readonly body: readonly Statement[]; readonly span: Span }[];
}
export interface ForEach {
  /** Iterates a collection; `otherwise` runs when no break left the loop. Span: the head. Printed: `for t in c { … } else { … }`, `async for …`. */
  readonly kind: 'for-each';
  readonly span: Span;
  readonly target: Target;
  readonly iterable: Expression;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
  readonly async: boolean;
}
export interface While {
  /** Loops while the test holds; `otherwise` as in `for-each`. Span: the head. Printed: `while t { … } else { … }`. */
  readonly kind: 'while';
  readonly span: Span;
  readonly test: Expression;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
}
export interface Break {
  /** Leaves the innermost loop. Printed: `break`. */
  readonly kind: 'break';
  readonly span: Span;
}
export interface Continue {
  /** Next element of the innermost loop. Printed: `continue`. */
  readonly kind: 'continue';
  readonly span: Span;
}
export interface Return {
  /** Leaves the function with a value (absent: the language's none). Printed: `return`, `return v`. */
  readonly kind: 'return';
  readonly span: Span;
  readonly value?: Expression;
}
export interface Throw {
  /** Raises; without a value it raises the exception being handled. Printed: `throw`, `throw v`, `throw v from c`. */
  readonly kind: 'throw';
  readonly span: Span;
  readonly value?: Expression;
  readonly cause?: Expression;
}
export interface Try {
  /**
   * `otherwise` runs when the body completes normally; its throws are not caught here. A handler without types catches
   * everything. Span: the word, of a handler its head. Printed: `try { … } catch (T as %e) { … } else { … } finally { … }`;
   * a handler also as `catch`, `catch (T)`, `catch (as %e)`; empty blocks after the handlers are left out.
   */
  readonly kind: 'try';
  readonly span: Span;
  readonly body: readonly Statement[];
  readonly handlers: readonly { readonly span: Span; readonly types?: Expression; readonly name?: Local; readonly body: readonly Statement[] }[];
  readonly otherwise: readonly Statement[];
  readonly finally: readonly Statement[];
}
export interface With {
  /** Context managers entered in order and left in reverse, also on a throw. Span: the head. Printed: `with a as t, b { … }`, `async with …`. */
  readonly kind: 'with';
  readonly span: Span;
  readonly items: readonly { readonly context: Expression; readonly target?: Target }[];
  readonly body: readonly Statement[];
  readonly async: boolean;
}
export interface Defer {
  /** Runs the call when the function is left. Printed: `defer call`. */
  readonly kind: 'defer';
  readonly span: Span;
  readonly call: Expression;
}
export interface Spawn {
  /** Starts something that nobody waits for (goroutine, floating promise). Printed: `spawn call`. */
  readonly kind: 'spawn';
  readonly span: Span;
  readonly call: Expression;
}
export interface Assert {
  /** Throws the language's assertion error when the test fails. Printed: `assert t`, `assert t, m`. */
  readonly kind: 'assert';
  readonly span: Span;
  readonly test: Expression;
  readonly message?: Expression;
}
export interface DefineFunction {
  /**
   * Binds a function after applying its decorators, which the function holds (the last written is applied first).
   * Span: the head. Printed: `define %f = closure id`.
   */
  readonly kind: 'define-function';
  readonly span: Span;
  readonly target: Local | ModuleVariable;
  readonly function: FunctionId;
}
export interface DefineClass {
  /** Binds a class. Printed: `define %C = class id`. */
  readonly kind: 'define-class';
  readonly span: Span;
  readonly target: Local | ModuleVariable;
  readonly class: ClassId;
}
export interface UnsupportedStatement {
  /** As `UnsupportedExpression`. Printed: `unsupported "code" "detail"`. */
  readonly kind: 'unsupported';
  readonly span: Span;
  readonly code: UnsupportedCode;
  readonly detail: string;
}
export type Statement =
  | Assign
  | AugmentedAssign
  | Delete
  | ExpressionStatement
  | If
  | Match
  | ForEach
  | While
  | Break
  | Continue
  | Return
  | Throw
  | Try
  | With
  | Defer
  | Spawn
  | Assert
  | DefineFunction
  | DefineClass
  | UnsupportedStatement;

/** Stable inside one lowered program: `module.path#outer.inner`; two functions of one name get `~2`. */
export type FunctionId = string;
export type ClassId = string;
/** Dotted or path name of a project module, as the language writes it. */
export type ModuleId = string;

/** Why a frontend could not lower something. Closed: the evaluator turns each into an escalation code. */
export type UnsupportedCode =
  | 'syntax-error'
  | 'unsupported-syntax'
  | 'unresolved-name'
  | 'ambiguous-binding'
  | 'star-import'
  | 'conditional-import'
  | 'rebound-name'
  | 'dynamic-name'
  | 'module-state'
  | 'metaclass';
