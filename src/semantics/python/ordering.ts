/** `<`, `<=`, `>`, `>=`. */
import { FALSE, TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { ConstantValue } from '../../ir/nodes.js';
import type { Span } from '../../ir/span.js';
import { raise, unsupported } from './failures.js';
import { isNumber, isType, overKinds, overSettled, typeName, type Kind } from './kinds.js';
import { callSpecial } from './methods.js';
import { pythonNumber } from './numbers.js';
import { boolTerm, constantOf, itemsOf } from './terms.js';

export type Order = 'lt' | 'le' | 'gt' | 'ge';
const REFLECTED: Readonly<Record<Order, Order>> = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' };

export function compareOrder(machine: Machine, order: Order, left: TermId, right: TermId, span: Span): TermId {
  const types = ['int', 'str', 'float', 'bool', 'list'] as const;
  return overKinds(machine, left, (l, lk) =>
    overKinds(machine, right, (r, rk) => {
      if (lk.kind === 'enum' && lk.member.mixin !== undefined) return compareOrder(machine, order, lk.member.value, r, span);
      if (rk.kind === 'enum' && rk.member.mixin !== undefined) return compareOrder(machine, order, l, rk.member.value, span);
      if (lk.kind === 'library' || lk.kind === 'instance' || rk.kind === 'library' || rk.kind === 'instance')
        return objectOrder(machine, order, l, lk, r, rk, span);
      if (lk.kind === 'unknown' || rk.kind === 'unknown')
        return unsupported(machine, 'values of unknown type are ordered', span, 'declare the type of the callee that returned it in its inventory');
      return overSettled(machine, l, types, (a, ak) => overSettled(machine, r, types, (b, bk) => builtinOrder(machine, order, a, ak, b, bk, span)));
    }),
  );
}

function objectOrder(machine: Machine, order: Order, l: TermId, lk: Kind, r: TermId, rk: Kind, span: Span): TermId {
  const first = lk.kind === 'library' || lk.kind === 'instance' ? callSpecial(machine, l, lk, `__${order}__`, [r], span) : 'absent';
  if (first !== undefined && first !== 'absent') return first;
  const second =
    first === 'absent' && (rk.kind === 'library' || rk.kind === 'instance') ? callSpecial(machine, r, rk, `__${REFLECTED[order]}__`, [l], span) : first;
  if (second === 'absent') return raise(machine, 'type', `'${order}' not supported between instances of '${typeName(lk)}' and '${typeName(rk)}'`);
  if (second !== undefined) return second;
  return machine.stop('unreviewed-callee', 'library values are ordered', span, `add an inventory entry for __${order}__ of the type`);
}

function builtinOrder(machine: Machine, order: Order, l: TermId, lk: Kind, r: TermId, rk: Kind, span: Span): TermId {
  const { store } = machine;
  const sameSequence = (isType(lk, 'list') && isType(rk, 'list')) || (isType(lk, 'tuple') && isType(rk, 'tuple'));
  if ((isNumber(lk) && isNumber(rk)) || (isType(lk, 'str') && isType(rk, 'str')) || (isType(lk, 'bytes') && isType(rk, 'bytes')))
    return boolTerm(store, scalarOrder(machine, order, l, lk, r, rk));
  if (sameSequence) {
    const known = knownOrder(machine, order, l, r);
    return known === undefined ? unsupported(machine, 'lists that are not constant are ordered', span) : store.boolean(known);
  }
  if ((isType(lk, 'set') && isType(rk, 'set')) || lk.kind === 'view' || rk.kind === 'view') return unsupported(machine, 'sets are ordered', span);
  return raise(machine, 'type', `'${order}' not supported between instances of '${typeName(lk)}' and '${typeName(rk)}'`);
}

/** Text is ordered by code points, numbers by value. */
export function compareConstants(left: ConstantValue, right: ConstantValue): number | undefined {
  const l = pythonNumber(left);
  const r = pythonNumber(right);
  if (l !== undefined && r !== undefined) {
    if (l.kind === 'int' && r.kind === 'int') return l.value < r.value ? -1 : l.value > r.value ? 1 : 0;
    const [a, b] = [l.value, r.value];
    // Mixed comparison of bigint and number is exact; NaN is unordered.
    return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : a < b ? -1 : a > b ? 1 : 0;
  }
  if (left.type === 'string' && right.type === 'string') return compareText(left.value, right.value);
  if (left.type === 'bytes' && right.type === 'bytes') return left.hex < right.hex ? -1 : left.hex > right.hex ? 1 : 0;
  return undefined;
}

export function compareText(left: string, right: string): number {
  const a = Array.from(left, (letter) => letter.codePointAt(0)!);
  const b = Array.from(right, (letter) => letter.codePointAt(0)!);
  for (let at = 0; at < a.length && at < b.length; at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}

function holds(order: Order, sign: number): boolean {
  switch (order) {
    case 'lt':
      return sign < 0;
    case 'le':
      return sign <= 0;
    case 'gt':
      return sign > 0;
    case 'ge':
      return sign >= 0;
  }
}

/** One named test, `py.lt`, carries every order, except where a NaN could tell `<=` from not `>`. */
function scalarOrder(machine: Machine, order: Order, l: TermId, lk: Kind, r: TermId, rk: Kind): Guard {
  const { store } = machine;
  const lc = constantOf(store, l);
  const rc = constantOf(store, r);
  if (lc !== undefined && rc !== undefined) {
    const sign = compareConstants(lc, rc);
    if (sign !== undefined) return holds(order, sign) ? TRUE : FALSE;
  }
  if (order === 'gt') return scalarOrder(machine, 'lt', r, rk, l, lk);
  if (order === 'ge') return scalarOrder(machine, 'le', r, rk, l, lk);
  if (l === r && !isType(lk, 'float')) return order === 'le' ? TRUE : FALSE;
  if (order === 'lt') return machine.test('py.lt', [l, r]);
  const mayBeNan = (id: TermId, kind: Kind): boolean => isType(kind, 'float') && constantOf(store, id) === undefined && store.term(id).kind !== 'argument';
  if (mayBeNan(l, lk) || mayBeNan(r, rk)) return machine.test('py.le', [l, r]);
  return store.guards.not(machine.test('py.lt', [r, l]));
}

function knownOrder(machine: Machine, order: Order, l: TermId, r: TermId): boolean | undefined {
  const a = itemsOf(machine, l);
  const b = itemsOf(machine, r);
  if (a === undefined || b === undefined) return undefined;
  for (let at = 0; at < a.length && at < b.length; at += 1) {
    const x = constantOf(machine.store, a[at]!);
    const y = constantOf(machine.store, b[at]!);
    const sign = x === undefined || y === undefined ? undefined : compareConstants(x, y);
    if (sign === undefined || Number.isNaN(sign)) return undefined;
    if (sign !== 0) return holds(order, sign);
  }
  return holds(order, a.length - b.length);
}
