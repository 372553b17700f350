/**
 * Parameters in Python's way of writing, for every language: `path=None, /, *words, key=None, **options`. Defaults are
 * constants in CEL; `None`, `True` and `False` are read as `null`, `true` and `false`.
 */
import { parseCel } from './cel-parse.js';
import type { CelNode } from './cel.js';
import type { EntryParameter } from './inventory.js';

export type ParametersParse =
  | { readonly kind: 'parsed'; readonly parameters: readonly EntryParameter[] }
  | {
      readonly kind: 'failed';
      readonly code: 'parameters-syntax' | 'default-not-constant' | 'cel-syntax' | 'cel-unsupported';
      readonly message: string;
      readonly offset: number;
    };

interface Piece {
  readonly text: string;
  readonly offset: number;
}

const NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
/** Names that expressions use for something else. */
const RESERVED: ReadonlySet<string> = new Set(['self', 'result', '_', 'true', 'false', 'null', 'in']);
const PYTHON_CONSTANTS: ReadonlyMap<string, string> = new Map([
  ['None', 'null'],
  ['True', 'true'],
  ['False', 'false'],
]);

class ParametersFailure extends Error {
  readonly result: Extract<ParametersParse, { kind: 'failed' }>;

  constructor(code: Extract<ParametersParse, { kind: 'failed' }>['code'], message: string, offset: number) {
    super(message);
    this.result = { kind: 'failed', code, message, offset };
  }
}

export function parseParameters(text: string): ParametersParse {
  try {
    return { kind: 'parsed', parameters: read(text) };
  } catch (error) {
    if (error instanceof ParametersFailure) return error.result;
    throw error;
  }
}

function read(text: string): EntryParameter[] {
  const parameters: EntryParameter[] = [];
  let starSeen = false;
  let slashSeen = false;
  let bareStar: Piece | undefined;
  for (const piece of splitAtCommas(text)) {
    const syntax = (message: string): ParametersFailure => new ParametersFailure('parameters-syntax', message, piece.offset);
    if (parameters.at(-1)?.kind === 'keyword-rest') throw syntax('nothing may follow the ** parameter');
    if (piece.text === '/') {
      if (slashSeen || starSeen || parameters.length === 0) throw syntax('"/" stands once, after at least one parameter and before "*"');
      slashSeen = true;
      for (const [index, parameter] of parameters.entries()) parameters[index] = { ...parameter, kind: 'positional-only' };
      continue;
    }
    if (piece.text === '*') {
      if (starSeen) throw syntax('a second "*"');
      starSeen = true;
      bareStar = piece;
      continue;
    }
    const parameter = readOne(piece, starSeen);
    if (parameters.some((other) => other.name === parameter.name)) throw syntax(`the parameter "${parameter.name}" appears twice`);
    if (parameter.kind === 'rest') {
      if (starSeen) throw syntax('a second "*"');
      starSeen = true;
    }
    const defaulted = parameters.some((other) => other.kind === 'positional' && other.default !== undefined);
    if (parameter.kind === 'positional' && parameter.default === undefined && defaulted) {
      throw syntax(`the required parameter "${parameter.name}" follows one with a default`);
    }
    if (parameter.kind === 'keyword-only') bareStar = undefined;
    parameters.push(parameter);
  }
  if (bareStar !== undefined) throw new ParametersFailure('parameters-syntax', 'no keyword parameter follows the bare "*"', bareStar.offset);
  return parameters;
}

function readOne(piece: Piece, afterStar: boolean): EntryParameter {
  const stars = /^\*{0,2}/.exec(piece.text)?.[0] ?? '';
  const equals = piece.text.indexOf('=');
  const name = (equals === -1 ? piece.text.slice(stars.length) : piece.text.slice(stars.length, equals)).trim();
  if (!NAME.test(name)) throw new ParametersFailure('parameters-syntax', `"${piece.text}" is not a parameter`, piece.offset);
  if (RESERVED.has(name)) throw new ParametersFailure('parameters-syntax', `"${name}" is reserved in expressions and cannot name a parameter`, piece.offset);
  const kind = stars === '**' ? 'keyword-rest' : stars === '*' ? 'rest' : afterStar ? 'keyword-only' : 'positional';
  if (equals === -1) return { name, kind };
  if (stars !== '') throw new ParametersFailure('parameters-syntax', `"${stars}${name}" cannot have a default`, piece.offset);
  const written = piece.text.slice(equals + 1);
  const offset = piece.offset + equals + 1 + (written.length - written.trimStart().length);
  const value = PYTHON_CONSTANTS.get(written.trim()) ?? written.trim();
  const parsed = parseCel(value);
  if (parsed.kind === 'failed') throw new ParametersFailure(parsed.code, `the default of "${name}": ${parsed.message}`, offset + parsed.offset);
  if (!isConstant(parsed.ast)) throw new ParametersFailure('default-not-constant', `the default of "${name}" is not a constant`, offset);
  return { name, kind, default: { text: value, ast: parsed.ast } };
}

export function isConstant(node: CelNode): boolean {
  switch (node.kind) {
    case 'literal':
      return true;
    case 'list':
      return node.elements.every(isConstant);
    case 'map':
      return node.entries.every((entry) => isConstant(entry.key) && isConstant(entry.value));
    case 'identifier':
    case 'select':
    case 'has':
    case 'index':
    case 'call':
    case 'and':
    case 'or':
    case 'conditional':
    case 'macro':
      return false;
  }
}

/** Commas inside quotes and brackets do not split. An empty text has no pieces; an empty piece is an error, but for one trailing comma. */
function splitAtCommas(text: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  const cut = (end: number): void => {
    const raw = text.slice(start, end);
    pieces.push({ text: raw.trim(), offset: start + (raw.length - raw.trimStart().length) });
    start = end + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '[' || character === '{' || character === '(') depth += 1;
    else if (character === ']' || character === '}' || character === ')') depth -= 1;
    else if (character === ',' && depth === 0) cut(at);
  }
  if (quote !== '' || depth !== 0) throw new ParametersFailure('parameters-syntax', 'a quote or bracket that is not closed', 0);
  if (text.slice(start).trim() !== '') cut(text.length);
  const empty = pieces.find((piece) => piece.text === '');
  if (empty !== undefined) throw new ParametersFailure('parameters-syntax', 'an empty parameter', empty.offset);
  return pieces;
}
