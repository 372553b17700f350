/** `list`, `tuple`, `set`, `frozenset`, `dict`, `len`, `range`. */
import { list, listOf } from '../../../analysis/construct.js';
import { FALSE, TRUE } from '../../../analysis/guards.js';
import type { Intrinsic } from '../../../analysis/language.js';
import type { Machine } from '../../../analysis/machine.js';
import type { Guard, ListKind, Segment, TermId } from '../../../analysis/terms.js';
import type { Span } from '../../../ir/span.js';
import { raise, unsupported } from '../failures.js';
import { isType, overSettled, typeName, type Kind } from '../kinds.js';
import { callSpecial } from '../methods.js';
import { enumMembers } from '../enums.js';
import { numberOperation } from '../numbers.js';
import { rangeItems, rangeTerm } from '../ranges.js';
import { mergeRecords } from '../record-merge.js';
import { entries, recordTerm, recordView, requireHashable, withKey, type RecordView } from '../records.js';
import { segmentsOf } from '../sequences.js';
import { constantElements } from '../sets.js';
import { intOf, itemsOf, smallIntOf, stringOf } from '../terms.js';
import { parameter, restItems } from './parameters.js';

/** All elements of an iterable, consumed now, as the content of a list or tuple. */
export function collectElements(machine: Machine, iterable: TermId, as: ListKind, span: Span): TermId {
  return machine.overLeaves(iterable, (leaf) => {
    const object = machine.object(leaf);
    if (object?.kind !== 'suspended') {
      const segments = segmentsOf(machine, leaf, span);
      return segments === undefined ? machine.store.null : list(machine.store, as, segments);
    }
    const collected = machine.newList(listOf(machine.store, 'list', []));
    machine.forEach(leaf, span, (element) => {
      appendTo(machine, collected, [{ kind: 'items', when: TRUE, items: [element] }], span);
    });
    return machine.dead ? machine.store.null : list(machine.store, as, [{ kind: 'spread', when: TRUE, of: machine.content(collected) }]);
  });
}

export function appendTo(machine: Machine, value: TermId, segments: readonly Segment[], span: Span): void {
  const object = machine.object(value);
  if (object?.kind !== 'list') {
    unsupported(machine, 'a list that was passed in by the caller or a library is changed', span, 'copy it with list(…) before the change');
    return;
  }
  machine.update(value, { ...object, content: list(machine.store, object.as, [{ kind: 'spread', when: TRUE, of: object.content }, ...segments]) }, span);
}

const makeList: Intrinsic = (machine, call) => {
  if (call.arguments.positional.length === 0) return machine.newList(listOf(machine.store, 'list', []));
  const content = collectElements(machine, parameter(machine, call, 'iterable'), 'list', call.span);
  return machine.dead ? machine.store.null : machine.newList(content);
};

const makeTuple: Intrinsic = (machine, call) => {
  if (call.arguments.positional.length === 0) return listOf(machine.store, 'tuple', []);
  return collectElements(machine, parameter(machine, call, 'iterable'), 'tuple', call.span);
};

function makeSet(frozen: boolean): Intrinsic {
  return (machine, call) => {
    const given = call.arguments.positional.length === 0 ? undefined : parameter(machine, call, 'iterable');
    const content =
      given === undefined
        ? listOf(machine.store, 'set', [])
        : machine.typeOf(given) === 'set'
          ? machine.content(given)
          : collectElements(machine, parameter(machine, call, 'iterable'), 'set', call.span);
    for (const item of itemsOf(machine, content) ?? []) requireHashable(machine, item, call.span);
    if (machine.dead) return machine.store.null;
    const constants = constantElements(machine, content);
    const distinct = constants === undefined ? content : listOf(machine.store, 'set', constants);
    return frozen ? distinct : machine.allocate({ kind: 'list', as: 'set', content: distinct });
  };
}

const makeDict: Intrinsic = (machine, call) => {
  let view: RecordView | undefined = { fields: [], removed: [] };
  const [first, ...others] = call.arguments.positional;
  if (others.length > 0) return raise(machine, 'type', 'dict expected at most 1 argument');
  if (first !== undefined) view = first.kind === 'value' ? entriesOf(machine, first.value, call.span) : undefined;
  for (const argument of call.arguments.keywords) {
    if (view === undefined || machine.dead) break;
    view =
      argument.kind === 'named'
        ? withKey(machine, view, machine.store.string(argument.name), argument.value)
        : mergeRecords(machine, view, argument.of, call.span);
  }
  if (machine.dead) return machine.store.null;
  if (view === undefined) return unsupported(machine, 'a dict made of unknown entries', call.span, 'name the keys');
  return machine.newRecord(recordTerm(machine, view));
};

