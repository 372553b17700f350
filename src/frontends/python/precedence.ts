/**
 * Operations as Python groups them. The parser's grammar groups four forms differently, and a tree that is taken as it
 * stands would silently mean something else:
 * - it binds `^` tighter than `&`;
 * - it reads `await a ** b` as `await (a ** b)`;
 * - it reads `x := a if t else b` as `(x := a) if t else b`;
 * - it reads the format in `f"{x:=10}"` as an assignment (`strings.ts` refuses it).
 * Parentheses are nodes of their own, so only what is written without them is grouped anew.
 */
import type { Expression } from '../../ir/nodes.js';
import type { Span } from '../../ir/span.js';
import { field, parts, type SyntaxNode } from './syntax.js';

type Lower = (node: SyntaxNode) => Expression;

export function operatorOf(node: SyntaxNode): string {
  return node.childForFieldName('operator')?.type ?? '';
}

function isBitwise(node: SyntaxNode): boolean {
  return node.type === 'binary_operator' && (operatorOf(node) === '&' || operatorOf(node) === '^');
}

/** A row of `&` and `^` without parentheses, grouped as Python does; undefined for any other operation. */
export function lowerBitwise(node: SyntaxNode, lower: Lower): Expression | undefined {
  if (!isBitwise(node)) return undefined;
  const operands: Expression[] = [];
  const operators: string[] = [];
  flatten(node, lower, operands, operators);
  // One row of `&` between two `^`.
  const rows: Expression[] = [];
  operands.forEach((operand, at) => {
    const row = rows.at(-1);
    if (row === undefined || operators[at - 1] === '^') rows.push(operand);
    else rows[rows.length - 1] = operation('py.and_', row, operand);
  });
  return rows.reduce((left, right) => operation('py.xor', left, right));
}

function flatten(node: SyntaxNode, lower: Lower, operands: Expression[], operators: string[]): void {
  const left = field(node, 'left');
  const right = field(node, 'right');
  if (!isBitwise(node) || left === undefined || right === undefined) {
    operands.push(lower(node));
    return;
  }
  flatten(left, lower, operands, operators);
  operators.push(operatorOf(node));
  flatten(right, lower, operands, operators);
}

function operation(operator: string, left: Expression, right: Expression): Expression {
  return { kind: 'binary', span: around(left.span, right.span), operator, left, right };
}

function around(first: Span, last: Span): Span {
  return { file: first.file, line: first.line, column: first.column, endLine: last.endLine, endColumn: last.endColumn };
}

/** `await` of what it waits for; a power that the parser took along is of the result. */
export function lowerAwait(node: SyntaxNode, span: Span, lower: Lower): Expression | undefined {
  const value = parts(node)[0];
  if (value === undefined) return undefined;
  if (value.type !== 'binary_operator') return { kind: 'await', span, value: lower(value) };
  const base = field(value, 'left');
  const exponent = field(value, 'right');
  if (operatorOf(value) !== '**' || base === undefined || exponent === undefined) return undefined;
  const waited = lower(base);
  return { kind: 'binary', span, operator: 'py.pow', left: { kind: 'await', span: around(span, waited.span), value: waited }, right: lower(exponent) };
}

/** The parts of a conditional, and what all of it is assigned to. */
export interface ConditionalParts {
  readonly assignedTo?: SyntaxNode;
  readonly test: SyntaxNode;
  readonly then: SyntaxNode;
  readonly otherwise: SyntaxNode;
}

export function conditionalParts(node: SyntaxNode): ConditionalParts | undefined {
  const [then, test, otherwise] = parts(node);
  if (then === undefined || test === undefined || otherwise === undefined) return undefined;
  if (then.type !== 'named_expression') return { test, then, otherwise };
  const name = field(then, 'name');
  const value = field(then, 'value');
  return name === undefined || value === undefined ? undefined : { assignedTo: name, test, then: value, otherwise };
}
