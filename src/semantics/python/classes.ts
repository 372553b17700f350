/** What the language or a library defines for a project class: enum members, generated construction, kinds of methods. */
import type { LanguageSemantics } from '../../analysis/language.js';
import type { Machine } from '../../analysis/machine.js';
import { classLineage } from '../../analysis/members.js';
import type { CallArguments } from '../../analysis/state.js';
import type { TermId } from '../../analysis/terms.js';
import type { Expression } from '../../ir/nodes.js';
import type { Span } from '../../ir/span.js';
import { constructDataclass, definitionOf } from './dataclasses.js';
import { enumClass, enumLookup, enumMember } from './enums.js';
import { unsupported } from './failures.js';
import { identityOf } from './names.js';
import { constructModel, isModel } from './pydantic/model.js';

export function classMember(machine: Machine, classTerm: TermId, name: string, span: Span): TermId | undefined {
  const member = enumMember(machine, classTerm, name, span);
  if (member !== undefined || machine.dead) return member;
  if (name === '__name__' || name === '__qualname__') {
    const definition = definitionOf(machine, classTerm);
    return definition === undefined ? undefined : machine.store.string(definition.name);
  }
  if (name === '__members__' && enumClass(machine, classTerm, span) !== undefined)
    return unsupported(machine, '__members__ of an enum', span, 'iterate the class');
  return undefined;
}

export function construct(machine: Machine, classTerm: TermId, args: CallArguments, span: Span): TermId | undefined {
  const member = enumLookup(machine, classTerm, args, span);
  if (member !== undefined || machine.dead) return member;
  const lineage = classLineage(machine, classTerm, span);
  if (lineage === undefined) return machine.store.null;
  for (const ancestor of lineage) {
    if (ancestor.kind !== 'external') continue;
    if (ancestor.identity === 'py:typing#TypedDict') return constructTypedDict(machine, args, span);
    if (ancestor.identity === 'py:typing#NamedTuple') return unsupported(machine, 'a NamedTuple is constructed', span, 'use a dataclass');
  }
  if (isModel(machine, classTerm, span)) return constructModel(machine, classTerm, args, span);
  return constructDataclass(machine, classTerm, args, span);
}

/** A TypedDict is a plain dict; nothing is checked. */
function constructTypedDict(machine: Machine, args: CallArguments, span: Span): TermId {
  const dict = machine.semantics.intrinsics.get('dict');
  return dict === undefined ? machine.store.null : dict(machine, { parameters: new Map(), arguments: args, identity: 'py:builtins#dict', span });
}

const METHOD_KINDS: ReadonlyMap<string, 'property' | 'static' | 'class' | 'plain'> = new Map([
  ['py:builtins#property', 'property'],
  ['py:builtins#staticmethod', 'static'],
  ['py:builtins#classmethod', 'class'],
  ['py:abc#abstractmethod', 'plain'],
  ['py:typing#override', 'plain'],
  ['py:typing#final', 'plain'],
]);

/** Decorators that only say what kind of method it is; with any other the decorators are called. */
export function methodKind(machine: Machine, decorators: readonly Expression[], owner: TermId): ReturnType<LanguageSemantics['methodKind']> {
  const module = definitionOf(machine, owner)?.module ?? '';
  let kind: 'property' | 'static' | 'class' | 'plain' = 'plain';
  for (const decorator of decorators) {
    const found = METHOD_KINDS.get(identityOf(machine, module, decorator) ?? '');
    if (found === undefined) return undefined;
    if (found !== 'plain') kind = found;
  }
  return kind;
}
