/**
 * A strict JSON parser (RFC 8259) for documents that are signed, digested or come from a stranger. It refuses what other
 * parsers silently change: duplicate keys, lone surrogates, integers that a double cannot hold, numbers that overflow,
 * nesting over the limit, a byte-order mark. Errors carry line and column. It does no schema checking.
 */
import { hasLoneSurrogate, JsonError, type JsonErrorCode, type JsonObject, type JsonValue } from './canonical-json.js';
import { JSON_DEPTH_MAX } from './limits.js';

export interface ParseJsonOptions {
  /** How errors name the text: the file as the user knows it. */
  readonly file?: string;
}

export function parseJsonStrict(text: string, options: ParseJsonOptions = {}): JsonValue {
  return new StrictJsonParser(text, options.file ?? 'JSON').parseDocument();
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const UNICODE_ESCAPE = /^[0-9a-fA-F]{4}$/;
const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class StrictJsonParser {
  readonly #text: string;
  readonly #file: string;
  #at = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  parseDocument(): JsonValue {
    this.#skipSpace();
    const value = this.#parseValue(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#error('json-syntax', 'text after the end of the document', this.#at);
    return value;
  }

  #parseValue(depth: number): JsonValue {
    const next = this.#text[this.#at];
    switch (next) {
      case '{':
        return this.#parseObject(depth);
      case '[':
        return this.#parseArray(depth);
      case '"':
        return this.#parseString();
      case 't':
        return this.#parseWord('true', true);
      case 'f':
        return this.#parseWord('false', false);
      case 'n':
        return this.#parseWord('null', null);
      case undefined:
        throw this.#error('json-syntax', 'the document ends where a value is expected', this.#at);
      default:
        return this.#parseNumber();
    }
  }

  #parseObject(depth: number): JsonObject {
    this.#enter(depth);
    const members: Record<string, JsonValue> = {};
    this.#skipSpace();
    if (this.#take('}')) return members;
    for (;;) {
      this.#skipSpace();
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') throw this.#error('json-syntax', 'expected a member name in quotes', keyAt);
      const key = this.#parseString();
      if (Object.hasOwn(members, key)) throw this.#error('json-duplicate-key', `the key ${JSON.stringify(key)} appears twice`, keyAt);
      this.#skipSpace();
      if (!this.#take(':')) throw this.#error('json-syntax', 'expected ":" after a member name', this.#at);
      this.#skipSpace();
      // Defined, not assigned: `__proto__` is a name like any other here.
      Object.defineProperty(members, key, { value: this.#parseValue(depth + 1), enumerable: true, writable: true, configurable: true });
      this.#skipSpace();
      if (this.#take('}')) return members;
      if (!this.#take(',')) throw this.#error('json-syntax', 'expected "," or "}"', this.#at);
    }
  }

  #parseArray(depth: number): JsonValue[] {
    this.#enter(depth);
    const items: JsonValue[] = [];
    this.#skipSpace();
    if (this.#take(']')) return items;
    for (;;) {
      this.#skipSpace();
      items.push(this.#parseValue(depth + 1));
      this.#skipSpace();
      if (this.#take(']')) return items;
      if (!this.#take(',')) throw this.#error('json-syntax', 'expected "," or "]"', this.#at);
    }
  }

  #parseString(): string {
    const start = this.#at;
    this.#at += 1;
    let value = '';
    for (;;) {
      PLAIN_TEXT.lastIndex = this.#at;
      const plain = PLAIN_TEXT.exec(this.#text)?.[0] ?? '';
      value += plain;
      this.#at += plain.length;
      const stop = this.#text[this.#at];
      if (stop === '"') break;
      if (stop === '\\') value += this.#parseEscape();
      else if (stop === undefined) throw this.#error('json-syntax', 'text without a closing quote', start);
      else throw this.#error('json-syntax', 'control character in text', this.#at);
    }
    this.#at += 1;
    if (hasLoneSurrogate(value)) throw this.#error('json-lone-surrogate', 'text with a lone surrogate', start);
    return value;
  }

  #parseEscape(): string {
    const letter = this.#text[this.#at + 1] ?? '';
    if (letter === 'u') {
      const hex = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!UNICODE_ESCAPE.test(hex)) throw this.#error('json-syntax', 'expected four hex digits after \\u', this.#at);
      this.#at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const meaning = SIMPLE_ESCAPES.get(letter);
    if (meaning === undefined) throw this.#error('json-syntax', 'unknown escape in text', this.#at);
    this.#at += 2;
    return meaning;
  }

  #parseNumber(): number {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) throw this.#error('json-syntax', 'expected a value', this.#at);
    const value = Number(match[0]);
    const isInteger = match[1] === undefined && match[2] === undefined;
    if (!Number.isFinite(value)) throw this.#error('json-inexact-number', `the number ${match[0]} is too large`, this.#at);
    if (isInteger && !Number.isSafeInteger(value)) {
      throw this.#error('json-inexact-number', `the integer ${match[0]} is beyond what every JSON reader keeps exactly`, this.#at);
    }
    this.#at += match[0].length;
    return value;
  }

  #parseWord<Value extends JsonValue>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw this.#error('json-syntax', 'expected a value', this.#at);
    this.#at += word.length;
    return value;
  }

  #enter(depth: number): void {
    if (depth >= JSON_DEPTH_MAX) throw this.#error('json-too-deep', `nested deeper than ${JSON_DEPTH_MAX} levels`, this.#at);
    this.#at += 1;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const next = this.#text[this.#at];
      if (next !== ' ' && next !== '\n' && next !== '\r' && next !== '\t') return;
      this.#at += 1;
    }
  }

  #error(code: JsonErrorCode, message: string, at: number): JsonError {
    const before = this.#text.slice(0, at).split('\n');
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    return new JsonError(code, `${this.#file}:${line}:${column}: ${message}`, { place: { file: this.#file, line, column } });
  }
}
