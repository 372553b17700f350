/**
 * Whether a JSON schema accepts a value, as the Python library `jsonschema` decides it under draft 2020-12: as a guard over
 * the value's propositions. `1.0` is an integer, booleans are no numbers, `format` is not checked, keywords that the draft
 * does not know are ignored. What is said about unknown elements becomes a named test that folds on known lists.
 */
import { equal, guardOverLeaves, has, hasType, plainItems } from '../../../analysis/construct.js';
import { FALSE, TRUE } from '../../../analysis/guards.js';
import type { Store } from '../../../analysis/store.js';
import type { Guard, JsonType, TermId } from '../../../analysis/terms.js';
import { constantOf, floatTerm } from '../terms.js';
import { constantFields } from './data.js';
import { text, texts } from './values.js';

export interface SchemaContext {
  readonly store: Store;
  readonly root: TermId;
  /** A named test, folded where it can be. */
  readonly test: (fn: string, args: readonly TermId[]) => Guard;
  /** A pure application, likewise. */
  readonly apply: (fn: string, args: readonly TermId[], type: string) => TermId;
  /** The first thing that is not modelled; the guard then means nothing. */
  problem?: string;
}

/** Keywords of the draft that are not modelled: one of them stops. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  '$dynamicRef',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'maxProperties',
  'minProperties',
  'multipleOf',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'uniqueItems',
]);
const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

type Keyword = (context: SchemaContext, argument: TermId, value: TermId, schema: ReadonlyMap<string, TermId>) => Guard;

function fail(context: SchemaContext, problem: string): Guard {
  context.problem ??= problem;
  return FALSE;
}

export function schemaGuard(context: SchemaContext, schema: TermId, value: TermId): Guard {
  const { store } = context;
  if (schema === store.true) return TRUE;
  if (schema === store.false) return FALSE;
  const fields = constantFields(store, schema);
  if (fields === undefined) return fail(context, 'a schema that is not constant');
  let accepted: Guard = TRUE;
  for (const [keyword, argument] of fields) {
    if (UNSUPPORTED.has(keyword)) return fail(context, `the schema keyword ${keyword}`);
    if (keyword === '$schema' && text(store, argument) !== DRAFT) return fail(context, 'a schema of another draft');
    const check = KEYWORDS.get(keyword);
    if (check !== undefined) accepted = store.guards.and(accepted, check(context, argument, value, fields));
    if (context.problem !== undefined) return FALSE;
  }
  return accepted;
}

function typeGuard(context: SchemaContext, name: string, value: TermId): Guard {
  const { store } = context;
  const is = (type: JsonType): Guard => hasType(store, value, type);
  switch (name) {
    case 'null':
    case 'boolean':
    case 'string':
    case 'array':
    case 'object':
      return is(name);
    case 'number':
      return store.guards.or(is('integer'), is('float'));
    case 'integer': {
      const float = is('float');
      return store.guards.or(is('integer'), float === FALSE ? FALSE : store.guards.and(float, context.test('py.integralFloat', [value])));
    }
    default:
      return fail(context, `the schema type ${name}`);
  }
}

function under(context: SchemaContext, when: Guard, guard: () => Guard): Guard {
  return when === FALSE ? TRUE : context.store.guards.implies(when, guard());
}

/** The member of an object value: whether it is there, and what it is. */
function child(context: SchemaContext, value: TermId, key: string, use: (member: TermId) => Guard, absent: Guard): Guard {
  const { store } = context;
  return guardOverLeaves(store, value, (leaf) => {
    const term = store.term(leaf);
    if (term.kind === 'argument') {
      const path = [...term.path, key];
      return store.guards.ite(has(store, path), use(store.intern({ kind: 'argument', path })), absent);
    }
    const fields = constantFields(store, leaf);
    if (fields !== undefined) return fields.has(key) ? use(fields.get(key)!) : absent;
    const name = store.string(key);
    return store.guards.ite(context.test('py.hasKey', [leaf, name]), use(context.apply('py.item', [leaf, name], 'json')), absent);
  });
}

/** JSON equality: numbers by value, booleans apart from them. */
function constantEquals(context: SchemaContext, value: TermId, constant: TermId): Guard {
  const { store } = context;
  const known = constantOf(store, constant);
  if (known === undefined) return fail(context, 'a schema that compares with lists or objects');
  if (known.type !== 'int' && known.type !== 'float') return equal(store, value, constant);
  const number = Number(known.value);
  const parts = [equal(store, value, floatTerm(store, number))];
  if (Number.isSafeInteger(number)) parts.push(equal(store, value, store.int(number)));
  else if (known.type === 'int') return fail(context, 'a schema that compares with a number out of range');
  return store.guards.any(parts);
}

function schemaList(context: SchemaContext, argument: TermId): readonly TermId[] {
  const items = plainItems(context.store.term(argument));
  if (items === undefined) fail(context, 'a schema that is not constant');
  return items ?? [];
}

const isNumber = (context: SchemaContext, value: TermId): Guard => typeGuard(context, 'number', value);

