/**
 * Simplifying constructors over `Store`: every rule keeps the meaning exactly, so that equal meanings meet in equal ids
 * often. Nothing here knows a language; language operations come in through `Fold`.
 */
import type { ConstantValue } from '../ir/nodes.js';
import { FALSE, TRUE } from './guards.js';
import type { Store } from './store.js';
import type { Guard, JsonType, ListKind, RecordField, Segment, Term, TermId } from './terms.js';

/** Static type of a value: `str`, `int`, `float`, `bool`, `none`, `list`, `tuple`, `set`, `record`, `bytes`, or a library identity. Undefined: open. */
export function typeOf(store: Store, id: TermId): string | undefined {
  const term = store.term(id);
  switch (term.kind) {
    case 'constant':
      return constantType(term.value);
    case 'apply':
    case 'observe':
    case 'fresh':
    case 'element':
    case 'loop':
    case 'carried':
    case 'error':
    case 'input':
      return term.type;
    case 'list':
      return term.as;
    case 'record':
      return term.type ?? 'record';
    case 'conditional': {
      const then = typeOf(store, term.then);
      return then !== undefined && then === typeOf(store, term.otherwise) ? then : undefined;
    }
    case 'argument':
      return term.path.length === 0 ? 'record' : undefined;
    case 'external':
    case 'function':
    case 'class':
    case 'opaque':
    case 'world':
    case 'object':
      return undefined;
  }
}

function constantType(value: ConstantValue): string {
  switch (value.type) {
    case 'null':
    case 'undefined':
      return 'none';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'str';
    case 'special':
      return `special:${value.name}`;
    case 'bytes':
    case 'int':
    case 'float':
      return value.type;
  }
}

const JSON_TYPE_OF = new Map<string, JsonType>([
  ['none', 'null'],
  ['bool', 'boolean'],
  ['int', 'integer'],
  ['float', 'float'],
  ['str', 'string'],
  ['list', 'array'],
  ['record', 'object'],
]);
/** JSON type of a static type, where it has one. */
export function jsonTypeOf(type: string): JsonType | undefined {
  return JSON_TYPE_OF.get(type.replace(/<.*$/, ''));
}

export function conditional(store: Store, when: Guard, then: TermId, otherwise: TermId): TermId {
  if (when === TRUE || then === otherwise) return then;
  if (when === FALSE) return otherwise;
  const thenTerm = store.term(then);
  const otherwiseTerm = store.term(otherwise);
  if (thenTerm.kind === 'conditional') {
    if (store.guards.entails(when, thenTerm.when)) return conditional(store, when, thenTerm.then, otherwise);
    if (thenTerm.otherwise === otherwise) return conditional(store, store.guards.and(when, thenTerm.when), thenTerm.then, otherwise);
  }
  if (otherwiseTerm.kind === 'conditional') {
    if (otherwiseTerm.then === then) return conditional(store, store.guards.or(when, otherwiseTerm.when), then, otherwiseTerm.otherwise);
    if (store.guards.entails(otherwiseTerm.when, when)) return conditional(store, when, then, otherwiseTerm.otherwise);
  }
  if (thenTerm.kind === 'list' && otherwiseTerm.kind === 'list' && thenTerm.as === otherwiseTerm.as) return mergeLists(store, when, thenTerm, otherwiseTerm);
  if (thenTerm.kind === 'record' && otherwiseTerm.kind === 'record') {
    const merged = mergeRecords(store, when, thenTerm, otherwiseTerm);
    if (merged !== undefined) return merged;
  }
  // One spelling of the same choice: the diagram whose first decision is the canonical one keeps its polarity.
  const negated = store.guards.not(when);
  if (store.guardKey(negated) < store.guardKey(when)) return store.intern({ kind: 'conditional', when: negated, then: otherwise, otherwise: then });
  return store.intern({ kind: 'conditional', when, then, otherwise });
}

