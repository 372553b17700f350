/** Reads statements of the printed form: the inverse of `print-statement.ts`. A statement ends with its line or before `}`. */
import type { Expression, Match, Statement, Try, With } from './nodes.js';
import { asTarget, readExpression, readOperand, readTarget, readUnsupported, readVariable, readLocal, startsExpression } from './parse-expression.js';
import { readPattern } from './parse-pattern.js';
import type { Scanner } from './scan.js';
import { AUGMENTED_OPERATOR } from './text-form.js';

type Handler = Try['handlers'][number];

/** `{`, statements, `}`. */
export function readBlock(scan: Scanner): Statement[] {
  return readLines(scan, () => readStatement(scan));
}

/** What stands between braces, each item on a line of its own. */
export function readLines<Item>(scan: Scanner, readLine: () => Item): Item[] {
  scan.expect('{');
  const items = readLinesUntil(scan, () => scan.sees('}'), readLine, '"}"');
  scan.expect('}');
  return items;
}

export function readLinesUntil<Item>(scan: Scanner, ends: () => boolean, readLine: () => Item, end: string): Item[] {
  const items: Item[] = [];
  while (!ends()) {
    if (scan.atEnd) throw scan.error(end);
    items.push(scan.nested(readLine));
    if (!scan.endsLine && !ends()) throw scan.error('the end of the line');
  }
  return items;
}

export function readStatement(scan: Scanner): Statement {
  const start = scan.position;
  const word = scan.word();
  switch (word) {
    case 'delete': {
      scan.takeWord(word);
      const target = readTarget(scan);
      return { kind: 'delete', span: scan.spanFrom(start), target };
    }
    case 'if': {
      scan.takeWord(word);
      const test = readOperand(scan);
      const span = scan.spanFrom(start);
      if (scan.word() === 'then') throw scan.refuse('a conditional expression at the start of a statement needs parentheses', start);
      return { kind: 'if', span, test, then: readBlock(scan), otherwise: readElse(scan) };
    }
    case 'match': {
      scan.takeWord(word);
      const subject = readOperand(scan);
      const span = scan.spanFrom(start);
      return { kind: 'match', span, subject, cases: readLines(scan, () => readCase(scan)) };
    }
    case 'async': {
      scan.takeWord(word);
      if (scan.word() === 'for') return readFor(scan, start, true);
      if (scan.word() === 'with') return readWith(scan, start, true);
      throw scan.error('"for" or "with"');
    }
    case 'for':
      return readFor(scan, start, false);
    case 'with':
      return readWith(scan, start, false);
    case 'while': {
      scan.takeWord(word);
      const test = readOperand(scan);
      const span = scan.spanFrom(start);
      return { kind: 'while', span, test, body: readBlock(scan), otherwise: readElse(scan) };
    }
    case 'break':
    case 'continue':
      scan.takeWord(word);
      return { kind: word, span: scan.spanFrom(start) };
    case 'return': {
      scan.takeWord(word);
      const value = readOptional(scan);
      return { kind: 'return', span: scan.spanFrom(start), ...(value === undefined ? {} : { value }) };
    }
    case 'throw': {
      scan.takeWord(word);
      const value = readOptional(scan);
      const cause = !scan.afterNewline && scan.takeWord('from') ? readExpression(scan) : undefined;
      return { kind: 'throw', span: scan.spanFrom(start), ...(value === undefined ? {} : { value }), ...(cause === undefined ? {} : { cause }) };
    }
    case 'try':
      return readTry(scan, start);
    case 'defer':
    case 'spawn': {
      scan.takeWord(word);
      const call = readExpression(scan);
      return { kind: word, span: scan.spanFrom(start), call };
    }
    case 'assert': {
      scan.takeWord(word);
      const test = readExpression(scan);
      const message = scan.take(',') ? readExpression(scan) : undefined;
      return { kind: 'assert', span: scan.spanFrom(start), test, ...(message === undefined ? {} : { message }) };
    }
    case 'define':
      return readDefine(scan, start);
    default:
      return readAssignment(scan, start);
  }
}

function readOptional(scan: Scanner): Expression | undefined {
  return startsExpression(scan) ? readExpression(scan) : undefined;
}

