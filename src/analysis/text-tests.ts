/**
 * Total tests over text that mean the same in every language and in CEL. Operands that are not text make a test false.
 *
 * - `text.startsWith(x, y)`, `text.endsWith(x, y)`, `text.contains(x, y)`: by code units, empty y always holds on text.
 * - `text.isHex(x, n)`: exactly n characters, each 0-9 or a-f.
 * - `text.isEmpty(x)`.
 * - `text.only(x, set)`: every character of x is in the text `set` (true for empty text).
 */
import { equal, guardOverLeaves, hasType, typeOf } from './construct.js';
import { FALSE, TRUE } from './guards.js';
import type { Store } from './store.js';
import type { Guard, TermId } from './terms.js';

export const TEXT_TESTS: ReadonlyMap<string, (subject: string, operand: string) => boolean> = new Map([
  ['text.startsWith', (subject, operand) => subject.startsWith(operand)],
  ['text.endsWith', (subject, operand) => subject.endsWith(operand)],
  ['text.contains', (subject, operand) => subject.includes(operand)],
  ['text.isHex', (subject, operand) => subject.length === Number(operand) && /^[0-9a-f]*$/.test(subject)],
  ['text.isEmpty', (subject) => subject === ''],
  ['text.only', (subject, operand) => [...subject].every((character) => operand.includes(character))],
]);

export function textOf(store: Store, id: TermId): string | undefined {
  const term = store.term(id);
  return term.kind === 'constant' && term.value.type === 'string' ? term.value.value : undefined;
}

/** Text built from parts: literal parts are texts, the others are anything. */
export function concatParts(store: Store, id: TermId): readonly TermId[] | undefined {
  const term = store.term(id);
  return term.kind === 'apply' && term.fn === 'text.concat' ? term.args : undefined;
}

export function concat(store: Store, parts: readonly TermId[]): TermId {
  const flat: TermId[] = [];
  for (const part of parts) {
    const inner = concatParts(store, part) ?? [part];
    for (const piece of inner) {
      const text = textOf(store, piece);
      const last = flat.length > 0 ? textOf(store, flat.at(-1)!) : undefined;
      if (text === '') continue;
      if (text !== undefined && last !== undefined) flat[flat.length - 1] = store.string(last + text);
      else flat.push(piece);
    }
  }
  if (flat.length === 0) return store.string('');
  const only = flat[0]!;
  if (flat.length === 1 && typeOf(store, only) === 'str') return only;
  return store.intern({ kind: 'apply', fn: 'text.concat', args: flat, type: 'str' });
}

export function testText(store: Store, fn: string, args: readonly TermId[]): Guard {
  const decide = TEXT_TESTS.get(fn);
  const [subjectTerm, operandTerm] = args;
  if (decide === undefined || subjectTerm === undefined) return store.propositionGuard({ kind: 'test', fn, args });
  return guardOverLeaves(store, subjectTerm, (subject) => {
    if (operandTerm === undefined) return testLeaf(store, fn, decide, subject, undefined);
    return guardOverLeaves(store, operandTerm, (operand) => testLeaf(store, fn, decide, subject, operand));
  });
}

function testLeaf(store: Store, fn: string, decide: (subject: string, operand: string) => boolean, subject: TermId, operand: TermId | undefined): Guard {
  const subjectText = textOf(store, subject);
  const operandText = operand === undefined ? '' : (textOf(store, operand) ?? numberText(store, operand));
  const isText = hasType(store, subject, 'string');
  if (isText === FALSE) return FALSE;
  if (operandText !== undefined) {
    if (subjectText !== undefined) return decide(subjectText, operandText) ? TRUE : FALSE;
    if (operandText === '' && (fn === 'text.startsWith' || fn === 'text.endsWith' || fn === 'text.contains')) return isText;
    if (fn === 'text.isEmpty') {
      const parts = concatParts(store, subject);
      if (parts?.some((part) => (textOf(store, part) ?? '') !== '') === true) return FALSE;
      return equal(store, subject, store.string(''));
    }
    const known = testConcat(store, fn, subject, operandText);
    if (known !== undefined) return known;
  }
  const test = store.propositionGuard({ kind: 'test', fn, args: operand === undefined ? [subject] : [subject, operand] });
  return isText === TRUE ? test : store.guards.and(isText, test);
}

function numberText(store: Store, id: TermId): string | undefined {
  const term = store.term(id);
  return term.kind === 'constant' && term.value.type === 'int' ? term.value.value : undefined;
}

function testConcat(store: Store, fn: string, subject: TermId, operand: string): Guard | undefined {
  const parts = concatParts(store, subject);
  if (parts === undefined) return undefined;
  const first = textOf(store, parts[0]!);
  const last = textOf(store, parts.at(-1)!);
  if (fn === 'text.startsWith' && first !== undefined) {
    if (first.length >= operand.length) return first.startsWith(operand) ? TRUE : FALSE;
    if (!operand.startsWith(first)) return FALSE;
  }
  if (fn === 'text.endsWith' && last !== undefined) {
    if (last.length >= operand.length) return last.endsWith(operand) ? TRUE : FALSE;
    if (!operand.endsWith(last)) return FALSE;
  }
  if (fn === 'text.contains' && parts.some((part) => textOf(store, part)?.includes(operand) === true)) return TRUE;
  if (fn === 'text.isHex' && parts.some((part) => !/^[0-9a-f]*$/.test(textOf(store, part) ?? ''))) return FALSE;
  if (fn === 'text.only' && parts.some((part) => [...(textOf(store, part) ?? '')].some((character) => !operand.includes(character)))) return FALSE;
  return undefined;
}
