/**
 * Verifies the code of one place (a function's body or head, a module's effects, a class): that variables are in scope,
 * that exits stand where they may, and that every node has the shape that the evaluator relies on.
 */
import { unreachable } from '../base/errors.js';
import { IR_DEPTH_MAX } from '../base/limits.js';
import type { Argument, Comprehension, Constant, Expression, FunctionId, Local, ModuleVariable, Pattern, Statement, Target, Try } from './nodes.js';
import type { Span } from './span.js';
import { activationsAround, checkModule, type IrIssueCode, type VerifyTables } from './verify-issue.js';
import { forEachChildOfExpression, forEachChildOfPattern, forEachChildOfStatement, forEachChildOfTarget, type NodeVisitor } from './walk.js';

/** Where code stands. */
export interface CodePlace {
  /** The activation that the code runs in; undefined at module level. */
  readonly activation: FunctionId | undefined;
  readonly function: boolean;
  readonly async: boolean;
  readonly generator: boolean;
  /** Names that the function says it assigns outside of itself; undefined where that is not asked. */
  readonly writesOuter: ReadonlySet<string> | undefined;
}

interface Position extends CodePlace {
  readonly loop: boolean;
  readonly handler: boolean;
}

const DECIMAL = /^(?:0|-?[1-9]\d*)$/;
const HEX = /^(?:[0-9a-f]{2})*$/;

export class CodeVerifier {
  readonly #tables: VerifyTables;
  readonly #visit: NodeVisitor;
  #position: Position;
  #depth = 0;