/** Entries of a mapping, or of an iterable of pairs. */
export function entriesOf(machine: Machine, value: TermId, span: Span): RecordView | undefined {
  if (machine.leaves(value).every(({ leaf }) => machine.typeOf(leaf) === 'record' || machine.typeOf(leaf)?.startsWith('dict') === true))
    return recordView(machine, value);
  if (
    machine.typeOf(value) === undefined &&
    machine.object(value) === undefined &&
    machine.store.guards.entails(machine.cur.guard, machine.hasType(value, 'object'))
  )
    return recordView(machine, value);
  const pairs = itemsOf(machine, collectElements(machine, value, 'list', span));
  let view: RecordView | undefined = pairs === undefined ? undefined : { fields: [], removed: [] };
  for (const pair of pairs ?? []) {
    const parts = itemsOf(machine, pair);
    if (parts?.length !== 2 || view === undefined) return undefined;
    requireHashable(machine, parts[0]!, span);
    view = withKey(machine, view, parts[0]!, parts[1]!);
  }
  return view;
}

const length: Intrinsic = (machine, call) =>
  overSettled(machine, parameter(machine, call, 'obj'), ['str', 'list', 'dict'], (leaf, kind) => lengthOf(machine, leaf, kind, call.span));

function lengthOf(machine: Machine, leaf: TermId, kind: Kind, span: Span): TermId {
  const { store } = machine;
  switch (kind.kind) {
    case 'builtin':
      break;
    case 'enum':
      return kind.member.mixin === 'str'
        ? lengthOf(machine, kind.member.value, { kind: 'builtin', type: 'str' }, span)
        : raise(machine, 'type', 'object of type enum has no len()');
    case 'range': {
      const items = rangeItems(store, leaf);
      return items === undefined ? machine.apply('py.len', [leaf], 'int') : store.int(items.length);
    }
    case 'view':
      return lengthOf(machine, kind.record, { kind: 'builtin', type: 'dict' }, span);
    case 'class': {
      const members = enumMembers(machine, leaf, span);
      return members === undefined ? raise(machine, 'type', `object of type 'type' has no len()`) : store.int(members.length);
    }
    case 'library':
    case 'instance': {
      const special = callSpecial(machine, leaf, kind, '__len__', [], span);
      if (special === 'absent') return raise(machine, 'type', 'object has no len()');
      if (special !== undefined) return special;
      const type = kind.kind === 'library' ? kind.type : 'the class';
      return machine.stop('unreviewed-callee', `the length of a ${type} is taken`, span, `add an inventory entry for ${type}.__len__`);
    }
    case 'unknown':
    case 'external':
      return unsupported(machine, 'the length of a value of unknown type', span, 'declare the type of the callee that returned it in its inventory');
    case 'json':
    case 'optional':
    case 'suspended':
    case 'function':
    case 'module':
    case 'special':
      return raise(machine, 'type', `object of type '${typeName(kind)}' has no len()`);
  }
  switch (kind.type) {
    case 'str': {
      const text = stringOf(store, leaf);
      return text === undefined ? machine.apply('py.len', [leaf], 'int') : store.int(Array.from(text).length);
    }
    case 'bytes':
      return machine.apply('py.len', [leaf], 'int');
    case 'list':
    case 'tuple':
      return contentLength(machine, machine.content(leaf));
    case 'set': {
      const constants = constantElements(machine, leaf);
      if (constants !== undefined) return store.int(constants.length);
      return itemsOf(machine, leaf) === undefined
        ? machine.apply('py.len', [machine.freeze(leaf)], 'int')
        : unsupported(machine, 'the size of a set whose elements may be equal', span);
    }
    case 'dict': {
      const view = recordView(machine, leaf);
      if (view === undefined) return unsupported(machine, 'the size of a mapping of unknown content', span);
      if (view.rest !== undefined) return machine.apply('py.len', [machine.freeze(machine.content(leaf))], 'int');
      return countGuards(
        machine,
        entries(machine, view).map((entry) => entry.when),
      );
    }
    case 'none':
    case 'bool':
    case 'int':
    case 'float':
      return raise(machine, 'type', `object of type '${typeName(kind)}' has no len()`);
  }
}

