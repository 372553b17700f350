/** The state of one evaluated path, and how two paths that meet become one. */
import type { Span } from '../ir/span.js';
import { conditional } from './construct.js';
import { FALSE } from './guards.js';
import type { Store } from './store.js';
import type { Guard, TermId } from './terms.js';

/** A mutable thing. Contents are terms; identity is the allocation number. */
export type HeapObject =
  | { readonly kind: 'list'; readonly as: 'list' | 'set'; readonly content: TermId }
  | { readonly kind: 'record'; readonly content: TermId }
  /** An instance of a project class or of a library class that is only constructed (an exception). */
  | { readonly kind: 'instance'; readonly class: TermId; readonly fields: ReadonlyMap<string, TermId> }
  /** Something that runs when it is awaited or consumed, at most once. */
  | {
      readonly kind: 'suspended';
      readonly what: 'coroutine' | 'generator' | 'context';
      readonly resume: () => TermId;
      /** It has run on this path. */ readonly spent?: boolean;
    };

export interface State {
  guard: Guard;
  /** Variables by activation number. The inner maps are shared between paths: `setVariable` copies. */
  frames: Map<number, ReadonlyMap<string, TermId>>;
  heap: Map<number, HeapObject>;
  world: TermId;
}

/** Actual arguments after evaluation. */
export interface CallArguments {
  readonly positional: readonly PositionalArgument[];
  readonly keywords: readonly KeywordArgument[];
}
export type PositionalArgument = { readonly kind: 'value'; readonly value: TermId } | { readonly kind: 'spread'; readonly of: TermId };
export type KeywordArgument = { readonly kind: 'named'; readonly name: string; readonly value: TermId } | { readonly kind: 'spread'; readonly of: TermId };

/** A path that ended with a value. */
export interface ValuedExit {
  readonly state: State;
  readonly value: TermId;
}
/** Where control went other than onward, each merged into one state. */
export interface Exits {
  returns?: ValuedExit;
  throws?: ValuedExit;
  breaks?: State;
  continues?: State;
  /** Exits of loop bodies that stand at a yield, on their way out of the generator's own loops; see `Leaving`. */
  leaves?: ReadonlyMap<string, Leaving>;
}
/** A loop over a generator is left in its body: by which exit, and past what the generator itself would catch. */
export interface Leaving extends ValuedExit {
  readonly how: 'return' | 'throw' | 'break';
}

export interface Activation {
  readonly function: string;
  readonly parent?: number;
  readonly module: string;
}

/** Frame of one activation in the call chain, for evidence. */
export interface CallSite {
  readonly function: string;
  readonly span: Span;
}

export function cloneState(state: State): State {
  return { guard: state.guard, frames: new Map(state.frames), heap: new Map(state.heap), world: state.world };
}

/** Assigns a variable of an activation that the state has. */
export function setVariable(state: State, activation: number, name: string, value: TermId): void {
  state.frames.set(activation, new Map(state.frames.get(activation)).set(name, value));
}

/** Marks a variable that has no value on some path. */
export const UNBOUND = 'unbound';

/** Not an activation: the frame of the exits that wait (pending.ts). A path without it has none that wait. */
export const PARKING_FRAME = -1;
const NO_VARIABLES: ReadonlyMap<string, TermId> = new Map();

export function mergeStates(store: Store, left: State, right: State): State {
  if (left.guard === FALSE) return right;
  if (right.guard === FALSE) return left;
  const guard = store.guards.or(left.guard, right.guard);
  const when = store.guards.constrain(left.guard, guard);
  const unbound = store.constant({ type: 'special', name: UNBOUND });
  const frames = new Map<number, ReadonlyMap<string, TermId>>();
  for (const id of new Set([...left.frames.keys(), ...right.frames.keys()])) {
    const absent = id === PARKING_FRAME ? NO_VARIABLES : undefined;
    const a = left.frames.get(id) ?? absent;
    const b = right.frames.get(id) ?? absent;
    if (a === undefined || b === undefined || a === b) {
      frames.set(id, (a ?? b)!);
      continue;
    }
    const merged = new Map<string, TermId>();
    for (const name of new Set([...a.keys(), ...b.keys()])) merged.set(name, conditional(store, when, a.get(name) ?? unbound, b.get(name) ?? unbound));
    frames.set(id, merged);
  }
  const heap = new Map<number, HeapObject>();
  for (const id of new Set([...left.heap.keys(), ...right.heap.keys()])) {
    const a = left.heap.get(id);
    const b = right.heap.get(id);
    heap.set(id, a === undefined ? b! : b === undefined || a === b ? a : mergeObjects(store, when, a, b));
  }
  return { guard, frames, heap, world: conditional(store, when, left.world, right.world) };
}

function mergeObjects(store: Store, when: Guard, left: HeapObject, right: HeapObject): HeapObject {
  if (left.kind === 'list' && right.kind === 'list') return { ...left, content: conditional(store, when, left.content, right.content) };
  if (left.kind === 'record' && right.kind === 'record') return { ...left, content: conditional(store, when, left.content, right.content) };
  if (left.kind === 'instance' && right.kind === 'instance') {
    const unbound = store.constant({ type: 'special', name: UNBOUND });
    const fields = new Map<string, TermId>();
    for (const name of new Set([...left.fields.keys(), ...right.fields.keys()]))
      fields.set(name, conditional(store, when, left.fields.get(name) ?? unbound, right.fields.get(name) ?? unbound));
    return { ...left, fields };
  }
  if (left.kind === 'suspended' && right.kind === 'suspended') return right.spent === true ? right : left;
  throw new Error('one allocation has one kind');
}
