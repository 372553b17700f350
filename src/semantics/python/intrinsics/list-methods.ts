/** Methods of lists and tuples. */
import { list, listOf } from '../../../analysis/construct.js';
import { FALSE, TRUE } from '../../../analysis/guards.js';
import type { Intrinsic } from '../../../analysis/language.js';
import type { Machine } from '../../../analysis/machine.js';
import type { TermId } from '../../../analysis/terms.js';
import type { Span } from '../../../ir/span.js';
import { equals } from '../equality.js';
import { raise, unsupported } from '../failures.js';
import { elementAt, extendList } from '../sequences.js';
import { itemsOf, smallIntOf } from '../terms.js';
import { appendTo, countGuards } from './collections.js';
import { parameter, receiver } from './parameters.js';
import { sortedItems } from './ordering.js';

/** Replaces the elements of a list object. */
function replaceItems(machine: Machine, value: TermId, items: readonly TermId[], span: Span): TermId {
  const object = machine.object(value);
  if (object?.kind !== 'list')
    return unsupported(machine, 'a list that was passed in by the caller or a library is changed', span, 'copy it with list(…) before the change');
  machine.update(value, { ...object, content: listOf(machine.store, object.as, items) }, span);
  return machine.store.null;
}

function knownItems(machine: Machine, value: TermId, operation: string, span: Span): readonly TermId[] | undefined {
  const items = itemsOf(machine, value);
  if (items === undefined) unsupported(machine, `${operation} on a list of unknown length`, span, 'build a new list');
  return items;
}

const append: Intrinsic = (machine, call) => {
  appendTo(machine, receiver(machine, call), [{ kind: 'items', when: TRUE, items: [parameter(machine, call, 'item')] }], call.span);
  return machine.store.null;
};

const extend: Intrinsic = (machine, call) => {
  const items = parameter(machine, call, 'items');
  const target = receiver(machine, call);
  if (machine.object(items)?.kind !== 'suspended') extendList(machine, target, items, call.span);
  else
    machine.forEach(items, call.span, (element) => {
      appendTo(machine, target, [{ kind: 'items', when: TRUE, items: [element] }], call.span);
    });
  return machine.store.null;
};

const insert: Intrinsic = (machine, call) => {
  const target = receiver(machine, call);
  const at = smallIntOf(machine.store, parameter(machine, call, 'index'));
  const item = parameter(machine, call, 'item');
  const object = machine.object(target);
  if (object?.kind === 'list' && at === 0) {
    machine.update(
      target,
      {
        ...object,
        content: list(machine.store, 'list', [
          { kind: 'items', when: TRUE, items: [item] },
          { kind: 'spread', when: TRUE, of: object.content },
        ]),
      },
      call.span,
    );
    return machine.store.null;
  }
  const items = knownItems(machine, target, 'insert', call.span);
  if (items === undefined) return machine.store.null;
  if (at === undefined) return unsupported(machine, 'insert at a position that is not constant', call.span);
  const position = Math.min(items.length, at < 0 ? Math.max(0, at + items.length) : at);
  return replaceItems(machine, target, [...items.slice(0, position), item, ...items.slice(position)], call.span);
};

const pop: Intrinsic = (machine, call) => {
  const target = receiver(machine, call);
  const at = smallIntOf(machine.store, parameter(machine, call, 'index'));
  const items = knownItems(machine, target, 'pop', call.span);
  if (items === undefined) return machine.store.null;
  if (at === undefined) return unsupported(machine, 'pop of a position that is not constant', call.span);
  const value = elementAt(machine, machine.content(target), at, call.span);
  if (machine.dead) return machine.store.null;
  const position = at < 0 ? at + items.length : at;
  replaceItems(
    machine,
    target,
    items.filter((_, n) => n !== position),
    call.span,
  );
  return value;
};

const remove: Intrinsic = (machine, call) => {
  const target = receiver(machine, call);
  const items = knownItems(machine, target, 'remove', call.span);
  if (items === undefined) return machine.store.null;
  const item = parameter(machine, call, 'item');
  const hits = items.map((candidate) => equals(machine, candidate, item, call.span));
  const at = hits.indexOf(TRUE);
  if (hits.some((hit, index) => hit !== FALSE && hit !== TRUE && (at < 0 || index < at)))
    return unsupported(machine, 'remove of an element that is not known', call.span);
  return at < 0
    ? raise(machine, 'value', 'list.remove(x): x not in list')
    : replaceItems(
        machine,
        target,
        items.filter((_, n) => n !== at),
        call.span,
      );
};

const clear: Intrinsic = (machine, call) => replaceItems(machine, receiver(machine, call), [], call.span);

const copy: Intrinsic = (machine, call) =>
  machine.newList(list(machine.store, 'list', [{ kind: 'spread', when: TRUE, of: machine.content(receiver(machine, call)) }]));

const indexOf: Intrinsic = (machine, call) => {
  const items = knownItems(machine, receiver(machine, call), 'index', call.span);
  if (items === undefined) return machine.store.null;
  const item = parameter(machine, call, 'item');
  const search = (at: number): TermId => {
    const candidate = items[at];
    if (machine.dead || candidate === undefined) return machine.dead ? machine.store.null : raise(machine, 'value', 'value is not in list');
    return machine.branch(
      equals(machine, candidate, item, call.span),
      () => machine.store.int(at),
      () => search(at + 1),
    );
  };
  return search(0);
};

const count: Intrinsic = (machine, call) => {
  const items = knownItems(machine, receiver(machine, call), 'count', call.span);
  const item = parameter(machine, call, 'item');
  return items === undefined
    ? machine.store.null
    : countGuards(
        machine,
        items.map((candidate) => equals(machine, candidate, item, call.span)),
      );
};

const reverse: Intrinsic = (machine, call) => {
  const target = receiver(machine, call);
  const items = knownItems(machine, target, 'reverse', call.span);
  return items === undefined ? machine.store.null : replaceItems(machine, target, [...items].reverse(), call.span);
};

const sort: Intrinsic = (machine, call) => {
  const target = receiver(machine, call);
  const content = sortedItems(machine, machine.content(target), call);
  const object = machine.object(target);
  if (machine.dead) return machine.store.null;
  if (object?.kind !== 'list') return unsupported(machine, 'a list that was passed in by the caller or a library is changed', call.span, 'use sorted(…)');
  machine.update(target, { ...object, content }, call.span);
  return machine.store.null;
};

export const LIST_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['list.append', append],
  ['list.extend', extend],
  ['list.insert', insert],
  ['list.pop', pop],
  ['list.remove', remove],
  ['list.clear', clear],
  ['list.copy', copy],
  ['list.index', indexOf],
  ['list.count', count],
  ['list.reverse', reverse],
  ['list.sort', sort],
  ['tuple.index', indexOf],
  ['tuple.count', count],
];
