/** `isinstance`, `issubclass` and the matching of exceptions by `except`. */
import { FALSE, TRUE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import { classLineage } from '../../analysis/members.js';
import type { Guard, TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { unsupported } from './failures.js';
import { kindOf, overKinds, guardOf, type BuiltinType, type Kind } from './kinds.js';
import { isSubclassOf } from './methods.js';
import { boolTerm, itemsOf } from './terms.js';

/** Builtin types whose values are instances of a class. A bool is an int. */
const TYPES_OF_CLASS: ReadonlyMap<string, readonly BuiltinType[]> = new Map([
  ['py:builtins#str', ['str']],
  ['py:builtins#bytes', ['bytes']],
  ['py:builtins#int', ['int', 'bool']],
  ['py:builtins#bool', ['bool']],
  ['py:builtins#float', ['float']],
  ['py:builtins#list', ['list']],
  ['py:builtins#tuple', ['tuple']],
  ['py:builtins#dict', ['dict']],
  ['py:builtins#set', ['set']],
  ['py:builtins#frozenset', []],
  ['py:types#NoneType', ['none']],
  ['py:collections.abc#Mapping', ['dict']],
  ['py:collections.abc#MutableMapping', ['dict']],
  ['py:collections.abc#Sequence', ['str', 'bytes', 'list', 'tuple']],
  ['py:collections.abc#MutableSequence', ['list']],
  ['py:collections.abc#Iterable', ['str', 'bytes', 'list', 'tuple', 'set', 'dict']],
  ['py:collections.abc#Collection', ['str', 'bytes', 'list', 'tuple', 'set', 'dict']],
  ['py:collections.abc#Sized', ['str', 'bytes', 'list', 'tuple', 'set', 'dict']],
  ['py:collections.abc#Hashable', []],
]);
const JSON_NAME = { str: 'string', int: 'integer', bool: 'boolean', float: 'float', none: 'null', list: 'array', dict: 'object' } as const;
const OBJECT = 'py:builtins#object';

/** Classes of a class argument: one, a tuple, or a union. */
function classesOf(machine: Machine, classInfo: TermId): readonly TermId[] | undefined {
  const items = itemsOf(machine, classInfo);
  if (items !== undefined && machine.typeOf(classInfo) === 'tuple') {
    const inner = items.map((item) => classesOf(machine, item));
    return inner.some((classes) => classes === undefined) ? undefined : inner.flatMap((classes) => classes ?? []);
  }
  const term = machine.store.term(classInfo);
  if (term.kind === 'apply' && term.fn === 'py.union') {
    const inner = term.args.map((arg) => classesOf(machine, arg));
    return inner.some((classes) => classes === undefined) ? undefined : inner.flatMap((classes) => classes ?? []);
  }
  if (classInfo === machine.store.null) return [machine.store.intern({ kind: 'external', identity: 'py:types#NoneType' })];
  return term.kind === 'class' || term.kind === 'external' ? [classInfo] : undefined;
}

export function isInstance(machine: Machine, value: TermId, classTerm: TermId, span: Span): Guard {
  return guardOf(
    machine,
    machine.overLeaves(classTerm, (classInfo) => {
      const classes = classesOf(machine, classInfo);
      if (classes === undefined) return unsupported(machine, 'a type test against a computed class', span, 'name the class');
      return overKinds(machine, value, (leaf, kind) =>
        boolTerm(machine.store, machine.store.guards.any(classes.map((one) => leafIsInstance(machine, leaf, kind, one, span)))),
      );
    }),
  );
}

function leafIsInstance(machine: Machine, leaf: TermId, kind: Kind, classTerm: TermId, span: Span): Guard {
  const { store } = machine;
  const target = store.term(classTerm);
  const identity =
    target.kind === 'external'
      ? machine.library.canonical(target.identity).replace(/^py:typing#(?=Mapping|Sequence|Iterable|MutableMapping|Collection|Sized)/, 'py:collections.abc#')
      : undefined;
  if (identity === OBJECT) return TRUE;
  const types = identity === undefined ? undefined : TYPES_OF_CLASS.get(identity);
  const term = store.term(leaf);
  if (term.kind === 'error') return errorIsInstance(machine, term.call, term.type, identity);
  switch (kind.kind) {
    case 'builtin':
      if (identity === 'py:builtins#frozenset' || (identity === 'py:builtins#set' && kind.type === 'set'))
        return kind.type === 'set' && (machine.object(leaf) === undefined) === (identity === 'py:builtins#frozenset') ? TRUE : FALSE;
      if (types !== undefined) return types.includes(kind.type) ? TRUE : FALSE;
      // Records of an inventory stand for library objects whose class is not told.
      if (kind.type === 'dict' && term.kind === 'record') return namedTest(machine, leaf, classTerm);
      return identity === undefined || machine.library.isClass(identity)
        ? FALSE
        : (unsupported(machine, `a type test against ${identity}`, span, `declare ${identity} as a class in an inventory`), FALSE);
    case 'json':
      if (types === undefined)
        return identity === undefined || machine.library.isClass(identity)
          ? FALSE
          : (unsupported(machine, `a type test against ${identity}`, span, `declare ${identity} as a class in an inventory`), FALSE);
      return store.guards.any(types.flatMap((type) => (type in JSON_NAME ? [machine.hasType(leaf, JSON_NAME[type as keyof typeof JSON_NAME])] : [])));
    case 'enum': {
      if (kind.member.mixin !== undefined && types?.includes(kind.member.mixin) === true) return TRUE;
      return classTerm === kind.member.class || lineageHas(machine, kind.member.class, classTerm, identity, span) ? TRUE : FALSE;
    }
    case 'instance':
      return lineageHas(machine, kind.object.class, classTerm, identity, span) ? TRUE : FALSE;
    case 'library': {
      const type = kind.type.replace(/<.*$/, '');
      if (identity === undefined) return FALSE;
      const known = isSubclassOf(machine, type, identity);
      if (known === true) return TRUE;
      return known === undefined || isSubclassOf(machine, identity, type) !== false ? namedTest(machine, leaf, classTerm) : FALSE;
    }
    case 'function':
      return identity === 'py:collections.abc#Callable' ? TRUE : FALSE;
    case 'unknown':
    case 'external':
      return namedTest(machine, leaf, classTerm);
    case 'class':
      return identity === 'py:builtins#type' || identity === 'py:collections.abc#Callable' ? TRUE : FALSE;
    case 'optional':
    case 'range':
    case 'view':
    case 'suspended':
    case 'module':
    case 'special':
      return types === undefined && identity !== undefined ? namedTest(machine, leaf, classTerm) : FALSE;
  }
}

/** Exact: every value is an instance of a class or is not. */
function namedTest(machine: Machine, leaf: TermId, classTerm: TermId): Guard {
  return machine.test('py.isinstance', [machine.freeze(leaf), machine.classIdentity(classTerm)]);
}

/** What a call threw is of its declared type; where none is declared, or a narrower one is asked for, the call decides. */
function errorIsInstance(machine: Machine, call: TermId, type: string | undefined, identity: string | undefined): Guard {
  if (identity === undefined) return FALSE;
  if (identity === ERRORS_ANY) return TRUE;
  if (type === undefined) return machine.throwsGuard(call, identity);
  const known = isSubclassOf(machine, type, identity);
  if (known === true) return TRUE;
  return known === undefined || isSubclassOf(machine, identity, type) !== false ? machine.throwsGuard(call, identity) : FALSE;
}
const ERRORS_ANY = 'py:builtins#BaseException';

function lineageHas(machine: Machine, classTerm: TermId, target: TermId, identity: string | undefined, span: Span): boolean {
  if (classTerm === target) return true;
  const term = machine.store.term(classTerm);
  const inherits = (own: string): boolean => {
    const known = identity === undefined ? false : isSubclassOf(machine, own, identity);
    if (known === undefined) unsupported(machine, `whether ${own} is a ${identity ?? ''} is not known`, span, `declare ${own} with its bases in an inventory`);
    return known === true;
  };
  if (term.kind === 'external') return inherits(term.identity);
  const lineage = classLineage(machine, classTerm, span) ?? [];
  if (lineage.some((ancestor) => ancestor.kind === 'project' && ancestor.class === target)) return true;
  if (identity !== undefined && lineage.some((ancestor) => ancestor.kind === 'external' && ancestor.identity === identity)) return true;
  return lineage.some((ancestor) => ancestor.kind === 'external' && inherits(ancestor.identity));
}

export function isSubclass(machine: Machine, classTerm: TermId, classInfo: TermId, span: Span): Guard | undefined {
  const classes = classesOf(machine, classInfo);
  const own = kindOf(machine, classTerm);
  if (classes === undefined || own.kind !== 'class') return undefined;
  return classes.some((one) => {
    const target = machine.store.term(one);
    const identity = target.kind === 'external' ? machine.library.canonical(target.identity) : undefined;
    return identity === OBJECT || lineageHas(machine, classTerm, one, identity, span);
  })
    ? TRUE
    : FALSE;
}
