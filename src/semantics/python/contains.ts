/** `x in y`. */
import { FALSE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { dataEquals, isPlainData } from './data-equality.js';
import { equals } from './equality.js';
import { raise, unsupported } from './failures.js';
import { guardOf, isType, overKinds, overSettled, typeName, type Kind } from './kinds.js';
import { callSpecial } from './methods.js';
import { rangeItems } from './ranges.js';
import { lookup, recordView, requireHashable } from './records.js';
import { boolTerm } from './terms.js';
import { truthy } from './truth.js';

export const CONTAINS_TEST = 'py.contains';

export function contains(machine: Machine, needle: TermId, haystack: TermId, span: Span): Guard {
  return guardOf(
    machine,
    overSettled(machine, haystack, ['str', 'list', 'dict'], (leaf, kind) => inLeaf(machine, needle, leaf, kind, span)),
  );
}

function inLeaf(machine: Machine, needle: TermId, leaf: TermId, kind: Kind, span: Span): TermId {
  const { store } = machine;
  switch (kind.kind) {
    case 'builtin':
      break;
    case 'enum':
      if (kind.member.mixin === 'str') return inLeaf(machine, needle, kind.member.value, { kind: 'builtin', type: 'str' }, span);
      return raise(machine, 'type', 'argument of type enum is not iterable');
    case 'range': {
      const items = rangeItems(store, leaf);
      if (items === undefined) return unsupported(machine, 'membership in a range that is not constant', span, 'compare with the bounds');
      return boolTerm(store, store.guards.any(items.map((item) => dataEquals(machine, needle, store.int(item)))));
    }
    case 'view':
      if (kind.of === 'keys') return inLeaf(machine, needle, kind.record, { kind: 'builtin', type: 'dict' }, span);
      return unsupported(machine, `membership in the ${kind.of} of a dict`, span);
    case 'library':
    case 'instance': {
      const special = callSpecial(machine, leaf, kind, '__contains__', [needle], span);
      if (special !== undefined && special !== 'absent') return boolTerm(store, truthy(machine, special, span));
      const type = typeName(kind) === 'library' && kind.kind === 'library' ? kind.type : 'the class';
      return machine.stop('unreviewed-callee', `membership in a ${type} is tested`, span, `add an inventory entry for ${type}.__contains__`);
    }
    case 'json':
      return raise(machine, 'type', 'argument is not iterable');
    case 'optional':
    case 'suspended':
    case 'function':
    case 'class':
    case 'module':
    case 'external':
    case 'special':
    case 'unknown':
      return unsupported(machine, `membership in a value of kind ${kind.kind}`, span);
  }
  switch (kind.type) {
    case 'str':
      return overSettled(machine, needle, ['str'], (part, partKind) => {
        if (partKind.kind === 'enum' && partKind.member.mixin === 'str')
          return boolTerm(store, machine.textTest('text.contains', [leaf, partKind.member.value]));
        if (partKind.kind === 'unknown') return unsupported(machine, 'a value of unknown type is searched in text', span);
        if (!isType(partKind, 'str')) return raise(machine, 'type', `'in <string>' requires string as left operand, not ${typeName(partKind)}`);
        return boolTerm(store, machine.textTest('text.contains', [leaf, part]));
      });
    case 'list':
    case 'tuple':
      return boolTerm(store, inSegments(machine, needle, machine.content(leaf), span));
    case 'set':
      requireHashable(machine, needle, span);
      return boolTerm(store, machine.dead ? FALSE : inSegments(machine, needle, machine.content(leaf), span));
    case 'dict': {
      requireHashable(machine, needle, span);
      const view = machine.dead ? undefined : recordView(machine, leaf);
      return view === undefined ? store.false : boolTerm(store, lookup(machine, view, needle).present);
    }
    case 'bytes':
      return unsupported(machine, 'membership in bytes', span);
    case 'none':
    case 'bool':
    case 'int':
    case 'float':
      return raise(machine, 'type', `argument of type '${typeName(kind)}' is not iterable`);
  }
}

function inSegments(machine: Machine, needle: TermId, content: TermId, span: Span): Guard {
  const { store } = machine;
  const term = store.term(content);
  if (term.kind === 'conditional')
    return store.guards.ite(term.when, inSegments(machine, needle, term.then, span), inSegments(machine, needle, term.otherwise, span));
  if (term.kind !== 'list') return inUnknown(machine, needle, content, span);
  return store.guards.any(
    term.segments.map((s) =>
      store.guards.and(
        s.when,
        s.kind === 'spread' ? inUnknown(machine, needle, s.of, span) : store.guards.any(s.items.map((item) => equals(machine, item, needle, span))),
      ),
    ),
  );
}

function inUnknown(machine: Machine, needle: TermId, collection: TermId, span: Span): Guard {
  if (!isPlainData(machine, needle)) {
    unsupported(machine, 'an instance is searched in a collection of unknown elements', span);
    return FALSE;
  }
  let plain = needle;
  overKinds(machine, needle, (leaf, kind) => {
    if (kind.kind === 'enum' && kind.member.mixin !== undefined && leaf === needle) plain = kind.member.value;
    return leaf;
  });
  return machine.test(CONTAINS_TEST, [machine.freeze(collection), machine.freeze(plain)]);
}
