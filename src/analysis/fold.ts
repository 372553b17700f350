/** Evaluation of pure operations on known values, provided by language semantics. */
import type { Store } from './store.js';
import type { Guard, TermId } from './terms.js';

export interface Fold {
  /** The value of a pure application where its arguments are known well enough; undefined keeps it symbolic. Never guesses. */
  term(store: Store, fn: string, args: readonly TermId[]): TermId | undefined;
  /** The truth of a pure test, likewise. */
  test(store: Store, fn: string, args: readonly TermId[]): Guard | undefined;
}
