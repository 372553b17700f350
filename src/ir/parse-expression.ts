/**
 * Reads expressions and targets of the printed form: the inverse of `print-expression.ts`, where the three levels are
 * explained. Each function leaves the scanner after what it read, span annotation included.
 */
import type { Argument, Clause, Comprehension, Constant, ConstantValue, Element, Entry, Expression, ListDisplay, Local, ModuleVariable, Slice, Target, TemplatePart, UnsupportedCode } from './nodes.js';
import type { Scanner } from './scan.js';
import { FLOAT, INT, KEYWORD, SPAN } from './text-form.js';

/** Keyed by code, so that a new code does not compile until it can be read. */
const UNSUPPORTED_CODES: Record<UnsupportedCode, true> = {
  'syntax-error': true,
  'unsupported-syntax': true,
  'unresolved-name': true,
  'ambiguous-binding': true,
  'star-import': true,
  'conditional-import': true,
  'rebound-name': true,
  'dynamic-name': true,
  'module-state': true,
  'metaclass': true,
};
const COMPREHENSIONS: Record<Comprehension['as'], true> = { list: true, set: true, record: true, generator: true };
const TARGETS: Record<Target['kind'], true> = { 'local': true, 'module-variable': true, 'member': true, 'index': true, 'unpack': true, 'unsupported': true };
const EXPRESSION = 'an expression';

/** In a delimited place: a conditional and `yield` need no parentheses. */
export function readExpression(scan: Scanner): Expression {
  const start = scan.position;
  if (scan.takeWord('if')) {
    const test = readOperand(scan);
    scan.expectWord('then');
    const then = readOperand(scan);
    scan.expectWord('else');
    const otherwise = readOperand(scan);
    return { kind: 'conditional', span: scan.spanFrom(start), test, then, otherwise };
  }
  if (scan.takeWord('yield')) {
    const delegate = scan.take('*');
    const value = startsExpression(scan) ? readOperand(scan) : undefined;
    return { kind: 'yield', span: scan.spanFrom(start), ...(value === undefined ? {} : { value }), delegate };
  }
  return readOperand(scan);
}

export function readOperand(scan: Scanner): Expression {
  return scan.nested(() => {
    const start = scan.position;
    switch (scan.word()) {
      case 'await': {
        scan.takeWord('await');
        const value = readOperand(scan);
        return { kind: 'await', span: scan.spanFrom(start), value };
      }
      case 'unary': {
        scan.takeWord('unary');
        const operator = scan.path('an operator such as py.not');
        const operand = readOperand(scan);
        return { kind: 'unary', span: scan.spanFrom(start), operator, operand };
      }
      case 'closure': {
        scan.takeWord('closure');
        const id = scan.path('the id of a function');
        return { kind: 'closure', span: scan.spanFrom(start), function: id };
      }
      case 'unsupported':
        return readUnsupported(scan);
      default:
        return readPostfix(scan);
    }
  });
}

