/**
 * The ways in which one iteration of a loop ends the loop, each with what goes on outside of it. Their names are part of
 * the loop's identity: they tell the kind of exit and its place among those of that kind, and nothing of how it was written.
 */
import type { Machine } from './machine.js';
import { mentionsIteration } from './loop-slots.js';
import type { State, ValuedExit } from './state.js';
import type { Guard, TermId } from './terms.js';

export interface FoundExit {
  readonly name: string;
  readonly when: Guard;
  readonly state?: State;
  /** Goes on outside the loop from the closed state. */
  readonly resume: (close: (value: TermId) => TermId) => void;
}

/** `break`, and `break 1` where another loop is left from here as well. */
function freeName(name: string, taken: readonly FoundExit[]): string {
  const same = taken.filter((exit) => exit.name.split(' ')[0] === name).length;
  return same === 0 ? name : `${name} ${String(same)}`;
}

export function throwExits(m: Machine, thrown: ValuedExit, depth: number, taken: readonly FoundExit[], deliver: (value: TermId) => void): FoundExit[] {
  const before = taken.filter((exit) => exit.name.startsWith('throw ')).length;
  return m.leaves(thrown.value).map(({ when, leaf }, at) => ({
    name: `throw ${String(before + at)}`,
    when: m.store.guards.and(thrown.state.guard, when),
    state: thrown.state,
    resume: (close) => {
      deliver(closeException(m, leaf, thrown.state, depth, close));
    },
  }));
}

export function returnExit(m: Machine, returned: ValuedExit, taken: readonly FoundExit[], deliver: (value: TermId) => void): FoundExit {
  return {
    name: freeName('return', taken),
    when: returned.state.guard,
    state: returned.state,
    resume: (close) => {
      deliver(close(freezeIn(m, returned.state, returned.value)));
    },
  };
}

export function breakExit(state: State, taken: readonly FoundExit[], deliver: () => void): FoundExit {
  return { name: freeName('break', taken), when: state.guard, state, resume: deliver };
}

/** The content of a value as a state has it. */
export function freezeIn(m: Machine, state: State, value: TermId): TermId {
  const saved = m.cur;
  m.cur = state;
  const frozen = m.freeze(value);
  m.cur = saved;
  return frozen;
}

/** The exception outside the loop: its class is known, its content is the loop's. */
function closeException(m: Machine, leaf: TermId, state: State, depth: number, close: (value: TermId) => TermId): TermId {
  const term = m.store.term(leaf);
  const object = term.kind === 'object' ? state.heap.get(term.allocation) : undefined;
  if (object?.kind === 'instance') {
    return m.allocate({ ...object, fields: new Map([...object.fields].map(([name, value]) => [name, close(freezeIn(m, state, value))])) });
  }
  if (term.kind === 'error' && mentionsIteration.any(m.store, leaf, depth))
    return m.store.intern({ kind: 'error', call: close(term.call), ...(term.type === undefined ? {} : { type: term.type }) });
  return leaf;
}
