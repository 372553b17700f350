/**
 * Reads the tokens of the printed form. The parser says which token it wants next, since the same characters are a name in
 * one place and part of an id in another. Space, line ends and comments (from `;` to the end of the line) separate tokens;
 * the scanner remembers whether a line ended, because a statement ends there. Errors name line, column and what was expected.
 */
import { FcdError } from '../base/errors.js';
import { IR_DEPTH_MAX } from '../base/limits.js';
import type { FunctionId } from './nodes.js';
import type { Span } from './span.js';
import { IDENTITY, NAME, PATH, PATH_BEFORE_NAME, SPAN, STRING, WORD } from './text-form.js';

export type IrSyntaxErrorCode = 'ir-syntax' | 'ir-too-deep';

export class IrSyntaxError extends FcdError<IrSyntaxErrorCode> {}

const SPACE = /(?:[ \t\r\n]|;[^\n]*)*/y;
/** How much of the text an error shows as found. */
const FOUND_CHARACTERS_MAX = 20;

export class Scanner {
  /** The activation whose code is being read: it owns the locals written without owner. */
  owner: FunctionId | undefined;
  readonly #text: string;
  readonly #file: string;
  readonly #lineStarts: readonly number[];
  #at = 0;
  /** Where the last token ended; synthetic spans end here. */
  #end = 0;
  #newline = false;
  #depth = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
    this.#lineStarts = [0, ...Array.from(text.matchAll(/\n/g), (match) => match.index + 1)];
    this.#skipSpace();
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** A line ended between the last token and the next. */
  get afterNewline(): boolean {
    return this.#newline;
  }

  /** Nothing more stands on the line of the last token. */
  get endsLine(): boolean {
    return this.#newline || this.#at >= this.#text.length;
  }

  /** Where the next token begins. */
  get position(): number {
    return this.#at;
  }

  /** Whether the pattern, which is sticky, matches at the next token. */
  looksAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text);
  }

  sees(symbol: string): boolean {
    return this.#text.startsWith(symbol, this.#at);
  }

  take(symbol: string): boolean {
    if (!this.sees(symbol)) return false;
    this.#advance(symbol.length);
    return true;
  }

  expect(symbol: string): void {
    if (!this.take(symbol)) throw this.error(quoted(symbol));
  }

  /** The word at the next token, without taking it. */
  word(): string {
    return this.#match(WORD)?.[0] ?? '';
  }

  takeWord(word: string): boolean {
    if (this.word() !== word) return false;
    this.#advance(word.length);
    return true;
  }

  expectWord(word: string): void {
    if (!this.takeWord(word)) throw this.error(quoted(word));
  }

  takeMatch(pattern: RegExp): RegExpExecArray | undefined {
    const match = this.#match(pattern);
    if (match !== undefined) this.#advance(match[0].length);
    return match;
  }

  /** A bare or quoted name. */
  name(what: string): string {
    return this.sees('"') ? this.string(what) : this.#bare(NAME, what);
  }

  /** A bare or quoted id, file or operator. */
  path(what: string): string {
    return this.sees('"') ? this.string(what) : this.#bare(PATH, what);
  }

  string(what: string): string {
    const match = this.#match(STRING);
    if (match === undefined) throw this.error(this.sees('"') ? 'text that closes on its line' : `${what} in quotes`);
    const text = this.#unquote(match[0]);
    this.#advance(match[0].length);
    return text;
  }

  /** `<py:git>` or `<"…">`. */
  identity(): string {
    const match = this.takeMatch(IDENTITY);
    if (match?.[1] !== undefined) return match[1];
    if (!this.sees('<')) throw this.error('an identity such as <py:git>');
    this.expect('<');
    const text = this.string('an identity such as <py:git>, or one');
    this.expect('>');
    return text;
  }

  /** After `%` or `@`: `owner::name`, or a name alone. */
  qualifiedName(what: string): { readonly owner?: string; readonly name: string } {
    const path = this.takeMatch(PATH_BEFORE_NAME);
    if (path !== undefined) {
      this.expect('::');
      return { owner: path[0], name: this.name(what) };
    }
    const name = this.name(what);
    return this.take('::') ? { owner: name, name: this.name(what) } : { name };
  }

  /** The span of what began at `start` and ends here: its annotation, or else its place in this text. */
  spanFrom(start: number): Span {
    const end = this.#end;
    return this.annotation() ?? this.#spanBetween(start, end);
  }

  /** `@file:line:column-line:column`, where there is one. */
  annotation(): Span | undefined {
    const match = this.takeMatch(SPAN);
    if (match === undefined) return undefined;
    const [, file = '', line, column, endLine, endColumn] = match;
    return {
      file: file.startsWith('"') ? this.#unquote(file) : file,
      line: Number(line),
      column: Number(column),
      endLine: Number(endLine),
      endColumn: Number(endColumn),
    };
  }

  /** Runs `read` with locals owned by `owner`. */
  within<Result>(owner: FunctionId | undefined, read: () => Result): Result {
    const outer = this.owner;
    this.owner = owner;
    const result = read();
    this.owner = outer;
    return result;
  }

  /** Runs `read` one level deeper, so that hostile nesting is an error and not a broken stack. */
  nested<Result>(read: () => Result): Result {
    if (this.#depth >= IR_DEPTH_MAX) {
      throw new IrSyntaxError('ir-too-deep', `${this.#describe(this.#at)}: nested deeper than ${IR_DEPTH_MAX} levels`, { place: this.#place(this.#at) });
    }
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  error(expected: string, at = this.#at): IrSyntaxError {
    return new IrSyntaxError('ir-syntax', `${this.#describe(at)}: expected ${expected}, found ${this.#found(at)}`, { place: this.#place(at) });
  }

  /** For what is well spelled and still wrong. */
  refuse(message: string, at = this.#at): IrSyntaxError {
    return new IrSyntaxError('ir-syntax', `${this.#describe(at)}: ${message}`, { place: this.#place(at) });
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text) ?? undefined;
  }

  #bare(pattern: RegExp, what: string): string {
    const match = this.takeMatch(pattern);
    if (match === undefined) throw this.error(what);
    return match[0];
  }

  #unquote(literal: string): string {
    try {
      return String(JSON.parse(literal));
    } catch {
      throw this.refuse(`the quoted text ${literal.slice(0, FOUND_CHARACTERS_MAX)} has an escape that JSON does not know`);
    }
  }

  #advance(length: number): void {
    this.#at += length;
    this.#end = this.#at;
    this.#skipSpace();
  }

  #skipSpace(): void {
    const space = this.#match(SPACE)?.[0] ?? '';
    this.#newline = space.includes('\n');
    this.#at += space.length;
  }

  #found(at: number): string {
    if (at >= this.#text.length) return 'the end of the text';
    const rest = this.#text.slice(at, at + FOUND_CHARACTERS_MAX);
    return quoted(/^(?:[\p{ID_Continue}$]+|.)/u.exec(rest)?.[0] ?? rest.slice(0, 1));
  }

  #describe(at: number): string {
    const place = this.#place(at);
    return `${place.file}:${place.line}:${place.column}`;
  }

  #place(at: number): { readonly file: string; readonly line: number; readonly column: number } {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { file: this.#file, line: low + 1, column: at - (this.#lineStarts[low] ?? 0) + 1 };
  }

  #spanBetween(start: number, end: number): Span {
    const from = this.#place(start);
    const to = this.#place(end);
    return { file: this.#file, line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
  }
}

function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
