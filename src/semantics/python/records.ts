/**
 * Dictionaries: known guarded fields over an optional mapping of unknown keys. As in Python, a key keeps the place of its
 * first insertion and has the value of its last.
 */
import { conditional } from '../../analysis/construct.js';
import { FALSE, TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { Guard, RecordField, Term, TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { dataEquals } from './data-equality.js';
import { unsupported } from './failures.js';
import { overSettled, typeName, typeParameters, isType } from './kinds.js';
import { stringOf, constantOf } from './terms.js';
import { raise } from './failures.js';

export interface RecordView {
  readonly fields: readonly RecordField[];
  /** Keys that no field has come from here, unless removed. */
  readonly rest?: TermId;
  readonly removed: readonly { readonly when: Guard; readonly key: TermId }[];
}

export interface Lookup {
  readonly present: Guard;
  /** Means something only where `present` holds. */
  readonly value: TermId;
}

/** The content of a dict value; undefined where it is nothing that has keys. */
export function recordView(machine: Machine, value: TermId): RecordView | undefined {
  return viewOfContent(machine, machine.content(value));
}

function viewOfContent(machine: Machine, content: TermId): RecordView | undefined {
  const term = machine.store.term(content);
  if (term.kind === 'record') return { fields: term.fields, removed: term.removed ?? [], ...(term.rest === undefined ? {} : { rest: term.rest }) };
  if (term.kind === 'conditional') {
    const then = viewOfContent(machine, term.then);
    const otherwise = viewOfContent(machine, term.otherwise);
    return then === undefined || otherwise === undefined ? undefined : mergeViews(machine, term.when, then, otherwise);
  }
  if (term.kind === 'object') return undefined;
  return { fields: [], rest: content, removed: [] };
}

function mergeViews(machine: Machine, when: Guard, then: RecordView, otherwise: RecordView): RecordView {
  const { store } = machine;
  const same = (a: RecordField, b: RecordField): boolean => a.when === b.when && a.key === b.key && a.value === b.value;
  const left = then.fields;
  const right = otherwise.fields;
  let prefix = 0;
  while (prefix < left.length && prefix < right.length && same(left[prefix]!, right[prefix]!)) prefix += 1;
  const not = store.guards.not(when);
  const fields = [
    ...left.slice(0, prefix),
    ...left.slice(prefix).map((field) => ({ ...field, when: store.guards.and(when, field.when) })),
    ...right.slice(prefix).map((field) => ({ ...field, when: store.guards.and(not, field.when) })),
  ].filter((field) => field.when !== FALSE);
  const empty = store.intern({ kind: 'record', fields: [] });
  const rest = then.rest === otherwise.rest ? then.rest : conditional(store, when, then.rest ?? empty, otherwise.rest ?? empty);
  const removed = [
    ...then.removed.map((r) => ({ ...r, when: store.guards.and(when, r.when) })),
    ...otherwise.removed.map((r) => ({ ...r, when: store.guards.and(not, r.when) })),
  ];
  return { fields, removed: mergeRemoved(machine, removed), ...(rest === undefined ? {} : { rest }) };
}

function mergeRemoved(machine: Machine, removed: readonly { when: Guard; key: TermId }[]): { when: Guard; key: TermId }[] {
  const byKey = new Map<TermId, Guard>();
  for (const { when, key } of removed) byKey.set(key, machine.store.guards.or(byKey.get(key) ?? FALSE, when));
  return [...byKey].filter(([, when]) => when !== FALSE).map(([key, when]) => ({ key, when }));
}

export function recordTerm(machine: Machine, view: RecordView, type?: string): TermId {
  const term: Term = {
    kind: 'record',
    fields: view.fields.filter((field) => field.when !== FALSE),
    ...(view.rest === undefined ? {} : { rest: view.rest }),
    ...(view.removed.length === 0 ? {} : { removed: view.removed }),
    ...(type === undefined ? {} : { type }),
  };
  return machine.store.intern(term);
}

/** The last field wins. */
export function lookup(machine: Machine, view: RecordView, key: TermId): Lookup {
  const { store } = machine;
  let present: Guard;
  let value: TermId;
  if (view.rest === undefined) [present, value] = [FALSE, store.null];
  else {
    const removed = store.guards.any(view.removed.map((r) => store.guards.and(r.when, keyEquals(machine, r.key, key))));
    const found = restLookup(machine, view.rest, key);
    present = store.guards.and(found.present, store.guards.not(removed));
    value = found.value;
  }
  for (const field of view.fields) {
    const hit = store.guards.and(field.when, keyEquals(machine, field.key, key));
    if (hit === FALSE) continue;
    value = present === FALSE ? field.value : conditional(store, hit, field.value, value);
    present = store.guards.or(present, hit);
  }
  return { present, value };
}

function restLookup(machine: Machine, rest: TermId, key: TermId): Lookup {
  const { store } = machine;
  const term = store.term(rest);
  if (term.kind === 'conditional') {
    const then = restLookup(machine, term.then, key);
    const otherwise = restLookup(machine, term.otherwise, key);
    return { present: store.guards.ite(term.when, then.present, otherwise.present), value: conditional(store, term.when, then.value, otherwise.value) };
  }
  if (term.kind === 'record')
    return lookup(machine, { fields: term.fields, removed: term.removed ?? [], ...(term.rest === undefined ? {} : { rest: term.rest }) }, key);
  const name = stringOf(store, key);
  if (term.kind === 'argument') {
    if (name !== undefined) {
      const path = [...term.path, name];
      return { present: machine.has(path), value: store.intern({ kind: 'argument', path }) };
    }
    // Keys of JSON objects are text.
    if (constantOf(store, key) !== undefined) return { present: FALSE, value: store.null };
  }
  const type = machine.typeOf(rest);
  const valueType = type?.startsWith('dict<') === true ? typeParameters(type)[1] : 'json';
  return { present: machine.test('py.hasKey', [rest, key]), value: machine.apply('py.item', [rest, key], valueType) };
}

function keyEquals(machine: Machine, left: TermId, right: TermId): Guard {
  return dataEquals(machine, left, right);
}

/** The dict with the key set, without changing `view`. */
export function withKey(machine: Machine, view: RecordView, key: TermId, value: TermId): RecordView {
  const at = view.fields.findIndex((field) => field.when === TRUE && keyEquals(machine, field.key, key) === TRUE);
  const later = at < 0 ? [] : view.fields.slice(at + 1);
  const alone = later.every((field) => machine.store.guards.and(field.when, keyEquals(machine, field.key, key)) === FALSE);
  if (at >= 0 && alone) return { ...view, fields: view.fields.map((field, index) => (index === at ? { ...field, value } : field)) };
  return { ...view, fields: [...view.fields, { when: TRUE, key, value }] };
}

export function withoutKey(machine: Machine, view: RecordView, key: TermId): RecordView {
  const { store } = machine;
  const fields = view.fields
    .map((field) => ({ ...field, when: store.guards.and(field.when, store.guards.not(keyEquals(machine, field.key, key))) }))
    .filter((field) => field.when !== FALSE);
  const removed = view.rest === undefined ? [] : mergeRemoved(machine, [...view.removed, { when: TRUE, key }]);
  return { ...view, fields, removed };
}

/** Known entries in Python's order: each key once, at the place of its first insertion. */
export function entries(machine: Machine, view: RecordView): { when: Guard; key: TermId; value: TermId }[] {
  const { store } = machine;
  const out: { when: Guard; key: TermId; value: TermId }[] = [];
  view.fields.forEach((field, at) => {
    let earlier: Guard = FALSE;
    let value = field.value;
    view.fields.forEach((other, index) => {
      if (index === at) return;
      const same = store.guards.and(other.when, keyEquals(machine, other.key, field.key));
      if (same === FALSE) return;
      if (index < at) earlier = store.guards.or(earlier, same);
      else value = conditional(store, same, other.value, value);
    });
    const when = store.guards.and(field.when, store.guards.not(earlier));
    if (when !== FALSE) out.push({ when, key: field.key, value });
  });
  return out;
}

/** Only hashable keys are keys; others throw. */
export function requireHashable(machine: Machine, key: TermId, span: Span): void {
  overSettled(machine, key, ['list', 'dict'], (leaf, kind) => {
    if (isType(kind, 'list', 'dict') || (isType(kind, 'set') && machine.object(leaf) !== undefined))
      return raise(machine, 'type', `unhashable type: '${typeName(kind)}'`);
    if (kind.kind === 'unknown')
      return unsupported(machine, 'a value of unknown type is used as a key', span, 'declare the type of the callee that returned it in its inventory');
    return machine.store.null;
  });
}

/** Replaces the content of a dict object. */
export function storeView(machine: Machine, value: TermId, view: RecordView, span: Span): void {
  const object = machine.object(value);
  if (object?.kind !== 'record') {
    unsupported(machine, 'a mapping that was passed in by the caller or a library is changed', span, 'copy it with dict(…) before the change');
    return;
  }
  machine.update(value, { ...object, content: recordTerm(machine, view) }, span);
}
