/**
 * Prints expressions, targets and patterns in the form that the comments of `nodes.ts` specify. Every node has a printed
 * form and two different nodes never share one (spans aside), which `normal-form.ts` relies on.
 *
 * Three levels decide where parentheses are needed: in delimited places anything may stand; as an operand a conditional
 * or `yield` is parenthesised; before `.`, `[` or a call's arguments so is everything that has an open right end.
 */
import { unreachable } from '../base/errors.js';
import type { Argument, Clause, ClassId, ConstantValue, Element, Entry, Expression, FunctionId, Pattern, Target, TemplatePart } from './nodes.js';
import type { IrFunction } from './program.js';
import type { Span } from './span.js';
import { printFloat, printIdentity, printInt, printName, printPath, quote } from './text-form.js';

/** How variables and ids are written. The printed form uses `PLAIN_NAMES`; the normal form numbers them. */
export interface Naming {
  /** With its leading `%`. `within` is the activation whose code is being printed. */
  local(owner: FunctionId, name: string, within: FunctionId | undefined): string;
  parameter(owner: FunctionId, name: string): string;
  /** A function made here, or the one that is printed. */
  function(id: FunctionId): string;
  parent(id: FunctionId): string;
  class(id: ClassId): string;
  scope(id: FunctionId): string;
  /** Called after the body was printed. */
  writes(fn: IrFunction): readonly string[];
}

export const PLAIN_NAMES: Naming = {
  local: (owner, name, within) => (owner === within ? `%${printName(name)}` : `%${printPath(owner)}::${printName(name)}`),
  parameter: (_owner, name) => printName(name),
  function: printPath,
  parent: printPath,
  class: printPath,
  scope: printPath,
  writes: (fn) => fn.writesOuter.map((write) => (write.startsWith('@') ? `@${printName(write.slice(1))}` : printName(write))),
};

export interface PrintContext {
  readonly spans: boolean;
  /** The activation whose locals are printed without owner; undefined at module level. */
  readonly owner: FunctionId | undefined;
  readonly naming: Naming;
}

export function printSpan(span: Span): string {
  return `@${printPath(span.file)}:${span.line}:${span.column}-${span.endLine}:${span.endColumn}`;
}

/** ` @file:l:c-l:c` when spans are printed. */
export function annotation(span: Span, context: PrintContext): string {
  return context.spans ? ` ${printSpan(span)}` : '';
}

/** In a delimited place: nothing is parenthesised. */
export function writeExpression(expression: Expression, context: PrintContext): string {
  return `${writeBare(expression, context)}${annotation(expression.span, context)}`;
}

export function writeOperand(expression: Expression, context: PrintContext): string {
  const text = writeExpression(expression, context);
  return expression.kind === 'conditional' || expression.kind === 'yield' ? `(${text})` : text;
}

function writePrimary(expression: Expression, context: PrintContext): string {
  switch (expression.kind) {
    case 'conditional':
    case 'yield':
    case 'await':
    case 'unary':
    case 'closure':
    case 'unsupported':
      return `(${writeExpression(expression, context)})`;
    case 'constant':
      // A number would be read as running on into the name that follows.
      return isNumber(expression.value) ? `(${writeExpression(expression, context)})` : writeExpression(expression, context);
    case 'local':
    case 'module-variable':
    case 'external':
    case 'list':
    case 'record':
    case 'comprehension':
    case 'member':
    case 'index':
    case 'slice':
    case 'call':
    case 'new':
    case 'binary':
    case 'logical':
    case 'template':
    case 'assign-expression':
      return `${writeExpression(expression, context)}${context.spans ? ' ' : ''}`;
    default:
      return unreachable(expression);
  }
}

function isNumber(value: ConstantValue): boolean {
  return value.type === 'int' || value.type === 'float';
}

function writeBare(e: Expression, context: PrintContext): string {
  const inner = (expression: Expression): string => writeExpression(expression, context);
  const operand = (expression: Expression): string => writeOperand(expression, context);
  switch (e.kind) {
    case 'constant':
      return writeConstant(e.value);
    case 'local':
      return context.naming.local(e.owner, e.name, context.owner);
    case 'module-variable':
      return `@${printPath(e.module)}::${printName(e.name)}`;
    case 'external':
      return printIdentity(e.identity);
    case 'list':
      return `${e.as}[${e.elements.map((element) => writeElement(element, context)).join(', ')}]`;
    case 'record':
      return `record{${e.entries.map((entry) => writeEntry(entry, context)).join(', ')}}`;
    case 'comprehension': {
      const name = context.naming.scope(e.scope);
      const scope: PrintContext = { ...context, owner: e.scope };
      const key = e.key === undefined ? '' : `${writeOperand(e.key, scope)}: `;
      const clauses = e.clauses.map((clause) => ` ${writeClause(clause, scope)}`).join('');
      return `comprehension ${e.as} ${name}(${key}${writeOperand(e.value, scope)}${clauses})`;
    }
    case 'member':
      return `${writePrimary(e.object, context)}${e.optional ? '?.' : '.'}${printName(e.name)}`;
    case 'index':
      return `${writePrimary(e.object, context)}${e.optional ? '?.' : ''}[${inner(e.index)}]`;
    case 'slice': {
      const lower = e.lower === undefined ? '' : ` ${operand(e.lower)}`;
      const upper = e.upper === undefined ? '' : ` ${operand(e.upper)}`;
      const step = e.step === undefined ? '' : ` : ${operand(e.step)}`;
      return `${writePrimary(e.object, context)}[slice${lower} :${upper}${step}]`;
    }
    case 'call':
      return `call ${writePrimary(e.callee, context)}${e.optional ? '?.' : ''}${writeArguments(e.arguments, context)}`;
    case 'new':
      return `new ${writePrimary(e.callee, context)}${writeArguments(e.arguments, context)}`;
    case 'closure':
      return `closure ${context.naming.function(e.function)}`;
    case 'unary':
      return `unary ${printPath(e.operator)} ${operand(e.operand)}`;
    case 'binary':
      return `binary ${printPath(e.operator)}(${inner(e.left)}, ${inner(e.right)})`;
    case 'logical':
      return `${e.operator}(${inner(e.left)}, ${inner(e.right)})`;
    case 'conditional':
      return `if ${operand(e.test)} then ${operand(e.then)} else ${operand(e.otherwise)}`;
    case 'template':
      return writeTemplate(e.parts, context);
    case 'assign-expression':
      return `(${writeTarget(e.target, context)} := ${inner(e.value)})`;
    case 'await':
      return `await ${operand(e.value)}`;
    case 'yield':
      return `yield${e.delegate ? '*' : ''}${e.value === undefined ? '' : ` ${operand(e.value)}`}`;
    case 'unsupported':
      return writeUnsupported(e);
    default:
      return unreachable(e);
  }
}

