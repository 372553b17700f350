/**
 * CEL text to `CelNode`. Parsing is the library's; the conversion is exhaustive over its operators, and what fcd has no
 * meaning for (bytes, unsigned integers, optionals, two-variable or filtering macros) is an error with its offset. Whether
 * names and functions exist is the linter's question.
 */
import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js';
import { hasLoneSurrogate } from '../base/canonical-json.js';
import { unreachable } from '../base/errors.js';
import { CEL_BYTES_MAX, CEL_DEPTH_MAX } from '../base/limits.js';
import type { CelNode } from './cel.js';

export type CelParse =
  | { readonly kind: 'parsed'; readonly ast: CelNode }
  /** `offset` counts UTF-16 units from the start of the text. */
  | { readonly kind: 'failed'; readonly code: 'cel-syntax' | 'cel-unsupported'; readonly message: string; readonly offset: number };

const MACROS = ['all', 'exists', 'filter', 'map'] as const;
type Macro = (typeof MACROS)[number];

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  limits: { maxAstNodes: 10_000, maxDepth: CEL_DEPTH_MAX, maxListElements: 1_000, maxMapEntries: 1_000, maxCallArguments: 32 },
});

class CelUnsupported extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export function parseCel(text: string): CelParse {
  if (Buffer.byteLength(text) > CEL_BYTES_MAX) {
    return { kind: 'failed', code: 'cel-unsupported', message: `the expression is longer than ${CEL_BYTES_MAX} bytes`, offset: 0 };
  }
  try {
    return { kind: 'parsed', ast: convert(environment.parse(text).ast) };
  } catch (error) {
    if (error instanceof CelUnsupported) {
      return { kind: 'failed', code: 'cel-unsupported', message: error.message, offset: error.offset };
    }
    if (error instanceof ParseError) {
      const summary = error.message.split('\n')[0] ?? error.message;
      return { kind: 'failed', code: 'cel-syntax', message: summary, offset: error.range?.start ?? 0 };
    }
    throw error;
  }
}

function convert(node: ASTNode): CelNode {
  switch (node.op) {
    case 'value':
      return { kind: 'literal', value: literal(node.args, node.range.start) };
    case 'id':
      return { kind: 'identifier', name: node.args };
    case '.':
      return { kind: 'select', operand: convert(node.args[0]), field: node.args[1] };
    case '[]':
      return { kind: 'index', operand: convert(node.args[0]), index: convert(node.args[1]) };
    case 'list':
      return { kind: 'list', elements: node.args.map(convert) };
    case 'map':
      return { kind: 'map', entries: node.args.map(([key, value]) => ({ key: convert(key), value: convert(value) })) };
    case '&&':
      return { kind: 'and', left: convert(node.args[0]), right: convert(node.args[1]) };
    case '||':
      return { kind: 'or', left: convert(node.args[0]), right: convert(node.args[1]) };
    case '?:':
      return { kind: 'conditional', test: convert(node.args[0]), then: convert(node.args[1]), otherwise: convert(node.args[2]) };
    case '!_':
      return { kind: 'call', function: '!', arguments: [convert(node.args)] };
    case '-_':
      return negation(node.args);
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return { kind: 'call', function: node.op, arguments: node.args.map(convert) };
    case 'call':
      return freeCall(node.args[0], node.args[1], node.range.start);
    case 'rcall':
      return memberCall(node.args[0], node.args[1], node.args[2], node.range.start);
    case '.?':
    case '[?]':
      throw new CelUnsupported('optional access is not supported', node.range.start);
    default:
      return unreachable(node);
  }
}

function literal(value: unknown, offset: number): null | boolean | string | number | bigint {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') {
    if (hasLoneSurrogate(value)) throw new CelUnsupported('text with half of a surrogate pair', offset);
    return value;
  }
  if (typeof value === 'bigint') {
    if (value > INTEGER_MAX) throw new CelUnsupported('an integer beyond 64 bits', offset);
    return value;
  }
  throw new CelUnsupported('bytes and unsigned integers are not supported', offset);
}

/** A minus before a number is part of the number, so that the smallest integer can be written. */
function negation(operand: ASTNode): CelNode {
  if (operand.op === 'value' && typeof operand.args === 'bigint' && -operand.args >= INTEGER_MIN) {
    return { kind: 'literal', value: -operand.args };
  }
  if (operand.op === 'value' && typeof operand.args === 'number') return { kind: 'literal', value: -operand.args };
  return { kind: 'call', function: 'neg', arguments: [convert(operand)] };
}

function freeCall(name: string, args: readonly ASTNode[], offset: number): CelNode {
  if (name !== 'has') return { kind: 'call', function: name, arguments: args.map(convert) };
  const [only] = args;
  if (args.length !== 1 || only?.op !== '.') throw new CelUnsupported('has() takes one member access such as has(args.target)', offset);
  return { kind: 'has', operand: convert(only.args[0]), field: only.args[1] };
}

function memberCall(name: string, target: ASTNode, args: readonly ASTNode[], offset: number): CelNode {
  if (!isMacro(name)) return { kind: 'call', function: name, target: convert(target), arguments: args.map(convert) };
  const [variable, body] = args;
  if (args.length !== 2 || variable?.op !== 'id' || body === undefined) {
    throw new CelUnsupported(`${name}() takes one variable and one expression`, offset);
  }
  return { kind: 'macro', macro: name, range: convert(target), variable: variable.args, body: convert(body) };
}

function isMacro(name: string): name is Macro {
  return (MACROS as readonly string[]).includes(name);
}
