/** Lists and tuples as guarded segments: spreading, elements by position, slices. */
import { conditional, list } from '../../analysis/construct.js';
import { FALSE, TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { Guard, ListKind, Segment, TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { raise, unsupported } from './failures.js';
import { iterate } from './iterate.js';
import { typeParameters } from './kinds.js';

/** The elements of any iterable as segments; undefined after a stop. */
export function segmentsOf(machine: Machine, iterable: TermId, span: Span): readonly Segment[] | undefined {
  const parts = iterate(machine, iterable, span);
  return parts?.map((part) =>
    part.kind === 'item' ? { kind: 'items', when: part.when, items: [part.item] } : { kind: 'spread', when: part.when, of: part.of },
  );
}

/** `list += iterable` accepts any iterable. */
export function extendList(machine: Machine, value: TermId, iterable: TermId, span: Span): TermId {
  const added = segmentsOf(machine, iterable, span);
  const object = machine.object(value);
  if (added === undefined || machine.dead) return machine.store.null;
  if (object?.kind !== 'list')
    return unsupported(machine, 'a list that was passed in by the caller or a library is changed', span, 'copy it with list(…) before the change');
  machine.update(value, { ...object, content: list(machine.store, object.as, [{ kind: 'spread', when: TRUE, of: object.content }, ...added]) }, span);
  return value;
}

/** One entry for each element or spread. */
interface Unit {
  readonly when: Guard;
  readonly item?: TermId;
  readonly spread?: TermId;
}

function unitsOf(machine: Machine, content: TermId): readonly Unit[] {
  const term = machine.store.term(content);
  if (term.kind !== 'list') return [{ when: TRUE, spread: content }];
  return term.segments.flatMap((s): Unit[] => (s.kind === 'items' ? s.items.map((item) => ({ when: s.when, item })) : [{ when: s.when, spread: s.of }]));
}

/** The element at a constant position; throws IndexError where there is none. */
export function elementAt(machine: Machine, content: TermId, position: number, span: Span): TermId {
  const { store } = machine;
  return machine.overLeaves(content, (leaf) => {
    const units = unitsOf(machine, leaf);
    const ordered = position < 0 ? [...units].reverse() : units;
    const target = position < 0 ? -position - 1 : position;
    // reach[n]: exactly n elements stand before the unit at hand.
    let reach = new Map<number, Guard>([[0, TRUE]]);
    const found: { when: Guard; value: TermId }[] = [];
    for (const unit of ordered) {
      const next = new Map<number, Guard>();
      const add = (count: number, when: Guard): void => {
        if (when !== FALSE && count <= target) next.set(count, store.guards.or(next.get(count) ?? FALSE, when));
      };
      if (unit.spread !== undefined) {
        const last = unit === ordered.at(-1);
        const pending = [...reach].map(([count, when]) => ({ count, when: store.guards.and(when, unit.when) })).filter((entry) => entry.when !== FALSE);
        if (!last && pending.length > 0)
          return unsupported(machine, 'an element after a collection of unknown length is read', span, 'index the collection itself');
        for (const entry of pending) found.push({ when: entry.when, value: machine.store.null });
        if (last) return spreadElement(machine, unit.spread, found, pending, reach, unit.when, target, position < 0);
        reach = new Map([...reach].map(([count, when]) => [count, store.guards.and(when, store.guards.not(unit.when))]));
        continue;
      }
      for (const [count, when] of reach) {
        const here = store.guards.and(when, unit.when);
        if (count === target && here !== FALSE) found.push({ when: here, value: unit.item! });
        add(count + 1, here);
        add(count, store.guards.and(when, store.guards.not(unit.when)));
      }
      reach = next;
    }
    return chosen(machine, found);
  });
}

function chosen(machine: Machine, found: readonly { when: Guard; value: TermId }[]): TermId {
  const { store } = machine;
  const any = store.guards.any(found.map((entry) => entry.when));
  raise(machine, 'index', 'list index out of range', store.guards.not(any));
  if (machine.dead) return store.null;
  let value = found.at(-1)?.value ?? store.null;
  for (const entry of found.slice(0, -1).reverse()) value = conditional(store, entry.when, entry.value, value);
  return value;
}

/** The last unit is a collection: what is not found before it is one of its elements. */
function spreadElement(
  machine: Machine,
  spread: TermId,
  found: readonly { when: Guard; value: TermId }[],
  pending: readonly { count: number; when: Guard }[],
  reach: ReadonlyMap<number, Guard>,
  when: Guard,
  target: number,
  fromEnd: boolean,
): TermId {
  const before = found.slice(0, found.length - pending.length);
  if (when !== TRUE || pending.length !== 1 || before.length > 0) {
    const known = machine.store.guards.any(before.map((entry) => entry.when));
    if (known === FALSE && pending.length === 1 && when === TRUE) return unknownElement(machine, spread, target, fromEnd);
    return machine.branch(
      known,
      () => chosen(machine, before),
      () => pendingElement(machine, spread, [...reach.keys()], reach, when, target, fromEnd),
    );
  }
  return unknownElement(machine, spread, target - pending[0]!.count, fromEnd);
}

function pendingElement(
  machine: Machine,
  spread: TermId,
  counts: readonly number[],
  reach: ReadonlyMap<number, Guard>,
  when: Guard,
  target: number,
  fromEnd: boolean,
): TermId {
  const [count, ...others] = counts;
  if (count === undefined || machine.dead) return raise(machine, 'index', 'list index out of range');
  return machine.branch(
    machine.store.guards.and(reach.get(count)!, when),
    () => unknownElement(machine, spread, target - count, fromEnd),
    () => pendingElement(machine, spread, others, reach, when, target, fromEnd),
  );
}

/** An element of a collection whose elements are unknown. */
export function unknownElement(machine: Machine, collection: TermId, offset: number, fromEnd: boolean): TermId {
  const { store } = machine;
  const term = store.term(collection);
  if (term.kind === 'argument' && !fromEnd) {
    const path = [...term.path, offset];
    raise(machine, 'index', 'list index out of range', store.guards.not(machine.has(path)));
    return store.intern({ kind: 'argument', path });
  }
  return readElement(machine, collection, store.int(fromEnd ? -offset - 1 : offset), elementTypeOf(machine, collection));
}

/** `py.index(collection, i)`; the named test `py.outOfRange` says where it throws IndexError. */
export function readElement(machine: Machine, collection: TermId, index: TermId, type: string | undefined): TermId {
  const frozen = machine.freeze(collection);
  raise(machine, 'index', 'index out of range', machine.test('py.outOfRange', [frozen, index]));
  return machine.dead ? machine.store.null : machine.apply('py.index', [frozen, index], type);
}

export function elementTypeOf(machine: Machine, collection: TermId): string | undefined {
  const type = machine.typeOf(collection);
  if (type === 'str') return 'str';
  if (type === undefined) return machine.store.term(collection).kind === 'argument' || machine.store.term(collection).kind === 'input' ? 'json' : undefined;
  return typeParameters(type)[0] ?? (type === 'json' ? 'json' : undefined);
}

/** A slice of known unconditional elements, or of a collection kept symbolic. */
export function sliceSequence(machine: Machine, value: TermId, as: ListKind, bounds: readonly (number | null)[], span: Span): TermId {
  const { store } = machine;
  const result = machine.overLeaves(machine.content(value), (leaf) => {
    const units = unitsOf(machine, leaf);
    const items = units.every((unit) => unit.when === TRUE && unit.item !== undefined) ? units.map((unit) => unit.item!) : undefined;
    if (items !== undefined) return list(store, as, [{ kind: 'items', when: TRUE, items: pythonSlice(items, bounds) }]);
    const [lower, upper, step] = bounds;
    if ((lower === null || lower === 0) && upper === null && (step === null || step === 1)) return leaf;
    const dropped = step === null || step === 1 ? dropFirst(units, lower ?? null, upper ?? null) : undefined;
    if (dropped !== undefined)
      return list(
        store,
        as,
        dropped.map((u): Segment =>
          u.item === undefined ? { kind: 'spread', when: u.when, of: u.spread! } : { kind: 'items', when: u.when, items: [u.item] },
        ),
      );
    const only = units.length === 1 ? units[0] : undefined;
    if (only?.spread === undefined || only.when !== TRUE)
      return unsupported(machine, 'a slice of a list of unknown length', span, 'slice the collection itself, or index it');
    const element = elementTypeOf(machine, only.spread);
    const bound = (part: number | null | undefined): TermId => (part === null || part === undefined ? store.null : store.int(part));
    const sliced = machine.apply(
      'py.slice',
      [machine.freeze(only.spread), bound(lower), bound(upper), bound(step)],
      element === undefined ? 'list' : `list<${element}>`,
    );
    return list(store, as, [{ kind: 'spread', when: TRUE, of: sliced }]);
  });
  return as === 'list' && !machine.dead ? machine.newList(result) : result;
}

/** `xs[n:]` where the first n elements are known. */
function dropFirst(units: readonly Unit[], lower: number | null, upper: number | null): readonly Unit[] | undefined {
  if (upper !== null || lower === null || lower < 0 || lower > units.length) return undefined;
  return units.slice(0, lower).every((unit) => unit.when === TRUE && unit.item !== undefined) ? units.slice(lower) : undefined;
}

/** Python's slice over an array; a step of zero is the caller's. */
export function pythonSlice<T>(items: readonly T[], bounds: readonly (number | null)[]): T[] {
  const [lower, upper, stepBound] = bounds;
  const step = stepBound ?? 1;
  const length = items.length;
  const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value < 0 ? value + length : value, low), high);
  const start = lower === null || lower === undefined ? (step > 0 ? 0 : length - 1) : step > 0 ? clamp(lower, 0, length) : clamp(lower, -1, length - 1);
  const end = upper === null || upper === undefined ? (step > 0 ? length : -1) : step > 0 ? clamp(upper, 0, length) : clamp(upper, -1, length - 1);
  const out: T[] = [];
  for (let at = start; step > 0 ? at < end : at > end; at += step) out.push(items[at]!);
  return out;
}
