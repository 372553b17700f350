/**
 * Loops. Known elements are unrolled. A collection of unknown elements is read once with a symbolic element:
 *
 * 1. Everything that the body may change and that outlives an iteration is found (by reading the body until nothing new
 *    changes) and widened to a `carried` term before the body is read for good.
 * 2. The exits (throw, return, break, stop) and their conditions inside an iteration become a loop record. Outside, the
 *    only proposition is `exists(loop, exit)`: facts about the element never leave the loop.
 * 3. Values that depend on the iteration become `loop` terms named by the record of just what they depend on.
 * 4. Effects inside are marked with the loop; the condition inside an iteration is part of the loop's identity.
 */
import type { Span } from '../ir/span.js';
import { hash } from 'node:crypto';
import { unreachable } from '../base/errors.js';
import { LOOP_PASSES_MAX, LOOP_UNROLL_MAX } from '../base/limits.js';
import { FALSE, TRUE } from './guards.js';
import { breakExit, freezeIn, returnExit, throwExits, type FoundExit } from './loop-exits.js';
import { diffSlots, mentionsIteration, readSlot, widen, writeSlot, type Slot } from './loop-slots.js';
import type { Machine } from './machine.js';
import type { FoundOutcome } from './paths.js';
import { cloneState, mergeStates, type Exits, type HeapObject, type Leaving, type State } from './state.js';
import type { EffectOutcome } from './summary.js';
import type { Guard, Loop, LoopIndex, TermId } from './terms.js';

const nothing = (): void => undefined;

/** Runs a loop; returns the condition, among the paths that go on, under which it was left by a break. */
export function runLoop(m: Machine, iterable: TermId, span: Span, body: (element: TermId) => void, otherwise: () => void = nothing): Guard {
  const exits = m.collect(() => {
    const object = m.object(iterable);
    if (object?.kind === 'suspended') consume(m, object.what, object.resume, span, body);
    else {
      const parts = m.semantics.iterate(m, iterable, span);
      if (parts === undefined) return;
      if (parts.length > LOOP_UNROLL_MAX) {
        m.stop('limit', `a loop over more than ${String(LOOP_UNROLL_MAX)} known elements`, span, 'review the handler by hand');
        return;
      }
      for (const part of parts) {
        if (m.dead) break;
        if (part.kind === 'item') {
          m.branchDo(part.when, () => {
            iterationOf(m, () => {
              body(part.item);
            });
          });
        } else {
          m.branchDo(part.when, () => {
            symbolicLoop(m, part.of, part.elementType, span, body);
          });
        }
      }
    }
    if (!m.dead && object !== undefined && isOtherNow(m, iterable, object))
      m.stop('unsupported-loop', 'a collection is changed while it is iterated', span, 'iterate a copy');
    otherwise();
  });
  return finish(m, exits);
}

/** Whether the body may have changed what it iterates; only lists, sets and records can be. */
function isOtherNow(m: Machine, iterable: TermId, before: HeapObject): boolean {
  const now = m.object(iterable);
  return before.kind !== 'suspended' && before.kind !== 'instance' && now !== before && (now?.kind !== before.kind || now.content !== before.content);
}

function finish(m: Machine, exits: Exits): Guard {
  const { breaks, ...others } = exits;
  m.propagate(others);
  if (breaks === undefined) return FALSE;
  const broke = breaks.guard;
  m.join(breaks);
  return m.store.guards.constrain(broke, m.cur.guard);
}

/** One unrolled iteration: a `continue` goes on after it. */
function iterationOf(m: Machine, body: () => void): void {
  const { continues, ...others } = m.collect(body);
  m.propagate(others);
  if (continues !== undefined) m.join(continues);
}

/**
 * A generator runs here, and the loop body stands at its yields. What leaves the body leaves this loop: it passes through
 * whatever of the generator stands around the yield, so that the generator's own loops close what depends on an iteration.
 */