export function writeUnsupported(node: { readonly code: string; readonly detail: string }): string {
  return `unsupported ${quote(node.code)} ${quote(node.detail)}`;
}

function writeConstant(value: ConstantValue): string {
  switch (value.type) {
    case 'null':
    case 'undefined':
      return value.type;
    case 'boolean':
      return String(value.value);
    case 'string':
      return quote(value.value);
    case 'bytes':
      return `b${quote(value.hex)}`;
    case 'int':
      return printInt(value.value);
    case 'float':
      return printFloat(value.value);
    case 'special':
      return `special(${printName(value.name)})`;
    default:
      return unreachable(value);
  }
}

function writeElement(element: Element, context: PrintContext): string {
  return `${element.kind === 'spread' ? '...' : ''}${writeExpression(element.value, context)}`;
}

function writeEntry(entry: Entry, context: PrintContext): string {
  if (entry.kind === 'spread') return `...${writeExpression(entry.value, context)}`;
  return `${writeExpression(entry.key, context)}: ${writeExpression(entry.value, context)}`;
}

function writeClause(clause: Clause, context: PrintContext): string {
  if (clause.kind === 'if') return `if ${writeOperand(clause.test, context)}`;
  return `${clause.async ? 'async ' : ''}for ${writeTarget(clause.target, context)} in ${writeOperand(clause.iterable, context)}`;
}

function writeArguments(args: readonly Argument[], context: PrintContext): string {
  return `(${args.map((argument) => writeArgument(argument, context)).join(', ')})`;
}

function writeArgument(argument: Argument, context: PrintContext): string {
  const value = writeExpression(argument.value, context);
  switch (argument.kind) {
    case 'positional':
      return value;
    case 'keyword':
      return `${printName(argument.name)} = ${value}`;
    case 'spread':
      return `...${value}`;
    case 'spread-keywords':
      return `...:${value}`;
    default:
      return unreachable(argument);
  }
}

function writeTemplate(parts: readonly TemplatePart[], context: PrintContext): string {
  return `template(${parts.map((part) => writeTemplatePart(part, context)).join(', ')})`;
}

function writeTemplatePart(part: TemplatePart, context: PrintContext): string {
  if (part.kind === 'text') return quote(part.text);
  const format = part.format === undefined ? '' : ` : ${writeTemplate(part.format, context)}`;
  return `${printName(part.conversion)} ${writeOperand(part.value, context)}${format}`;
}

export function writeTarget(target: Target, context: PrintContext): string {
  if (target.kind !== 'unpack') return writeExpression(target, context);
  const elements = target.elements.map((element) => `${element.starred ? '*' : ''}${writeTarget(element.target, context)}`);
  return `[${elements.join(', ')}]${annotation(target.span, context)}`;
}

export function writePattern(pattern: Pattern, context: PrintContext): string {
  return `${writeBarePattern(pattern, context)}${annotation(pattern.span, context)}`;
}

function writeBarePattern(p: Pattern, context: PrintContext): string {
  const inner = (pattern: Pattern): string => writePattern(pattern, context);
  switch (p.kind) {
    case 'wildcard':
      return '_';
    case 'capture': {
      const target = writeTarget(p.target, context);
      return p.pattern === undefined ? target : `${inner(p.pattern)} as ${target}`;
    }
    case 'value':
      return `value ${printPath(p.operator)} ${writeOperand(p.value, context)}`;
    case 'or':
      return `or(${p.alternatives.map(inner).join(', ')})`;
    case 'sequence':
      return `[${p.elements.map((element) => `${element.starred ? '*' : ''}${inner(element.pattern)}`).join(', ')}]`;
    case 'mapping': {
      const entries = p.entries.map((entry) => `${writeOperand(entry.key, context)}: ${inner(entry.pattern)}`);
      const rest = p.rest === undefined ? [] : [`**${writeTarget(p.rest, context)}`];
      return `{${[...entries, ...rest].join(', ')}}`;
    }
    case 'class': {
      const keywords = p.keywords.map((keyword) => `${printName(keyword.name)} = ${inner(keyword.pattern)}`);
      return `class ${writePrimary(p.class, context)}(${[...p.positional.map(inner), ...keywords].join(', ')})`;
    }
    case 'unsupported':
      return writeUnsupported(p);
    default:
      return unreachable(p);
  }
}
