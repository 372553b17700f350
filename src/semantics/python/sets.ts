/** Sets of known elements. A set term without an object is a frozenset. */
import { listOf } from '../../analysis/construct.js';
import type { Machine } from '../../analysis/machine.js';
import type { TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { constantsEqual } from './data-equality.js';
import { unsupported } from './failures.js';
import { constantOf, itemsOf } from './terms.js';

/** Constant elements without repetition; undefined where one is not constant. */
export function constantElements(machine: Machine, value: TermId): readonly TermId[] | undefined {
  const items = itemsOf(machine, value);
  if (items === undefined) return undefined;
  const out: TermId[] = [];
  for (const item of items) {
    const constant = constantOf(machine.store, item);
    if (constant === undefined) return undefined;
    if (!out.some((known) => constantsEqual(constantOf(machine.store, known)!, constant))) out.push(item);
  }
  return out;
}

export function setOperation(machine: Machine, op: string, left: TermId, right: TermId, span: Span): TermId {
  const l = constantElements(machine, left);
  const r = constantElements(machine, right);
  if (l === undefined || r === undefined) return unsupported(machine, 'sets whose elements are not constants are combined', span);
  const within = (items: readonly TermId[], item: TermId): boolean =>
    items.some((other) => constantsEqual(constantOf(machine.store, other)!, constantOf(machine.store, item)!));
  const content = listOf(machine.store, 'set', combine(op, l, r, within));
  return machine.object(left) === undefined ? content : machine.allocate({ kind: 'list', as: 'set', content });
}

function combine(op: string, l: readonly TermId[], r: readonly TermId[], within: (items: readonly TermId[], item: TermId) => boolean): TermId[] {
  switch (op) {
    case 'or':
      return [...l, ...r.filter((item) => !within(l, item))];
    case 'and':
      return l.filter((item) => within(r, item));
    case 'sub':
      return l.filter((item) => !within(r, item));
    default:
      return [...l.filter((item) => !within(r, item)), ...r.filter((item) => !within(l, item))];
  }
}