/** Whether an optional expression is there: on the same line, and not the span of its statement. */
export function startsExpression(scan: Scanner): boolean {
  if (scan.afterNewline || scan.atEnd || scan.looksAt(SPAN)) return false;
  if (scan.word() === '') return scan.looksAt(/["%@<(\d-]/y);
  return scan.word() !== 'from';
}

export function readUnsupported(scan: Scanner): Extract<Expression, { kind: 'unsupported' }> {
  const start = scan.position;
  scan.expectWord('unsupported');
  const { code, detail } = readReason(scan);
  return { kind: 'unsupported', span: scan.spanFrom(start), code, detail };
}

/** The code and detail of `unsupported`. */
export function readReason(scan: Scanner): { readonly code: UnsupportedCode; readonly detail: string } {
  const at = scan.position;
  const code = scan.string('the code of what is unsupported');
  if (!isUnsupportedCode(code)) throw scan.refuse(`"${code}" is not a code of unsupported nodes (${Object.keys(UNSUPPORTED_CODES).join(', ')})`, at);
  return { code, detail: scan.string('the detail of what is unsupported') };
}

function isUnsupportedCode(text: string): text is UnsupportedCode {
  return Object.hasOwn(UNSUPPORTED_CODES, text);
}

/** A primary and the accesses after it. Stops before a call's arguments, so that the caller can take them. */
export function readPostfix(scan: Scanner): Expression {
  const start = scan.position;
  let object = readPrimary(scan);
  for (;;) {
    if (scan.afterNewline || scan.looksAt(/\?\.\(/y) || scan.looksAt(/\.\.\./y)) return object;
    const optional = scan.take('?.');
    if (scan.take('[')) {
      const slice = optional ? undefined : readSliceRest(scan, object, start);
      if (slice !== undefined) {
        object = slice;
        continue;
      }
      const index = readExpression(scan);
      scan.expect(']');
      object = { kind: 'index', span: scan.spanFrom(start), object, index, optional };
    } else if (optional || scan.take('.')) {
      const name = scan.name('the name of a member');
      object = { kind: 'member', span: scan.spanFrom(start), object, name, optional };
    } else {
      return object;
    }
  }
}

/** After `[`: the rest of a slice, or undefined where it is an index. */
function readSliceRest(scan: Scanner, object: Expression, start: number): Slice | undefined {
  if (!scan.takeWord('slice')) return undefined;
  const lower = scan.sees(':') ? undefined : readOperand(scan);
  scan.expect(':');
  const upper = scan.sees(':') || scan.sees(']') ? undefined : readOperand(scan);
  const step = scan.take(':') ? readOperand(scan) : undefined;
  scan.expect(']');
  return {
    kind: 'slice',
    span: scan.spanFrom(start),
    object,
    ...(lower === undefined ? {} : { lower }),
    ...(upper === undefined ? {} : { upper }),
    ...(step === undefined ? {} : { step }),
  };
}

function readPrimary(scan: Scanner): Expression {
  const start = scan.position;
  if (scan.sees('"')) return constantFrom(scan, start, { type: 'string', value: scan.string('text') });
  if (scan.sees('%')) return readLocal(scan);
  if (scan.sees('@')) return readModuleVariable(scan);
  if (scan.sees('<')) {
    const identity = scan.identity();
    return { kind: 'external', span: scan.spanFrom(start), identity };
  }
  if (scan.take('(')) return readParenthesis(scan, start);
  const float = scan.takeMatch(FLOAT);
  if (float !== undefined) return constantFrom(scan, start, { type: 'float', value: Number(float[1]) });
  const int = scan.takeMatch(INT);
  if (int !== undefined) return constantFrom(scan, start, { type: 'int', value: int[0] });
  return readWord(scan, start);
}

function constantFrom(scan: Scanner, start: number, value: ConstantValue): Constant {
  return { kind: 'constant', span: scan.spanFrom(start), value };
}

/** `(t := v)`, or parentheses that only group. */
function readParenthesis(scan: Scanner, start: number): Expression {
  const at = scan.position;
  const first = scan.sees('[') ? readTarget(scan) : readExpression(scan);
  if (scan.take(':=')) {
    const value = readExpression(scan);
    const target = asTarget(scan, first, at);
    scan.expect(')');
    return { kind: 'assign-expression', span: scan.spanFrom(start), target, value };
  }
  if (first.kind === 'unpack') throw scan.error('":="');
  scan.expect(')');
  return first;
}

/** Everything that begins with a word and ends by itself. */
function readWord(scan: Scanner, start: number): Expression {
  const word = scan.word();
  if (word !== '') scan.takeWord(word);
  switch (word) {
    case 'null':
    case 'undefined':
      return constantFrom(scan, start, { type: word });
    case 'true':
    case 'false':
      return constantFrom(scan, start, { type: 'boolean', value: word === 'true' });
    case 'b':
      return constantFrom(scan, start, { type: 'bytes', hex: scan.string('hexadecimal text') });
    case 'int':
      return constantFrom(scan, start, { type: 'int', value: inParentheses(scan, () => scan.string('the text of a number')) });
    case 'special':
      return constantFrom(scan, start, { type: 'special', name: inParentheses(scan, () => scan.name('a name')) });
    case 'float':
      return constantFrom(scan, start, { type: 'float', value: inParentheses(scan, () => readNonFinite(scan)) });
    case 'list':
    case 'tuple':
    case 'set':
      return readDisplay(scan, start, word);
    case 'record': {
      const entries = readList(scan, '{', '}', () => readEntry(scan));
      return { kind: 'record', span: scan.spanFrom(start), entries };
    }
    case 'comprehension':
      return readComprehension(scan, start);
    case 'call': {
      const callee = readPostfix(scan);
      const optional = scan.take('?.');
      const args = readArguments(scan);
      return { kind: 'call', span: scan.spanFrom(start), callee, arguments: args, optional };
    }
    case 'new': {
      const callee = readPostfix(scan);
      const args = readArguments(scan);
      return { kind: 'new', span: scan.spanFrom(start), callee, arguments: args };
    }
    case 'binary': {
      const operator = scan.path('an operator such as py.add');
      const [left, right] = readPair(scan);
      return { kind: 'binary', span: scan.spanFrom(start), operator, left, right };
    }
    case 'and':
    case 'or':
    case 'nullish': {
      const [left, right] = readPair(scan);
      return { kind: 'logical', span: scan.spanFrom(start), operator: word, left, right };
    }
    case 'template': {
      const parts = readList(scan, '(', ')', () => readTemplatePart(scan));
      return { kind: 'template', span: scan.spanFrom(start), parts };
    }
    case 'if':
    case 'yield':
      throw scan.refuse(`"${word}" needs parentheses here`, start);
    default:
      throw scan.error(EXPRESSION, start);
  }
}

function readNonFinite(scan: Scanner): number {
  if (scan.take('-Infinity')) return -Infinity;
  if (scan.takeWord('Infinity')) return Infinity;
  scan.expectWord('NaN');
  return NaN;
}

function readDisplay(scan: Scanner, start: number, as: ListDisplay['as']): Expression {
  const elements = readList(scan, '[', ']', (): Element => ({ kind: scan.take('...') ? 'spread' : 'item', value: readExpression(scan) }));
  return { kind: 'list', span: scan.spanFrom(start), as, elements };
}

function readEntry(scan: Scanner): Entry {
  if (scan.take('...')) return { kind: 'spread', value: readExpression(scan) };
  const key = readExpression(scan);
  scan.expect(':');
  return { kind: 'entry', key, value: readExpression(scan) };
}

function readComprehension(scan: Scanner, start: number): Comprehension {
  const as = scan.word();
  if (!isComprehension(as)) throw scan.error('list, set, record or generator');
  scan.takeWord(as);
  const scope = scan.path('the id of a scope');
  scan.expect('(');
  const parts = scan.within(scope, () => {
    const first = readOperand(scan);
    const parted = scan.take(':') ? { key: first, value: readOperand(scan) } : { value: first };
    const clauses: Clause[] = [];
    while (!scan.sees(')')) clauses.push(readClause(scan));
    return { ...parted, clauses };
  });
  scan.expect(')');
  return { kind: 'comprehension', span: scan.spanFrom(start), as, scope, ...parts };
}

function isComprehension(text: string): text is Comprehension['as'] {
  return Object.hasOwn(COMPREHENSIONS, text);
}

function readClause(scan: Scanner): Clause {
  if (scan.takeWord('if')) return { kind: 'if', test: readOperand(scan) };
  const async = scan.takeWord('async');
  if (!scan.takeWord('for')) throw scan.error(async ? '"for"' : '"for", "if" or ")"');
  const target = readTarget(scan);
  scan.expectWord('in');
  return { kind: 'for', target, iterable: readOperand(scan), async };
}

function readArguments(scan: Scanner): Argument[] {
  return readList(scan, '(', ')', () => {
    if (scan.take('...:')) return { kind: 'spread-keywords', value: readExpression(scan) };
    if (scan.take('...')) return { kind: 'spread', value: readExpression(scan) };
    if (!scan.looksAt(KEYWORD)) return { kind: 'positional', value: readExpression(scan) };
    const name = scan.name('a keyword');
    scan.expect('=');
    return { kind: 'keyword', name, value: readExpression(scan) };
  });
}

function readTemplatePart(scan: Scanner): TemplatePart {
  const name = scan.sees('"') ? scan.string('text') : undefined;
  if (name !== undefined && (scan.sees(',') || scan.sees(')'))) return { kind: 'text', text: name };
  const conversion = name ?? scan.name('text, or a conversion such as str');
  const value = readOperand(scan);
  if (!scan.take(':')) return { kind: 'value', value, conversion };
  scan.expectWord('template');
  return { kind: 'value', value, conversion, format: scan.nested(() => readList(scan, '(', ')', () => readTemplatePart(scan))) };
}

function readPair(scan: Scanner): readonly [Expression, Expression] {
  scan.expect('(');
  const left = readExpression(scan);
  scan.expect(',');
  const right = readExpression(scan);
  scan.expect(')');
  return [left, right];
}

/** Items separated by commas; a comma after the last is allowed to the hand that writes. */
export function readList<Item>(scan: Scanner, open: string, close: string, readItem: () => Item): Item[] {
  scan.expect(open);
  const items: Item[] = [];
  while (!scan.take(close)) {
    items.push(readItem());
    if (!scan.take(',') && !scan.sees(close)) throw scan.error(`"," or "${close}"`);
  }
  return items;
}

function inParentheses<Result>(scan: Scanner, read: () => Result): Result {
  scan.expect('(');
  const result = read();
  scan.expect(')');
  return result;
}

export function readLocal(scan: Scanner): Local {
  const start = scan.position;
  scan.expect('%');
  const { owner = scan.owner, name } = scan.qualifiedName('the name of a local variable');
  if (owner === undefined) throw scan.refuse(`outside of functions a local variable names its owner: %owner::${name}`, start);
  return { kind: 'local', span: scan.spanFrom(start), name, owner };
}

export function readModuleVariable(scan: Scanner): ModuleVariable {
  const start = scan.position;
  scan.expect('@');
  const { owner: module, name } = scan.qualifiedName('a module and a name');
  if (module === undefined) throw scan.refuse(`a module variable names its module: @module::${name}`, start);
  return { kind: 'module-variable', span: scan.spanFrom(start), module, name };
}

/** Where one variable is bound. */
export function readVariable(scan: Scanner): Local | ModuleVariable {
  if (scan.sees('@')) return readModuleVariable(scan);
  if (scan.sees('%')) return readLocal(scan);
  throw scan.error('a variable such as %x or @module::x');
}

export function readTarget(scan: Scanner): Target {
  const start = scan.position;
  if (!scan.sees('[')) return asTarget(scan, readOperand(scan), start);
  const elements = scan.nested(() =>
    readList(scan, '[', ']', () => {
      const starred = scan.take('*');
      return { target: readTarget(scan), starred };
    }),
  );
  return { kind: 'unpack', span: scan.spanFrom(start), elements };
}

export function asTarget(scan: Scanner, node: Expression | Target, at: number): Target {
  if (!isTarget(node)) throw scan.refuse(`expected something to assign to, found an expression of kind ${node.kind}`, at);
  return node;
}

function isTarget(node: Expression | Target): node is Target {
  return Object.hasOwn(TARGETS, node.kind);
}
