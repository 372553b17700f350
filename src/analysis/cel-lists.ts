/** The list functions of profile and inventory expressions (`flatten`, `optionWords`) over terms. */
import type { Span } from '../ir/span.js';
import { equal, hasType, list } from './construct.js';
import { FALSE, TRUE } from './guards.js';
import type { Machine } from './machine.js';
import type { Guard, Segment, TermId } from './terms.js';
import { concat } from './text-tests.js';

/** Nested lists replaced by their elements. */
export function flatten(m: Machine, value: TermId): TermId {
  const { store } = m;
  const segmentsOf = (when: Guard, id: TermId): Segment[] => {
    if (when === FALSE) return [];
    const content = m.content(id);
    const term = store.term(content);
    if (term.kind === 'conditional')
      return [...segmentsOf(store.guards.and(when, term.when), term.then), ...segmentsOf(store.guards.and(when, store.guards.not(term.when)), term.otherwise)];
    if (term.kind === 'list') {
      return term.segments.flatMap((segment): Segment[] => {
        const under = store.guards.and(when, segment.when);
        return segment.kind === 'items' ? segment.items.flatMap((item) => segmentsOf(under, item)) : [{ ...segment, when: under }];
      });
    }
    const isArray = hasType(store, content, 'array');
    const out: Segment[] = [];
    const inside = store.guards.and(when, isArray);
    const outside = store.guards.and(when, store.guards.not(isArray));
    if (inside !== FALSE) out.push({ kind: 'spread', when: inside, of: content });
    if (outside !== FALSE) out.push({ kind: 'items', when: outside, items: [content] });
    return out;
  };
  return list(store, 'list', segmentsOf(TRUE, value));
}

/** The command words of keyword options. */
export function optionWords(m: Machine, record: TermId, span: Span): TermId {
  const { store } = m;
  const { guards } = store;
  const term = store.term(record);
  if (term.kind !== 'record' || term.rest !== undefined) return m.stop('no-modelled-form', 'options of unknown names', span, 'name the options');
  const segments: Segment[] = [];
  for (const field of term.fields) {
    const key = store.term(field.key);
    if (key.kind !== 'constant' || key.value.type !== 'string') return m.stop('no-modelled-form', 'an option of a computed name', span, 'name the option');
    const name = key.value.value;
    const short = name.length === 1;
    const dashed = short ? `-${name}` : `--${name.replaceAll('_', '-')}`;
    if (hasType(store, m.content(field.value), 'array') !== FALSE) return m.stop('no-modelled-form', 'an option with a list', span, 'pass one value');
    const isTrue = equal(store, field.value, store.true);
    const absent = guards.or(m.isNull(field.value), equal(store, field.value, store.false));
    segments.push({ kind: 'items', when: guards.and(field.when, isTrue), items: [store.string(dashed)] });
    const valued = guards.all([field.when, guards.not(isTrue), guards.not(absent)]);
    if (valued === FALSE) continue;
    const text = m.semantics.convert(m, 'str', field.value, undefined, span);
    segments.push({ kind: 'items', when: valued, items: short ? [store.string(dashed), text] : [concat(store, [store.string(`${dashed}=`), text])] });
  }
  return list(store, 'list', segments);
}
