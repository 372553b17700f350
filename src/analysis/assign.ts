/** Where values go: variables, members, elements and destructuring. */
import type { Target } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { unreachable } from '../base/errors.js';
import { list } from './construct.js';
import { TRUE } from './guards.js';
import { owningActivation } from './variables.js';
import type { Machine } from './machine.js';
import { findMethod } from './members.js';
import { setVariable, UNBOUND } from './state.js';
import type { TermId } from './terms.js';

export function assignTarget(m: Machine, target: Target, value: TermId): void {
  if (m.dead) return;
  switch (target.kind) {
    case 'local': {
      const activation = owningActivation(m, target.owner);
      if (activation === undefined || !m.cur.frames.has(activation))
        m.stop('shared-state', `the variable ${target.name} outlives the call`, target.span, 'make the variable local to the call');
      else setVariable(m.cur, activation, target.name, value);
      return;
    }
    case 'module-variable':
      m.stop('module-state', `the module variable ${target.name} is assigned while running`, target.span, 'make the variable local to the call');
      return;
    case 'member': {
      const object = m.evaluate(target.object);
      if (m.dead) return;
      assignMember(m, object, target.name, value, target.span);
      return;
    }
    case 'index': {
      const object = m.evaluate(target.object);
      const index = m.evaluate(target.index);
      if (!m.dead) m.semantics.setIndex(m, object, index, value, target.span);
      return;
    }
    case 'unpack':
      unpack(m, target, value);
      return;
    case 'unsupported':
      m.stop(target.code, target.detail, target.span, 'rewrite this in a supported form');
      return;
    default:
      unreachable(target);
  }
}

export function assignMember(m: Machine, object: TermId, name: string, value: TermId, span: Span): void {
  m.overLeaves(object, (leaf) => {
    const held = m.object(leaf);
    if (held?.kind === 'instance' && findMethod(m, held.class, name) !== undefined)
      m.stop('unsupported-class', `the property or method ${name} is assigned`, span, 'give the field a name of its own');
    else if (held?.kind === 'instance') m.update(leaf, { ...held, fields: new Map([...held.fields, [name, value]]) }, span);
    else
      m.stop('unreviewed-callee', `a library value's member ${name} is assigned`, span, 'model the assignment in an inventory, or review the handler by hand');
    return m.store.null;
  });
}

function unpack(m: Machine, target: Extract<Target, { kind: 'unpack' }>, value: TermId): void {
  m.overLeaves(value, (leaf) => {
    const parts = m.semantics.iterate(m, leaf, target.span);
    if (parts === undefined || m.dead) return m.store.null;
    const items: TermId[] = [];
    for (const part of parts) {
      if (part.kind !== 'item' || part.when !== TRUE)
        return m.stop('unsupported-operation', 'a collection of unknown length is unpacked', target.span, 'index the elements, or check the length first');
      items.push(part.item);
    }
    const starred = target.elements.findIndex((element) => element.starred);
    const fixed = starred < 0 ? target.elements.length : target.elements.length - 1;
    if (starred < 0 ? items.length !== fixed : items.length < fixed) {
      m.raise(m.semantics.errors.value, [m.store.string('wrong number of values to unpack')]);
      return m.store.null;
    }
    target.elements.forEach((element, at) => {
      if (starred < 0 || at < starred) assignTarget(m, element.target, items[at]!);
      else if (at === starred)
        assignTarget(m, element.target, m.newList(list(m.store, 'list', [{ kind: 'items', when: TRUE, items: items.slice(at, items.length - (fixed - at)) }])));
      else assignTarget(m, element.target, items[items.length - (target.elements.length - at)]!);
    });
    return m.store.null;
  });
}

export function deleteTarget(m: Machine, target: Target): void {
  if (m.dead) return;
  if (target.kind === 'local') assignTarget(m, target, m.store.constant({ type: 'special', name: UNBOUND }));
  else if (target.kind === 'index') {
    const object = m.evaluate(target.object);
    const index = m.evaluate(target.index);
    if (!m.dead) m.semantics.deleteIndex(m, object, index, target.span);
  } else m.stop('unsupported-operation', 'a member or module variable is deleted', target.span, 'review the handler by hand');
}
