/**
 * Visits the children of nodes, in order of evaluation where the language leaves no choice (an assigned value before its
 * targets). Every kind is named in one of the four functions, so a new kind does not compile until its children are visited.
 *
 * Code of other functions is no child: a closure, or a definition of a function or class, is visited as the node it is.
 */
import { unreachable } from '../base/errors.js';
import type { Argument, Clause, Element, Entry, Expression, Pattern, Statement, Target, TemplatePart } from './nodes.js';
import type { IrFunction } from './program.js';

/** What to do with a node. A target that is a variable, member or element is visited as a target only. */
export interface NodeVisitor {
  readonly expression: (node: Expression) => void;
  readonly target: (node: Target) => void;
  readonly pattern: (node: Pattern) => void;
  readonly statement: (node: Statement) => void;
}

export function forEachChildOfExpression(node: Expression, visit: NodeVisitor): void {
  const expression = (child: Expression | undefined): void => {
    if (child !== undefined) visit.expression(child);
  };
  switch (node.kind) {
    case 'constant':
    case 'local':
    case 'module-variable':
    case 'external':
    case 'closure':
    case 'unsupported':
      return;
    case 'list':
      return forEachElement(node.elements, visit);
    case 'record':
      return forEachEntry(node.entries, visit);
    case 'comprehension':
      for (const clause of node.clauses) forEachClausePart(clause, visit);
      expression(node.key);
      return expression(node.value);
    case 'member':
      return expression(node.object);
    case 'index':
      expression(node.object);
      return expression(node.index);
    case 'slice':
      expression(node.object);
      expression(node.lower);
      expression(node.upper);
      return expression(node.step);
    case 'call':
    case 'new':
      expression(node.callee);
      return forEachArgument(node.arguments, visit);
    case 'unary':
      return expression(node.operand);
    case 'binary':
    case 'logical':
      expression(node.left);
      return expression(node.right);
    case 'conditional':
      expression(node.test);
      expression(node.then);
      return expression(node.otherwise);
    case 'template':
      return forEachTemplatePart(node.parts, visit);
    case 'assign-expression':
      expression(node.value);
      return visit.target(node.target);
    case 'await':
    case 'yield':
      return expression(node.value);
    default:
      return unreachable(node);
  }
}

function forEachElement(elements: readonly Element[], visit: NodeVisitor): void {
  for (const element of elements) visit.expression(element.value);
}

function forEachEntry(entries: readonly Entry[], visit: NodeVisitor): void {
  for (const entry of entries) {
    if (entry.kind === 'entry') visit.expression(entry.key);
    visit.expression(entry.value);
  }
}

function forEachArgument(args: readonly Argument[], visit: NodeVisitor): void {
  for (const argument of args) visit.expression(argument.value);
}

function forEachClausePart(clause: Clause, visit: NodeVisitor): void {
  if (clause.kind === 'if') return visit.expression(clause.test);
  visit.expression(clause.iterable);
  visit.target(clause.target);
}

function forEachTemplatePart(parts: readonly TemplatePart[], visit: NodeVisitor): void {
  for (const part of parts) {
    if (part.kind === 'text') continue;
    visit.expression(part.value);
    if (part.format !== undefined) forEachTemplatePart(part.format, visit);
  }
}

export function forEachChildOfTarget(node: Target, visit: NodeVisitor): void {
  switch (node.kind) {
    case 'local':
    case 'module-variable':
    case 'unsupported':
      return;
    case 'member':
      return visit.expression(node.object);
    case 'index':
      visit.expression(node.object);
      return visit.expression(node.index);
    case 'unpack':
      for (const element of node.elements) visit.target(element.target);
      return;
    default:
      return unreachable(node);
  }
}

export function forEachChildOfPattern(node: Pattern, visit: NodeVisitor): void {
  switch (node.kind) {
    case 'wildcard':
    case 'unsupported':
      return;
    case 'capture':
      if (node.pattern !== undefined) visit.pattern(node.pattern);
      return visit.target(node.target);
    case 'value':
      return visit.expression(node.value);
    case 'or':
      return node.alternatives.forEach(visit.pattern);
    case 'sequence':
      for (const element of node.elements) visit.pattern(element.pattern);
      return;
    case 'mapping':
      for (const entry of node.entries) {
        visit.expression(entry.key);
        visit.pattern(entry.pattern);
      }
      if (node.rest !== undefined) visit.target(node.rest);
      return;
    case 'class':
      visit.expression(node.class);
      node.positional.forEach(visit.pattern);
      for (const keyword of node.keywords) visit.pattern(keyword.pattern);
      return;
    default:
      return unreachable(node);
  }
}

export function forEachChildOfStatement(node: Statement, visit: NodeVisitor): void {
  const expression = (child: Expression | undefined): void => {
    if (child !== undefined) visit.expression(child);
  };
  const block = (statements: readonly Statement[]): void => statements.forEach(visit.statement);
  switch (node.kind) {
    case 'break':
    case 'continue':
    case 'unsupported':
      return;
    case 'assign':
      visit.expression(node.value);
      return node.targets.forEach(visit.target);
    case 'augmented-assign':
      visit.target(node.target);
      return visit.expression(node.value);
    case 'delete':
    case 'define-function':
    case 'define-class':
      return visit.target(node.target);
    case 'expression':
      return visit.expression(node.expression);
    case 'if':
      visit.expression(node.test);
      block(node.then);
      return block(node.otherwise);
    case 'match':
      visit.expression(node.subject);
      for (const one of node.cases) {
        visit.pattern(one.pattern);
        expression(one.guard);
        block(one.body);
      }
      return;
    case 'for-each':
      visit.expression(node.iterable);
      visit.target(node.target);
      block(node.body);
      return block(node.otherwise);
    case 'while':
      visit.expression(node.test);
      block(node.body);
      return block(node.otherwise);
    case 'return':
      return expression(node.value);
    case 'throw':
      expression(node.value);
      return expression(node.cause);
    case 'try':
      block(node.body);
      for (const handler of node.handlers) {
        expression(handler.types);
        if (handler.name !== undefined) visit.target(handler.name);
        block(handler.body);
      }
      block(node.otherwise);
      return block(node.finally);
    case 'with':
      for (const item of node.items) {
        visit.expression(item.context);
        if (item.target !== undefined) visit.target(item.target);
      }
      return block(node.body);
    case 'defer':
    case 'spawn':
      return visit.expression(node.call);
    case 'assert':
      visit.expression(node.test);
      return expression(node.message);
    default:
      return unreachable(node);
  }
}

/** What belongs to a function and is evaluated outside of its activation, unless its defaults are evaluated at each call. */
export function forEachHeadExpression(fn: IrFunction, visit: (node: Expression) => void): void {
  fn.decorators.forEach(visit);
  for (const parameter of fn.parameters) {
    if (parameter.annotation !== undefined) visit(parameter.annotation);
    if (parameter.default !== undefined) visit(parameter.default);
  }
  if (fn.returns !== undefined) visit(fn.returns);
}

/** A visitor that shows each node to `see` before it goes into the node's children. */
export function deepVisitor(see: Partial<NodeVisitor>): NodeVisitor {
  const visit: NodeVisitor = {
    expression: (node) => {
      see.expression?.(node);
      forEachChildOfExpression(node, visit);
    },
    target: (node) => {
      see.target?.(node);
      forEachChildOfTarget(node, visit);
    },
    pattern: (node) => {
      see.pattern?.(node);
      forEachChildOfPattern(node, visit);
    },
    statement: (node) => {
      see.statement?.(node);
      forEachChildOfStatement(node, visit);
    },
  };
  return visit;
}
