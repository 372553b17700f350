/** `==`, `!=`, `is` and `is not` of any two values; equality of instances may call project or library code. */
import { FALSE, TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import { classLineage, findMethod } from '../../analysis/members.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { dataEquals, isPlainData } from './data-equality.js';
import { unsupported } from './failures.js';
import { guardOf, overKinds, type Kind } from './kinds.js';
import { callSpecial, isException } from './methods.js';
import { dataclassOptions } from './dataclasses.js';
import { boolTerm, constantOf } from './terms.js';
import { truthy } from './truth.js';

export function equals(machine: Machine, left: TermId, right: TermId, span: Span): Guard {
  if (isPlainData(machine, left) && isPlainData(machine, right)) return dataEquals(machine, left, right);
  return guardOf(
    machine,
    overKinds(machine, left, (l, lk) => overKinds(machine, right, (r, rk) => pairEquals(machine, l, lk, r, rk, span))),
  );
}

function pairEquals(machine: Machine, left: TermId, lk: Kind, right: TermId, rk: Kind, span: Span): TermId {
  const { store } = machine;
  if (left === right && lk.kind !== 'library' && lk.kind !== 'unknown') return store.true;
  if (hasOwnEquality(lk) || hasOwnEquality(rk)) {
    const [own, ownKind, other] = hasOwnEquality(lk) ? [left, lk, right] : [right, rk, left];
    if (isException(machine, ownKind, own) && callSpecial(machine, own, ownKind, '__eq__', [other], span) === 'absent') return store.boolean(left === right);
    const generated = instanceEquality(machine, left, lk, right, rk, span);
    if (generated !== undefined) return boolTerm(store, generated);
    const result = callSpecial(machine, own, ownKind, '__eq__', [other], span);
    if (result === 'absent') {
      // Without `__eq__` on either side equality is identity.
      if (!hasOwnEquality(lk) || !hasOwnEquality(rk)) return store.false;
      const reflected = callSpecial(machine, right, rk, '__eq__', [left], span);
      if (reflected === 'absent') return store.boolean(left === right);
      return reflected === undefined ? unknownEquality(machine, rk, span) : boolTerm(store, truthy(machine, reflected, span));
    }
    if (result === undefined) return unknownEquality(machine, ownKind, span);
    if (constantOf(store, result)?.type === 'special') return store.boolean(left === right);
    return boolTerm(store, truthy(machine, result, span));
  }
  if (lk.kind === 'unknown' || rk.kind === 'unknown') return unknownEquality(machine, lk.kind === 'unknown' ? lk : rk, span);
  if (!isPlainData(machine, left) || !isPlainData(machine, right)) {
    if (lk.kind === 'builtin' && rk.kind === 'builtin' && lk.type !== rk.type) return store.false;
    return unsupported(machine, 'collections that hold instances are compared', span, 'compare their fields');
  }
  return boolTerm(store, dataEquals(machine, left, right));
}

function hasOwnEquality(kind: Kind): boolean {
  return kind.kind === 'instance' || kind.kind === 'library';
}

function unknownEquality(machine: Machine, kind: Kind, span: Span): TermId {
  if (kind.kind === 'library') return machine.stop('unreviewed-callee', `a ${kind.type} is compared`, span, `add an inventory entry for ${kind.type}.__eq__`);
  return unsupported(machine, 'a value of unknown type is compared', span, 'declare the type of the callee that returned it in its inventory');
}

/** `is`: decided for None, booleans, enum members, classes, functions and objects made here. */
export function identical(machine: Machine, left: TermId, right: TermId, span: Span): Guard {
  return guardOf(
    machine,
    overKinds(machine, left, (l, lk) => overKinds(machine, right, (r, rk) => boolOrStop(machine, l, lk, r, rk, span))),
  );
}

function boolOrStop(machine: Machine, left: TermId, lk: Kind, right: TermId, rk: Kind, span: Span): TermId {
  const { store } = machine;
  if (store.term(left).kind === 'object' || store.term(right).kind === 'object') return store.boolean(left === right);
  for (const singleton of [store.null, store.true, store.false]) {
    if (left === singleton) return boolTerm(store, machine.equal(right, singleton));
    if (right === singleton) return boolTerm(store, machine.equal(left, singleton));
  }
  if (isSingular(lk) || isSingular(rk)) return boolTerm(store, left === right ? TRUE : FALSE);
  if (lk.kind === 'builtin' && rk.kind === 'builtin' && lk.type !== rk.type) return store.false;
  return unsupported(machine, 'the identity of two values is tested with `is`', span, 'compare with ==, or test against None');
}

function isSingular(kind: Kind): boolean {
  return kind.kind === 'enum' || kind.kind === 'class' || kind.kind === 'module' || kind.kind === 'special' || kind.kind === 'external';
}

/** Equality by fields where both are instances of one class that generates it; undefined elsewhere. */
export function instanceEquality(machine: Machine, left: TermId, lk: Kind, right: TermId, rk: Kind, span: Span): Guard | undefined {
  if (lk.kind !== 'instance' || findMethod(machine, lk.object.class, '__eq__') !== undefined) return undefined;
  const lineage = classLineage(machine, lk.object.class, span) ?? [];
  const isModel = lineage.some((ancestor) => ancestor.kind === 'external' && ancestor.identity === 'py:pydantic#BaseModel');
  if (!isModel && dataclassOptions(machine, lk.object.class)?.eq !== true) return undefined;
  if (left === right) return undefined;
  if (rk.kind !== 'instance' || rk.object.class !== lk.object.class) return rk.kind === 'library' ? undefined : FALSE;
  const names = [...lk.object.fields.keys()].filter((name) => name !== 'args');
  return machine.store.guards.all(names.map((name) => equals(machine, lk.object.fields.get(name)!, rk.object.fields.get(name) ?? machine.store.null, span)));
}
