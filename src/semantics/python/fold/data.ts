/** Pure operations over data: numbers, elements, joins, text of constants, JSON text; and the named tests. */
import { plainItems } from '../../../analysis/construct.js';
import { FALSE, TRUE } from '../../../analysis/guards.js';
import type { Store } from '../../../analysis/store.js';
import type { Guard, TermId } from '../../../analysis/terms.js';
import { concat } from '../../../analysis/text-tests.js';
import { constantsEqual } from '../data-equality.js';
import { foldNumbers } from '../numbers.js';
import { compareConstants } from '../ordering.js';
import { reprConstant } from '../repr.js';
import { pythonSlice } from '../sequences.js';
import { constantOf } from '../terms.js';
import { dumpJson, loadJson } from './json.js';
import { integer, isNone, text, texts, type FoldFunction } from './values.js';

const index: FoldFunction = (store, [collection, at]) => {
  const position = integer(store, at);
  if (collection === undefined || position === undefined) return undefined;
  const value = text(store, collection);
  if (value !== undefined) {
    const letter = Array.from(value).at(position);
    return letter === undefined ? undefined : store.string(letter);
  }
  return plainItems(store.term(collection))?.at(position);
};

const slice: FoldFunction = (store, [subject, lower, upper, step]) => {
  const value = text(store, subject);
  if (value === undefined) return undefined;
  const bounds = [lower, upper, step].map((bound) => (isNone(store, bound) ? null : integer(store, bound)));
  const known = bounds.filter((bound): bound is number | null => bound !== undefined);
  return known.length === 3 && known[2] !== 0 ? store.string(pythonSlice(Array.from(value), known).join('')) : undefined;
};

const join: FoldFunction = (store, [separator, list]) => {
  const items = list === undefined ? undefined : plainItems(store.term(list));
  if (separator === undefined || items === undefined) return undefined;
  return concat(
    store,
    items.flatMap((item, at) => (at === 0 ? [item] : [separator, item])),
  );
};

const length: FoldFunction = (store, [subject]) => {
  const value = text(store, subject);
  if (value !== undefined) return store.int(Array.from(value).length);
  const items = subject === undefined ? undefined : plainItems(store.term(subject));
  const term = subject === undefined ? undefined : store.term(subject);
  return items === undefined || (term?.kind === 'list' && term.as === 'set') ? undefined : store.int(items.length);
};

const toText: FoldFunction = (store, [subject]) => {
  const value = subject === undefined ? undefined : constantOf(store, subject);
  if (value === undefined) return undefined;
  if (value.type === 'string') return subject;
  const shown = reprConstant(value, false);
  return shown === undefined ? undefined : store.string(shown);
};

const repr: FoldFunction = (store, [subject]) => {
  const value = subject === undefined ? undefined : constantOf(store, subject);
  const shown = value === undefined ? undefined : reprConstant(value, false);
  return shown === undefined ? undefined : store.string(shown);
};

const repeat: FoldFunction = (store, [subject, times]) => {
  const value = text(store, subject);
  const count = integer(store, times);
  return value === undefined || count === undefined || count * value.length > 10_000 ? undefined : store.string(value.repeat(Math.max(0, count)));
};

function arithmetic(op: string): FoldFunction {
  return (store, [left, right]) => (left === undefined || right === undefined ? undefined : foldNumbers(store, op, left, right));
}

const concatBytes: FoldFunction = (store, [left, right]) => {
  const [a, b] = [left, right].map((side) => (side === undefined ? undefined : constantOf(store, side)));
  return a?.type === 'bytes' && b?.type === 'bytes' ? store.constant({ type: 'bytes', hex: a.hex + b.hex }) : undefined;
};

