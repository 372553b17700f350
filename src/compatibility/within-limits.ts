/** A comparison that outgrows the bound on diagrams is not decided; it is no failure of the program. */
import { FcdError } from '../base/errors.js';
import type { Reason } from './verdict.js';

export function withinLimits<Result>(compute: () => Result, beyond: (reason: Reason) => Result): Result {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof FcdError) || error.code !== 'guard-limit') throw error;
    return beyond({
      code: 'limit',
      message: `The comparison is too large: ${error.message}.`,
      side: 'both',
      next: 'Review the pair by hand, or narrow the profile.',
    });
  }
}
