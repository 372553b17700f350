/** Special methods (`__len__`, `__eq__`, …) of project instances and of library values. */
import { callFunction } from '../../analysis/calls.js';
import type { Machine } from '../../analysis/machine.js';
import { classLineage, findMethod } from '../../analysis/members.js';
import type { CallArguments } from '../../analysis/state.js';
import type { TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import type { Kind } from './kinds.js';

export function positional(...values: readonly TermId[]): CallArguments {
  return { positional: values.map((value) => ({ kind: 'value', value })), keywords: [] };
}

/**
 * Calls a special method where the value's type has one. `absent`: the type is known not to have it. Undefined: the
 * type is not known well enough, and the caller stops.
 */
export function callSpecial(machine: Machine, value: TermId, kind: Kind, name: string, args: readonly TermId[], span: Span): TermId | 'absent' | undefined {
  if (kind.kind === 'library') return callLibrarySpecial(machine, value, kind.type, name, args, span);
  if (kind.kind !== 'instance') return undefined;
  const method = findMethod(machine, kind.object.class, name);
  if (method !== undefined)
    return callFunction(machine, machine.store.intern({ kind: 'function', function: method.function, self: value }), positional(...args), span);
  const lineage = classLineage(machine, kind.object.class, span);
  if (lineage === undefined) return machine.store.null;
  for (const ancestor of lineage) {
    if (ancestor.kind !== 'external') continue;
    const identity = machine.library.canonical(`${ancestor.identity}.${name}`);
    if (machine.library.entry(identity, 'call') !== undefined)
      return machine.call(machine.store.intern({ kind: 'external', identity, self: value }), positional(...args), span);
    if (!isPlainBase(machine, ancestor.identity)) return undefined;
  }
  return 'absent';
}

function callLibrarySpecial(machine: Machine, value: TermId, type: string, name: string, args: readonly TermId[], span: Span): TermId | undefined {
  for (const ancestor of machine.library.lineage(type.replace(/<.*$/, ''))) {
    const identity = machine.library.canonical(`${ancestor}.${name}`);
    if (machine.library.entry(identity, 'call') !== undefined)
      return machine.call(machine.store.intern({ kind: 'external', identity, self: value }), positional(...args), span);
  }
  return undefined;
}

/** Classes that define no operators, truth or length of their own. */
const PLAIN_BASES: ReadonlySet<string> = new Set(['py:builtins#object', 'py:abc#ABC', 'py:typing#Generic', 'py:typing#Protocol', 'py:pydantic#BaseModel']);

export function isPlainBase(machine: Machine, identity: string): boolean {
  return PLAIN_BASES.has(identity) || isExceptionClass(machine, identity);
}
export function isExceptionClass(machine: Machine, identity: string): boolean {
  return machine.library.lineage(identity).includes('py:builtins#BaseException');
}

/** Undefined where the inventories do not list every ancestor of the class. */
export function isSubclassOf(machine: Machine, identity: string, ancestor: string): boolean | undefined {
  const lineage = machine.library.lineage(identity);
  if (identity === ancestor || lineage.includes(ancestor) || ancestor === 'py:builtins#object') return true;
  return lineage.length > 0 && lineage.every((one) => machine.library.isClass(one)) ? false : undefined;
}

/** The term of an exception is a value of the error's type. */
export function isException(machine: Machine, kind: Kind, value: TermId): boolean {
  if (kind.kind === 'instance') {
    const lineage = classLineage(machine, kind.object.class, { file: '', line: 1, column: 1, endLine: 1, endColumn: 1 });
    return lineage?.some((ancestor) => ancestor.kind === 'external' && isExceptionClass(machine, ancestor.identity)) === true;
  }
  return machine.store.term(value).kind === 'error' || (kind.kind === 'library' && isExceptionClass(machine, kind.type));
}
