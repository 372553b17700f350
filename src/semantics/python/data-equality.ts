/**
 * Python's `==` between values whose equality calls no code: numbers across their types, text, None, lists, tuples,
 * sets, dicts and identity. Undecidable pairs of data become the named test `py.eq`, which is exact on every call.
 */
import { plainItems } from '../../analysis/construct.js';
import { FALSE, TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { ConstantValue } from '../../ir/nodes.js';
import { isData, isNumber, kindOf, type BuiltinType, type Kind } from './kinds.js';
import { constantOf, floatTerm, itemsOf } from './terms.js';

export const EQUAL_TEST = 'py.eq';

/** Exact for data; pairs with instances or library values are decided by identity (see equality.ts for the rest). */
export function dataEquals(machine: Machine, left: TermId, right: TermId): Guard {
  const { store } = machine;
  const l = store.term(left);
  if (l.kind === 'conditional') return store.guards.ite(l.when, dataEquals(machine, l.then, right), dataEquals(machine, l.otherwise, right));
  const r = store.term(right);
  if (r.kind === 'conditional') return store.guards.ite(r.when, dataEquals(machine, left, r.then), dataEquals(machine, left, r.otherwise));
  return leafEquals(machine, left, kindOf(machine, left), right, kindOf(machine, right));
}

function leafEquals(machine: Machine, left: TermId, lk: Kind, right: TermId, rk: Kind): Guard {
  const { store } = machine;
  if (lk.kind === 'optional') {
    const isNone = machine.isNull(left);
    return store.guards.ite(isNone, dataEquals(machine, store.null, right), leafEquals(machine, left, lk.inner, right, rk));
  }
  if (rk.kind === 'optional') return leafEquals(machine, right, rk, left, lk);
  if (left === right && !isNan(constantOf(store, left))) return TRUE;
  if (lk.kind === 'enum' || rk.kind === 'enum') return enumEquals(machine, left, lk, right, rk);
  const lc = constantOf(store, left);
  const rc = constantOf(store, right);
  if (lc !== undefined && rc !== undefined) return constantsEqual(lc, rc) ? TRUE : FALSE;
  if (left === store.null) return machine.isNull(right);
  if (right === store.null) return machine.isNull(left);
  if (lk.kind === 'json' || rk.kind === 'json') return jsonEquals(machine, left, lk, right, rk);
  if (lk.kind === 'builtin' && rk.kind === 'builtin') return builtinEquals(machine, left, lk.type, right, rk.type);
  if (lk.kind === 'library' || rk.kind === 'library' || lk.kind === 'unknown' || rk.kind === 'unknown') return machine.equal(left, right);
  return FALSE;
}

function isNan(value: ConstantValue | undefined): boolean {
  return value?.type === 'float' && Number.isNaN(value.value);
}

function enumEquals(machine: Machine, left: TermId, lk: Kind, right: TermId, rk: Kind): Guard {
  // Members with a builtin type compare by value, plain members by identity.
  const plain = (id: TermId, kind: Kind): TermId | undefined => (kind.kind !== 'enum' ? id : kind.member.mixin === undefined ? undefined : kind.member.value);
  const l = plain(left, lk);
  const r = plain(right, rk);
  return l === undefined || r === undefined ? (left === right ? TRUE : FALSE) : dataEquals(machine, l, r);
}

function numberOf(value: ConstantValue): { value: bigint } | { float: number } | undefined {
  if (value.type === 'int') return { value: BigInt(value.value) };
  if (value.type === 'boolean') return { value: value.value ? 1n : 0n };
  if (value.type === 'float') return Number.isInteger(value.value) ? { value: BigInt(value.value) } : { float: value.value };
  return undefined;
}

export function constantsEqual(left: ConstantValue, right: ConstantValue): boolean {
  const l = numberOf(left);
  const r = numberOf(right);
  if (l !== undefined && r !== undefined) {
    if ('value' in l) return 'value' in r && l.value === r.value;
    return 'float' in r && l.float === r.float;
  }
  if (left.type === 'string' && right.type === 'string') return left.value === right.value;
  if (left.type === 'bytes' && right.type === 'bytes') return left.hex === right.hex;
  if (left.type === 'special' && right.type === 'special') return left.name === right.name;
  return (left.type === 'null' || left.type === 'undefined') && (right.type === 'null' || right.type === 'undefined');
}

/** A constant number equals the same number of every numeric type. */
function numberEquals(machine: Machine, constant: ConstantValue, other: TermId): Guard | undefined {
  const { store } = machine;
  const number = numberOf(constant);
  if (number === undefined) return undefined;
  if ('float' in number) return Number.isNaN(number.float) ? FALSE : machine.equal(other, floatTerm(store, number.float));
  const parts = [machine.equal(other, store.int(number.value))];
  const float = Number(number.value);
  if (Number.isFinite(float) && BigInt(float) === number.value) parts.push(machine.equal(other, floatTerm(store, float)));
  if (number.value === 0n) parts.push(machine.equal(other, store.false));
  if (number.value === 1n) parts.push(machine.equal(other, store.true));
  return store.guards.any(parts);
}

function jsonEquals(machine: Machine, left: TermId, lk: Kind, right: TermId, rk: Kind): Guard {
  const { store } = machine;
  const [json, other, otherKind] = lk.kind === 'json' ? [left, right, rk] : [right, left, lk];
  const constant = constantOf(store, other);
  if (constant !== undefined) {
    const number = numberEquals(machine, constant, json);
    if (number !== undefined) return number;
    return constant.type === 'string' ? machine.equal(json, other) : constant.type === 'bytes' || constant.type === 'special' ? FALSE : machine.isNull(json);
  }
  if (otherKind.kind === 'builtin') {
    if (otherKind.type === 'str' || otherKind.type === 'none') return machine.equal(json, other);
    if (otherKind.type === 'tuple' || otherKind.type === 'set' || otherKind.type === 'bytes') return FALSE;
    if (otherKind.type === 'list' && onlyTexts(machine, other)) return machine.equal(json, machine.freeze(other));
    return named(machine, json, other);
  }
  return otherKind.kind === 'json'
    ? named(machine, json, other)
    : otherKind.kind === 'library' || otherKind.kind === 'unknown'
      ? machine.equal(json, other)
      : FALSE;
}

/** Equality of the language is plain equality where numbers take no part. */
function onlyTexts(machine: Machine, value: TermId): boolean {
  const items = itemsOf(machine, value);
  return items !== undefined && items.every((item) => machine.typeOf(item) === 'str' || item === machine.store.null);
}

function named(machine: Machine, left: TermId, right: TermId): Guard {
  const { store } = machine;
  const l = machine.freeze(left);
  const r = machine.freeze(right);
  const [first, second] = store.termKey(l) < store.termKey(r) ? [l, r] : [r, l];
  return machine.test(EQUAL_TEST, [first, second]);
}

function builtinEquals(machine: Machine, left: TermId, lt: BuiltinType, right: TermId, rt: BuiltinType): Guard {
  const { store } = machine;
  const lk: Kind = { kind: 'builtin', type: lt };
  const rk: Kind = { kind: 'builtin', type: rt };
  if (isNumber(lk) && isNumber(rk)) {
    const lc = constantOf(store, left);
    const rc = constantOf(store, right);
    if (lc !== undefined) return numberEquals(machine, lc, right) ?? FALSE;
    if (rc !== undefined) return numberEquals(machine, rc, left) ?? FALSE;
    return lt === rt && lt !== 'float' ? machine.equal(left, right) : named(machine, left, right);
  }
  if (lt !== rt) return FALSE;
  if (lt === 'list' || lt === 'tuple') return sequencesEqual(machine, left, right);
  if (lt === 'set' || lt === 'dict') {
    const l = machine.freeze(left);
    const r = machine.freeze(right);
    return l === r ? TRUE : named(machine, l, r);
  }
  return machine.equal(left, right);
}

function sequencesEqual(machine: Machine, left: TermId, right: TermId): Guard {
  const { store } = machine;
  const l = itemsOf(machine, left);
  const r = itemsOf(machine, right);
  if (l !== undefined && r !== undefined) return l.length === r.length ? store.guards.all(l.map((item, at) => dataEquals(machine, item, r[at]!))) : FALSE;
  if (onlyTexts(machine, left) || onlyTexts(machine, right)) {
    const [known, open] = l === undefined ? [right, left] : [left, right];
    if (plainItems(store.term(machine.content(open))) === undefined && store.term(machine.content(open)).kind !== 'list')
      return machine.equal(machine.freeze(known), machine.freeze(open));
  }
  return named(machine, left, right);
}

/** Whether both sides are data all the way, so that `dataEquals` is Python's equality. */
export function isPlainData(machine: Machine, value: TermId): boolean {
  return machine.leaves(value).every(({ leaf }) => {
    const kind = kindOf(machine, leaf);
    if (kind.kind === 'instance' || kind.kind === 'library' || kind.kind === 'unknown' || kind.kind === 'suspended') return false;
    if (kind.kind === 'optional') return isData(kind.inner) || kind.inner.kind === 'builtin';
    if (kind.kind !== 'builtin' || !['list', 'tuple', 'set'].includes(kind.type)) return true;
    return machine.leaves(machine.content(leaf)).every(({ leaf: content }) => {
      const term = machine.store.term(content);
      if (term.kind !== 'list') return true;
      return term.segments.every((s) => (s.kind === 'items' ? s.items.every((item) => isPlainData(machine, item)) : isPlainData(machine, s.of)));
    });
  });
}