/** A choice between lists is one list with guarded segments: a common beginning and end stay shared. */
function mergeLists(store: Store, when: Guard, then: Extract<Term, { kind: 'list' }>, otherwise: Extract<Term, { kind: 'list' }>): TermId {
  const left = unitSegments(then.segments);
  const right = unitSegments(otherwise.segments);
  const same = (a: Segment, b: Segment): boolean => JSON.stringify(a) === JSON.stringify(b);
  let prefix = 0;
  while (prefix < left.length && prefix < right.length && same(left[prefix]!, right[prefix]!)) prefix += 1;
  let suffix = 0;
  while (suffix < left.length - prefix && suffix < right.length - prefix && same(left[left.length - 1 - suffix]!, right[right.length - 1 - suffix]!))
    suffix += 1;
  const not = store.guards.not(when);
  const under = (guard: Guard, segment: Segment): Segment => ({ ...segment, when: store.guards.and(guard, segment.when) });
  return list(store, then.as, [
    ...left.slice(0, prefix),
    ...left.slice(prefix, left.length - suffix).map((s) => under(when, s)),
    ...right.slice(prefix, right.length - suffix).map((s) => under(not, s)),
    ...left.slice(left.length - suffix),
  ]);
}

/** Likewise for records of one type and rest: fields that both begin with stay shared, later ones are guarded. */
function mergeRecords(store: Store, when: Guard, then: Extract<Term, { kind: 'record' }>, otherwise: Extract<Term, { kind: 'record' }>): TermId | undefined {
  if (then.type !== otherwise.type || then.rest !== otherwise.rest) return undefined;
  if ((then.removed ?? []).length > 0 || (otherwise.removed ?? []).length > 0) return undefined;
  const same = (a: RecordField | undefined, b: RecordField | undefined): boolean =>
    a !== undefined && b !== undefined && a.when === b.when && a.key === b.key && a.value === b.value;
  let shared = 0;
  while (same(then.fields[shared], otherwise.fields[shared])) shared += 1;
  const under = (guard: Guard, fields: readonly RecordField[]): RecordField[] =>
    fields.map((field) => ({ ...field, when: store.guards.and(guard, field.when) })).filter((field) => field.when !== FALSE);
  const fields = [...then.fields.slice(0, shared), ...under(when, then.fields.slice(shared)), ...under(store.guards.not(when), otherwise.fields.slice(shared))];
  return store.intern({ ...then, fields });
}

function unitSegments(segments: readonly Segment[]): Segment[] {
  return segments.flatMap((s): Segment[] => (s.kind === 'items' ? s.items.map((item) => ({ kind: 'items', when: s.when, items: [item] })) : [s]));
}

/** A list from segments: absent ones dropped, spreads of known lists spliced in, neighbours of one guard joined. */
export function list(store: Store, as: ListKind, segments: readonly Segment[]): TermId {
  const out: Segment[] = [];
  const add = (segment: Segment): void => {
    if (segment.when === FALSE) return;
    if (segment.kind === 'items') {
      if (segment.items.length === 0) return;
      const last = out.at(-1);
      if (last?.kind === 'items' && last.when === segment.when)
        out[out.length - 1] = { kind: 'items', when: segment.when, items: [...last.items, ...segment.items] };
      else out.push(segment);
      return;
    }
    const of = store.term(segment.of);
    if (of.kind === 'list' && (of.as !== 'set' || as === 'set'))
      for (const inner of of.segments) add({ ...inner, when: store.guards.and(segment.when, inner.when) });
    else if (of.kind === 'conditional' && isListLike(store, of.then) && isListLike(store, of.otherwise)) {
      add({ kind: 'spread', when: store.guards.and(segment.when, of.when), of: of.then });
      add({ kind: 'spread', when: store.guards.and(segment.when, store.guards.not(of.when)), of: of.otherwise });
    } else out.push(segment);
  };
  for (const segment of segments) add(segment);
  return store.intern({ kind: 'list', as, segments: out });
}

