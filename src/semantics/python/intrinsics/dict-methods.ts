/** Methods of dicts. The arguments object of a call is a dict whose keys are the arguments that were sent. */
import { conditional } from '../../../analysis/construct.js';
import { FALSE } from '../../../analysis/guards.js';
import type { Intrinsic } from '../../../analysis/language.js';
import type { Machine } from '../../../analysis/machine.js';
import type { TermId } from '../../../analysis/terms.js';
import type { Span } from '../../../ir/span.js';
import { raise, unsupported } from '../failures.js';
import { mergeRecords } from '../record-merge.js';
import { entries, lookup, recordTerm, recordView, requireHashable, storeView, withKey, withoutKey, type RecordView } from '../records.js';
import { readKey } from '../subscript.js';
import { itemsOf } from '../terms.js';
import { collectElements, entriesOf } from './collections.js';
import { parameter, receiver, restItems } from './parameters.js';

function viewOf(machine: Machine, value: TermId, span: Span): RecordView | undefined {
  const view = recordView(machine, value);
  if (view === undefined) unsupported(machine, 'a mapping of unknown content is used', span);
  return view;
}

const get: Intrinsic = (machine, call) => {
  const key = parameter(machine, call, 'key');
  requireHashable(machine, key, call.span);
  const view = machine.dead ? undefined : viewOf(machine, receiver(machine, call), call.span);
  if (view === undefined) return machine.store.null;
  const found = lookup(machine, view, key);
  return conditional(machine.store, found.present, found.value, parameter(machine, call, 'default'));
};

function viewMethod(of: 'keys' | 'values' | 'items'): Intrinsic {
  return (machine, call) => machine.store.intern({ kind: 'apply', fn: `py.${of}`, args: [receiver(machine, call)], type: `dict_${of}` });
}

const pop: Intrinsic = (machine, call) => {
  const { store } = machine;
  const target = receiver(machine, call);
  const [key, fallback, ...others] = restItems(machine, call, 'args') ?? [];
  if (key === undefined || others.length > 0) return raise(machine, 'type', 'pop expected 1 or 2 arguments');
  requireHashable(machine, key, call.span);
  const view = machine.dead ? undefined : viewOf(machine, target, call.span);
  if (view === undefined) return store.null;
  const found = lookup(machine, view, key);
  if (fallback === undefined) machine.raise('py:builtins#KeyError', [key], store.guards.not(found.present));
  if (machine.dead) return store.null;
  if (found.present !== FALSE) storeView(machine, target, withoutKey(machine, view, key), call.span);
  return fallback === undefined ? found.value : conditional(store, found.present, found.value, fallback);
};

const update: Intrinsic = (machine, call) => {
  const target = receiver(machine, call);
  const view = viewOf(machine, target, call.span);
  const [first, ...others] = restItems(machine, call, 'args') ?? [];
  if (view === undefined) return machine.store.null;
  if (others.length > 0) return raise(machine, 'type', 'update expected at most 1 argument');
  let merged: RecordView | undefined = view;
  if (first !== undefined) {
    const added = entriesOf(machine, first, call.span);
    merged = added === undefined ? undefined : mergeRecords(machine, view, recordTerm(machine, added), call.span);
  }
  for (const argument of call.arguments.keywords) {
    if (merged === undefined || machine.dead) break;
    merged =
      argument.kind === 'named'
        ? withKey(machine, merged, machine.store.string(argument.name), argument.value)
        : mergeRecords(machine, merged, argument.of, call.span);
  }
  if (machine.dead) return machine.store.null;
  if (merged === undefined) return unsupported(machine, 'a dict is updated with unknown entries', call.span, 'name the keys');
  storeView(machine, target, merged, call.span);
  return machine.store.null;
};

const setDefault: Intrinsic = (machine, call) => {
  const target = receiver(machine, call);
  const key = parameter(machine, call, 'key');
  requireHashable(machine, key, call.span);
  const view = machine.dead ? undefined : viewOf(machine, target, call.span);
  if (view === undefined) return machine.store.null;
  const found = lookup(machine, view, key);
  return machine.branch(
    found.present,
    () => found.value,
    () => {
      storeView(machine, target, withKey(machine, view, key, parameter(machine, call, 'default')), call.span);
      return parameter(machine, call, 'default');
    },
  );
};

const copy: Intrinsic = (machine, call) => {
  const view = viewOf(machine, receiver(machine, call), call.span);
  return view === undefined ? machine.store.null : machine.newRecord(recordTerm(machine, view));
};

const clear: Intrinsic = (machine, call) => {
  storeView(machine, receiver(machine, call), { fields: [], removed: [] }, call.span);
  return machine.store.null;
};

const popItem: Intrinsic = (machine, call) => {
  const view = viewOf(machine, receiver(machine, call), call.span);
  if (view === undefined) return machine.store.null;
  const known = entries(machine, view);
  if (view.rest !== undefined || known.some((entry) => entry.when !== 1)) return unsupported(machine, 'popitem of a dict of unknown content', call.span);
  const last = known.at(-1);
  if (last === undefined) return raise(machine, 'key', 'popitem(): dictionary is empty');
  const value = readKey(machine, receiver(machine, call), last.key, call.span);
  storeView(machine, receiver(machine, call), withoutKey(machine, view, last.key), call.span);
  return machine.store.intern({ kind: 'list', as: 'tuple', segments: [{ kind: 'items', when: 1, items: [last.key, value] }] });
};

const fromKeys: Intrinsic = (machine, call) => {
  const keys = itemsOf(machine, collectElements(machine, parameter(machine, call, 'keys'), 'list', call.span));
  if (machine.dead) return machine.store.null;
  if (keys === undefined) return unsupported(machine, 'dict.fromkeys of keys that are not known', call.span);
  let view: RecordView = { fields: [], removed: [] };
  for (const key of keys) {
    requireHashable(machine, key, call.span);
    view = withKey(machine, view, key, parameter(machine, call, 'value'));
  }
  return machine.dead ? machine.store.null : machine.newRecord(recordTerm(machine, view));
};

export const DICT_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['dict.get', get],
  ['dict.keys', viewMethod('keys')],
  ['dict.values', viewMethod('values')],
  ['dict.items', viewMethod('items')],
  ['dict.pop', pop],
  ['dict.update', update],
  ['dict.setdefault', setDefault],
  ['dict.copy', copy],
  ['dict.clear', clear],
  ['dict.popitem', popItem],
  ['dict.fromkeys', fromKeys],
];