function consume(m: Machine, what: string, resume: () => TermId, span: Span, body: (element: TermId) => void): void {
  if (what !== 'generator') {
    m.stop('unsupported-generator', 'something that is not a generator is iterated', span, 'iterate a list');
    return;
  }
  const consumption = String(m.consumptions);
  m.consumptions += 1;
  const outerHandler = m.yieldHandler;
  const outerActivation = m.activation;
  const outerDepth = m.callStack.length;
  const handler = (value: TermId): TermId => {
    m.yieldHandler = outerHandler;
    const innerActivation = m.activation;
    const innerStack = m.callStack.splice(outerDepth);
    m.activation = outerActivation;
    const left = m.collect(() => {
      iterationOf(m, () => {
        body(value);
      });
    });
    m.propagate({ leaves: leavingOf(m, consumption, left) });
    m.activation = innerActivation;
    m.callStack.push(...innerStack);
    m.yieldHandler = handler;
    return m.store.null;
  };
  m.yieldHandler = handler;
  const { leaves, ...others } = m.collect(resume);
  m.yieldHandler = outerHandler;
  m.propagate(others);
  const here = m.cur;
  for (const [key, { how, state, value }] of leaves ?? []) {
    m.cur = state;
    if (!key.startsWith(`${consumption} `)) m.leaveGenerator(key, how, value);
    else if (how === 'break') m.leaveLoop('breaks');
    else m.leave(how, value);
  }
  m.cur = here;
}

/** What leaves the body of one loop over a generator, as it is known inside of the generator. */
function leavingOf(m: Machine, consumption: string, exits: Exits): ReadonlyMap<string, Leaving> {
  const leaves = new Map(exits.leaves);
  if (exits.returns !== undefined) leaves.set(`${consumption} return`, { how: 'return', ...exits.returns });
  if (exits.throws !== undefined) leaves.set(`${consumption} throw`, { how: 'throw', ...exits.throws });
  if (exits.breaks !== undefined) leaves.set(`${consumption} break`, { how: 'break', state: exits.breaks, value: m.store.null });
  return leaves;
}

/** A loop on a condition: its iterations end only by an exit, of which the failed test is one. */
export function runWhile(m: Machine, span: Span, test: () => Guard, body: () => void): void {
  const exits = m.collect(() => {
    symbolicLoop(m, m.store.constant({ type: 'special', name: 'while' }), undefined, span, () => {
      m.branchDo(test(), body, () => {
        m.leaveLoop('breaks');
      });
    });
    m.kill();
  });
  finish(m, exits);
}

interface IterationResult {
  readonly next: State;
  readonly exits: Exits;
  readonly outcomes: readonly FoundOutcome[];
}

/** Reads the body once from `start`. */
function readBody(m: Machine, start: State, element: TermId, body: (element: TermId) => void): IterationResult {
  m.iterations.push(element);
  const saved = { outcomes: m.outcomes, cur: m.cur };
  m.outcomes = [];
  m.loopDepth += 1;
  m.cur = start;
  const { continues, ...exits } = m.collect(() => {
    body(element);
  });
  const next = continues === undefined ? m.cur : mergeStates(m.store, m.cur, continues);
  const outcomes = m.outcomes;
  m.loopDepth -= 1;
  m.iterations.pop();
  m.outcomes = saved.outcomes;
  m.cur = saved.cur;
  return { next, exits, outcomes };
}

function symbolicLoop(m: Machine, of: TermId, elementType: string | undefined, span: Span, body: (element: TermId) => void): void {
  const { store } = m;
  const depth = m.loopDepth;
  const before = cloneState(m.cur);
  const over = m.freeze(of);
  const element = store.intern({ kind: 'element', depth, of: over, ...(elementType === undefined ? {} : { type: elementType }) });
  let slots: Slot[] = [];
  let result: IterationResult | undefined;
  const serial = m.freshSerial;
  for (let pass = 0; ; pass += 1) {
    if (pass > LOOP_PASSES_MAX) {
      m.stop('unsupported-loop', 'what the loop changes does not settle', span, 'review the loop by hand');
      return;
    }
    m.freshSerial = serial;
    const start = cloneState(before);
    start.guard = TRUE;
    for (const slot of slots) widen(m, start, slot, depth);
    result = readBody(m, cloneState(start), element, body);
    const left = [...(result.exits.leaves?.values() ?? [])].map((leaving) => leaving.state);
    const states = [result.next, result.exits.breaks, result.exits.returns?.state, result.exits.throws?.state, ...left].filter(
      (s): s is State => s !== undefined && s.guard !== FALSE,
    );
    const changed = diffSlots(m, start, states, slots);
    if (changed.length === 0) break;
    // Variables that had no value before the loop come last, so that a new helper variable renames nothing.
    const all = [...slots, ...changed];
    slots = [...all.filter((slot) => slot.bound), ...all.filter((slot) => !slot.bound)].map((slot, at) => ({ ...slot, label: `v${String(at)}` }));
  }
  finishLoop(m, { depth, over, before, slots, result, span });
}

