/**
 * Objects that the setup made and that other code of the release may change before or while this call runs: another tool,
 * a notification, an earlier call. Their content is not what the setup left, so reading them stops.
 */
import type { Span } from '../ir/span.js';
import type { Machine } from './machine.js';
import { outsideWritesOf, type OutsideWrites } from './outside-writes.js';
import { termChildren } from './store.js';
import type { TermId } from './terms.js';

export class SharedObjects {
  private readonly writes: OutsideWrites;
  private readonly changed: ReadonlySet<number>;

  /** Made when the setup is over, before the call begins. */
  constructor(m: Machine) {
    this.writes = outsideWritesOf(m.program);
    this.changed = changedObjects(m, this.writes);
  }

  /** Stops where a value may be an object that others change. */
  check(m: Machine, value: TermId, name: string, span: Span): TermId {
    if (this.changed.size === 0) return value;
    for (const { when, leaf } of m.leaves(value)) {
      const term = m.store.term(leaf);
      if (term.kind === 'object' && this.changed.has(term.allocation)) m.stopWhen(when, 'shared-state', `what ${name} holds outlives the call and is changed by other code`, span, 'make it local to the call, or keep the release on one epoch');
    }
    return value;
  }

  /** Stops where a field of an object of the setup is assigned by others. */
  checkField(m: Machine, instance: TermId, name: string, span: Span): void {
    const term = m.store.term(instance);
    if (term.kind !== 'object' || !m.setupAllocations.has(term.allocation) || !this.writes.fields.has(name)) return;
    m.stop('shared-state', `the field ${name} of an object that outlives the call is assigned by other code`, span, 'make the object local to the call, or keep the release on one epoch');
  }
}

function changedObjects(m: Machine, writes: OutsideWrites): ReadonlySet<number> {
  const heap = new Map([...m.moduleHeap, ...m.cur.heap]);
  const changed = new Set<number>();
  const inside = new Map<number, ReadonlySet<number>>();
  const add = (values: Iterable<number>): void => {
    for (const allocation of values) {
      if (changed.has(allocation) || heap.get(allocation)?.kind === 'suspended') continue;
      changed.add(allocation);
      add(inside.get(allocation) ?? []);
    }
  };
  const objectsIn = (value: TermId): Set<number> => {
    const found = new Set<number>();
    const seen = new Set<TermId>();
    const visit = (id: TermId): void => {
      if (seen.has(id)) return;
      seen.add(id);
      const term = m.store.term(id);
      if (term.kind === 'object') found.add(term.allocation);
      else termChildren(term).terms.forEach(visit);
    };
    visit(value);
    return found;
  };
  for (const [allocation, object] of heap) if (object.kind === 'list' || object.kind === 'record') inside.set(allocation, objectsIn(object.content));
  m.activations.forEach((activation, at) => {
    for (const [name, value] of m.cur.frames.get(at) ?? []) if (writes.variables.has(`${activation.function}::${name}`)) add(objectsIn(value));
  });
  for (const object of heap.values()) {
    if (object.kind !== 'instance') continue;
    for (const [name, value] of object.fields) if (writes.members.has(name)) add(objectsIn(value));
  }
  if (writes.anything) add(heap.keys());
  // A container is reached before what is inside of it.
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [allocation, parts] of inside) if ([...parts].some((part) => changed.has(part))) changed.add(allocation);
  }
  for (const [allocation, object] of heap) if (object.kind === 'instance') changed.delete(allocation);
  return changed;
}