function readElse(scan: Scanner): Statement[] {
  return scan.takeWord('else') ? readBlock(scan) : [];
}

function readCase(scan: Scanner): Match['cases'][number] {
  const start = scan.position;
  scan.expectWord('case');
  const pattern = readPattern(scan);
  const guard = scan.takeWord('if') ? readOperand(scan) : undefined;
  const span = scan.spanFrom(start);
  return { pattern, ...(guard === undefined ? {} : { guard }), body: readBlock(scan), span };
}

function readFor(scan: Scanner, start: number, async: boolean): Statement {
  scan.expectWord('for');
  const target = readTarget(scan);
  scan.expectWord('in');
  const iterable = readOperand(scan);
  const span = scan.spanFrom(start);
  return { kind: 'for-each', span, target, iterable, body: readBlock(scan), otherwise: readElse(scan), async };
}

function readWith(scan: Scanner, start: number, async: boolean): With {
  scan.expectWord('with');
  const items: With['items'][number][] = [];
  do {
    const context = readOperand(scan);
    items.push(scan.takeWord('as') ? { context, target: readTarget(scan) } : { context });
  } while (scan.take(','));
  const span = scan.spanFrom(start);
  return { kind: 'with', span, items, body: readBlock(scan), async };
}

function readTry(scan: Scanner, start: number): Try {
  scan.expectWord('try');
  const span = scan.spanFrom(start);
  const body = readBlock(scan);
  const handlers: Handler[] = [];
  while (scan.word() === 'catch') handlers.push(readHandler(scan));
  const otherwise = readElse(scan);
  const last = scan.takeWord('finally') ? readBlock(scan) : [];
  return { kind: 'try', span, body, handlers, otherwise, finally: last };
}

function readHandler(scan: Scanner): Handler {
  const start = scan.position;
  scan.expectWord('catch');
  const caught = scan.take('(') ? readCaught(scan) : {};
  const span = scan.spanFrom(start);
  return { span, ...caught, body: readBlock(scan) };
}

function readCaught(scan: Scanner): Pick<Handler, 'types' | 'name'> {
  const types = scan.word() === 'as' ? undefined : readOperand(scan);
  const name = scan.takeWord('as') ? readLocal(scan) : undefined;
  scan.expect(')');
  return { ...(types === undefined ? {} : { types }), ...(name === undefined ? {} : { name }) };
}

function readDefine(scan: Scanner, start: number): Statement {
  scan.expectWord('define');
  const target = readVariable(scan);
  scan.expect('=');
  if (scan.takeWord('closure')) {
    const id = scan.path('the id of a function');
    return { kind: 'define-function', span: scan.spanFrom(start), target, function: id };
  }
  if (!scan.takeWord('class')) throw scan.error('"closure" or "class"');
  const id = scan.path('the id of a class');
  return { kind: 'define-class', span: scan.spanFrom(start), target, class: id };
}

/** `t = u = v`, `t py.add= v`, `unsupported`, or an expression. */
function readAssignment(scan: Scanner, start: number): Statement {
  const unsupported = scan.word() === 'unsupported';
  let at = start;
  let node = scan.sees('[') ? readTarget(scan) : unsupported ? readUnsupported(scan) : readExpression(scan);
  if (!scan.afterNewline && scan.looksAt(AUGMENTED_OPERATOR)) {
    const target = asTarget(scan, node, at);
    const operator = scan.path('an operator');
    scan.expect('=');
    const value = readExpression(scan);
    return { kind: 'augmented-assign', span: scan.spanFrom(start), target, operator, value };
  }
  const targets = [];
  while (scan.take('=')) {
    targets.push(asTarget(scan, node, at));
    at = scan.position;
    node = scan.sees('[') ? readTarget(scan) : readExpression(scan);
  }
  if (node.kind === 'unpack') throw scan.error('"="');
  if (targets.length > 0) return { kind: 'assign', span: scan.spanFrom(start), targets, value: node };
  if (unsupported && node.kind === 'unsupported') return { kind: 'unsupported', span: node.span, code: node.code, detail: node.detail };
  return { kind: 'expression', span: scan.spanFrom(start), expression: node };
}
