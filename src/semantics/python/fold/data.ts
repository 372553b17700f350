/** Pure operations over data: numbers, elements, joins, text of constants, JSON text; and the named tests. */
import { listOf, plainItems } from '../../../analysis/construct.js';
import { FALSE, TRUE } from '../../../analysis/guards.js';
import type { Store } from '../../../analysis/store.js';
import type { Guard, TermId } from '../../../analysis/terms.js';
import { concat } from '../../../analysis/text-tests.js';
import { constantsEqual } from '../data-equality.js';
import { foldNumbers } from '../numbers.js';
import { compareConstants } from '../ordering.js';
import { reprConstant } from '../repr.js';
import { pythonSlice } from '../sequences.js';
import { constantOf, floatTerm } from '../terms.js';
import { formatConstant } from '../format-spec.js';
import { dumpJson, loadJson } from './json.js';
import { parseFloatText, parseIntText } from './parse-number.js';
import { integer, isNone, text, type FoldFunction } from './values.js';

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

/** The length of text or of a list of plain items. */
function lengthOf(store: Store, id: TermId | undefined): number | undefined {
  const value = text(store, id);
  if (value !== undefined) return Array.from(value).length;
  const term = id === undefined ? undefined : store.term(id);
  return term?.kind === 'list' && term.as !== 'set' ? plainItems(term)?.length : undefined;
}

const toInt: FoldFunction = (store, [subject, base]) => {
  const value = subject === undefined ? undefined : constantOf(store, subject);
  if (value?.type === 'boolean') return store.int(value.value ? 1 : 0);
  if (value?.type === 'int') return subject;
  if (value?.type === 'float') return Number.isFinite(value.value) ? store.int(BigInt(Math.trunc(value.value))) : undefined;
  const parsed = value?.type === 'string' ? parseIntText(value.value, base === undefined ? 10 : (integer(store, base) ?? -1)) : undefined;
  return parsed === undefined || parsed === 'invalid' ? undefined : store.int(parsed);
};

const toFloat: FoldFunction = (store, [subject]) => {
  const value = subject === undefined ? undefined : constantOf(store, subject);
  if (value?.type === 'float') return subject;
  if (value?.type === 'boolean') return floatTerm(store, value.value ? 1 : 0);
  if (value?.type === 'int') return Number.isFinite(Number(value.value)) ? floatTerm(store, Number(value.value)) : undefined;
  const parsed = value?.type === 'string' ? parseFloatText(value.value) : undefined;
  return parsed === undefined || parsed === 'invalid' ? undefined : floatTerm(store, parsed);
};

const absolute: FoldFunction = (store, [subject]) => {
  const value = subject === undefined ? undefined : constantOf(store, subject);
  if (value?.type === 'int') return store.int(value.value.replace('-', '') === '' ? 0n : BigInt(value.value.replace('-', '')));
  return value?.type === 'float' ? floatTerm(store, Math.abs(value.value)) : undefined;
};

/** `d[key]` and the lists of keys and values, where the keys are constants. */
const item: FoldFunction = (store, [record, key]) => {
  const name = text(store, key);
  return record === undefined || name === undefined ? undefined : constantFields(store, record)?.get(name);
};
function fieldsAsList(read: (store: Store, entry: [string, TermId]) => TermId): FoldFunction {
  return (store, [record]) => {
    const fields = record === undefined ? undefined : constantFields(store, record);
    return fields === undefined
      ? undefined
      : listOf(
          store,
          'list',
          [...fields].map((entry) => read(store, entry)),
        );
  };
}

function sorted(reverse: boolean): FoldFunction {
  return (store, [list]) => {
    const items = list === undefined ? undefined : plainItems(store.term(list));
    const constants = items?.map((entry) => ({ entry, value: constantOf(store, entry) }));
    if (constants === undefined || constants.some(({ value }) => value === undefined)) return undefined;
    const order = (a: (typeof constants)[number], b: (typeof constants)[number]): number => compareConstants(a.value!, b.value!) ?? Number.NaN;
    if (constants.some((a) => constants.some((b) => Number.isNaN(order(a, b))))) return undefined;
    return listOf(
      store,
      'list',
      [...constants].sort((a, b) => (reverse ? order(b, a) : order(a, b))).map(({ entry }) => entry),
    );
  };
}

