/** What a loop carries from one iteration to the next: variables, contents of objects, the world. */
import { list } from './construct.js';
import { TRUE } from './guards.js';
import type { Machine } from './machine.js';
import { setVariable, UNBOUND, type State } from './state.js';
import { propositionChildren, termChildren, type Store } from './store.js';
import type { Guard, LoopIndex, TermId } from './terms.js';

export type SlotPlace =
  | { readonly kind: 'variable'; readonly frame: number; readonly name: string }
  | { readonly kind: 'content'; readonly allocation: number }
  | { readonly kind: 'field'; readonly allocation: number; readonly name: string }
  | { readonly kind: 'world' };
export interface Slot {
  readonly place: SlotPlace;
  /** Name inside the loop record. */
  readonly label: string;
  /** Whether it had a value before the loop. */
  readonly bound: boolean;
}

export function readSlot(m: Machine, state: State, slot: { readonly place: SlotPlace }): TermId {
  const unbound = m.store.constant({ type: 'special', name: UNBOUND });
  const { place } = slot;
  switch (place.kind) {
    case 'variable':
      return state.frames.get(place.frame)?.get(place.name) ?? unbound;
    case 'content': {
      const object = state.heap.get(place.allocation);
      return object?.kind === 'list' || object?.kind === 'record' ? object.content : unbound;
    }
    case 'field': {
      const object = state.heap.get(place.allocation);
      return object?.kind === 'instance' ? (object.fields.get(place.name) ?? unbound) : unbound;
    }
    case 'world':
      return state.world;
  }
}

export function writeSlot(m: Machine, state: State, slot: { readonly place: SlotPlace }, value: TermId): void {
  const { place } = slot;
  switch (place.kind) {
    case 'variable':
      if (state.frames.has(place.frame)) setVariable(state, place.frame, place.name, value);
      return;
    case 'content': {
      const object = state.heap.get(place.allocation);
      if (object?.kind === 'list') state.heap.set(place.allocation, { ...object, content: asList(m, value, object.as) });
      if (object?.kind === 'record') state.heap.set(place.allocation, { ...object, content: asRecord(m, value) });
      return;
    }
    case 'field': {
      const object = state.heap.get(place.allocation);
      if (object?.kind === 'instance') state.heap.set(place.allocation, { ...object, fields: new Map([...object.fields, [place.name, value]]) });
      return;
    }
    case 'world':
      state.world = value;
  }
}

/** A list content that is named and not displayed stands as one spread, so that operations on lists go on working. */
function asList(m: Machine, value: TermId, as: 'list' | 'set'): TermId {
  return m.store.term(value).kind === 'list' ? value : list(m.store, as, [{ kind: 'spread', when: TRUE, of: value }]);
}
function asRecord(m: Machine, value: TermId): TermId {
  return m.store.term(value).kind === 'record' ? value : m.store.intern({ kind: 'record', fields: [], rest: value });
}

/** Replaces the value of a slot by its name at the start of an iteration. */
export function widen(m: Machine, state: State, slot: Slot, depth: number): void {
  const type = slot.place.kind === 'content' || slot.place.kind === 'world' ? undefined : m.typeOf(readSlot(m, state, slot));
  writeSlot(m, state, slot, m.store.intern({ kind: 'carried', depth, name: slot.label, ...(type === undefined || !slot.bound ? {} : { type }) }));
}

/** Slots whose value differs from the start in any of the states, in order of assignment, without the known ones. */
export function diffSlots(m: Machine, start: State, states: readonly State[], known: readonly Slot[]): Slot[] {
  const found: Slot[] = [];
  const seen = new Set(known.map((slot) => JSON.stringify(slot.place)));
  const unbound = m.store.constant({ type: 'special', name: UNBOUND });
  const note = (place: SlotPlace, was: TermId | undefined, is: TermId | undefined): void => {
    if ((was ?? unbound) === (is ?? unbound)) return;
    const key = JSON.stringify(place);
    if (seen.has(key)) return;
    seen.add(key);
    found.push({ place, label: `v${String(known.length + found.length)}`, bound: was !== undefined && was !== unbound });
  };
  for (const state of states) {
    for (const [frame, variables] of start.frames) {
      const now = state.frames.get(frame) ?? new Map<string, TermId>();
      if (now === variables) continue;
      for (const name of new Set([...variables.keys(), ...now.keys()])) note({ kind: 'variable', frame, name }, variables.get(name), now.get(name));
    }
    for (const [allocation, object] of start.heap) {
      const now = state.heap.get(allocation);
      if (now === undefined || now === object) continue;
      if ((object.kind === 'list' || object.kind === 'record') && object.kind === now.kind) note({ kind: 'content', allocation }, object.content, now.content);
      if (object.kind === 'instance' && now.kind === 'instance')
        for (const name of new Set([...object.fields.keys(), ...now.fields.keys()]))
          note({ kind: 'field', allocation, name }, object.fields.get(name), now.fields.get(name));
    }
    note({ kind: 'world' }, start.world, state.world);
  }
  return found;
}

