/** What iterating a value gives: known guarded items, and collections whose elements are unknown. */
import { list, listOf } from '../../analysis/construct.js';
import { FALSE, TRUE } from '../../analysis/guards.js';
import type { IterationPart } from '../../analysis/language.js';
import type { Machine } from '../../analysis/machine.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { enumMembers } from './enums.js';
import { raise, unsupported } from './failures.js';
import { builtinKind, kindOf, typeName, typeParameters, type Kind } from './kinds.js';
import { callSpecial } from './methods.js';
import { rangeItems } from './ranges.js';
import { entries, recordTerm, recordView, type RecordView } from './records.js';
import { constantElements } from './sets.js';
import { itemsOf, stringOf } from './terms.js';

export function iterate(machine: Machine, value: TermId, span: Span): readonly IterationPart[] | undefined {
  const parts: IterationPart[] = [];
  for (const { when, leaf } of machine.leaves(value)) {
    const inside = iterateKind(machine, leaf, kindOf(machine, leaf), span, when);
    if (inside === undefined) return undefined;
    for (const part of inside) {
      const guard = machine.store.guards.and(when, part.when);
      if (guard !== FALSE) parts.push({ ...part, when: guard });
    }
  }
  return machine.dead ? undefined : parts;
}

/** Ends only the paths where `when` holds. */
function failWhere(machine: Machine, when: Guard, fail: () => void): readonly IterationPart[] | undefined {
  machine.branchDo(when, fail);
  return machine.dead ? undefined : [];
}

function iterateKind(machine: Machine, leaf: TermId, kind: Kind, span: Span, when: Guard): readonly IterationPart[] | undefined {
  const { store } = machine;
  const notIterable = (): readonly IterationPart[] | undefined =>
    failWhere(machine, when, () => void raise(machine, 'type', `'${typeName(kind)}' object is not iterable`));
  switch (kind.kind) {
    case 'builtin':
      return iterateBuiltin(machine, leaf, kind, span, when);
    case 'json': {
      const isArray = machine.hasType(leaf, 'array');
      const isText = machine.hasType(leaf, 'string');
      const isObject = machine.hasType(leaf, 'object');
      const other = store.guards.not(store.guards.any([isArray, isText, isObject]));
      raise(machine, 'type', 'object is not iterable', store.guards.and(when, other));
      if (machine.dead) return undefined;
      return [
        { kind: 'collection', when: isArray, of: leaf, elementType: 'json' },
        { kind: 'collection', when: isText, of: leaf, elementType: 'str' },
        { kind: 'collection', when: isObject, of: machine.apply('py.keys_of', [leaf], 'list<str>'), elementType: 'str' },
      ];
    }
    case 'optional': {
      const isNone = machine.isNull(leaf);
      raise(machine, 'type', `'NoneType' object is not iterable`, store.guards.and(when, isNone));
      return machine.dead ? undefined : iterateKind(machine, leaf, kind.inner, span, when);
    }
    case 'enum':
      return kind.member.mixin === 'str' ? iterateKind(machine, kind.member.value, builtinKind('str'), span, when) : notIterable();
    case 'range': {
      const items = rangeItems(store, leaf);
      if (items !== undefined) return items.map((item) => ({ kind: 'item', when: TRUE, item: store.int(item) }));
      return [{ kind: 'collection', when: TRUE, of: leaf, elementType: 'int' }];
    }
    case 'view':
      return iterateView(machine, kind.of, kind.record, span, when);
    case 'library':
    case 'instance': {
      const special =
        kind.kind === 'library' && /^py:(typing|collections\.abc)#/.test(kind.type) ? undefined : callSpecial(machine, leaf, kind, '__iter__', [], span);
      if (special === 'absent') return notIterable();
      if (special !== undefined && special !== leaf) return iterate(machine, special, span);
      return failWhere(
        machine,
        when,
        () =>
          void machine.stop(
            'unreviewed-callee',
            `a ${kind.kind === 'library' ? kind.type : 'project instance'} is iterated`,
            span,
            'add an inventory entry for its __iter__, or give the callee that returned it a type list<…>',
          ),
      );
    }
    case 'suspended':
      return drain(machine, leaf, span, when);
    case 'class': {
      const members = enumMembers(machine, leaf, span);
      return members === undefined ? notIterable() : members.map((item) => ({ kind: 'item', when: TRUE, item }));
    }
    case 'function':
    case 'module':
    case 'special':
      return notIterable();
    case 'external':
    case 'unknown':
      return failWhere(
        machine,
        when,
        () => void unsupported(machine, 'a value of unknown type is iterated', span, 'declare the type of the callee that returned it in its inventory'),
      );
  }
}

function iterateBuiltin(
  machine: Machine,
  leaf: TermId,
  kind: Extract<Kind, { kind: 'builtin' }>,
  span: Span,
  when: Guard,
): readonly IterationPart[] | undefined {
  const { store } = machine;
  switch (kind.type) {
    case 'list':
    case 'tuple':
      return contentParts(machine, machine.content(leaf));
    case 'set':
      return setParts(machine, leaf);
    case 'dict':
      return iterateView(machine, 'keys', leaf, span, when);
    case 'str': {
      const text = stringOf(store, leaf);
      if (text !== undefined) return Array.from(text, (letter) => ({ kind: 'item', when: TRUE, item: store.string(letter) }));
      return [{ kind: 'collection', when: TRUE, of: leaf, elementType: 'str' }];
    }
    case 'bytes':
      return [{ kind: 'collection', when: TRUE, of: leaf, elementType: 'int' }];
    case 'none':
    case 'bool':
    case 'int':
    case 'float':
      return failWhere(machine, when, () => void raise(machine, 'type', `'${typeName(kind)}' object is not iterable`));
  }
}

