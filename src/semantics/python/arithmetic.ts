/** Arithmetic operators on builtin values: text, bytes, sequences, sets, dicts and numbers. */
import { list } from '../../analysis/construct.js';
import { TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { Segment, TermId } from '../../analysis/terms.js';
import { concat } from '../../analysis/text-tests.js';
import type { Span } from '../../ir/span.js';
import { percentFormat } from './convert.js';
import { raise, unsupported } from './failures.js';
import { isNumber, isType, typeName, type BuiltinType, type Kind } from './kinds.js';
import { numberOperation } from './numbers.js';
import { mergedRecord } from './record-merge.js';
import { setOperation } from './sets.js';
import { smallIntOf, stringOf } from './terms.js';

const NUMBERS: readonly BuiltinType[] = ['int', 'float', 'bool'];
/** JSON types that an operator accepts on either side; values of other types throw. */
export const OPERAND_TYPES: ReadonlyMap<string, readonly BuiltinType[]> = new Map([
  ['add', ['str', 'int', 'list', 'float', 'bool']],
  ['mul', ['str', 'int', 'list', 'float', 'bool']],
  ['mod', ['str', 'int', 'float', 'bool']],
  ['sub', NUMBERS],
  ['truediv', NUMBERS],
  ['floordiv', NUMBERS],
  ['pow', NUMBERS],
  ['matmul', []],
  ['lshift', ['int', 'bool']],
  ['rshift', ['int', 'bool']],
  ['and', ['int', 'bool']],
  ['or', ['int', 'bool', 'dict']],
  ['xor', ['int', 'bool']],
]);
/** Repetitions of a known text or list that are still computed. */
const REPEAT_MAX = 4096;

export function builtinBinary(machine: Machine, op: string, l: TermId, lk: Kind, r: TermId, rk: Kind, span: Span): TermId {
  if (isNumber(lk) && isNumber(rk))
    return numberOperation(machine, op, l, lk, r, rk) ?? unsupported(machine, `the operator ${op} on numbers that are not constants`, span);
  if (op === 'mod' && isType(lk, 'str')) return percentFormat(machine, l, r, span);
  if (op === 'add') {
    if (isType(lk, 'str') && isType(rk, 'str')) return concat(machine.store, [l, r]);
    if (isType(lk, 'bytes') && isType(rk, 'bytes')) return machine.apply('py.concat_bytes', [l, r], 'bytes');
    if (isType(lk, 'list') && isType(rk, 'list')) return machine.newList(joined(machine, 'list', l, r));
    if (isType(lk, 'tuple') && isType(rk, 'tuple')) return joined(machine, 'tuple', l, r);
  }
  if (op === 'mul') {
    const [sequence, sequenceKind, times, timesKind] = isNumber(lk) ? [r, rk, l, lk] : [l, lk, r, rk];
    if (isType(sequenceKind, 'str', 'list', 'tuple', 'bytes') && isType(timesKind, 'int', 'bool')) return repeat(machine, sequence, sequenceKind, times, span);
  }
  if (op === 'or' && isType(lk, 'dict') && isType(rk, 'dict')) return mergedRecord(machine, l, r, span);
  if (isType(lk, 'set') && isType(rk, 'set') && ['sub', 'and', 'or', 'xor'].includes(op)) return setOperation(machine, op, l, r, span);
  if (lk.kind === 'view' || rk.kind === 'view' || lk.kind === 'external' || rk.kind === 'external')
    return unsupported(machine, `the operator ${op} on a ${typeName(lk)} and a ${typeName(rk)}`, span);
  return raise(machine, 'type', `unsupported operand type(s) for ${op}: '${typeName(lk)}' and '${typeName(rk)}'`);
}

function joined(machine: Machine, as: 'list' | 'tuple', l: TermId, r: TermId): TermId {
  return list(machine.store, as, [
    { kind: 'spread', when: TRUE, of: machine.content(l) },
    { kind: 'spread', when: TRUE, of: machine.content(r) },
  ]);
}

function repeat(machine: Machine, value: TermId, kind: Kind, times: TermId, span: Span): TermId {
  const { store } = machine;
  const count = smallIntOf(store, times);
  if (isType(kind, 'str')) {
    const text = stringOf(store, value);
    if (text !== undefined && count !== undefined && text.length * Math.max(0, count) <= REPEAT_MAX) return store.string(text.repeat(Math.max(0, count)));
    return machine.apply('py.repeat', [value, times], 'str');
  }
  const content = machine.content(value);
  if (isType(kind, 'bytes') || count === undefined || count > REPEAT_MAX)
    return unsupported(machine, `a ${typeName(kind)} is repeated`, span, 'repeat it a constant number of times');
  const segments: Segment[] = [];
  for (let at = 0; at < count; at += 1) segments.push({ kind: 'spread', when: TRUE, of: content });
  const result = list(store, isType(kind, 'tuple') ? 'tuple' : 'list', segments);
  return isType(kind, 'tuple') ? result : machine.newList(result);
}