function extreme(largest: boolean): FoldFunction {
  return (store, args) => {
    let best = args[0];
    for (const arg of args) {
      const [a, b] = [best, arg].map((side) => (side === undefined ? undefined : constantOf(store, side)));
      const sign = a === undefined || b === undefined ? undefined : compareConstants(b, a);
      if (sign === undefined || Number.isNaN(sign)) return undefined;
      if (largest ? sign > 0 : sign < 0) best = arg;
    }
    return best;
  };
}

const format: FoldFunction = (store, [subject, spec]) => {
  const value = subject === undefined ? undefined : constantOf(store, subject);
  const shape = text(store, spec);
  const out = value === undefined || shape === undefined ? undefined : formatConstant(value, shape);
  return out === undefined ? undefined : store.string(out);
};

const slice: FoldFunction = (store, [subject, lower, upper, step]) => {
  const value = text(store, subject);
  const term = subject === undefined ? undefined : store.term(subject);
  const items = term?.kind === 'list' && term.as !== 'set' ? plainItems(term) : undefined;
  if (value === undefined && items === undefined) return undefined;
  const bounds = [lower, upper, step].map((bound) => (isNone(store, bound) ? null : integer(store, bound)));
  const known = bounds.filter((bound): bound is number | null => bound !== undefined);
  if (known.length !== 3 || known[2] === 0) return undefined;
  if (value !== undefined) return store.string(pythonSlice(Array.from(value), known).join(''));
  return listOf(store, term?.kind === 'list' ? term.as : 'list', pythonSlice(items ?? [], known));
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
  const known = lengthOf(store, subject) ?? (subject === undefined ? undefined : constantFields(store, subject)?.size);
  return known === undefined ? undefined : store.int(known);
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
  ['py.int', toInt],
  ['py.float', toFloat],
  ['py.abs', absolute],
  ['py.item', item],
  ['py.keys_of', fieldsAsList((store, [key]) => store.string(key))],
  ['py.values_of', fieldsAsList((_store, [, value]) => value)],
  ['py.items_of', fieldsAsList((store, [key, value]) => listOf(store, 'tuple', [store.string(key), value]))],
  ['py.sorted', sorted(false)],
  ['py.sorted_reverse', sorted(true)],
  ['py.min', extreme(false)],
  ['py.max', extreme(true)],
  ['py.format', format],
  ['py.present', (_store, [subject]) => subject],
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
  if (term?.kind === 'constant')
    return asGuard(term.value.type === 'string' ? term.value.value === '' : term.value.type === 'bytes' ? term.value.hex === '' : undefined);
  if (term?.kind === 'list')
    return term.segments.every((segment) => segment.kind === 'items')
      ? store.guards.not(store.guards.any(term.segments.map((segment) => segment.when)))
      : undefined;
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

const allText: TestFold = (store, [collection]) => {
  const items = collection === undefined ? undefined : plainItems(store.term(collection));
  if (items === undefined) return undefined;
  const known = items.map((entry) =>
    store.term(entry).kind === 'constant' || store.term(entry).kind === 'list' || store.term(entry).kind === 'record'
      ? text(store, entry) !== undefined
      : undefined,
  );
  return asGuard(every(known));
};

const outOfRange: TestFold = (store, [collection, at]) => {
  const size = lengthOf(store, collection);
  const position = integer(store, at);
  return size === undefined || position === undefined ? undefined : asGuard(position >= size || position < -size);
};

const invalidInt: TestFold = (store, [subject, base]) => {
  const value = text(store, subject);
  const parsed = value === undefined ? undefined : parseIntText(value, integer(store, base) ?? -1);
  return parsed === undefined ? undefined : asGuard(parsed === 'invalid');
};

const invalidFloat: TestFold = (store, [subject]) => {
  const value = text(store, subject);
  const parsed = value === undefined ? undefined : parseFloatText(value);
  return parsed === undefined ? undefined : asGuard(parsed === 'invalid');
};

const notFinite: TestFold = (store, [subject]) => {
  const value = subject === undefined ? undefined : constantOf(store, subject);
  return value?.type === 'float' ? asGuard(!Number.isFinite(value.value)) : undefined;
};

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
  ['py.outOfRange', outOfRange],
  ['py.intInvalid', invalidInt],
  ['py.floatInvalid', invalidFloat],
  ['py.notFinite', notFinite],
]);
