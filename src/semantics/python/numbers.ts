/** Arithmetic of int, float and bool: exact on constants, a named pure operation elsewhere. */
import type { Machine } from '../../analysis/machine.js';
import type { Store } from '../../analysis/store.js';
import type { TermId } from '../../analysis/terms.js';
import type { ConstantValue } from '../../ir/nodes.js';
import { dataEquals } from './data-equality.js';
import { raise } from './failures.js';
import { isType, type Kind } from './kinds.js';
import { constantOf, floatTerm } from './terms.js';

/** Digits of an integer result that is still computed. */
const INTEGER_DIGITS_MAX = 4000;

type PythonNumber = { readonly kind: 'int'; readonly value: bigint } | { readonly kind: 'float'; readonly value: number };

export function pythonNumber(value: ConstantValue | undefined): PythonNumber | undefined {
  if (value?.type === 'int') return { kind: 'int', value: BigInt(value.value) };
  if (value?.type === 'boolean') return { kind: 'int', value: value.value ? 1n : 0n };
  return value?.type === 'float' ? { kind: 'float', value: value.value } : undefined;
}

/** An int that a double holds exactly, or a float. */
function exactFloat(number: PythonNumber): number | undefined {
  if (number.kind === 'float') return number.value;
  const float = Number(number.value);
  return Number.isFinite(float) && BigInt(float) === number.value ? float : undefined;
}

/** The result on constants; undefined where it stays symbolic. Division by zero is the caller's. */
export function foldNumbers(store: Store, op: string, left: TermId, right: TermId): TermId | undefined {
  const l = pythonNumber(constantOf(store, left));
  const r = pythonNumber(constantOf(store, right));
  if (l === undefined || r === undefined) return undefined;
  if (l.kind === 'int' && r.kind === 'int') return foldIntegers(store, op, l.value, r.value);
  const a = exactFloat(l);
  const b = exactFloat(r);
  if (a === undefined || b === undefined) return undefined;
  const result = foldFloats(op, a, b);
  return result === undefined || !Number.isFinite(result) || Object.is(result, -0) ? undefined : floatTerm(store, result);
}

function foldFloats(op: string, a: number, b: number): number | undefined {
  switch (op) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'truediv':
      return b === 0 ? undefined : a / b;
    default:
      return undefined;
  }
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function foldIntegers(store: Store, op: string, a: bigint, b: bigint): TermId | undefined {
  switch (op) {
    case 'add':
      return store.int(a + b);
    case 'sub':
      return store.int(a - b);
    case 'mul':
      return String(a).length + String(b).length > INTEGER_DIGITS_MAX ? undefined : store.int(a * b);
    case 'truediv': {
      const x = exactFloat({ kind: 'int', value: a });
      const y = exactFloat({ kind: 'int', value: b });
      const result = b === 0n || x === undefined || y === undefined ? undefined : x / y;
      return result === undefined || Object.is(result, -0) ? undefined : floatTerm(store, result);
    }
    case 'floordiv':
      return b === 0n ? undefined : store.int(floorDivide(a, b));
    case 'mod':
      return b === 0n ? undefined : store.int(a - floorDivide(a, b) * b);
    case 'pow':
      return b < 0n || String(a).length * Number(b > 100000n ? 100000n : b) > INTEGER_DIGITS_MAX ? undefined : store.int(a ** b);
    case 'lshift':
      return b < 0n || b > BigInt(INTEGER_DIGITS_MAX) ? undefined : store.int(a << b);
    case 'rshift':
      return b < 0n ? undefined : store.int(a >> b);
    case 'and':
      return store.int(a & b);
    case 'or':
      return store.int(a | b);
    case 'xor':
      return store.int(a ^ b);
    default:
      return undefined;
  }
}

/** Numbers on both sides. Throws where Python does; undefined where the operation is not modelled. */
export function numberOperation(machine: Machine, op: string, left: TermId, lk: Kind, right: TermId, rk: Kind): TermId | undefined {
  const { store } = machine;
  const bothInt = isType(lk, 'int', 'bool') && isType(rk, 'int', 'bool');
  if (['lshift', 'rshift', 'and', 'or', 'xor', 'matmul'].includes(op) && (!bothInt || op === 'matmul'))
    return raise(machine, 'type', `unsupported operand type(s) for ${op}`);
  if (op === 'truediv' || op === 'floordiv' || op === 'mod') {
    raise(machine, 'zeroDivision', 'division by zero', dataEquals(machine, right, store.int(0)));
    if (machine.dead) return store.null;
  }
  if (['and', 'or', 'xor'].includes(op) && isType(lk, 'bool') && isType(rk, 'bool')) {
    const a = machine.equal(left, store.true);
    const b = machine.equal(right, store.true);
    const guard = op === 'and' ? store.guards.and(a, b) : op === 'or' ? store.guards.or(a, b) : store.guards.xor(a, b);
    return guard === 1 ? store.true : guard === 0 ? store.false : conditionalBool(machine, guard);
  }
  const folded = foldNumbers(store, op, left, right);
  if (folded !== undefined) return folded;
  // Powers and shifts may give floats, complex numbers or throw, depending on sign and size.
  if (op === 'pow' || op === 'lshift' || op === 'rshift') return undefined;
  // Two ints divide into a float; an int too large for one throws.
  if (op === 'truediv' && bothInt && constantOf(store, right) === undefined) return undefined;
  return machine.apply(`py.${op}`, [left, right], bothInt && op !== 'truediv' ? 'int' : 'float');
}

function conditionalBool(machine: Machine, guard: number): TermId {
  return machine.branch(
    guard,
    () => machine.store.true,
    () => machine.store.false,
  );
}

export function negateNumber(machine: Machine, name: string, value: TermId, kind: Kind): TermId | undefined {
  const { store } = machine;
  const number = pythonNumber(constantOf(store, value));
  const resultType = isType(kind, 'float') ? 'float' : 'int';
  switch (name) {
    case 'neg':
    case 'usub':
      if (number?.kind === 'int') return store.int(-number.value);
      if (number?.kind === 'float' && number.value !== 0) return floatTerm(store, -number.value);
      return machine.apply('py.neg', [value], resultType);
    case 'pos':
    case 'uadd':
      if (number?.kind === 'int') return store.int(number.value);
      return isType(kind, 'bool') ? machine.apply('py.int', [value], 'int') : value;
    case 'invert':
      if (resultType === 'float') return undefined;
      return number?.kind === 'int' ? store.int(~number.value) : machine.apply('py.invert', [value], 'int');
    default:
      return undefined;
  }
}