export const DATA_FOLDS: readonly (readonly [string, FoldFunction])[] = [
  ['py.index', index],
  ['py.slice', slice],
  ['py.join', join],
  ['py.len', length],
  ['py.str', toText],
  ['py.repr', repr],
  ['py.repeat', repeat],
  ['py.concat_bytes', concatBytes],
  ...['add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'and', 'or', 'xor'].map((op): readonly [string, FoldFunction] => [`py.${op}`, arithmetic(op)]),
  ['py.json.dumps', dumpJson],
  ['py.json.loads', loadJson],
];

type TestFold = (store: Store, args: readonly TermId[]) => Guard | undefined;

const asGuard = (known: boolean | undefined): Guard | undefined => (known === undefined ? undefined : known ? TRUE : FALSE);

/** Python's equality of constant data; undefined where something is not constant. */
export function constantDataEqual(store: Store, left: TermId, right: TermId): boolean | undefined {
  const [l, r] = [store.term(left), store.term(right)];
  if (l.kind === 'constant' && r.kind === 'constant') return constantsEqual(l.value, r.value);
  if (l.kind === 'list' && r.kind === 'list') return constantListsEqual(store, left, right);
  if (l.kind === 'record' && r.kind === 'record') return constantRecordsEqual(store, left, right);
  const isData = (kind: string): boolean => kind === 'constant' || kind === 'list' || kind === 'record';
  return isData(l.kind) && isData(r.kind) ? false : undefined;
}

function constantListsEqual(store: Store, left: TermId, right: TermId): boolean | undefined {
  const [l, r] = [store.term(left), store.term(right)];
  const a = plainItems(l);
  const b = plainItems(r);
  if (l.kind !== 'list' || r.kind !== 'list' || l.as === 'set' || r.as === 'set' || a === undefined || b === undefined) return undefined;
  if (l.as !== r.as || a.length !== b.length) return false;
  return every(a.map((item, at) => constantDataEqual(store, item, b[at]!)));
}

function constantRecordsEqual(store: Store, left: TermId, right: TermId): boolean | undefined {
  const a = constantFields(store, left);
  const b = constantFields(store, right);
  if (a === undefined || b === undefined) return undefined;
  if (a.size !== b.size) return false;
  return every([...a].map(([key, value]) => (b.has(key) ? constantDataEqual(store, value, b.get(key)!) : false)));
}

function every(results: readonly (boolean | undefined)[]): boolean | undefined {
  if (results.includes(false)) return false;
  return results.includes(undefined) ? undefined : true;
}

/** Fields of a record of constant text keys, the last of each key. */
export function constantFields(store: Store, id: TermId): ReadonlyMap<string, TermId> | undefined {
  const term = store.term(id);
  if (term.kind !== 'record' || term.rest !== undefined) return undefined;
  const out = new Map<string, TermId>();
  for (const field of term.fields) {
    const key = text(store, field.key);
    if (key === undefined || field.when !== TRUE) return undefined;
    out.set(key, field.value);
  }
  return out;
}

const emptyCollection: TestFold = (store, [subject]) => {
  const term = subject === undefined ? undefined : store.term(subject);
  if (term?.kind === 'constant') return asGuard(term.value.type === 'string' ? term.value.value === '' : term.value.type === 'bytes' ? term.value.hex === '' : undefined);
  if (term?.kind === 'list') return term.segments.every((segment) => segment.kind === 'items') ? store.guards.not(store.guards.any(term.segments.map((segment) => segment.when))) : undefined;
  return term?.kind === 'record' && term.rest === undefined ? store.guards.not(store.guards.any(term.fields.map((field) => field.when))) : undefined;
};

const contains: TestFold = (store, [collection, needle]) => {
  if (collection === undefined || needle === undefined) return undefined;
  const items = plainItems(store.term(collection));
  const results = items?.map((item) => constantDataEqual(store, item, needle));
  return results === undefined ? undefined : results.includes(true) ? TRUE : results.includes(undefined) ? undefined : FALSE;
};

const lessThan: TestFold = (store, [left, right]) => {
  const [a, b] = [left, right].map((side) => (side === undefined ? undefined : constantOf(store, side)));
  const sign = a === undefined || b === undefined ? undefined : compareConstants(a, b);
  return sign === undefined ? undefined : asGuard(sign < 0);
};

const lessOrEqual: TestFold = (store, [left, right]) => {
  const [a, b] = [left, right].map((side) => (side === undefined ? undefined : constantOf(store, side)));
  const sign = a === undefined || b === undefined ? undefined : compareConstants(a, b);
  return sign === undefined ? undefined : asGuard(sign <= 0);
};

const allText: TestFold = (store, [collection]) => (collection !== undefined && texts(store, collection) !== undefined ? TRUE : undefined);

const hasKey: TestFold = (store, [record, key]) => {
  const name = text(store, key);
  const fields = record === undefined ? undefined : constantFields(store, record);
  return fields === undefined || name === undefined ? undefined : asGuard(fields.has(name));
};

export const TEST_FOLDS: ReadonlyMap<string, TestFold> = new Map([
  ['py.eq', (store, [left, right]) => (left === undefined || right === undefined ? undefined : asGuard(constantDataEqual(store, left, right)))],
  ['py.emptyCollection', emptyCollection],
  ['py.contains', contains],
  ['py.lt', lessThan],
  ['py.le', lessOrEqual],
  ['py.allText', allText],
  ['py.hasKey', hasKey],
]);