function isListLike(store: Store, id: TermId): boolean {
  const term = store.term(id);
  return term.kind === 'list' || (term.kind === 'conditional' && isListLike(store, term.then) && isListLike(store, term.otherwise));
}

export function listOf(store: Store, as: ListKind, items: readonly TermId[]): TermId {
  return list(store, as, [{ kind: 'items', when: TRUE, items }]);
}

/** The elements of a list all of whose segments are unconditional items. */
export function plainItems(term: Term): readonly TermId[] | undefined {
  if (term.kind !== 'list') return undefined;
  const items: TermId[] = [];
  for (const segment of term.segments) {
    if (segment.kind !== 'items' || segment.when !== TRUE) return undefined;
    items.push(...segment.items);
  }
  return items;
}

/** Applies `f` to the leaves of a conditional tree and joins the results as a guard. */
export function guardOverLeaves(store: Store, id: TermId, f: (leaf: TermId) => Guard): Guard {
  const term = store.term(id);
  if (term.kind !== 'conditional') return f(id);
  return store.guards.ite(term.when, guardOverLeaves(store, term.then, f), guardOverLeaves(store, term.otherwise, f));
}

/** Applies `f` to the leaves of a conditional tree and joins the results as a term. */
export function termOverLeaves(store: Store, id: TermId, f: (leaf: TermId) => TermId): TermId {
  const term = store.term(id);
  if (term.kind !== 'conditional') return f(id);
  return conditional(store, term.when, termOverLeaves(store, term.then, f), termOverLeaves(store, term.otherwise, f));
}

/** Leaves of a conditional tree with the condition under which each is the value. */
export function leaves(store: Store, id: TermId, under: Guard = TRUE): { when: Guard; leaf: TermId }[] {
  if (under === FALSE) return [];
  const term = store.term(id);
  if (term.kind !== 'conditional') return [{ when: under, leaf: id }];
  return [
    ...leaves(store, term.then, store.guards.and(under, term.when)),
    ...leaves(store, term.otherwise, store.guards.and(under, store.guards.not(term.when))),
  ];
}

const equalities = new WeakMap<Store, Map<string, Guard>>();

