/** Reading the parameters of an intrinsic, and lists of arguments. */
import type { IntrinsicCall } from '../../../analysis/language.js';
import type { Machine } from '../../../analysis/machine.js';
import type { TermId } from '../../../analysis/terms.js';
import { itemsOf } from '../terms.js';

/** A parameter by name; the language's None where it was not given. */
export function parameter(machine: Machine, call: IntrinsicCall, name: string): TermId {
  return call.parameters.get(name) ?? machine.store.null;
}

/** The receiver of a method. */
export function receiver(machine: Machine, call: IntrinsicCall): TermId {
  return call.self ?? machine.store.null;
}

/** Items of a rest parameter; undefined where their number is unknown. */
export function restItems(machine: Machine, call: IntrinsicCall, name: string): readonly TermId[] | undefined {
  const value = call.parameters.get(name);
  return value === undefined ? [] : itemsOf(machine, value);
}

/** Keyword arguments by name; undefined where a mapping is spread. */
export function keywordArguments(call: IntrinsicCall): ReadonlyMap<string, TermId> | undefined {
  const out = new Map<string, TermId>();
  for (const argument of call.arguments.keywords) {
    if (argument.kind !== 'named') return undefined;
    out.set(argument.name, argument.value);
  }
  return out;
}