function contentLength(machine: Machine, content: TermId): TermId {
  const { store } = machine;
  return machine.overLeaves(content, (leaf) => {
    const term = store.term(leaf);
    if (term.kind !== 'list') return machine.apply('py.len', [machine.freeze(leaf)], 'int');
    if (term.segments.some((segment) => segment.kind === 'spread')) {
      const only = term.segments.length === 1 ? term.segments[0] : undefined;
      return machine.apply('py.len', [machine.freeze(only?.kind === 'spread' && only.when === TRUE ? only.of : leaf)], 'int');
    }
    return countGuards(
      machine,
      term.segments.flatMap((segment) => (segment.kind === 'items' ? segment.items.map(() => segment.when) : [])),
    );
  });
}

/** How many of these conditions hold, as an int. */
export function countGuards(machine: Machine, guards: readonly Guard[]): TermId {
  const { store } = machine;
  let counts = new Map<number, Guard>([[0, TRUE]]);
  for (const guard of guards) {
    const next = new Map<number, Guard>();
    for (const [count, when] of counts) {
      const hit = store.guards.and(when, guard);
      const miss = store.guards.and(when, store.guards.not(guard));
      if (hit !== FALSE) next.set(count + 1, store.guards.or(next.get(count + 1) ?? FALSE, hit));
      if (miss !== FALSE) next.set(count, store.guards.or(next.get(count) ?? FALSE, miss));
    }
    counts = next;
  }
  let value: TermId | undefined;
  for (const [count, when] of counts)
    value =
      value === undefined
        ? store.int(count)
        : machine.branch(
            when,
            () => store.int(count),
            () => value!,
          );
  return value ?? store.int(0);
}

const makeRange: Intrinsic = (machine, call) => {
  const bounds = restItems(machine, call, 'bounds');
  if (bounds === undefined || bounds.length > 3) return unsupported(machine, 'range with spread arguments', call.span);
  if (bounds.length === 0) return raise(machine, 'type', 'range expected at least 1 argument, got 0');
  const { store } = machine;
  const numbers = bounds.map((bound) =>
    overSettled(machine, bound, ['int', 'bool'], (leaf, kind) =>
      isType(kind, 'int', 'bool')
        ? leaf
        : kind.kind === 'library' || kind.kind === 'unknown'
          ? unsupported(machine, 'range of a value of unknown type', call.span)
          : raise(machine, 'type', 'object cannot be interpreted as an integer'),
    ),
  );
  if (machine.dead) return store.null;
  const [start, stop, step] = numbers.length === 1 ? [store.int(0), numbers[0]!, store.int(1)] : [numbers[0]!, numbers[1]!, numbers[2] ?? store.int(1)];
  if (smallIntOf(store, step) === 0) return raise(machine, 'value', 'range() arg 3 must not be zero');
  if (intOf(store, step) === undefined) return unsupported(machine, 'range with a step that is not constant', call.span);
  return rangeTerm(store, start, stop, step);
};

const absolute: Intrinsic = (machine, call) =>
  overSettled(machine, parameter(machine, call, 'x'), ['int', 'float', 'bool'], (leaf, kind) => {
    const value = intOf(machine.store, leaf);
    if (value !== undefined) return machine.store.int(value < 0n ? -value : value);
    if (isType(kind, 'int', 'bool')) return machine.apply('py.abs', [leaf], 'int');
    if (isType(kind, 'float')) return machine.apply('py.abs', [leaf], 'float');
    return kind.kind === 'library' || kind.kind === 'unknown'
      ? unsupported(machine, 'abs of a value of unknown type', call.span)
      : raise(machine, 'type', 'bad operand type for abs()');
  });

const sum: Intrinsic = (machine, call) => {
  const items = itemsOf(machine, collectElements(machine, parameter(machine, call, 'iterable'), 'list', call.span));
  if (machine.dead) return machine.store.null;
  let total = passedStart(machine, call.parameters.get('start'));
  for (const item of items ?? []) {
    const [left, right] = [machine.typeOf(total), machine.typeOf(item)];
    if ((left !== 'int' && left !== 'float') || (right !== 'int' && right !== 'float'))
      return unsupported(machine, 'sum of values that are not known to be numbers', call.span);
    total = numberOperation(machine, 'add', total, { kind: 'builtin', type: left }, item, { kind: 'builtin', type: right }) ?? machine.store.null;
  }
  return items === undefined ? unsupported(machine, 'sum of a collection of unknown length', call.span) : total;
};

function passedStart(machine: Machine, start: TermId | undefined): TermId {
  return start === undefined || start === machine.store.null ? machine.store.int(0) : start;
}

export const COLLECTION_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['list', makeList],
  ['tuple', makeTuple],
  ['set', makeSet(false)],
  ['frozenset', makeSet(true)],
  ['dict', makeDict],
  ['len', length],
  ['range', makeRange],
  ['abs', absolute],
  ['sum', sum],
];
