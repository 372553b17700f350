/** Reading constant terms as plain values and making terms of results, for the fold functions. */
import { listOf, plainItems } from '../../../analysis/construct.js';
import type { Store } from '../../../analysis/store.js';
import type { TermId } from '../../../analysis/terms.js';

/** A fold of one pure function: undefined keeps it symbolic. */
export type FoldFunction = (store: Store, args: readonly TermId[]) => TermId | undefined;

export function text(store: Store, id: TermId | undefined): string | undefined {
  if (id === undefined) return undefined;
  const term = store.term(id);
  return term.kind === 'constant' && term.value.type === 'string' ? term.value.value : undefined;
}

export function integer(store: Store, id: TermId | undefined): number | undefined {
  if (id === undefined) return undefined;
  const term = store.term(id);
  if (term.kind !== 'constant' || term.value.type !== 'int') return undefined;
  const value = Number(term.value.value);
  return Number.isSafeInteger(value) ? value : undefined;
}

export function isNone(store: Store, id: TermId | undefined): boolean {
  return id === undefined || id === store.null;
}

/** Texts of a list or tuple of constants. */
export function texts(store: Store, id: TermId | undefined): readonly string[] | undefined {
  const items = id === undefined ? undefined : plainItems(store.term(id));
  const out = items?.map((item) => text(store, item));
  return out?.every((item): item is string => item !== undefined) === true ? out : undefined;
}

export function listTerm(store: Store, values: readonly string[]): TermId {
  return listOf(
    store,
    'list',
    values.map((value) => store.string(value)),
  );
}
export function tupleTerm(store: Store, values: readonly string[]): TermId {
  return listOf(
    store,
    'tuple',
    values.map((value) => store.string(value)),
  );
}

/** Case mapping and character classes depend on the Unicode version of the interpreter beyond this. */
export function isAscii(value: string): boolean {
  return /^[\x00-\x7f]*$/.test(value);
}

/** Text without surrogate pairs: its code units are its characters. */
export function isBasic(value: string): boolean {
  return !/[\ud800-\udfff]/.test(value);
}