interface ReadLoop {
  readonly depth: number;
  readonly over: TermId;
  readonly before: State;
  readonly slots: readonly Slot[];
  readonly result: IterationResult;
  readonly span: Span;
}

function finishLoop(m: Machine, loop: ReadLoop): void {
  const { store } = m;
  const { guards } = store;
  const { result, depth, slots } = loop;
  const effects = result.outcomes.filter((found): found is FoundOutcome & { outcome: EffectOutcome } => found.outcome.kind === 'effect');
  const exits: FoundExit[] = [];
  result.outcomes.forEach((found, at) => {
    const { outcome } = found;
    if (outcome.kind !== 'escalate') return;
    exits.push({
      name: `stop ${outcome.code} ${String(at)}`,
      when: outcome.when,
      resume: () => {
        m.outcomes.push({ outcome: { ...outcome, when: m.cur.guard }, spans: found.spans });
      },
    });
  });
  const { throws, returns, breaks, leaves } = result.exits;
  if (throws !== undefined)
    exits.push(
      ...throwExits(m, throws, depth, exits, (value) => {
        m.leave('throw', value);
      }),
    );
  if (returns !== undefined)
    exits.push(
      returnExit(m, returns, exits, (value) => {
        m.leave('return', value);
      }),
    );
  if (breaks !== undefined)
    exits.push(
      breakExit(breaks, exits, () => {
        m.leaveLoop('breaks');
      }),
    );
  for (const [key, leaving] of leaves ?? []) {
    const deliver = (value: TermId): void => {
      m.leaveGenerator(key, leaving.how, value);
    };
    switch (leaving.how) {
      case 'throw':
        exits.push(...throwExits(m, leaving, depth, exits, deliver));
        break;
      case 'return':
        exits.push(returnExit(m, leaving, exits, deliver));
        break;
      case 'break':
        exits.push(
          breakExit(leaving.state, exits, () => {
            deliver(m.store.null);
          }),
        );
        break;
      default:
        unreachable(leaving.how);
    }
  }
  const live = exits.filter((exit) => exit.when !== FALSE);

  const next = (slot: Slot): TermId => freezeIn(m, result.next, readSlot(m, result.next, slot));
  const initial = (slot: Slot): TermId => freezeIn(m, loop.before, readSlot(m, loop.before, slot));
  const effectRecords = effects.map((found) => ({ key: effectKey(m, found.outcome), when: found.outcome.when }));
  /** The loop as far as these values need it. */
  const slice = (extra: readonly TermId[], values: ReadonlyMap<string, TermId>): LoopIndex => {
    const needed = new Set<string>();
    const queue: TermId[] = [...extra, ...values.values()];
    const guardQueue: Guard[] = [...live.map((exit) => exit.when), ...effectRecords.map((effect) => effect.when)];
    const note = (label: string): void => {
      const slot = slots.find((candidate) => candidate.label === label);
      if (slot === undefined || needed.has(label)) return;
      needed.add(label);
      queue.push(next(slot));
    };
    for (const guard of guardQueue) for (const label of mentionsIteration.carriedInGuard(store, guard, depth)) note(label);
    while (queue.length > 0) for (const label of mentionsIteration.carriedIn(store, queue.pop()!, depth)) note(label);
    for (const effect of effects)
      for (const term of effectTerms(effect.outcome)) for (const label of mentionsIteration.carriedIn(store, term, depth)) note(label);
    while (queue.length > 0) for (const label of mentionsIteration.carriedIn(store, queue.pop()!, depth)) note(label);
    const record: Loop = {
      over: loop.over,
      depth,
      exits: live.map((exit) => {
        const value = values.get(exit.name);
        return { name: exit.name, when: exit.when, ...(value === undefined ? {} : { value }) };
      }),
      carried: slots.filter((slot) => needed.has(slot.label)).map((slot) => ({ name: slot.label, initial: initial(slot), next: next(slot) })),
      effects: effectRecords,
    };
    return store.internLoop(record);
  };
  const main = slice([], new Map());
  const outer = cloneState(loop.before);
  for (const found of effects) m.outcomes.push({ outcome: { ...found.outcome, when: outer.guard, loops: [main, ...found.outcome.loops] }, spans: found.spans });

  let remaining = outer.guard;
  for (const exit of live) {
    const happens = store.propositionGuard({ kind: 'exists', loop: main, exit: exit.name });
    const state = cloneState(outer);
    state.guard = guards.and(remaining, happens);
    remaining = guards.and(remaining, guards.not(happens));
    if (state.guard === FALSE) continue;
    const close = (value: TermId): TermId =>
      mentionsIteration.any(store, value, depth)
        ? store.intern({ kind: 'loop', loop: slice([], new Map([[exit.name, value]])), name: exit.name, ...typed(m, value) })
        : value;
    if (exit.state !== undefined) {
      for (const slot of slots) {
        const value = readSlot(m, exit.state, slot);
        const frozen = freezeIn(m, exit.state, value);
        writeSlot(m, state, slot, mentionsIteration.any(store, frozen, depth) ? close(frozen) : value);
      }
      for (const [allocation, object] of exit.state.heap) if (!state.heap.has(allocation)) state.heap.set(allocation, object);
    }
    m.cur = state;
    exit.resume(close);
  }
  const after = cloneState(outer);
  after.guard = remaining;
  for (const slot of slots) {
    const value = next(slot);
    const label = store.intern({ kind: 'carried', depth, name: slot.label });
    const index = slice([label, value], new Map());
    writeSlot(m, after, slot, store.intern({ kind: 'loop', loop: index, name: slot.label, ...carriedType(m, initial(slot), value, label) }));
  }
  m.cur = after;
}

