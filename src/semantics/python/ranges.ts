/** `range` values: `py.range(start, stop, step)`. */
import { LOOP_UNROLL_MAX } from '../../base/limits.js';
import type { Store } from '../../analysis/store.js';
import type { TermId } from '../../analysis/terms.js';
import { RANGE_FN } from './kinds.js';
import { smallIntOf } from './terms.js';

export function rangeTerm(store: Store, start: TermId, stop: TermId, step: TermId): TermId {
  return store.intern({ kind: 'apply', fn: RANGE_FN, args: [start, stop, step], type: 'range' });
}

/** The numbers of a range with constant bounds, at most as many as a loop is unrolled over. */
export function rangeItems(store: Store, value: TermId): readonly number[] | undefined {
  const term = store.term(value);
  if (term.kind !== 'apply' || term.fn !== RANGE_FN) return undefined;
  const [start, stop, step] = term.args.map((arg) => smallIntOf(store, arg));
  if (start === undefined || stop === undefined || step === undefined || step === 0) return undefined;
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (count > LOOP_UNROLL_MAX) return undefined;
  return Array.from({ length: count }, (_, at) => start + at * step);
}
