/**
 * Prints statements, one a line, blocks indented, in the form that the comments of `nodes.ts` specify. A statement's own
 * span comes at the end of its first line, after the spans of what that line holds.
 */
import { unreachable } from '../base/errors.js';
import type { Match, Statement, Try, With } from './nodes.js';
import { annotation, writeExpression, writeOperand, writePattern, writeTarget, writeUnsupported, type PrintContext } from './print-expression.js';
import { printPath } from './text-form.js';

const INDENT = '  ';

export function writeStatements(statements: readonly Statement[], context: PrintContext): string[] {
  return statements.flatMap((statement) => writeStatement(statement, context));
}

/** `head {`, the indented lines, `}`. */
export function writeBlock(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => INDENT + line), '}'];
}

function writeStatement(s: Statement, context: PrintContext): string[] {
  const end = annotation(s.span, context);
  const optional = (word: string, value: Parameters<typeof writeExpression>[0] | undefined): string =>
    value === undefined ? '' : `${word} ${writeExpression(value, context)}`;
  switch (s.kind) {
    case 'assign':
      return [`${s.targets.map((target) => `${writeTarget(target, context)} = `).join('')}${writeExpression(s.value, context)}${end}`];
    case 'augmented-assign':
      return [`${writeTarget(s.target, context)} ${printPath(s.operator)}= ${writeExpression(s.value, context)}${end}`];
    case 'delete':
      return [`delete ${writeTarget(s.target, context)}${end}`];
    case 'expression': {
      // `if` and `unsupported` begin statements too.
      const text = writeExpression(s.expression, context);
      const ambiguous = s.expression.kind === 'conditional' || s.expression.kind === 'unsupported';
      return [`${ambiguous ? `(${text})` : text}${end}`];
    }
    case 'if': {
      const then = writeBlock(`if ${writeOperand(s.test, context)}${end}`, writeStatements(s.then, context));
      return joinBlocks(then, elseBlock(s.otherwise, context));
    }
    case 'match':
      return writeBlock(`match ${writeOperand(s.subject, context)}${end}`, s.cases.flatMap((one) => writeCase(one, context)));
    case 'for-each': {
      const head = `${s.async ? 'async ' : ''}for ${writeTarget(s.target, context)} in ${writeOperand(s.iterable, context)}${end}`;
      return joinBlocks(writeBlock(head, writeStatements(s.body, context)), elseBlock(s.otherwise, context));
    }
    case 'while': {
      const loop = writeBlock(`while ${writeOperand(s.test, context)}${end}`, writeStatements(s.body, context));
      return joinBlocks(loop, elseBlock(s.otherwise, context));
    }
    case 'break':
    case 'continue':
      return [`${s.kind}${end}`];
    case 'return':
      return [`return${optional('', s.value)}${end}`];
    case 'throw':
      return [`throw${optional('', s.value)}${optional(' from', s.cause)}${end}`];
    case 'try':
      return writeTry(s, context);
    case 'with':
      return writeWith(s, context);
    case 'defer':
    case 'spawn':
      return [`${s.kind} ${writeExpression(s.call, context)}${end}`];
    case 'assert':
      return [`assert ${writeExpression(s.test, context)}${optional(',', s.message)}${end}`];
    case 'define-function':
      return [`define ${writeTarget(s.target, context)} = closure ${context.naming.function(s.function)}${end}`];
    case 'define-class':
      return [`define ${writeTarget(s.target, context)} = class ${context.naming.class(s.class)}${end}`];
    case 'unsupported':
      return [`${writeUnsupported(s)}${end}`];
    default:
      return unreachable(s);
  }
}

function writeCase(one: Match['cases'][number], context: PrintContext): string[] {
  const guard = one.guard === undefined ? '' : ` if ${writeOperand(one.guard, context)}`;
  return writeBlock(`case ${writePattern(one.pattern, context)}${guard}${annotation(one.span, context)}`, writeStatements(one.body, context));
}

function writeTry(s: Try, context: PrintContext): string[] {
  const blocks = [writeBlock(`try${annotation(s.span, context)}`, writeStatements(s.body, context))];
  for (const handler of s.handlers) {
    const types = handler.types === undefined ? '' : writeOperand(handler.types, context);
    const name = handler.name === undefined ? '' : `${types === '' ? '' : ' '}as ${writeTarget(handler.name, context)}`;
    const caught = types === '' && name === '' ? '' : ` (${types}${name})`;
    blocks.push(writeBlock(`catch${caught}${annotation(handler.span, context)}`, writeStatements(handler.body, context)));
  }
  blocks.push(elseBlock(s.otherwise, context));
  if (s.finally.length > 0) blocks.push(writeBlock('finally', writeStatements(s.finally, context)));
  return joinBlocks(...blocks);
}

function writeWith(s: With, context: PrintContext): string[] {
  const items = s.items.map((item) => {
    const target = item.target === undefined ? '' : ` as ${writeTarget(item.target, context)}`;
    return `${writeOperand(item.context, context)}${target}`;
  });
  return writeBlock(`${s.async ? 'async ' : ''}with ${items.join(', ')}${annotation(s.span, context)}`, writeStatements(s.body, context));
}

function elseBlock(statements: readonly Statement[], context: PrintContext): string[] {
  return statements.length === 0 ? [] : writeBlock('else', writeStatements(statements, context));
}

/** Puts `else {` on the line of the `}` before it. */
function joinBlocks(...blocks: readonly string[][]): string[] {
  const lines: string[] = [];
  for (const block of blocks) {
    const [head, ...rest] = block;
    if (head === undefined) continue;
    const before = lines.pop();
    lines.push(before === undefined ? head : `${before} ${head}`, ...rest);
  }
  return lines;
}