function typed(m: Machine, value: TermId): { type?: string } {
  const type = m.typeOf(value);
  return type === undefined ? {} : { type };
}

/** A list that starts with texts and is only ever extended by texts is a list of texts; likewise for any one type. */
function carriedType(m: Machine, initial: TermId, next: TermId, carried: TermId): { type?: string } {
  if (m.store.term(next).kind !== 'list') return typed(m, next);
  let type: string | undefined;
  for (const content of [initial, next]) {
    const term = m.store.term(content);
    if (term.kind !== 'list' || term.as !== 'list') return typed(m, next);
    for (const segment of term.segments) {
      if (segment.kind === 'spread' && segment.of === carried) continue;
      const types = segment.kind === 'items' ? segment.items.map((item) => m.typeOf(item)) : [/^list<(.*)>$/.exec(m.typeOf(segment.of) ?? '')?.[1]];
      for (const found of types) {
        if (found === undefined || (type !== undefined && type !== found)) return typed(m, next);
        type = found;
      }
    }
  }
  return type === undefined ? typed(m, next) : { type: `list<${type}>` };
}

function effectTerms(effect: EffectOutcome): TermId[] {
  return [effect.call, ...effect.dimensions.map((d) => d.value), ...effect.contexts.flatMap((c) => c.dimensions.map((d) => d.value))];
}

/** Content digest of an effect, its condition apart. */
export function effectKey(m: Machine, effect: EffectOutcome): string {
  const { store } = m;
  const dimensions = (all: EffectOutcome['dimensions']): unknown => all.map((d) => [d.name, store.termKey(d.value), d.exact]);
  return hash(
    'sha256',
    JSON.stringify([
      effect.operation,
      dimensions(effect.dimensions),
      effect.protective,
      effect.baseline,
      effect.contexts.map((c) => [c.operation, dimensions(c.dimensions)]),
      effect.loops.map((loop) => store.loopKey(loop)),
    ]),
    'hex',
  ).slice(0, 40);
}