function contentParts(machine: Machine, content: TermId): readonly IterationPart[] {
  const { store } = machine;
  const parts: IterationPart[] = [];
  for (const { when, leaf } of machine.leaves(content)) {
    const term = store.term(leaf);
    if (term.kind !== 'list') parts.push(collection(machine, when, leaf));
    else
      for (const segment of term.segments) {
        const guard = store.guards.and(when, segment.when);
        if (guard === FALSE) continue;
        if (segment.kind === 'items') for (const item of segment.items) parts.push({ kind: 'item', when: guard, item });
        else parts.push(collection(machine, guard, segment.of));
      }
  }
  return parts;
}

/** Elements of a set come once each and in no order that the program chooses: more than one are a list of unknown order. */
function setParts(machine: Machine, value: TermId): readonly IterationPart[] {
  const elements = constantElements(machine, value) ?? itemsOf(machine, value);
  if (elements !== undefined && elements.length <= 1) return elements.map((item) => ({ kind: 'item', when: TRUE, item }));
  const types = new Set(elements?.map((element) => machine.typeOf(element)));
  const [only] = [...types];
  const elementType = types.size === 1 ? only : undefined;
  return [
    {
      kind: 'collection',
      when: TRUE,
      of: machine.apply('py.elements', [machine.freeze(value)], elementType === undefined ? 'list' : `list<${elementType}>`),
      ...(elementType === undefined ? {} : { elementType }),
    },
  ];
}

function collection(machine: Machine, when: Guard, of: TermId): IterationPart {
  const term = machine.store.term(of);
  const type = machine.typeOf(of);
  const elementType =
    type === undefined
      ? term.kind === 'argument' || term.kind === 'input'
        ? 'json'
        : undefined
      : type === 'str'
        ? 'str'
        : type === 'json'
          ? 'json'
          : type === 'range'
            ? 'int'
            : typeParameters(type)[0];
  return { kind: 'collection', when, of, ...(elementType === undefined ? {} : { elementType }) };
}

function iterateView(machine: Machine, of: 'keys' | 'values' | 'items', record: TermId, span: Span, when: Guard): readonly IterationPart[] | undefined {
  const { store } = machine;
  const view = recordView(machine, record);
  if (view === undefined) return failWhere(machine, when, () => void unsupported(machine, 'a mapping of unknown content is iterated', span));
  const known = entries(machine, view).map((entry): IterationPart => ({
    kind: 'item',
    when: entry.when,
    item: of === 'keys' ? entry.key : of === 'values' ? entry.value : listOf(store, 'tuple', [entry.key, entry.value]),
  }));
  if (view.rest === undefined) return known;
  if (known.length > 0)
    return failWhere(
      machine,
      when,
      () => void unsupported(machine, 'a mapping with known and unknown keys is iterated', span, 'iterate the unknown mapping before keys are added'),
    );
  return [unknownEntries(machine, of, view)];
}

function unknownEntries(machine: Machine, of: 'keys' | 'values' | 'items', view: RecordView): IterationPart {
  const rest = view.removed.length === 0 ? view.rest! : recordTerm(machine, view);
  const type = machine.typeOf(view.rest!);
  const [keyType, valueType] = type?.startsWith('dict<') === true ? typeParameters(type) : ['str', 'json'];
  const elementType = of === 'keys' ? keyType : of === 'values' ? valueType : undefined;
  const listType = elementType === undefined ? 'list<tuple>' : `list<${elementType}>`;
  return {
    kind: 'collection',
    when: TRUE,
    of: machine.apply(`py.${of}_of`, [machine.freeze(rest)], listType),
    elementType: elementType ?? `tuple<${keyType ?? 'json'},${valueType ?? 'json'}>`,
  };
}

/** Runs a generator to its end, once, and gives what it yields. */
function drain(machine: Machine, leaf: TermId, span: Span, when: Guard): readonly IterationPart[] | undefined {
  const object = machine.object(leaf);
  if (object?.kind !== 'suspended' || object.what !== 'generator') return failWhere(machine, when, () => void raise(machine, 'type', 'object is not iterable'));
  const collected = machine.allocate({ kind: 'list', as: 'list', content: listOf(machine.store, 'list', []) });
  machine.branchDo(when, () => {
    const saved = machine.yieldHandler;
    machine.yieldHandler = (value) => {
      const held = machine.object(collected);
      if (held?.kind === 'list')
        machine.update(
          collected,
          {
            ...held,
            content: list(machine.store, 'list', [
              { kind: 'spread', when: TRUE, of: held.content },
              { kind: 'items', when: TRUE, items: [value] },
            ]),
          },
          span,
        );
      return machine.store.null;
    };
    object.resume();
    machine.yieldHandler = saved;
    if (!machine.dead)
      machine.update(
        leaf,
        { ...object, resume: () => machine.stop('unsupported-generator', 'an iterator is consumed twice', span, 'make a list of it first') },
        span,
      );
  });
  return machine.dead ? undefined : contentParts(machine, machine.content(collected));
}

/** A lazy iterator over values that are computed when it is consumed. */
export function lazyItems(machine: Machine, compute: () => readonly IterationPart[] | undefined, span: Span): TermId {
  return machine.allocate({
    kind: 'suspended',
    what: 'generator',
    resume: () => {
      const handler = machine.yieldHandler;
      if (handler === undefined) return machine.stop('unsupported-generator', 'an iterator is run in a way that is not modelled', span, 'use a list');
      for (const part of compute() ?? []) {
        if (part.kind === 'item') machine.branchDo(part.when, () => void handler(part.item));
        else
          machine.branchDo(part.when, () => {
            machine.forEach(part.of, span, (element) => void handler(element));
          });
      }
      return machine.store.null;
    },
  });
}