  constructor(tables: VerifyTables, place: CodePlace) {
    this.#tables = tables;
    this.#position = { ...place, loop: false, handler: false };
    this.#visit = {
      expression: (node) => this.expression(node),
      target: (node) => this.#deeper(node.span, () => this.#target(node)),
      pattern: (node) => this.#deeper(node.span, () => this.#pattern(node)),
      statement: (node) => this.#deeper(node.span, () => this.#statement(node)),
    };
  }

  statements(statements: readonly Statement[]): void {
    statements.forEach(this.#visit.statement);
  }

  expression(node: Expression): void {
    this.#deeper(node.span, () => this.#expression(node));
  }

  #expression(node: Expression): void {
    checkSpan(this.#tables, node.span);
    switch (node.kind) {
      case 'constant':
        return this.#constant(node);
      case 'local':
        return this.#local(node);
      case 'module-variable':
        return this.#moduleVariable(node);
      case 'external':
        return this.#named(node.identity, 'an external identity', node.span);
      case 'comprehension':
        return this.#comprehension(node);
      case 'member':
        this.#named(node.name, 'a member', node.span);
        break;
      case 'call':
      case 'new':
        this.#arguments(node.arguments, node.span);
        break;
      case 'closure':
        return this.#made(node.function, node.span);
      case 'unary':
      case 'binary':
        this.#named(node.operator, 'an operator', node.span);
        break;
      case 'assign-expression':
        this.#assigned(node.target);
        break;
      case 'await':
        if (!this.#position.async) this.#report('await-outside-async', 'await outside of an async function', node.span);
        break;
      case 'yield':
        if (!this.#position.generator) this.#report('yield-outside-generator', 'yield outside of a generator', node.span);
        if (node.delegate && node.value === undefined) this.#report('delegate-without-value', 'a delegating yield has a value', node.span);
        break;
      case 'list':
      case 'record':
      case 'index':
      case 'slice':
      case 'logical':
      case 'conditional':
      case 'template':
      case 'unsupported':
        break;
      default:
        unreachable(node);
    }
    forEachChildOfExpression(node, this.#visit);
  }

  #statement(node: Statement): void {
    checkSpan(this.#tables, node.span);
    switch (node.kind) {
      case 'break':
      case 'continue':
        if (!this.#position.loop) this.#report('break-outside-loop', `${node.kind} outside of a loop`, node.span);
        return;
      case 'return':
        if (!this.#position.function) this.#report('return-outside-function', 'return outside of a function', node.span);
        break;
      case 'throw':
        if (node.value === undefined && !this.#position.handler) this.#report('rethrow-outside-handler', 'throw without a value outside of a handler', node.span);
        if (node.value === undefined && node.cause !== undefined) this.#report('cause-without-value', 'a cause belongs to a value that is thrown', node.span);
        break;
      case 'for-each':
        this.#assigned(node.target);
        this.#asynchronous(node.async, 'async for', node.span);
        this.expression(node.iterable);
        this.#visit.target(node.target);
        this.#inLoop(node.body);
        return this.statements(node.otherwise);
      case 'while':
        this.expression(node.test);
        this.#inLoop(node.body);
        return this.statements(node.otherwise);
      case 'try':
        return this.#try(node);
      case 'assign':
        if (node.targets.length === 0) this.#report('empty-list', 'an assignment without a target', node.span);
        for (const target of node.targets) this.#assigned(target);
        break;
      case 'augmented-assign':
        this.#named(node.operator, 'an operator', node.span);
        this.#single(node.target, 'an augmented assignment');
        this.#assigned(node.target);
        break;
      case 'delete':
        this.#single(node.target, 'a delete');
        this.#assigned(node.target);
        break;
      case 'define-function':
        this.#assigned(node.target);
        this.#made(node.function, node.span);
        break;
      case 'define-class':
        this.#assigned(node.target);
        if (!this.#tables.program.classes.has(node.class)) this.#report('unknown-class', `the class ${node.class} is not in the program`, node.span);
        break;
      case 'with':
        if (node.items.length === 0) this.#report('empty-list', 'a with without a context', node.span);
        this.#asynchronous(node.async, 'async with', node.span);
        for (const item of node.items) if (item.target !== undefined) this.#assigned(item.target);
        break;
      case 'match':
        for (const one of node.cases) checkSpan(this.#tables, one.span);
        break;
      case 'expression':
      case 'if':
      case 'defer':
      case 'spawn':
      case 'assert':
      case 'unsupported':
        break;
      default:
        unreachable(node);
    }
    forEachChildOfStatement(node, this.#visit);
  }

  #try(node: Try): void {
    if (node.handlers.length === 0 && node.otherwise.length > 0) this.#report('else-without-handler', 'the else of a try belongs to its handlers', node.span);
    this.statements(node.body);
    node.handlers.forEach((handler, index) => {
      checkSpan(this.#tables, handler.span);
      if (handler.types === undefined && index < node.handlers.length - 1) this.#report('catch-all-not-last', 'a handler after one that catches everything', handler.span);
      if (handler.types !== undefined) this.expression(handler.types);
      if (handler.name !== undefined) {
        this.#assigned(handler.name);
        this.#visit.target(handler.name);
      }
      this.#at({ ...this.#position, handler: true }, () => this.statements(handler.body));
    });
    this.statements(node.otherwise);
    this.statements(node.finally);
  }

  #target(node: Target): void {
    checkSpan(this.#tables, node.span);
    switch (node.kind) {
      case 'local':
        return this.#local(node);
      case 'module-variable':
        return this.#moduleVariable(node);
      case 'member':
        this.#named(node.name, 'a member', node.span);
        this.#certain(node.optional, node.span);
        break;
      case 'index':
        this.#certain(node.optional, node.span);
        break;
      case 'unpack':
        this.#starred(node.elements, node.span);
        break;
      case 'unsupported':
        break;
      default:
        unreachable(node);
    }
    forEachChildOfTarget(node, this.#visit);
  }

  #pattern(node: Pattern): void {
    checkSpan(this.#tables, node.span);
    switch (node.kind) {
      case 'capture':
        this.#assigned(node.target);
        break;
      case 'value':
        this.#named(node.operator, 'an operator', node.span);
        break;
      case 'or':
        if (node.alternatives.length < 2) this.#report('pattern-shape', 'an or-pattern has two alternatives', node.span);
        break;
      case 'sequence':
        this.#starred(node.elements, node.span);
        break;
      case 'mapping':
        if (node.rest !== undefined) this.#assigned(node.rest);
        break;
      case 'class':
        this.#distinct(node.keywords, 'attribute', node.span);
        break;
      case 'wildcard':
      case 'unsupported':
        break;
      default:
        unreachable(node);
    }
    forEachChildOfPattern(node, this.#visit);
  }

  /** The first collection is evaluated around the scope; everything else inside. */
  #comprehension(node: Comprehension): void {
    const [first] = node.clauses;
    if (first?.kind !== 'for') this.#report('comprehension-shape', 'a comprehension begins with "for"', node.span);
    if ((node.key !== undefined) !== (node.as === 'record')) this.#report('comprehension-shape', 'a key belongs to a record and to nothing else', node.span);
    const lazy = node.as === 'generator';
    // The first collection is evaluated where the comprehension is made, the rest of a lazy one where it is consumed.
    const { async, generator } = this.#position;
    const inside: Position = { ...this.#position, activation: node.scope, async: async || lazy, generator: false };
    this.#at(inside, () => {
      for (const clause of node.clauses) {
        if (clause.kind === 'if') {
          this.expression(clause.test);
          continue;
        }
        this.#asynchronous(clause.async, 'async for', clause.target.span);
        if (clause === first) this.#at({ ...inside, async, generator }, () => this.expression(clause.iterable));
        else this.expression(clause.iterable);
        this.#scopeTargets(clause.target, node.scope);
        this.#visit.target(clause.target);
      }
      if (node.key !== undefined) this.expression(node.key);
      this.expression(node.value);
    });
  }

  #scopeTargets(target: Target, scope: FunctionId): void {
    if (target.kind === 'unpack') for (const element of target.elements) this.#scopeTargets(element.target, scope);
    else if (target.kind === 'local' && target.owner !== scope) {
      this.#report('scope-target', `the comprehension binds ${target.name} of ${target.owner}, not of its own scope ${scope}`, target.span);
    }
  }

  #constant(node: Constant): void {
    const { value } = node;
    if (value.type === 'int' && !DECIMAL.test(value.value)) this.#report('int-not-decimal', `"${value.value}" is not the decimal text of an integer`, node.span);
    if (value.type === 'bytes' && !HEX.test(value.hex)) this.#report('bytes-not-hex', `"${value.hex}" is not lower-case hexadecimal text of whole bytes`, node.span);
    if (value.type === 'special') this.#named(value.name, 'a special constant', node.span);
  }

  #local(node: Local): void {
    this.#named(node.name, 'a local variable', node.span);
    const { program, scopes } = this.#tables;
    if (!program.functions.has(node.owner) && !scopes.has(node.owner)) {
      this.#report('local-without-owner', `${node.name} belongs to ${node.owner}, which is neither a function nor a scope`, node.span);
    } else if (!activationsAround(this.#tables, this.#position.activation).includes(node.owner)) {
      const here = this.#position.activation ?? 'module level';
      this.#report('local-out-of-scope', `${node.name} belongs to ${node.owner}, which is not around ${here}`, node.span);
    }
  }

  #moduleVariable(node: ModuleVariable): void {
    this.#named(node.name, 'a module variable', node.span);
    checkModule(this.#tables, node.module, node.name, node.span);
  }

  #arguments(args: readonly Argument[], place: Span): void {
    const keywords = args.filter((argument) => argument.kind === 'keyword');
    this.#distinct(keywords, 'keyword', place);
    const firstKeyword = args.findIndex((argument) => argument.kind === 'keyword' || argument.kind === 'spread-keywords');
    const firstSpread = args.findIndex((argument) => argument.kind === 'spread-keywords');
    args.forEach((argument, index) => {
      if (argument.kind === 'positional' && firstKeyword !== -1 && index > firstKeyword) this.#report('argument-order', 'a positional argument after a keyword', argument.value.span);
      if (argument.kind === 'spread' && firstSpread !== -1 && index > firstSpread) this.#report('argument-order', 'a spread after a spread of keywords', argument.value.span);
    });
  }

  /** A closure made here belongs to the activation around it: of a comprehension, its scope or the function around that. */
  #made(id: FunctionId, place: Span): void {
    const fn = this.#tables.program.functions.get(id);
    if (fn === undefined) return this.#report('unknown-function', `the function ${id} is not in the program`, place);
    const around = activationsAround(this.#tables, this.#position.activation);
    const end = around.findIndex((activation) => !this.#tables.scopes.has(activation));
    const possible: (FunctionId | undefined)[] = end === -1 ? [...around, undefined] : around.slice(0, end + 1);
    if (!possible.includes(fn.parent)) {
      this.#report('parent-mismatch', `the function ${id} is made in ${this.#position.activation ?? 'module level'}; its parent is ${fn.parent ?? 'module level'}`, place);
    }
  }

  /** A variable that outlives the activation must be announced, since the evaluator asks for such writes up front. */
  #assigned(target: Target): void {
    const { writesOuter, activation } = this.#position;
    if (target.kind === 'unpack') return target.elements.forEach((element) => this.#assigned(element.target));
    if (writesOuter === undefined) return;
    if (target.kind === 'module-variable' && !writesOuter.has(`@${target.name}`)) {
      this.#report('unlisted-write', `the function assigns the module variable ${target.name} and does not list it`, target.span);
    }
    if (target.kind !== 'local') return;
    const around = activationsAround(this.#tables, activation);
    const ownEnd = around.findIndex((one) => !this.#tables.scopes.has(one));
    if (around.slice(ownEnd + 1).includes(target.owner) && !writesOuter.has(target.name)) {
      this.#report('unlisted-write', `the function assigns ${target.name} of ${target.owner} and does not list it`, target.span);
    }
  }

  #single(target: Target, what: string): void {
    if (target.kind === 'unpack') this.#report('target-shape', `${what} has one place, not a list`, target.span);
  }

  #certain(optional: boolean, place: Span): void {
    if (optional) this.#report('target-shape', 'an optional access is no place to store to', place);
  }

  #starred(elements: readonly { readonly starred: boolean }[], place: Span): void {
    if (elements.filter((element) => element.starred).length > 1) this.#report('several-starred', 'more than one element takes the rest', place);
  }

  #distinct(items: readonly { readonly name: string }[], what: string, place: Span): void {
    const names = items.map((item) => item.name);
    for (const name of names) this.#named(name, `a ${what}`, place);
    for (const name of new Set(names.filter((one, index) => names.indexOf(one) < index))) this.#report('duplicate-name', `the ${what} ${name} is given twice`, place);
  }

  #named(name: string, what: string, place: Span): void {
    if (name === '') this.#report('empty-name', `${what} has no name`, place);
  }

  #asynchronous(async: boolean, what: string, place: Span): void {
    if (async && !this.#position.async) this.#report('await-outside-async', `${what} outside of an async function`, place);
  }

  #inLoop(body: readonly Statement[]): void {
    this.#at({ ...this.#position, loop: true }, () => this.statements(body));
  }

  #at(position: Position, verify: () => void): void {
    const outer = this.#position;
    this.#position = position;
    verify();
    this.#position = outer;
  }

  #deeper(place: Span, verify: () => void): void {
    if (this.#depth === IR_DEPTH_MAX) return this.#report('too-deep', `nested deeper than ${IR_DEPTH_MAX} levels`, place);
    this.#depth += 1;
    verify();
    this.#depth -= 1;
  }

  #report(code: IrIssueCode, message: string, place: Span): void {
    this.#tables.report(code, message, place);
  }
}

export function checkSpan(tables: VerifyTables, span: Span): void {
  const { file, line, column, endLine, endColumn } = span;
  const whole = [line, column, endLine, endColumn].every((value) => Number.isInteger(value) && value >= 1);
  const forward = endLine > line || (endLine === line && endColumn >= column);
  if (file === '' || !whole || !forward) tables.report('bad-span', `not a place: ${file}:${line}:${column}-${endLine}:${endColumn}`, span);
}