function bound(test: (context: SchemaContext, value: TermId, limit: TermId) => Guard): Keyword {
  return (context, argument, value) => under(context, isNumber(context, value), () => test(context, value, argument));
}
function lengthBound(type: 'string' | 'array', atLeast: boolean): Keyword {
  return (context, argument, value) =>
    under(context, hasType(context.store, value, type), () => {
      const limit = constantOf(context.store, argument);
      const number = limit?.type === 'int' ? Number(limit.value) : limit?.type === 'float' && Number.isInteger(limit.value) ? limit.value : undefined;
      if (number === undefined) return fail(context, 'a length limit that is no integer');
      if (atLeast) return number <= 0 ? TRUE : context.test('py.lengthAtLeast', [value, context.store.int(number)]);
      return context.store.guards.not(context.test('py.lengthAtLeast', [value, context.store.int(number + 1)]));
    });
}

function allElements(context: SchemaContext, schema: TermId, value: TermId): Guard {
  const { store } = context;
  const fields = constantFields(store, schema);
  const onlyText =
    fields !== undefined &&
    text(store, fields.get('type') ?? store.null) === 'string' &&
    [...fields.keys()].every((key) => key === 'type' || !KEYWORDS.has(key));
  if (schema === store.true || fields?.size === 0) return TRUE;
  if (onlyText) return context.test('py.allText', [value]);
  // The test must be one that can be decided on every value.
  const probe: SchemaContext = { ...context };
  schemaGuard(probe, schema, store.null);
  if (probe.problem !== undefined) return fail(context, probe.problem);
  return context.test('py.schemaOfItems', [value, schema, context.root]);
}

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  [
    'type',
    (context, argument, value) => {
      const names = text(context.store, argument) === undefined ? texts(context.store, argument) : [text(context.store, argument)!];
      return names === undefined
        ? fail(context, 'a schema that is not constant')
        : context.store.guards.any(names.map((name) => typeGuard(context, name, value)));
    },
  ],
  ['enum', (context, argument, value) => context.store.guards.any(schemaList(context, argument).map((constant) => constantEquals(context, value, constant)))],
  ['const', (context, argument, value) => constantEquals(context, value, argument)],
  [
    'required',
    (context, argument, value) =>
      under(context, hasType(context.store, value, 'object'), () => {
        const names = texts(context.store, argument);
        return names === undefined
          ? fail(context, 'a schema that is not constant')
          : context.store.guards.all(names.map((name) => child(context, value, name, () => TRUE, FALSE)));
      }),
  ],
  [
    'properties',
    (context, argument, value) =>
      under(context, hasType(context.store, value, 'object'), () => {
        const properties = constantFields(context.store, argument);
        if (properties === undefined) return fail(context, 'a schema that is not constant');
        return context.store.guards.all(
          [...properties].map(([name, schema]) => child(context, value, name, (member) => schemaGuard(context, schema, member), TRUE)),
        );
      }),
  ],
  [
    'additionalProperties',
    (context, argument, value, schema) => {
      const { store } = context;
      const allowed = constantFields(store, argument);
      if (argument === store.true || allowed?.size === 0) return TRUE;
      const names = [...(constantFields(store, schema.get('properties') ?? store.null)?.keys() ?? [])].sort();
      const keys = store.intern({
        kind: 'list',
        as: 'list',
        segments: names.length === 0 ? [] : [{ kind: 'items', when: TRUE, items: names.map((name) => store.string(name)) }],
      });
      return under(context, hasType(store, value, 'object'), () => {
        if (argument === store.false) return context.test('py.onlyKeys', [value, keys]);
        const probe: SchemaContext = { ...context };
        schemaGuard(probe, argument, store.null);
        return probe.problem === undefined ? context.test('py.schemaOfOtherKeys', [value, keys, argument, context.root]) : fail(context, probe.problem);
      });
    },
  ],
  ['items', (context, argument, value) => under(context, hasType(context.store, value, 'array'), () => allElements(context, argument, value))],
  ['allOf', (context, argument, value) => context.store.guards.all(schemaList(context, argument).map((schema) => schemaGuard(context, schema, value)))],
  ['anyOf', (context, argument, value) => context.store.guards.any(schemaList(context, argument).map((schema) => schemaGuard(context, schema, value)))],
  [
    'oneOf',
    (context, argument, value) => {
      const { guards } = context.store;
      const all = schemaList(context, argument).map((schema) => schemaGuard(context, schema, value));
      return guards.any(all.map((one, at) => guards.all(all.map((other, index) => (index === at ? one : guards.not(other))))));
    },
  ],
  ['not', (context, argument, value) => context.store.guards.not(schemaGuard(context, argument, value))],
  ['minLength', lengthBound('string', true)],
  ['maxLength', lengthBound('string', false)],
  ['minItems', lengthBound('array', true)],
  ['maxItems', lengthBound('array', false)],
  ['minimum', bound((context, value, limit) => context.store.guards.not(context.test('py.lt', [value, limit])))],
  ['maximum', bound((context, value, limit) => context.store.guards.not(context.test('py.lt', [limit, value])))],
  ['exclusiveMinimum', bound((context, value, limit) => context.test('py.lt', [limit, value]))],
  ['exclusiveMaximum', bound((context, value, limit) => context.test('py.lt', [value, limit]))],
  ['pattern', (context, argument, value) => under(context, hasType(context.store, value, 'string'), () => context.test('py.re.search', [argument, value]))],
  [
    '$ref',
    (context, argument, value) => {
      const match = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(text(context.store, argument) ?? '');
      const definitions =
        match === null ? undefined : constantFields(context.store, constantFields(context.store, context.root)?.get(match[1]!) ?? context.store.null);
      const target = definitions?.get(match?.[2] ?? '');
      if (target === undefined) return fail(context, 'a schema reference that is not local');
      return schemaGuard(context, target, value);
    },
  ],
]);
