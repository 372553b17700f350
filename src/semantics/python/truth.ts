/** The truth of any value, as `if`, `and`, `not` and `bool` see it. */
import { FALSE, TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import { unreachable } from '../../base/errors.js';
import type { ConstantValue } from '../../ir/nodes.js';
import type { Span } from '../../ir/span.js';
import { unsupported } from './failures.js';
import { guardOf, kindOf, overKinds, typeName, type BuiltinType, type Kind } from './kinds.js';
import { callSpecial, isException } from './methods.js';
import { rangeItems } from './ranges.js';
import { recordView } from './records.js';
import { boolTerm } from './terms.js';

/** True for collections without elements: a named test, folded where the elements are known. */
export const EMPTY_TEST = 'py.emptyCollection';

export function truthy(machine: Machine, value: TermId, span: Span): Guard {
  const direct = directTruth(machine, value);
  if (direct !== undefined) return direct;
  return guardOf(
    machine,
    overKinds(machine, value, (leaf, kind) => leafTruth(machine, leaf, kind, span)),
  );
}

/** Where no leaf needs a call: a formula without branching. */
function directTruth(machine: Machine, value: TermId): Guard | undefined {
  const { store } = machine;
  const term = store.term(value);
  if (term.kind === 'conditional') {
    const then = directTruth(machine, term.then);
    const otherwise = then === undefined ? undefined : directTruth(machine, term.otherwise);
    return then === undefined || otherwise === undefined ? undefined : store.guards.ite(term.when, then, otherwise);
  }
  return kindTruth(machine, value, kindOf(machine, value));
}

function leafTruth(machine: Machine, leaf: TermId, kind: Kind, span: Span): TermId {
  const direct = kindTruth(machine, leaf, kind);
  if (direct !== undefined) return boolTerm(machine.store, direct);
  const bool = callSpecial(machine, leaf, kind, '__bool__', [], span);
  if (bool !== undefined && bool !== 'absent') return boolTerm(machine.store, truthy(machine, bool, span));
  const length = callSpecial(machine, leaf, kind, '__len__', [], span);
  if (length !== undefined && length !== 'absent') return boolTerm(machine.store, truthy(machine, length, span));
  if (bool === 'absent' && length === 'absent') return machine.store.true;
  if (kind.kind === 'library')
    return machine.stop(
      'unreviewed-callee',
      `the truth of a ${kind.type} is tested`,
      span,
      `add an inventory entry for ${kind.type}.__bool__ or ${kind.type}.__len__`,
    );
  return unsupported(
    machine,
    `the truth of a value of unknown type (${typeName(kind)}) is tested`,
    span,
    'declare the type of the callee that returned it in its inventory, or compare with None',
  );
}

function kindTruth(machine: Machine, leaf: TermId, kind: Kind): Guard | undefined {
  const { store } = machine;
  switch (kind.kind) {
    case 'builtin':
      return builtinTruth(machine, leaf, kind.type);
    case 'json':
      return store.guards.any([
        machine.equal(leaf, store.true),
        store.guards.and(machine.hasType(leaf, 'integer'), store.guards.not(machine.equal(leaf, store.int(0)))),
        store.guards.and(machine.hasType(leaf, 'float'), store.guards.not(machine.equal(leaf, store.constant({ type: 'float', value: 0 })))),
        store.guards.and(machine.hasType(leaf, 'string'), store.guards.not(machine.textTest('text.isEmpty', [leaf]))),
        store.guards.and(store.guards.or(machine.hasType(leaf, 'array'), machine.hasType(leaf, 'object')), store.guards.not(machine.test(EMPTY_TEST, [leaf]))),
      ]);
    case 'optional': {
      const inner = kindTruth(machine, leaf, kind.inner);
      return inner === undefined ? undefined : store.guards.and(store.guards.not(machine.isNull(leaf)), inner);
    }
    case 'enum':
      return kind.member.mixin === undefined ? TRUE : directTruth(machine, kind.member.value);
    case 'range': {
      const items = rangeItems(machine.store, leaf);
      return items === undefined ? store.guards.not(machine.test(EMPTY_TEST, [leaf])) : items.length > 0 ? TRUE : FALSE;
    }
    case 'view':
      return directTruth(machine, kind.record);
    case 'suspended':
    case 'function':
    case 'class':
    case 'module':
      return TRUE;
    case 'special':
      return TRUE;
    case 'external':
      return machine.library.entry(kind.identity, 'call') === undefined ? undefined : TRUE;
    case 'library':
    case 'instance':
      return isException(machine, kind, leaf) && kind.kind === 'library' ? TRUE : undefined;
    case 'unknown':
      return store.term(leaf).kind === 'error' ? TRUE : undefined;
    default:
      return unreachable(kind);
  }
}

function builtinTruth(machine: Machine, leaf: TermId, type: BuiltinType): Guard {
  const { store } = machine;
  const term = store.term(leaf);
  if (term.kind === 'constant') return constantTruth(term.value) ? TRUE : FALSE;
  switch (type) {
    case 'none':
      return FALSE;
    case 'bool':
      return machine.equal(leaf, store.true);
    case 'int':
      return store.guards.not(machine.equal(leaf, store.int(0)));
    case 'float':
      return store.guards.not(machine.equal(leaf, store.constant({ type: 'float', value: 0 })));
    case 'str':
      return store.guards.not(machine.textTest('text.isEmpty', [leaf]));
    case 'bytes':
      return store.guards.not(machine.test(EMPTY_TEST, [leaf]));
    case 'list':
    case 'tuple':
    case 'set':
      return contentTruth(machine, machine.content(leaf));
    case 'dict': {
      const view = recordView(machine, leaf);
      if (view === undefined) return store.guards.not(machine.test(EMPTY_TEST, [machine.freeze(leaf)]));
      const known = store.guards.any(view.fields.map((field) => field.when));
      if (view.rest === undefined) return known;
      const rest = view.removed.length === 0 ? view.rest : store.intern({ kind: 'record', fields: [], rest: view.rest, removed: view.removed });
      return store.guards.or(known, store.guards.not(machine.test(EMPTY_TEST, [machine.freeze(rest)])));
    }
    default:
      return unreachable(type);
  }
}

function contentTruth(machine: Machine, content: TermId): Guard {
  const { store } = machine;
  const term = store.term(content);
  if (term.kind === 'conditional') return store.guards.ite(term.when, contentTruth(machine, term.then), contentTruth(machine, term.otherwise));
  if (term.kind !== 'list') return store.guards.not(machine.test(EMPTY_TEST, [machine.freeze(content)]));
  return store.guards.any(
    term.segments.map((s) => (s.kind === 'items' ? s.when : store.guards.and(s.when, store.guards.not(machine.test(EMPTY_TEST, [machine.freeze(s.of)]))))),
  );
}

export function constantTruth(value: ConstantValue): boolean {
  switch (value.type) {
    case 'null':
    case 'undefined':
      return false;
    case 'boolean':
      return value.value;
    case 'string':
      return value.value !== '';
    case 'bytes':
      return value.hex !== '';
    case 'int':
      return BigInt(value.value) !== 0n;
    case 'float':
      return value.value !== 0;
    case 'special':
      return true;
    default:
      return unreachable(value);
  }
}
