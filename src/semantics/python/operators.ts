/** Unary and binary operators of Python, dispatched by the kinds of their operands. */
import type { Machine } from '../../analysis/machine.js';
import type { TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { builtinBinary, OPERAND_TYPES } from './arithmetic.js';
import { contains } from './contains.js';
import { equals, identical } from './equality.js';
import { raise, unsupported } from './failures.js';
import { isType, overKinds, overSettled, typeName, type Kind } from './kinds.js';
import { callSpecial } from './methods.js';
import { negateNumber } from './numbers.js';
import { compareOrder } from './ordering.js';
import { boolTerm, constantOf } from './terms.js';
import { truthy } from './truth.js';
import { mergeInto } from './record-merge.js';
import { extendList } from './sequences.js';

/** Arithmetic operators: name in the IR, special method. */
const SPECIAL_NAMES: ReadonlyMap<string, string> = new Map([
  ['add', 'add'],
  ['sub', 'sub'],
  ['mul', 'mul'],
  ['div', 'truediv'],
  ['truediv', 'truediv'],
  ['floordiv', 'floordiv'],
  ['mod', 'mod'],
  ['pow', 'pow'],
  ['matmul', 'matmul'],
  ['lshift', 'lshift'],
  ['rshift', 'rshift'],
  ['and', 'and'],
  ['bitand', 'and'],
  ['or', 'or'],
  ['bitor', 'or'],
  ['xor', 'xor'],
  ['bitxor', 'xor'],
]);

/** `py.not_in`, `py.notIn` and `py.notin` are one name. */
function operatorName(operator: string): string {
  return operator
    .replace(/^py\./, '')
    .replaceAll(/[^a-zA-Z]/g, '')
    .toLowerCase();
}

export function binary(machine: Machine, operator: string, left: TermId, right: TermId, span: Span): TermId {
  const { store } = machine;
  const name = operatorName(operator);
  switch (name) {
    case 'eq':
      return boolTerm(store, equals(machine, left, right, span));
    case 'ne':
    case 'noteq':
      return boolTerm(store, store.guards.not(equals(machine, left, right, span)));
    case 'is':
      return boolTerm(store, identical(machine, left, right, span));
    case 'isnot':
      return boolTerm(store, store.guards.not(identical(machine, left, right, span)));
    case 'in':
      return boolTerm(store, contains(machine, left, right, span));
    case 'notin':
      return boolTerm(store, store.guards.not(contains(machine, left, right, span)));
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
    case 'lte':
    case 'gte':
      return compareOrder(
        machine,
        name.slice(0, 2) === 'lt' && name === 'lte' ? 'le' : name === 'gte' ? 'ge' : (name as 'lt' | 'le' | 'gt' | 'ge'),
        left,
        right,
        span,
      );
    default:
      break;
  }
  const special = SPECIAL_NAMES.get(name);
  if (special === undefined) return unsupported(machine, `the operator ${operator}`, span);
  return arithmetic(machine, special, left, right, span);
}

function arithmetic(machine: Machine, op: string, left: TermId, right: TermId, span: Span): TermId {
  return overKinds(machine, left, (l, lk) => overKinds(machine, right, (r, rk) => arithmeticPair(machine, op, l, lk, r, rk, span)));
}

function arithmeticPair(machine: Machine, op: string, l: TermId, lk: Kind, r: TermId, rk: Kind, span: Span): TermId {
  if (lk.kind === 'enum' && lk.member.mixin !== undefined) return arithmetic(machine, op, lk.member.value, r, span);
  if (rk.kind === 'enum' && rk.member.mixin !== undefined) return arithmetic(machine, op, l, rk.member.value, span);
  const objects = lk.kind === 'library' || lk.kind === 'instance' || rk.kind === 'library' || rk.kind === 'instance';
  if (objects) return objectOperator(machine, op, l, lk, r, rk, span);
  if (lk.kind === 'unknown' || rk.kind === 'unknown')
    return unsupported(machine, `the operator ${op} on a value of unknown type`, span, 'declare the type of the callee that returned it in its inventory');
  if (op === 'or' && isTypeLike(lk, l, machine) && isTypeLike(rk, r, machine) && !(isType(lk, 'none') && isType(rk, 'none')))
    return machine.store.intern({ kind: 'apply', fn: 'py.union', args: [l, r], type: 'py:types#UnionType' });
  const types = OPERAND_TYPES.get(op) ?? [];
  return overSettled(machine, l, types, (left, leftKind) =>
    overSettled(machine, r, types, (right, rightKind) => builtinBinary(machine, op, left, leftKind, right, rightKind, span)),
  );
}

function isTypeLike(kind: Kind, value: TermId, machine: Machine): boolean {
  return (
    kind.kind === 'class' ||
    kind.kind === 'external' ||
    isType(kind, 'none') ||
    machine.typeOf(value) === 'py:types#UnionType' ||
    machine.typeOf(value) === 'py:types#GenericAlias'
  );
}

function objectOperator(machine: Machine, op: string, l: TermId, lk: Kind, r: TermId, rk: Kind, span: Span): TermId {
  const first = lk.kind === 'library' || lk.kind === 'instance' ? callSpecial(machine, l, lk, `__${op}__`, [r], span) : 'absent';
  if (first !== undefined && first !== 'absent') {
    if (constantOf(machine.store, first)?.type === 'special') return unsupported(machine, `__${op}__ returns NotImplemented`, span);
    return first;
  }
  if (first === undefined && lk.kind === 'library') {
    const isUnion = lk.type === 'py:types#UnionType' || lk.type === 'py:types#GenericAlias';
    if (isUnion && op === 'or') return machine.store.intern({ kind: 'apply', fn: 'py.union', args: [l, r], type: 'py:types#UnionType' });
    return machine.stop(
      'unreviewed-callee',
      `${lk.type}.__${op}__ is used and has no inventory entry`,
      span,
      `add an inventory entry for ${lk.type}.__${op}__`,
    );
  }
  if (first === undefined)
    return unsupported(machine, `the operator ${op} on an instance with a library base class`, span, 'model the base class in an inventory');
  const second = rk.kind === 'library' || rk.kind === 'instance' ? callSpecial(machine, r, rk, `__r${op}__`, [l], span) : 'absent';
  if (second === 'absent') return raise(machine, 'type', `unsupported operand type(s) for ${op}: '${typeName(lk)}' and '${typeName(rk)}'`);
  if (second !== undefined) return second;
  const type = rk.kind === 'library' ? rk.type : typeName(rk);
  if (type === 'py:types#UnionType' || type === 'py:types#GenericAlias')
    return machine.store.intern({ kind: 'apply', fn: 'py.union', args: [l, r], type: 'py:types#UnionType' });
  return machine.stop('unreviewed-callee', `${type}.__r${op}__ is used and has no inventory entry`, span, `add an inventory entry for ${type}.__r${op}__`);
}

export function unary(machine: Machine, operator: string, operand: TermId, span: Span): TermId {
  const { store } = machine;
  const name = operatorName(operator);
  if (name === 'not') return boolTerm(store, store.guards.not(truthy(machine, operand, span)));
  return overSettled(machine, operand, ['int', 'bool', 'float'], (leaf, kind) => {
    if (kind.kind === 'enum' && kind.member.mixin === 'int') return unary(machine, operator, kind.member.value, span);
    if (isType(kind, 'int', 'float', 'bool')) {
      const result = negateNumber(machine, name, leaf, kind);
      return (
        result ??
        (isType(kind, 'float') && name === 'invert'
          ? raise(machine, 'type', `bad operand type for unary ~: 'float'`)
          : unsupported(machine, `the operator ${operator}`, span))
      );
    }
    if (kind.kind === 'library' || kind.kind === 'instance') {
      const special = callSpecial(machine, leaf, kind, `__${name}__`, [], span);
      if (special !== undefined && special !== 'absent') return special;
      if (special === undefined)
        return unsupported(machine, `the operator ${operator} on a ${typeName(kind)}`, span, `add an inventory entry for __${name}__ of its type`);
    }
    if (kind.kind === 'unknown') return unsupported(machine, `the operator ${operator} on a value of unknown type`, span);
    return raise(machine, 'type', `bad operand type for unary ${name}: '${typeName(kind)}'`);
  });
}

/** `x += y`: lists, sets and dicts change in place, so every alias sees it. */
export function augmented(machine: Machine, operator: string, left: TermId, right: TermId, span: Span): TermId {
  const op = SPECIAL_NAMES.get(operatorName(operator));
  if (op === undefined) return unsupported(machine, `the operator ${operator}=`, span);
  return overKinds(machine, left, (leaf, kind) => {
    if (kind.kind === 'builtin' && kind.type === 'list' && (op === 'add' || op === 'mul'))
      return op === 'add' ? extendList(machine, leaf, right, span) : unsupported(machine, 'a list is repeated in place', span);
    if (isType(kind, 'dict') && op === 'or') return mergeInto(machine, leaf, right, span);
    if (isType(kind, 'set') && machine.object(leaf) !== undefined) {
      const result = arithmetic(machine, op, leaf, right, span);
      const [held, made] = [machine.object(leaf), machine.object(result)];
      if (held?.kind === 'list' && made?.kind === 'list') machine.update(leaf, { ...held, content: made.content }, span);
      return leaf;
    }
    if (kind.kind === 'json')
      return overSettled(machine, leaf, ['str', 'int', 'float', 'bool'], (inner, settled) =>
        settled.kind === 'json'
          ? unsupported(machine, `${operator}= on a value that may be a list of the caller`, span, 'copy the list first')
          : arithmetic(machine, op, inner, right, span),
      );
    if (kind.kind === 'library' || kind.kind === 'instance') {
      const special = callSpecial(machine, leaf, kind, `__i${op}__`, [right], span);
      if (special !== undefined && special !== 'absent') return special;
    }
    return arithmetic(machine, op, leaf, right, span);
  });
}