/** Same value and same type (1 and 1.0 differ, as do 1 and true). Language equality is built on this by semantics. */
export function equal(store: Store, left: TermId, right: TermId): Guard {
  if (left === right) return TRUE;
  let known = equalities.get(store);
  if (known === undefined) equalities.set(store, (known = new Map<string, Guard>()));
  const key = left < right ? `${String(left)},${String(right)}` : `${String(right)},${String(left)}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const result = computeEqual(store, left, right);
  known.set(key, result);
  return result;
}

function computeEqual(store: Store, left: TermId, right: TermId): Guard {
  const l = store.term(left);
  const r = store.term(right);
  if (l.kind === 'conditional') return store.guards.ite(l.when, equal(store, l.then, right), equal(store, l.otherwise, right));
  if (r.kind === 'conditional') return store.guards.ite(r.when, equal(store, left, r.then), equal(store, left, r.otherwise));
  if (l.kind === 'constant' && r.kind === 'constant') return FALSE;
  // Being null is spelled one way.
  if (left === store.null) return isNull(store, right);
  if (right === store.null) return isNull(store, left);
  const leftType = typeOf(store, left);
  const rightType = typeOf(store, right);
  if (leftType !== undefined && rightType !== undefined) {
    const a = jsonTypeOf(leftType);
    const b = jsonTypeOf(rightType);
    if (a !== undefined && b !== undefined && a !== b) return FALSE;
  }
  if (l.kind === 'list' && r.kind === 'list') {
    if (l.as !== r.as) return FALSE;
    if (l.as !== 'set') return equalSequences(store, l, r);
  }
  if (l.kind === 'record' && r.kind === 'record') {
    const byKey = equalRecords(store, l, r);
    if (byKey !== undefined) return byKey;
  }
  if (cannotBeText(store, l, r) || cannotBeText(store, r, l)) return FALSE;
  if (isDistinctObject(l) && (isDistinctObject(r) || r.kind === 'constant')) return FALSE;
  if (isDistinctObject(r) && l.kind === 'constant') return FALSE;
  return equalProposition(store, left, right);
}

function equalProposition(store: Store, left: TermId, right: TermId): Guard {
  const [first, second] = store.termKey(left) < store.termKey(right) ? [left, right] : [right, left];
  const same = store.propositionGuard({ kind: 'equal', left: first, right: second });
  return store.guards.all([same, typeOfOther(store, left, right), typeOfOther(store, right, left)]);
}

/** What is equal to a value of a known type has that type. */
function typeOfOther(store: Store, known: TermId, other: TermId): Guard {
  const type = typeOf(store, known);
  const json = type === undefined ? undefined : jsonTypeOf(type);
  return json === undefined || typeOf(store, other) !== undefined ? TRUE : hasType(store, other, json);
}

/**
 * Lists of guarded items, element by element: where an item is absent the other side is compared with the next one.
 * Equal spreads cancel; a spread against anything else leaves one proposition about what remains.
 */
function equalSequences(store: Store, left: Extract<Term, { kind: 'list' }>, right: Extract<Term, { kind: 'list' }>): Guard {
  const { guards } = store;
  const a = unitSegments(left.segments);
  const b = unitSegments(right.segments);
  const absent = (rest: readonly Segment[]): Guard => guards.not(guards.any(rest.filter((s) => s.kind === 'items').map((s) => s.when)));
  const rest = (i: number, j: number): Guard => {
    const l = list(store, left.as, a.slice(i));
    const r = list(store, right.as, b.slice(j));
    return l === r ? TRUE : equalProposition(store, l, r);
  };
  const table: Guard[][] = [];
  for (let i = a.length; i >= 0; i -= 1) {
    const row: Guard[] = [];
    table[i] = row;
    for (let j = b.length; j >= 0; j -= 1) {
      const x = a[i];
      const y = b[j];
      if (x === undefined && y === undefined) row[j] = TRUE;
      else if (x === undefined || y === undefined) {
        const remaining = x === undefined ? b.slice(j) : a.slice(i);
        const nothing = absent(remaining);
        row[j] = remaining.every((s) => s.kind === 'items') ? nothing : guards.and(nothing, rest(i, j));
      } else {
        const bothPresent =
          x.kind === 'items' && y.kind === 'items'
            ? guards.and(equal(store, x.items[0]!, y.items[0]!), table[i + 1]![j + 1]!)
            : x.kind === 'spread' && y.kind === 'spread' && x.of === y.of
              ? table[i + 1]![j + 1]!
              : rest(i, j);
        row[j] = guards.ite(x.when, guards.ite(y.when, bothPresent, row[j + 1]!), table[i + 1]![j]!);
      }
    }
  }
  return table[0]![0]!;
}

/** Records whose keys are all literal, key by key; order does not count. Undefined where a key is computed or open. */
function equalRecords(store: Store, left: Extract<Term, { kind: 'record' }>, right: Extract<Term, { kind: 'record' }>): Guard | undefined {
  if (left.rest !== undefined || right.rest !== undefined || left.type !== right.type) return undefined;
  if ((left.removed?.length ?? 0) > 0 || (right.removed?.length ?? 0) > 0) return undefined;
  if (![...left.fields, ...right.fields].every((field) => store.term(field.key).kind === 'constant')) return undefined;
  const { guards } = store;
  const at = (fields: typeof left.fields, key: TermId): { present: Guard; value: TermId } => {
    let present: Guard = FALSE;
    let value = store.null;
    for (const field of fields) {
      if (field.key !== key) continue;
      value = conditional(store, field.when, field.value, value);
      present = guards.or(present, field.when);
    }
    return { present, value };
  };
  const keys = new Set([...left.fields, ...right.fields].map((field) => field.key));
  return guards.all(
    [...keys].map((key) => {
      const l = at(left.fields, key);
      const r = at(right.fields, key);
      return guards.and(guards.not(guards.xor(l.present, r.present)), guards.implies(l.present, equal(store, l.value, r.value)));
    }),
  );
}

/** Joined text has the literal parts of it: at its ends where they stand there, and in its length. */
function cannotBeText(store: Store, joined: Term, other: Term): boolean {
  if (joined.kind !== 'apply' || joined.fn !== 'text.concat' || other.kind !== 'constant' || other.value.type !== 'string') return false;
  const literals = joined.args.map((part) => {
    const term = store.term(part);
    return term.kind === 'constant' && term.value.type === 'string' ? term.value.value : '';
  });
  const text = other.value.value;
  return text.length < literals.join('').length || !text.startsWith(literals[0] ?? '') || !text.endsWith(literals.at(-1) ?? '');
}

/** Things that are equal only to themselves. */
function isDistinctObject(term: Term): boolean {
  return term.kind === 'function' || term.kind === 'class' || (term.kind === 'external' && term.self === undefined);
}

/** The argument at this path is there. */
export function has(store: Store, path: readonly (string | number)[]): Guard {
  return path.length === 0 ? TRUE : store.propositionGuard({ kind: 'has', path });
}

/** The value has this JSON type. */
export function hasType(store: Store, of: TermId, is: JsonType): Guard {
  return guardOverLeaves(store, of, (leaf) => {
    const type = typeOf(store, leaf);
    if (type !== undefined) return typeIs(store, leaf, type, is);
    return openTypeIs(store, leaf, is);
  });
}

/** Types of an open value in the order in which they are asked: the last is what is left. */
const TYPE_ORDER: readonly JsonType[] = ['string', 'array', 'integer', 'boolean', 'null', 'object', 'float'];

/**
 * A value has exactly one type, and an argument has one only where it is there. Spelled as a chain (not the earlier types,
 * then this one) both hold by construction, and no diagram has a path on which a value has two types.
 */
function openTypeIs(store: Store, leaf: TermId, is: JsonType): Guard {
  const term = store.term(leaf);
  if (term.kind === 'external' || term.kind === 'function' || term.kind === 'class' || term.kind === 'object' || term.kind === 'world') return FALSE;
  const { guards } = store;
  let result: Guard = term.kind === 'argument' ? has(store, term.path) : TRUE;
  for (const type of TYPE_ORDER) {
    const variable = type === 'float' ? TRUE : store.propositionGuard({ kind: 'type', of: leaf, is: type });
    if (type === is) return guards.and(result, variable);
    result = guards.and(result, guards.not(variable));
  }
  return result;
}

function typeIs(store: Store, leaf: TermId, type: string, is: JsonType): Guard {
  const inner = /^optional<(.*)>$/.exec(type)?.[1];
  if (type === 'json') return openTypeIs(store, leaf, is);
  if (inner === undefined) return jsonTypeOf(type) === is ? TRUE : FALSE;
  const absent = store.propositionGuard({ kind: 'type', of: leaf, is: 'null' });
  return is === 'null' ? absent : store.guards.and(store.guards.not(absent), typeIs(store, leaf, inner, is));
}

export function isNull(store: Store, of: TermId): Guard {
  return guardOverLeaves(store, of, (leaf) => {
    const type = typeOf(store, leaf);
    return type === undefined ? openTypeIs(store, leaf, 'null') : typeIs(store, leaf, type, 'null');
  });
}

/** The call throws; with a type, an exception of that type, which is a way of throwing. */
export function throws(store: Store, call: TermId, type?: string): Guard {
  const some = store.propositionGuard({ kind: 'throws', call });
  return type === undefined ? some : store.guards.and(some, store.propositionGuard({ kind: 'throws', call, type }));
}
