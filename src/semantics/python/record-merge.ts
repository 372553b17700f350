/** `d | e`, `d |= e`, `d.update(e)`: the entries of one mapping on top of another. */
import { TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { unsupported } from './failures.js';
import { entries, recordTerm, recordView, storeView, withKey, type RecordView } from './records.js';

export function mergeInto(machine: Machine, value: TermId, other: TermId, span: Span): TermId {
  const view = recordView(machine, value);
  if (view === undefined) return unsupported(machine, 'a dict of unknown content is changed', span);
  const merged = mergeRecords(machine, view, other, span);
  if (merged !== undefined && !machine.dead) storeView(machine, value, merged, span);
  return value;
}

/** The entries of `other` on top of `view`. */
export function mergeRecords(machine: Machine, view: RecordView, other: TermId, span: Span): RecordView | undefined {
  const added = recordView(machine, other);
  if (added === undefined || added.rest !== undefined) {
    if (added !== undefined && view.fields.length === 0 && view.rest === undefined) return added;
    unsupported(machine, 'a mapping of unknown keys is merged into another', span, 'name the keys');
    return undefined;
  }
  let merged = view;
  for (const entry of entries(machine, added)) {
    if (entry.when === TRUE) merged = withKey(machine, merged, entry.key, entry.value);
    else merged = { ...merged, fields: [...merged.fields, { when: entry.when, key: entry.key, value: entry.value }] };
  }
  return merged;
}

export function mergedRecord(machine: Machine, left: TermId, right: TermId, span: Span): TermId {
  const view = recordView(machine, left);
  const merged = view === undefined ? undefined : mergeRecords(machine, view, right, span);
  return merged === undefined ? machine.store.null : machine.newRecord(recordTerm(machine, merged));
}
