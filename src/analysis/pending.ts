/**
 * Exits that wait while other code runs: `finally` bodies, context managers. The waiting exits become one state with a
 * flag that says which exit it was; the code runs once on that state, and the flag then sends each path on its way.
 * So a cleanup is read once however many ways lead into it.
 */
import { equal } from './construct.js';
import type { Machine } from './machine.js';
import { cloneState, PARKING_FRAME, type Exits, type Leaving, type State } from './state.js';
import type { TermId } from './terms.js';

type Kind = 'returns' | 'throws' | 'breaks' | 'continues';
const KINDS: readonly Kind[] = ['returns', 'throws', 'breaks', 'continues'];

export class Parking {
  private readonly m: Machine;
  private readonly flag: string;
  private readonly value: string;
  /** Parked exits of loops over generators, by key. */
  private readonly leaves = new Map<string, Leaving['how']>();

  constructor(m: Machine) {
    this.m = m;
    const number = String(m.parkings);
    m.parkings += 1;
    this.flag = `exit ${number}`;
    this.value = `value ${number}`;
  }

  /** Lets the exits go on with the current path. */
  park(exits: Exits): void {
    for (const kind of KINDS) {
      const exit = exits[kind];
      if (exit === undefined) continue;
      const parked = 'state' in exit ? this.marked(exit.state, kind, exit.value) : this.marked(exit, kind, this.m.store.null);
      this.m.join(parked);
    }
    for (const [key, left] of exits.leaves ?? []) {
      this.leaves.set(key, left.how);
      this.m.join(this.marked(left.state, leaveMark(key), left.value));
    }
  }

  private marked(state: State, kind: string, value: TermId): State {
    const copy = cloneState(state);
    copy.frames.set(PARKING_FRAME, new Map([...(copy.frames.get(PARKING_FRAME) ?? []), [this.flag, this.m.store.string(kind)], [this.value, value]]));
    return copy;
  }

  /** Sends every parked path on its way; the current path is then the one that was never parked. */
  release(): void {
    const m = this.m;
    const frame = m.cur.frames.get(PARKING_FRAME);
    const flag = frame?.get(this.flag);
    const value = frame?.get(this.value) ?? m.store.null;
    if (m.dead || flag === undefined) return;
    const remaining = new Map(frame);
    remaining.delete(this.flag);
    remaining.delete(this.value);
    m.cur.frames.set(PARKING_FRAME, remaining);
    for (const kind of KINDS) {
      const when = equal(m.store, flag, m.store.string(kind));
      m.branchDo(when, () => {
        const chosen = this.valueUnder(value, when);
        if (kind === 'returns') m.leave('return', chosen);
        else if (kind === 'throws') m.leave('throw', chosen);
        else m.leaveLoop(kind);
      });
    }
    for (const [key, how] of this.leaves) {
      const when = equal(m.store, flag, m.store.string(leaveMark(key)));
      m.branchDo(when, () => {
        m.leaveGenerator(key, how, this.valueUnder(value, when));
      });
    }
  }

  /** The parked value seen from the paths that parked it. */
  private valueUnder(value: TermId, when: number): TermId {
    const { store } = this.m;
    const term = store.term(value);
    if (term.kind !== 'conditional') return value;
    if (store.guards.entails(when, term.when)) return this.valueUnder(term.then, when);
    if (store.guards.disjoint(when, term.when)) return this.valueUnder(term.otherwise, when);
    return value;
  }
}

function leaveMark(key: string): string {
  return `leaves ${key}`;
}

/** Runs `body`, then `after` on every way out of it (throws only with `with-throws`), then goes on as the body did. */
export function afterwards(m: Machine, body: () => void, mode: 'with-throws' | 'without-throws', after: () => void): void {
  const parking = new Parking(m);
  const { throws, ...others } = m.collect(body);
  if (mode === 'without-throws' && throws !== undefined) m.propagate({ throws });
  parking.park(mode === 'with-throws' && throws !== undefined ? { ...others, throws } : others);
  after();
  parking.release();
}
