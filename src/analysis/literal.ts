/**
 * The arguments of a concrete call, with the spelling of numbers: to most languages `1` and `1.0` are values of two
 * types. Read from JSON text, or from parsed JSON whose numbers are then spelled canonically (RFC 8785).
 */
import type { JsonValue } from '../base/canonical-json.js';
import { parseJsonStrict } from '../base/parse-json.js';
import { listOf } from './construct.js';
import { TRUE } from './guards.js';
import type { Store } from './store.js';
import type { TermId } from './terms.js';

export type Literal =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly lexeme: string }
  | { readonly kind: 'array'; readonly items: readonly Literal[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Literal> };

export function literalOf(value: JsonValue): Literal {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value === 'number') return { kind: 'number', lexeme: JSON.stringify(value) };
  if (isArray(value)) return { kind: 'array', items: value.map(literalOf) };
  return { kind: 'object', members: new Map(Object.entries(value).map(([key, member]) => [key, literalOf(member)])) };
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

const STRING_OR_KEY = /("(?:[^"\\]|\\.)*")(\s*:)?/g;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Strict JSON text; throws the errors of `parseJsonStrict`. */
export function parseLiteral(text: string, file?: string): Literal {
  parseJsonStrict(text, file === undefined ? {} : { file });
  // The grammar is vouched for; now the same text gives the spelling of its numbers. A JavaScript object lists keys that
  // look like integers first, so every key gets a letter in front and keeps its place.
  const lexemes = [...text.matchAll(STRING_OR_NUMBER)].map((match) => match[0]).filter((token) => !token.startsWith('"'));
  const marked = parseJsonStrict(
    text.replace(STRING_OR_KEY, (all, key: string, colon: string | undefined) => (colon === undefined ? all : `"k${key.slice(1)}${colon}`)),
  );
  let at = 0;
  const spell = (literal: Literal): Literal => {
    switch (literal.kind) {
      case 'number':
        at += 1;
        return { kind: 'number', lexeme: lexemes[at - 1] ?? literal.lexeme };
      case 'array':
        return { kind: 'array', items: literal.items.map(spell) };
      case 'object':
        return { kind: 'object', members: new Map([...literal.members].map(([key, member]) => [key.slice(1), spell(member)])) };
      case 'null':
      case 'boolean':
      case 'string':
        return literal;
    }
  };
  return spell(literalOf(marked));
}

const FLOAT_LEXEME = /[.eE]/;

export function literalTerm(store: Store, literal: Literal): TermId {
  switch (literal.kind) {
    case 'null':
      return store.null;
    case 'boolean':
      return store.boolean(literal.value);
    case 'string':
      return store.string(literal.value);
    case 'number':
      return FLOAT_LEXEME.test(literal.lexeme) ? store.constant({ type: 'float', value: Number(literal.lexeme) }) : store.int(BigInt(literal.lexeme));
    case 'array':
      return listOf(
        store,
        'list',
        literal.items.map((item) => literalTerm(store, item)),
      );
    case 'object':
      return store.intern({
        kind: 'record',
        fields: [...literal.members].map(([key, member]) => ({ when: TRUE, key: store.string(key), value: literalTerm(store, member) })),
      });
  }
}

/** The value at a path, or undefined where the call does not contain it. */
export function literalAt(literal: Literal, path: readonly (string | number)[]): Literal | undefined {
  let at: Literal | undefined = literal;
  for (const part of path) {
    if (typeof part === 'number') at = at.kind === 'array' ? at.items[part] : undefined;
    else at = at.kind === 'object' ? at.members.get(part) : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}
