/**
 * The paths of an evaluation: the current one, the exits under way, and what was found on them. A path that branches is
 * evaluated on both sides and merged; a path whose guard is false is dead, and nothing evaluated on it counts.
 */
import type { Span } from '../ir/span.js';
import { EVALUATION_STEPS_MAX } from '../base/limits.js';
import { conditional, leaves, listOf } from './construct.js';
import { FALSE, TRUE } from './guards.js';
import type { Library } from './library.js';
import { cloneState, mergeStates, type Activation, type CallSite, type Exits, type HeapObject, type Leaving, type State, type ValuedExit } from './state.js';
import type { Store } from './store.js';
import type { EscalationCode, Outcome } from './summary.js';
import type { Guard, TermId } from './terms.js';

export interface FoundOutcome {
  readonly outcome: Outcome;
  readonly spans: readonly Span[];
}

export abstract class Paths {
  abstract readonly store: Store;
  abstract readonly library: Library;
  abstract cur: State;
  exits: Exits = {};
  outcomes: FoundOutcome[] = [];
  readonly activations: Activation[] = [];
  /** The activation whose code is being read. */
  activation = -1;
  readonly callStack: CallSite[] = [];
  /** Activations that a function value made in them keeps alive. */
  readonly captured = new Set<number>();
  /** Where each value that left a function by return or throw did so first, with the calls that led there. Only for reports. */
  readonly leftAt = new Map<TermId, readonly Span[]>();
  protected steps = 0;
  /** What is being evaluated. */
  private place: Span | undefined;

  abstract allocate(object: HeapObject): TermId;

  get dead(): boolean {
    return this.cur.guard === FALSE;
  }

  /** Counts work; past the limit the path stops. */
  tick(span: Span): void {
    this.steps += 1;
    this.place = span;
    if (this.steps > EVALUATION_STEPS_MAX)
      this.stop('limit', `evaluation needs more than ${String(EVALUATION_STEPS_MAX)} steps`, span, 'split the handler or narrow the profile');
  }

  /** Evaluates one of two continuations under a condition and its negation, and merges. */
  branch(when: Guard, then: () => TermId, otherwise: () => TermId): TermId {
    const here = this.cur;
    const thenGuard = this.store.guards.and(here.guard, when);
    const otherwiseGuard = this.store.guards.and(here.guard, this.store.guards.not(when));
    if (thenGuard === FALSE) return otherwise();
    if (otherwiseGuard === FALSE) return then();
    this.cur = cloneState(here);
    this.cur.guard = thenGuard;
    const thenValue = then();
    const thenState = this.cur;
    this.cur = cloneState(here);
    this.cur.guard = otherwiseGuard;
    const otherwiseValue = otherwise();
    const otherwiseState = this.cur;
    this.cur = mergeStates(this.store, thenState, otherwiseState);
    if (thenState.guard === FALSE) return otherwiseValue;
    if (otherwiseState.guard === FALSE) return thenValue;
    return conditional(this.store, this.store.guards.constrain(thenState.guard, this.cur.guard), thenValue, otherwiseValue);
  }

  branchDo(when: Guard, then: () => void, otherwise: () => void = () => undefined): void {
    this.branch(
      when,
      () => (then(), this.store.null),
      () => (otherwise(), this.store.null),
    );
  }

  /** Continues only where `when` holds on each leaf of a conditional value; joins the results. */
  overLeaves(value: TermId, f: (leaf: TermId) => TermId): TermId {
    const term = this.store.term(value);
    if (term.kind !== 'conditional') return f(value);
    return this.branch(
      term.when,
      () => this.overLeaves(term.then, f),
      () => this.overLeaves(term.otherwise, f),
    );
  }

