/** Named tests of schemas and validated records, on known values. */
import { plainItems } from '../../../analysis/construct.js';
import { FALSE, TRUE } from '../../../analysis/guards.js';
import type { Store } from '../../../analysis/store.js';
import type { Guard, TermId } from '../../../analysis/terms.js';
import { constantOf } from '../terms.js';
import { constantFields, TEST_FOLDS } from './data.js';
import { schemaGuard, type SchemaContext } from './schema.js';
import { integer, isAscii, text, texts } from './values.js';

type TestFold = (store: Store, args: readonly TermId[]) => Guard | undefined;

const asGuard = (known: boolean): Guard => (known ? TRUE : FALSE);

/** A context whose tests fold, or stay named. */
export function foldingContext(store: Store, root: TermId): SchemaContext {
  return {
    store,
    root,
    test: (fn, args) => TEST_FOLDS.get(fn)?.(store, args) ?? SCHEMA_TESTS.get(fn)?.(store, args) ?? store.propositionGuard({ kind: 'test', fn, args }),
    apply: (fn, args, type) => store.intern({ kind: 'apply', fn, args, type }),
  };
}

const ofItems: TestFold = (store, [value, schema, root]) => {
  const items = value === undefined ? undefined : plainItems(store.term(value));
  if (items === undefined || schema === undefined || root === undefined) return undefined;
  const context = foldingContext(store, root);
  const guard = store.guards.all(items.map((item) => schemaGuard(context, schema, item)));
  return context.problem === undefined ? guard : undefined;
};

const ofOtherKeys: TestFold = (store, [value, keys, schema, root]) => {
  const fields = value === undefined ? undefined : constantFields(store, value);
  const names = texts(store, keys);
  if (fields === undefined || names === undefined || schema === undefined || root === undefined) return undefined;
  const context = foldingContext(store, root);
  const guard = store.guards.all([...fields].flatMap(([key, member]) => (names.includes(key) ? [] : [schemaGuard(context, schema, member)])));
  return context.problem === undefined ? guard : undefined;
};

const onlyKeys: TestFold = (store, [value, keys]) => {
  const fields = value === undefined ? undefined : constantFields(store, value);
  const names = texts(store, keys);
  return fields === undefined || names === undefined ? undefined : asGuard([...fields.keys()].every((key) => names.includes(key)));
};

const lengthAtLeast: TestFold = (store, [value, limit]) => {
  const least = integer(store, limit);
  const known = text(store, value);
  const term = value === undefined ? undefined : store.term(value);
  const size = known === undefined ? (term?.kind === 'list' && term.as !== 'set' ? plainItems(term)?.length : undefined) : Array.from(known).length;
  return size === undefined || least === undefined ? undefined : asGuard(size >= least);
};

const integralFloat: TestFold = (store, [value]) => {
  const known = value === undefined ? undefined : constantOf(store, value);
  return known?.type === 'float' ? asGuard(Number.isInteger(known.value)) : undefined;
};

/** Character classes, literals and counts between anchors: patterns that mean the same in both engines on ASCII text. */
const PLAIN_PATTERN = /^\^?(?:(?:\[\^?(?:[A-Za-z0-9_.:@ /+-]|\\[.d-])+\]|[A-Za-z0-9_:@ /-]|\\[.d/-])(?:[+*?]|\{\d{1,3}(?:,\d{0,3})?\})?)*\$?$/;
const PATTERN_SUBJECT_MAX = 1000;

const search: TestFold = (store, [pattern, value]) => {
  const source = text(store, pattern);
  const subject = text(store, value);
  if (source === undefined || subject === undefined || !PLAIN_PATTERN.test(source) || !isAscii(subject) || subject.length > PATTERN_SUBJECT_MAX)
    return undefined;
  // Python's `$` also stands before a final line end.
  const translated = source.endsWith('$') ? `${source.slice(0, -1)}(?=\\n?(?![\\s\\S]))` : source;
  return asGuard(new RegExp(translated).test(subject));
};

export const SCHEMA_TESTS: ReadonlyMap<string, TestFold> = new Map([
  ['py.schemaOfItems', ofItems],
  ['py.schemaOfOtherKeys', ofOtherKeys],
  ['py.onlyKeys', onlyKeys],
  ['py.lengthAtLeast', lengthAtLeast],
  ['py.integralFloat', integralFloat],
  ['py.re.search', search],
]);
