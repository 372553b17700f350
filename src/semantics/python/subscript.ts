/** `a[i]`, `a[i] = v`, `del a[i]`, `a[i:j:k]`. */
import { list } from '../../analysis/construct.js';
import { TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { enumMemberByName } from './enums.js';
import { raise, unsupported } from './failures.js';
import { isType, overSettled, typeName, type Kind } from './kinds.js';
import { callSpecial } from './methods.js';
import { rangeItems } from './ranges.js';
import { lookup, recordView, requireHashable, storeView, withKey, withoutKey } from './records.js';
import { elementAt, elementTypeOf, pythonSlice, readElement, sliceSequence } from './sequences.js';
import { intOf, itemsOf, smallIntOf, stringOf } from './terms.js';

export function index(machine: Machine, object: TermId, key: TermId, span: Span): TermId {
  return overSettled(machine, object, ['dict', 'list', 'str'], (leaf, kind) => indexLeaf(machine, leaf, kind, key, span));
}

function indexLeaf(machine: Machine, leaf: TermId, kind: Kind, key: TermId, span: Span): TermId {
  const { store } = machine;
  switch (kind.kind) {
    case 'builtin':
      return indexBuiltin(machine, leaf, kind, key, span);
    case 'enum':
      return kind.member.mixin === 'str' ? index(machine, kind.member.value, key, span) : raise(machine, 'type', 'enum member is not subscriptable');
    case 'range': {
      const items = rangeItems(store, leaf);
      const at = smallIntOf(store, key);
      if (items === undefined || at === undefined) return unsupported(machine, 'a range is indexed', span);
      const value = items.at(at);
      return value === undefined ? raise(machine, 'index', 'range object index out of range') : store.int(value);
    }
    case 'class':
    case 'external': {
      const member = enumMemberByName(machine, leaf, key, span);
      // `list[int]`, `dict[str, Any]`: a type, only ever used in annotations and schemas.
      return member ?? store.intern({ kind: 'apply', fn: 'py.generic', args: [leaf, key], type: 'py:types#GenericAlias' });
    }
    case 'library':
    case 'instance': {
      if (kind.kind === 'library' && kind.type === 'py:types#GenericAlias') return unsupported(machine, 'a type is subscripted twice', span);
      const special = callSpecial(machine, leaf, kind, '__getitem__', [key], span);
      if (special === 'absent') return raise(machine, 'type', 'object is not subscriptable');
      if (special !== undefined) return special;
      const type = kind.kind === 'library' ? kind.type : 'the class';
      return machine.stop(
        'unreviewed-callee',
        `${type}.__getitem__ is used and has no inventory entry`,
        span,
        `add an inventory entry for ${type}.__getitem__`,
      );
    }
    case 'json':
    case 'view':
    case 'suspended':
    case 'function':
    case 'module':
    case 'special':
    case 'optional':
      return raise(machine, 'type', `'${typeName(kind)}' object is not subscriptable`);
    case 'unknown':
      return unsupported(machine, 'a value of unknown type is indexed', span, 'declare the type of the callee that returned it in its inventory');
  }
}

function indexBuiltin(machine: Machine, leaf: TermId, kind: Extract<Kind, { kind: 'builtin' }>, key: TermId, span: Span): TermId {
  switch (kind.type) {
    case 'dict':
      return readKey(machine, leaf, key, span);
    case 'list':
    case 'tuple':
    case 'str':
    case 'bytes':
      return overSettled(machine, key, ['int', 'bool'], (at, atKind) => {
        if (atKind.kind === 'enum' && atKind.member.mixin === 'int') return indexPosition(machine, leaf, kind, atKind.member.value, span);
        if (isType(atKind, 'int', 'bool')) return indexPosition(machine, leaf, kind, at, span);
        if (atKind.kind === 'library' || atKind.kind === 'unknown' || atKind.kind === 'instance')
          return unsupported(machine, 'an element is read by a key of unknown type', span);
        return raise(machine, 'type', `${typeName(kind)} indices must be integers or slices, not ${typeName(atKind)}`);
      });
    case 'none':
    case 'bool':
    case 'int':
    case 'float':
    case 'set':
      return raise(machine, 'type', `'${typeName(kind)}' object is not subscriptable`);
  }
}

/** The value of a key, or KeyError. */
export function readKey(machine: Machine, record: TermId, key: TermId, span: Span): TermId {
  requireHashable(machine, key, span);
  const view = machine.dead ? undefined : recordView(machine, record);
  if (view === undefined) return machine.dead ? machine.store.null : unsupported(machine, 'a mapping of unknown content is indexed', span);
  const found = lookup(machine, view, key);
  machine.raise('py:builtins#KeyError', [key], machine.store.guards.not(found.present));
  return machine.dead ? machine.store.null : found.value;
}

function indexPosition(machine: Machine, leaf: TermId, kind: Extract<Kind, { kind: 'builtin' }>, at: TermId, span: Span): TermId {
  const { store } = machine;
  const position = smallIntOf(store, at);
  if (kind.type === 'str') {
    const text = stringOf(store, leaf);
    if (text === undefined || position === undefined) return readElement(machine, leaf, at, 'str');
    const letter = Array.from(text).at(position);
    return letter === undefined ? raise(machine, 'index', 'string index out of range') : store.string(letter);
  }
  if (kind.type === 'bytes') return readElement(machine, leaf, at, 'int');
  if (position !== undefined) return elementAt(machine, machine.content(leaf), position, span);
  if (intOf(store, at) !== undefined) return raise(machine, 'index', 'cannot fit the index into an index-sized integer');
  return machine.overLeaves(machine.content(leaf), (content) => {
    const term = store.term(content);
    const items = itemsOf(machine, content);
    const types = new Set(items?.map((item) => machine.typeOf(item)));
    const type = term.kind === 'list' ? (types.size === 1 ? [...types][0] : undefined) : elementTypeOf(machine, content);
    return readElement(machine, content, at, type);
  });
}

export function setIndex(machine: Machine, object: TermId, key: TermId, value: TermId, span: Span): void {
  overSettled(machine, object, ['dict', 'list'], (leaf, kind) => {
    if (isType(kind, 'dict')) {
      requireHashable(machine, key, span);
      const view = machine.dead ? undefined : recordView(machine, leaf);
      if (view !== undefined) storeView(machine, leaf, withKey(machine, view, key, value), span);
    } else if (isType(kind, 'list')) setElement(machine, leaf, key, value, span);
    else if (kind.kind === 'library' || kind.kind === 'instance') special(machine, leaf, kind, '__setitem__', [key, value], span);
    else if (kind.kind === 'unknown' || kind.kind === 'external') unsupported(machine, 'an element of a value of unknown type is assigned', span);
    else raise(machine, 'type', `'${typeName(kind)}' object does not support item assignment`);
    return machine.store.null;
  });
}

function special(machine: Machine, leaf: TermId, kind: Kind, name: string, args: readonly TermId[], span: Span): void {
  const result = callSpecial(machine, leaf, kind, name, args, span);
  if (result === 'absent') raise(machine, 'type', `object does not support ${name}`);
  else if (result === undefined)
    machine.stop('unreviewed-callee', `${name} of a library value is used`, span, `add an inventory entry for ${name} of its type`);
}

function setElement(machine: Machine, leaf: TermId, key: TermId, value: TermId, span: Span): void {
  const object = machine.object(leaf);
  const at = smallIntOf(machine.store, key);
  const items = itemsOf(machine, leaf);
  if (object?.kind !== 'list' || at === undefined || items === undefined) {
    unsupported(machine, 'an element of a list of unknown length is assigned', span, 'build a new list');
    return;
  }
  const position = at < 0 ? at + items.length : at;
  if (position < 0 || position >= items.length) raise(machine, 'index', 'list assignment index out of range');
  else
    machine.update(
      leaf,
      { ...object, content: list(machine.store, object.as, [{ kind: 'items', when: TRUE, items: items.map((item, n) => (n === position ? value : item)) }]) },
      span,
    );
}

export function deleteIndex(machine: Machine, object: TermId, key: TermId, span: Span): void {
  overSettled(machine, object, ['dict', 'list'], (leaf, kind) => {
    if (isType(kind, 'dict')) {
      readKey(machine, leaf, key, span);
      const view = machine.dead ? undefined : recordView(machine, leaf);
      if (view !== undefined) storeView(machine, leaf, withoutKey(machine, view, key), span);
    } else if (isType(kind, 'list')) deleteElement(machine, leaf, key, span);
    else if (kind.kind === 'library' || kind.kind === 'instance') special(machine, leaf, kind, '__delitem__', [key], span);
    else if (kind.kind === 'unknown' || kind.kind === 'external') unsupported(machine, 'an element of a value of unknown type is deleted', span);
    else raise(machine, 'type', `'${typeName(kind)}' object doesn't support item deletion`);
    return machine.store.null;
  });
}

function deleteElement(machine: Machine, leaf: TermId, key: TermId, span: Span): void {
  const object = machine.object(leaf);
  const at = smallIntOf(machine.store, key);
  const items = itemsOf(machine, leaf);
  if (object?.kind !== 'list' || at === undefined || items === undefined) {
    unsupported(machine, 'an element of a list of unknown length is deleted', span, 'build a new list');
    return;
  }
  const position = at < 0 ? at + items.length : at;
  if (position < 0 || position >= items.length) raise(machine, 'index', 'list assignment index out of range');
  else
    machine.update(
      leaf,
      { ...object, content: list(machine.store, object.as, [{ kind: 'items', when: TRUE, items: items.filter((_, n) => n !== position) }]) },
      span,
    );
}

export function slice(machine: Machine, object: TermId, lower: TermId | undefined, upper: TermId | undefined, step: TermId | undefined, span: Span): TermId {
  const { store } = machine;
  return overSettled(machine, object, ['str', 'list'], (leaf, kind) => {
    if (kind.kind === 'enum' && kind.member.mixin === 'str') return slice(machine, kind.member.value, lower, upper, step, span);
    if (!isType(kind, 'str', 'list', 'tuple', 'bytes')) {
      if (kind.kind === 'library' || kind.kind === 'instance' || kind.kind === 'unknown' || kind.kind === 'range')
        return unsupported(machine, 'a slice of a value of unknown type', span, 'declare the type of the callee that returned it in its inventory');
      return raise(machine, 'type', `'${typeName(kind)}' object is not subscriptable`);
    }
    const bounds = [lower, upper, step].map((bound) => (bound === undefined || bound === store.null ? null : smallIntOf(store, bound)));
    if (bounds[2] === 0) return raise(machine, 'value', 'slice step cannot be zero');
    if (isType(kind, 'str', 'bytes')) return sliceText(machine, leaf, isType(kind, 'str') ? 'str' : 'bytes', [lower, upper, step], bounds, span);
    const known = bounds.filter((bound): bound is number | null => bound !== undefined);
    if (known.length !== 3) return unsupported(machine, 'a slice with bounds that are not constant', span, 'use constant bounds');
    return sliceSequence(machine, leaf, isType(kind, 'tuple') ? 'tuple' : 'list', known, span);
  });
}

function sliceText(
  machine: Machine,
  leaf: TermId,
  type: string,
  terms: readonly (TermId | undefined)[],
  bounds: readonly (number | null | undefined)[],
  span: Span,
): TermId {
  const { store } = machine;
  const text = stringOf(store, leaf);
  const known = bounds.filter((bound): bound is number | null => bound !== undefined);
  if (text !== undefined && known.length === 3) return store.string(pythonSlice(Array.from(text), known).join(''));
  for (const term of terms) {
    if (term === undefined || term === store.null) continue;
    const typeText = machine.typeOf(term);
    if (typeText !== 'int' && typeText !== 'bool')
      return unsupported(machine, 'text is sliced with bounds whose type is not known', span, 'use constant bounds');
  }
  if (known.length === 3 && (known[0] ?? 0) === 0 && known[1] === null && (known[2] ?? 1) === 1) return leaf;
  if (terms[2] !== undefined && bounds[2] === undefined) return unsupported(machine, 'text is sliced with a step that is not constant', span);
  return machine.apply('py.slice', [leaf, ...terms.map((term) => term ?? store.null)], type);
}