  /** The path ends here with this exit. */
  leave(kind: 'return' | 'throw', value: TermId, place: Span | undefined = this.place): void {
    if (this.dead) return;
    if (place !== undefined) for (const { leaf } of leaves(this.store, value)) if (!this.leftAt.has(leaf)) this.leftAt.set(leaf, [place, ...this.callers()]);
    const key = kind === 'return' ? 'returns' : 'throws';
    this.exits[key] = this.mergedExit(this.exits[key], value);
    this.kill();
  }
  /** The path leaves the loop over a generator that `key` names, through whatever of the generator stands around its yield. */
  leaveGenerator(key: string, how: Leaving['how'], value: TermId): void {
    if (this.dead) return;
    this.exits.leaves = new Map(this.exits.leaves).set(key, { how, ...this.mergedExit(this.exits.leaves?.get(key), value) });
    this.kill();
  }
  private mergedExit(before: ValuedExit | undefined, value: TermId): ValuedExit {
    const state = this.cur;
    if (before === undefined) return { state, value };
    const merged = mergeStates(this.store, before.state, state);
    const when = this.store.guards.constrain(before.state.guard, merged.guard);
    return { state: merged, value: conditional(this.store, when, before.value, value) };
  }
  leaveLoop(kind: 'breaks' | 'continues'): void {
    if (this.dead) return;
    const before = this.exits[kind];
    this.exits[kind] = before === undefined ? this.cur : mergeStates(this.store, before, this.cur);
    this.kill();
  }
  kill(): void {
    this.cur = { guard: FALSE, frames: this.cur.frames, heap: this.cur.heap, world: this.cur.world };
  }

  /** Runs `body` with exits of its own and returns them; `cur` is then the normal completion. */
  collect(body: () => void): Exits {
    const outer = this.exits;
    const own: Exits = {};
    this.exits = own;
    try {
      body();
    } finally {
      this.exits = outer;
    }
    return own;
  }

  /** Passes exits on to the enclosing construct. */
  propagate(exits: Exits): void {
    const here = this.cur;
    if (exits.returns !== undefined) {
      this.cur = exits.returns.state;
      this.leave('return', exits.returns.value);
    }
    if (exits.throws !== undefined) {
      this.cur = exits.throws.state;
      this.leave('throw', exits.throws.value);
    }
    if (exits.breaks !== undefined) {
      this.cur = exits.breaks;
      this.leaveLoop('breaks');
    }
    if (exits.continues !== undefined) {
      this.cur = exits.continues;
      this.leaveLoop('continues');
    }
    for (const [key, left] of exits.leaves ?? []) {
      this.cur = left.state;
      this.leaveGenerator(key, left.how, left.value);
    }
    this.cur = here;
  }

  /** Another path ends where the current one is: they go on as one. */
  join(state: State): void {
    this.cur = mergeStates(this.store, this.cur, state);
  }

  /** Where `when` holds the path throws `exception` (built only if needed); it goes on elsewhere. */
  throwWhen(when: Guard, exception: () => TermId): void {
    if (this.dead || when === FALSE) return;
    const here = this.cur;
    const thrown = this.store.guards.and(here.guard, when);
    if (thrown === FALSE) return;
    this.cur = cloneState(here);
    this.cur.guard = thrown;
    this.leave('throw', exception());
    here.guard = this.store.guards.and(here.guard, this.store.guards.not(when));
    this.cur = here;
  }

  /** Throws a builtin or library exception with these arguments where `when` holds. */
  raise(identity: string, args: readonly TermId[], when: Guard = TRUE): void {
    this.throwWhen(when, () => this.newException(this.store.intern({ kind: 'external', identity: this.library.canonical(identity) }), args));
  }

  newException(classTerm: TermId, args: readonly TermId[]): TermId {
    return this.allocate({ kind: 'instance', class: classTerm, fields: new Map([['args', listOf(this.store, 'tuple', args)]]) });
  }

  /** The path cannot be evaluated: recorded as an escalation, and the path ends. Returns a value so that callers can return it. */
  stop(code: EscalationCode, message: string, span: Span, next: string): TermId {
    if (!this.dead) {
      this.record({ kind: 'escalate', when: this.cur.guard, code, message, next }, span);
      this.kill();
    }
    return this.store.null;
  }

  /** Stops only where `when` holds. */
  stopWhen(when: Guard, code: EscalationCode, message: string, span: Span, next: string): void {
    this.branchDo(when, () => void this.stop(code, message, span, next));
  }

  record(outcome: Outcome, span: Span, ...callers: readonly Span[]): void {
    this.outcomes.push({ outcome, spans: [span, ...callers, ...this.callers()] });
  }
  /** Innermost first. */
  private callers(): Span[] {
    return this.callStack.map((site) => site.span).reverse();
  }

  /** The current activation and those around it outlive their calls. */
  capture(): void {
    let at: number | undefined = this.activation;
    while (at !== undefined && at >= 0 && !this.captured.has(at)) {
      this.captured.add(at);
      at = this.activations[at]?.parent;
    }
  }
}
