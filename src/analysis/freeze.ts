/** The immutable content of values: what references to mutable objects hold at one moment, as terms that summaries can keep. */
import { conditional, list } from './construct.js';
import { TRUE } from './guards.js';
import type { Machine } from './machine.js';
import type { TermId } from './terms.js';

export function freezeValue(m: Machine, value: TermId, done: Map<TermId, TermId>, open: Set<number>): TermId {
  const known = done.get(value);
  if (known !== undefined) return known;
  const again = (id: TermId): TermId => freezeValue(m, id, done, open);
  const term = m.store.term(value);
  let result = value;
  switch (term.kind) {
    case 'object': {
      if (open.has(term.allocation)) return m.store.intern({ kind: 'apply', fn: 'cycle', args: [] });
      open.add(term.allocation);
      const object = m.object(value);
      if (object === undefined) result = m.store.intern({ kind: 'apply', fn: 'dead-object', args: [] });
      else if (object.kind === 'list' || object.kind === 'record') result = again(object.content);
      else if (object.kind === 'instance') {
        const fields = [...object.fields].map(([name, field]) => ({ when: TRUE, key: m.store.string(name), value: again(field) }));
        result = m.store.intern({
          kind: 'apply',
          fn: 'instance',
          args: [m.classIdentity(object.class), m.store.intern({ kind: 'record', fields })],
        });
      } else result = m.store.intern({ kind: 'apply', fn: `suspended-${object.what}`, args: [] });
      open.delete(term.allocation);
      break;
    }
    case 'list':
      result = list(
        m.store,
        term.as,
        term.segments.map((s) => (s.kind === 'items' ? { ...s, items: s.items.map(again) } : { ...s, of: again(s.of) })),
      );
      break;
    case 'record':
      result = m.store.intern({
        ...term,
        fields: term.fields.map((f) => ({ ...f, key: again(f.key), value: again(f.value) })),
        ...(term.rest === undefined ? {} : { rest: again(term.rest) }),
      });
      break;
    case 'conditional':
      result = conditional(m.store, term.when, again(term.then), again(term.otherwise));
      break;
    case 'apply': {
      const args = term.args.map(again);
      if (args.some((arg, at) => arg !== term.args[at])) result = m.store.intern({ ...term, args });
      break;
    }
    case 'function': {
      const description = m.store.string(term.function);
      result = m.store.intern({ kind: 'apply', fn: 'function', args: [description] });
      break;
    }
    case 'class':
      result = m.classIdentity(value);
      break;
    case 'argument':
    case 'carried':
    case 'constant':
    case 'element':
    case 'error':
    case 'external':
    case 'fresh':
    case 'input':
    case 'loop':
    case 'observe':
    case 'opaque':
    case 'world':
      break;
  }
  done.set(value, result);
  return result;
}