/** What of an iteration (its element, carried values) a term or guard mentions. */
class IterationMentions {
  private readonly caches = new WeakMap<Store, Map<string, ReadonlySet<string>>>();

  any(store: Store, term: TermId, depth: number): boolean {
    return this.labels(store, term, depth).size > 0;
  }
  anyInGuard(store: Store, guard: Guard, depth: number): boolean {
    return this.guardLabels(store, guard, depth).size > 0;
  }
  /** Labels of carried values, without the element. */
  carriedIn(store: Store, term: TermId, depth: number): string[] {
    return [...this.labels(store, term, depth)].filter((label) => label !== ELEMENT);
  }
  carriedInGuard(store: Store, guard: Guard, depth: number): string[] {
    return [...this.guardLabels(store, guard, depth)].filter((label) => label !== ELEMENT);
  }

  private cached(store: Store, key: string, compute: () => ReadonlySet<string>): ReadonlySet<string> {
    let cache = this.caches.get(store);
    if (cache === undefined) this.caches.set(store, (cache = new Map<string, ReadonlySet<string>>()));
    const known = cache.get(key);
    if (known !== undefined) return known;
    const labels = compute();
    cache.set(key, labels);
    return labels;
  }

  private labels(store: Store, id: TermId, depth: number): ReadonlySet<string> {
    return this.cached(store, `t${String(id)}:${String(depth)}`, () => {
      const term = store.term(id);
      if (term.kind === 'element' && term.depth === depth) return new Set([ELEMENT]);
      if (term.kind === 'carried' && term.depth === depth) return new Set([term.name]);
      const labels = new Set<string>();
      const children = termChildren(term);
      const add = (more: ReadonlySet<string>): void => {
        for (const label of more) labels.add(label);
      };
      for (const child of children.terms) add(this.labels(store, child, depth));
      for (const guard of children.guards) add(this.guardLabels(store, guard, depth));
      for (const loop of children.loops) add(this.loopLabels(store, loop, depth));
      return labels;
    });
  }

  private guardLabels(store: Store, guard: Guard, depth: number): ReadonlySet<string> {
    return this.cached(store, `g${String(guard)}:${String(depth)}`, () => {
      const labels = new Set<string>();
      for (const variable of store.guards.support(guard)) {
        const children = propositionChildren(store.proposition(variable));
        for (const child of children.terms) for (const label of this.labels(store, child, depth)) labels.add(label);
        for (const loop of children.loops) for (const label of this.loopLabels(store, loop, depth)) labels.add(label);
      }
      return labels;
    });
  }

  /** A loop of the same depth binds its own element; what it starts from may still mention an outer one. */
  private loopLabels(store: Store, index: LoopIndex, depth: number): ReadonlySet<string> {
    return this.cached(store, `l${String(index)}:${String(depth)}`, () => {
      const loop = store.loop(index);
      const labels = new Set<string>();
      const addTerm = (term: TermId): void => {
        for (const label of this.labels(store, term, depth)) labels.add(label);
      };
      const addGuard = (guard: Guard): void => {
        for (const label of this.guardLabels(store, guard, depth)) labels.add(label);
      };
      addTerm(loop.over);
      for (const carried of loop.carried) addTerm(carried.initial);
      if (loop.depth === depth) return labels;
      for (const exit of loop.exits) {
        addGuard(exit.when);
        if (exit.value !== undefined) addTerm(exit.value);
      }
      for (const carried of loop.carried) addTerm(carried.next);
      for (const effect of loop.effects) addGuard(effect.when);
      return labels;
    });
  }
}
const ELEMENT = '\u0000element';
export const mentionsIteration = new IterationMentions();
