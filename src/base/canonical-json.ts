/**
 * Canonical JSON (RFC 8785). Equal values have equal text; what has no exact JSON form (NaN, Infinity, lone surrogates,
 * undefined, functions, bigint, class instances, sparse arrays, cycles) is an error instead of being left out.
 */
import { FcdError } from './errors.js';
import { JSON_DEPTH_MAX } from './limits.js';

export type JsonPrimitive = string | number | boolean | null;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
export type JsonValue = JsonPrimitive | JsonArray | JsonObject;

export type JsonErrorCode = 'json-not-representable' | 'json-syntax' | 'json-duplicate-key' | 'json-lone-surrogate' | 'json-inexact-number' | 'json-too-deep';

export class JsonError extends FcdError<JsonErrorCode> {}

const LONE_SURROGATE = /\p{Surrogate}/u;

export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

export function canonicalJson(value: unknown): string {
  return write(value, '$', 0);
}

function write(value: unknown, path: string, depth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, path);
    case 'number':
      if (!Number.isFinite(value)) throw notRepresentable(path, String(value));
      // ECMAScript's number-to-string is the form that RFC 8785 section 3.2.2.3 prescribes.
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth >= JSON_DEPTH_MAX) {
        throw new JsonError('json-too-deep', `${path}: nested deeper than ${JSON_DEPTH_MAX} levels (or a cycle)`);
      }
      return Array.isArray(value) ? writeArray(value, path, depth) : writeObject(value, path, depth);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      throw notRepresentable(path, typeof value);
  }
}

function writeString(text: string, path: string): string {
  if (hasLoneSurrogate(text)) throw new JsonError('json-lone-surrogate', `${path}: text with a lone surrogate has no UTF-8 form`);
  return JSON.stringify(text);
}

function writeArray(items: readonly unknown[], path: string, depth: number): string {
  // By index, so that a hole is seen as undefined and refused.
  return `[${Array.from(items, (item, index) => write(item, `${path}[${index}]`, depth + 1)).join(',')}]`;
}

function writeObject(value: object, path: string, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) throw notRepresentable(path, 'an instance of a class');
  if (Object.getOwnPropertySymbols(value).length > 0) throw notRepresentable(path, 'an object with symbol keys');
  const members = Object.entries(value) as [string, unknown][];
  // Default comparison is by UTF-16 code units, as RFC 8785 section 3.2.3 asks.
  members.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${writeString(key, path)}:${write(member, `${path}.${key}`, depth + 1)}`).join(',')}}`;
}

function notRepresentable(path: string, what: string): JsonError {
  return new JsonError('json-not-representable', `${path}: ${what} has no JSON form`);
}
