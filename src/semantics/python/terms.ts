/** Small constructors and readers of terms that the Python semantics share. */
import { conditional, plainItems } from '../../analysis/construct.js';
import type { Machine } from '../../analysis/machine.js';
import type { Store } from '../../analysis/store.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { ConstantValue } from '../../ir/nodes.js';

export function boolTerm(store: Store, guard: Guard): TermId {
  return conditional(store, guard, store.true, store.false);
}

export function constantOf(store: Store, id: TermId): ConstantValue | undefined {
  const term = store.term(id);
  return term.kind === 'constant' ? term.value : undefined;
}

export function stringOf(store: Store, id: TermId): string | undefined {
  const value = constantOf(store, id);
  return value?.type === 'string' ? value.value : undefined;
}

/** An int constant, or a bool taken as one. */
export function intOf(store: Store, id: TermId): bigint | undefined {
  const value = constantOf(store, id);
  if (value?.type === 'int') return BigInt(value.value);
  if (value?.type === 'boolean') return value.value ? 1n : 0n;
  return undefined;
}

export function smallIntOf(store: Store, id: TermId): number | undefined {
  const value = intOf(store, id);
  if (value === undefined || value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER)) return undefined;
  return Number(value);
}

export function floatTerm(store: Store, value: number): TermId {
  return store.constant({ type: 'float', value });
}

/** Elements of a list, tuple or set value all of whose elements are known and unconditional. */
export function itemsOf(machine: Machine, value: TermId): readonly TermId[] | undefined {
  return plainItems(machine.store.term(machine.content(value)));
}
