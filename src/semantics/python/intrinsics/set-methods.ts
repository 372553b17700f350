/** Methods of sets. */
import { list, listOf } from '../../../analysis/construct.js';
import { TRUE } from '../../../analysis/guards.js';
import type { Intrinsic } from '../../../analysis/language.js';
import type { Machine } from '../../../analysis/machine.js';
import type { TermId } from '../../../analysis/terms.js';
import type { Span } from '../../../ir/span.js';
import { contains } from '../contains.js';
import { unsupported } from '../failures.js';
import { requireHashable } from '../records.js';
import { constantElements, setOperation } from '../sets.js';
import { boolTerm, constantOf } from '../terms.js';
import { constantsEqual } from '../data-equality.js';
import { appendTo, collectElements } from './collections.js';
import { parameter, receiver, restItems } from './parameters.js';

const add: Intrinsic = (machine, call) => {
  const item = parameter(machine, call, 'item');
  requireHashable(machine, item, call.span);
  if (!machine.dead) appendTo(machine, receiver(machine, call), [{ kind: 'items', when: TRUE, items: [item] }], call.span);
  return machine.store.null;
};

function removeItem(required: boolean): Intrinsic {
  return (machine, call) => {
    const target = receiver(machine, call);
    const item = parameter(machine, call, 'item');
    const elements = constantElements(machine, target);
    const constant = constantOf(machine.store, item);
    const object = machine.object(target);
    if (elements === undefined || constant === undefined || object?.kind !== 'list')
      return unsupported(machine, 'an element of a set of unknown elements is removed', call.span);
    if (required) machine.raise('py:builtins#KeyError', [item], machine.store.guards.not(contains(machine, item, target, call.span)));
    if (machine.dead) return machine.store.null;
    machine.update(
      target,
      {
        ...object,
        content: listOf(
          machine.store,
          'set',
          elements.filter((element) => !constantsEqual(constantOf(machine.store, element)!, constant)),
        ),
      },
      call.span,
    );
    return machine.store.null;
  };
}

const update: Intrinsic = (machine, call) => {
  for (const other of restItems(machine, call, 'others') ?? []) {
    const content = asSet(machine, other, call.span);
    if (!machine.dead) appendTo(machine, receiver(machine, call), [{ kind: 'spread', when: TRUE, of: content }], call.span);
  }
  return machine.store.null;
};

const copy: Intrinsic = (machine, call) => machine.allocate({ kind: 'list', as: 'set', content: machine.content(receiver(machine, call)) });

function asSet(machine: Machine, value: TermId, span: Span): TermId {
  if (machine.typeOf(value) === 'set') return machine.content(value);
  return list(machine.store, 'set', [{ kind: 'spread', when: TRUE, of: collectElements(machine, value, 'list', span) }]);
}

function combining(op: string): Intrinsic {
  return (machine, call) => {
    let result = receiver(machine, call);
    for (const other of restItems(machine, call, 'others') ?? []) {
      const set = asSet(machine, other, call.span);
      if (machine.dead) return machine.store.null;
      result = setOperation(machine, op, result, set, call.span);
    }
    return machine.dead ? machine.store.null : machine.allocate({ kind: 'list', as: 'set', content: machine.content(result) });
  };
}

function subset(swapped: boolean): Intrinsic {
  return (machine, call) => {
    const other = asSet(machine, parameter(machine, call, 'other'), call.span);
    if (machine.dead) return machine.store.null;
    const [small, large] = swapped ? [other, receiver(machine, call)] : [receiver(machine, call), other];
    const elements = constantElements(machine, small);
    if (elements === undefined) return unsupported(machine, 'sets of unknown elements are compared', call.span);
    return boolTerm(machine.store, machine.store.guards.all(elements.map((element) => contains(machine, element, large, call.span))));
  };
}

export const SET_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['set.add', add],
  ['set.discard', removeItem(false)],
  ['set.remove', removeItem(true)],
  ['set.update', update],
  ['set.copy', copy],
  ['set.union', combining('or')],
  ['set.intersection', combining('and')],
  ['set.difference', combining('sub')],
  ['set.issubset', subset(false)],
  ['set.issuperset', subset(true)],
];
