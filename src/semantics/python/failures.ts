/** Exceptions of Python that builtin operations raise, and the stop for an operation that is not modelled. */
import { TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';

export const ERRORS = {
  type: 'py:builtins#TypeError',
  name: 'py:builtins#NameError',
  attribute: 'py:builtins#AttributeError',
  key: 'py:builtins#KeyError',
  index: 'py:builtins#IndexError',
  assertion: 'py:builtins#AssertionError',
  value: 'py:builtins#ValueError',
  zeroDivision: 'py:builtins#ZeroDivisionError',
  stopIteration: 'py:builtins#StopIteration',
  any: 'py:builtins#BaseException',
} as const;

/** Ends the path: the meaning of this operation on these values is not modelled. */
export function unsupported(
  machine: Machine,
  operation: string,
  span: Span,
  next = 'rewrite the operation in a supported form, or review the handler by hand',
): TermId {
  return machine.stop('unsupported-operation', operation, span, next);
}

/** Raises where `when` holds; returns a value so that callers can return it. */
export function raise(machine: Machine, error: keyof typeof ERRORS, text: string, when: Guard = TRUE): TermId {
  machine.raise(ERRORS[error], [machine.store.string(text)], when);
  return machine.store.null;
}
