/** `enumerate`, `zip`, `map`, `filter`, `any`, `all`, `iter`, `next`. */
import { listOf } from '../../../analysis/construct.js';
import { TRUE } from '../../../analysis/guards.js';
import type { Intrinsic, IterationPart } from '../../../analysis/language.js';
import { setVariable } from '../../../analysis/state.js';
import type { Machine } from '../../../analysis/machine.js';
import type { Guard, TermId } from '../../../analysis/terms.js';
import type { Span } from '../../../ir/span.js';
import { ERRORS, raise, unsupported } from '../failures.js';
import { iterate, lazyItems } from '../iterate.js';
import { positional } from '../methods.js';
import { boolTerm, smallIntOf } from '../terms.js';
import { truthy } from '../truth.js';
import { parameter, restItems } from './parameters.js';

/** A generator: `run` hands each element to `emit` when it is consumed. */
function lazy(machine: Machine, span: Span, run: (emit: (value: TermId) => void) => void): TermId {
  return machine.allocate({
    kind: 'suspended',
    what: 'generator',
    resume: () => {
      const handler = machine.yieldHandler;
      if (handler === undefined) return machine.stop('unsupported-generator', 'an iterator is run in a way that is not modelled', span, 'use a list');
      run((value) => {
        const current = machine.yieldHandler;
        machine.yieldHandler = handler;
        handler(value);
        machine.yieldHandler = current;
      });
      return machine.store.null;
    },
  });
}

const enumerate: Intrinsic = (machine, call) => {
  const start = smallIntOf(machine.store, parameter(machine, call, 'start'));
  const iterable = parameter(machine, call, 'iterable');
  if (start === undefined) return unsupported(machine, 'enumerate from a number that is not constant', call.span);
  return lazy(machine, call.span, (emit) => {
    const parts = iterate(machine, iterable, call.span);
    if (parts === undefined) return;
    if (parts.every((part) => part.kind === 'item' && part.when === TRUE)) {
      parts.forEach((part, at) => {
        if (part.kind === 'item' && !machine.dead) emit(listOf(machine.store, 'tuple', [machine.store.int(start + at), part.item]));
      });
      return;
    }
    if (parts.length !== 1 || parts[0]?.kind !== 'collection') {
      unsupported(machine, 'enumerate over a list of which only some elements are known', call.span);
      return;
    }
    const whole = parts[0];
    machine.branchDo(whole.when, () => {
      machine.forEach(whole.of, call.span, (element) => {
        // The position belongs to the occurrence, so it is named by the element of this loop.
        emit(listOf(machine.store, 'tuple', [machine.apply('py.position', [element, machine.store.int(start)], 'int'), element]));
      });
    });
  });
};

const zip: Intrinsic = (machine, call) => {
  const iterables = restItems(machine, call, 'iterables');
  if (iterables === undefined || truthy(machine, parameter(machine, call, 'strict'), call.span) !== 0)
    return unsupported(machine, 'zip with spread arguments or strict=True', call.span);
  return lazyItems(
    machine,
    () => {
      const columns = iterables.map((iterable) => plainParts(iterate(machine, iterable, call.span)));
      if (machine.dead) return undefined;
      const known = columns.filter((column): column is readonly TermId[] => column !== undefined);
      if (known.length !== columns.length) {
        unsupported(machine, 'zip of collections of unknown length', call.span);
        return undefined;
      }
      const length = known.length === 0 ? 0 : Math.min(...known.map((column) => column.length));
      return Array.from({ length }, (_, at): IterationPart => ({
        kind: 'item',
        when: TRUE,
        item: listOf(
          machine.store,
          'tuple',
          known.map((column) => column[at]!),
        ),
      }));
    },
    call.span,
  );
};

function plainParts(parts: readonly IterationPart[] | undefined): readonly TermId[] | undefined {
  const items = parts?.flatMap((part) => (part.kind === 'item' && part.when === TRUE ? [part.item] : []));
  return items?.length === parts?.length ? items : undefined;
}

const map: Intrinsic = (machine, call) => {
  const iterables = restItems(machine, call, 'iterables');
  const [only] = iterables ?? [];
  if (only === undefined || iterables?.length !== 1) return unsupported(machine, 'map over several iterables', call.span);
  const f = parameter(machine, call, 'f');
  return lazy(machine, call.span, (emit) => {
    machine.forEach(only, call.span, (element) => {
      const value = machine.call(f, positional(element), call.span);
      if (!machine.dead) emit(value);
    });
  });
};

const filter: Intrinsic = (machine, call) => {
  const f = parameter(machine, call, 'f');
  return lazy(machine, call.span, (emit) => {
    machine.forEach(parameter(machine, call, 'iterable'), call.span, (element) => {
      const kept = f === machine.store.null ? element : machine.call(f, positional(element), call.span);
      const when = machine.dead ? 0 : truthy(machine, kept, call.span);
      machine.branchDo(when, () => {
        emit(element);
      });
    });
  });
};

/** Consumes until the test holds; returns the condition under which it did. */
function consumeUntil(machine: Machine, iterable: TermId, span: Span, test: (element: TermId) => Guard): Guard {
  return machine.forEach(iterable, span, (element) => {
    machine.branchDo(test(element), () => {
      machine.leaveLoop('breaks');
    });
  });
}

function quantifier(stopAt: boolean): Intrinsic {
  return (machine, call) => {
    const { store } = machine;
    const found = machine.overLeaves(parameter(machine, call, 'iterable'), (leaf) =>
      boolTerm(
        store,
        consumeUntil(machine, leaf, call.span, (element) => {
          const truth = truthy(machine, element, call.span);
          return stopAt ? truth : store.guards.not(truth);
        }),
      ),
    );
    if (machine.dead) return store.null;
    return stopAt ? found : boolTerm(store, store.guards.not(truthy(machine, found, call.span)));
  };
}

const iter: Intrinsic = (machine, call) => {
  if (call.arguments.positional.length !== 1) return unsupported(machine, 'iter with a sentinel', call.span);
  const value = parameter(machine, call, 'obj');
  if (machine.object(value)?.kind === 'suspended') return value;
  return lazyItems(machine, () => iterate(machine, value, call.span), call.span);
};

const next: Intrinsic = (machine, call) => {
  const { store } = machine;
  const [iterator, fallback] = restItems(machine, call, 'args') ?? [];
  const object = iterator === undefined ? undefined : machine.object(iterator);
  if (iterator === undefined || object?.kind !== 'suspended') return unsupported(machine, 'next of a value that is no known iterator', call.span);
  const slot = 'next element';
  setVariable(machine.cur, machine.activation, slot, fallback ?? store.null);
  const broke = machine.forEach(iterator, call.span, (element) => {
    setVariable(machine.cur, machine.activation, slot, element);
    machine.leaveLoop('breaks');
  });
  if (machine.dead) return store.null;
  if (fallback === undefined) machine.raise(ERRORS.stopIteration, [], store.guards.not(broke));
  if (machine.dead) return store.null;
  const value = machine.cur.frames.get(machine.activation)?.get(slot);
  machine.update(
    iterator,
    { ...object, resume: () => machine.stop('unsupported-generator', 'an iterator is advanced twice', call.span, 'make a list of it first') },
    call.span,
  );
  return value ?? raise(machine, 'value', 'next outside a function');
};

export const ITERATION_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['enumerate', enumerate],
  ['zip', zip],
  ['map', map],
  ['filter', filter],
  ['any', quantifier(true)],
  ['all', quantifier(false)],
  ['iter', iter],
  ['next', next],
];
