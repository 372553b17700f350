/**
 * What kind of Python value a term is. Values from the call's arguments have a JSON type that only a proposition knows;
 * the helpers here split a path by it. Everything else in this folder asks for kinds and never looks at term shapes first.
 */
import { jsonTypeOf, typeOf } from '../../analysis/construct.js';
import { FALSE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import type { HeapObject } from '../../analysis/state.js';
import type { JsonType, TermId } from '../../analysis/terms.js';

export type BuiltinType = 'none' | 'bool' | 'int' | 'float' | 'str' | 'bytes' | 'list' | 'tuple' | 'set' | 'dict';

export type InstanceObject = Extract<HeapObject, { kind: 'instance' }>;

export type Kind =
  | { readonly kind: 'builtin'; readonly type: BuiltinType }
  /** A JSON value whose type is not known on this path. */
  | { readonly kind: 'json' }
  /** None or a value of the inner kind. */
  | { readonly kind: 'optional'; readonly inner: Kind }
  | { readonly kind: 'enum'; readonly member: EnumMember }
  /** `range(a, b, c)`. */
  | { readonly kind: 'range' }
  /** `d.keys()`, `d.values()`, `d.items()`. */
  | { readonly kind: 'view'; readonly of: 'keys' | 'values' | 'items'; readonly record: TermId }
  /** A value whose type is a library identity. */
  | { readonly kind: 'library'; readonly type: string }
  | { readonly kind: 'instance'; readonly object: InstanceObject }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'function' }
  | { readonly kind: 'class' }
  | { readonly kind: 'module' }
  | { readonly kind: 'external'; readonly identity: string }
  | { readonly kind: 'special'; readonly name: string }
  | { readonly kind: 'unknown' };

export interface EnumMember {
  readonly class: TermId;
  readonly name: TermId;
  readonly value: TermId;
  /** The builtin type that the members also are, if any. */
  readonly mixin: 'str' | 'int' | undefined;
}

const JSON_KIND: Kind = { kind: 'json' };
const BUILTIN_OF_JSON: ReadonlyMap<JsonType, BuiltinType> = new Map([
  ['string', 'str'],
  ['integer', 'int'],
  ['boolean', 'bool'],
  ['null', 'none'],
  ['array', 'list'],
  ['object', 'dict'],
  ['float', 'float'],
]);
const JSON_OF_BUILTIN: ReadonlyMap<BuiltinType, JsonType> = new Map([...BUILTIN_OF_JSON].map(([json, builtin]) => [builtin, json]));
const BUILTIN_OF_TYPE: ReadonlyMap<string, BuiltinType> = new Map([
  ['none', 'none'],
  ['bool', 'bool'],
  ['int', 'int'],
  ['float', 'float'],
  ['str', 'str'],
  ['bytes', 'bytes'],
  ['list', 'list'],
  ['tuple', 'tuple'],
  ['set', 'set'],
  ['record', 'dict'],
  ['dict', 'dict'],
]);

export const ENUM_FN = 'py.enum';
export const RANGE_FN = 'py.range';
const VIEW_FN: ReadonlyMap<string, 'keys' | 'values' | 'items'> = new Map([
  ['py.keys', 'keys'],
  ['py.values', 'values'],
  ['py.items', 'items'],
]);

export function builtinKind(type: BuiltinType): Kind {
  return { kind: 'builtin', type };
}

/** Element type of `list<T>`, value type of `dict<K,V>`. */
export function typeParameters(type: string): readonly string[] {
  const inner = /^[a-z]+<(.*)>$/.exec(type)?.[1];
  if (inner === undefined) return [];
  const out: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const letter = inner[at];
    if (letter === '<') depth += 1;
    else if (letter === '>') depth -= 1;
    else if (letter === ',' && depth === 0) {
      out.push(inner.slice(from, at).trim());
      from = at + 1;
    }
  }
  out.push(inner.slice(from).trim());
  return out;
}

function kindOfType(type: string): Kind {
  if (type === 'json') return JSON_KIND;
  if (type.startsWith('optional<')) return { kind: 'optional', inner: kindOfType(typeParameters(type)[0] ?? 'json') };
  if (type.startsWith('special:')) return { kind: 'special', name: type.slice('special:'.length) };
  const builtin = BUILTIN_OF_TYPE.get(type.replace(/<.*$/, ''));
  return builtin === undefined ? { kind: 'library', type } : builtinKind(builtin);
}

/** The kind of a value that is no conditional. */
export function kindOf(machine: Machine, value: TermId): Kind {
  const { store } = machine;
  const term = store.term(value);
  switch (term.kind) {
    case 'object': {
      const object = machine.object(value);
      if (object === undefined) return { kind: 'unknown' };
      switch (object.kind) {
        case 'list':
          return builtinKind(object.as);
        case 'record':
          return builtinKind('dict');
        case 'instance':
          return { kind: 'instance', object };
        case 'suspended':
          return { kind: 'suspended' };
      }
      return { kind: 'unknown' };
    }
    case 'function':
      return { kind: 'function' };
    case 'class':
      return { kind: 'class' };
    case 'external': {
      if (term.self !== undefined) return { kind: 'function' };
      if (machine.library.isModule(term.identity)) return { kind: 'module' };
      if (machine.library.isClass(term.identity)) return { kind: 'class' };
      return { kind: 'external', identity: term.identity };
    }
    case 'apply': {
      if (term.fn === ENUM_FN) return { kind: 'enum', member: enumMember(machine, term.args, term.type) };
      if (term.fn === RANGE_FN) return { kind: 'range' };
      const view = VIEW_FN.get(term.fn);
      if (view !== undefined) return { kind: 'view', of: view, record: term.args[0]! };
      break;
    }
    case 'argument':
      return term.path.length === 0 ? builtinKind('dict') : jsonKind(machine, value);
    case 'input':
      if (term.type === undefined) return jsonKind(machine, value);
      break;
    case 'world':
    case 'opaque':
      return { kind: 'unknown' };
    case 'constant':
    case 'observe':
    case 'fresh':
    case 'element':
    case 'loop':
    case 'carried':
    case 'error':
    case 'list':
    case 'record':
    case 'conditional':
      break;
  }
  const type = typeOf(store, value);
  if (type === undefined) return { kind: 'unknown' };
  const kind = kindOfType(type);
  return kind.kind === 'json' ? jsonKind(machine, value) : kind;
}

function enumMember(machine: Machine, args: readonly TermId[], type: string | undefined): EnumMember {
  return { class: args[0]!, name: args[1]!, value: args[2] ?? machine.store.null, mixin: type === 'str' || type === 'int' ? type : undefined };
}

/** The one JSON type that the path leaves possible, if it settles it. */
function jsonKind(machine: Machine, value: TermId): Kind {
  const guards = machine.store.guards;
  for (const [json, builtin] of BUILTIN_OF_JSON) {
    if (guards.entails(machine.cur.guard, machine.hasType(value, json))) return machine.dead ? JSON_KIND : builtinKind(builtin);
  }
  return JSON_KIND;
}

/** Evaluates `f` on each leaf with its kind; an optional value is split into none and the rest. */
export function overKinds(machine: Machine, value: TermId, f: (leaf: TermId, kind: Kind) => TermId): TermId {
  return machine.overLeaves(value, (leaf) => (machine.dead ? machine.store.null : overKind(machine, leaf, kindOf(machine, leaf), f)));
}

export function overKind(machine: Machine, leaf: TermId, kind: Kind, f: (leaf: TermId, kind: Kind) => TermId): TermId {
  if (kind.kind !== 'optional') return f(leaf, kind);
  return machine.branch(
    machine.isNull(leaf),
    () => f(machine.store.null, builtinKind('none')),
    () => overKind(machine, leaf, kind.inner, f),
  );
}

/** Splits a JSON value by these types in turn; `f(undefined)` is for every other type. Types that the path excludes are not tried. */
export function splitJson(machine: Machine, leaf: TermId, types: readonly BuiltinType[], f: (type: BuiltinType | undefined) => TermId): TermId {
  const [first, ...others] = types;
  if (first === undefined || machine.dead) return machine.dead ? machine.store.null : f(undefined);
  const json = JSON_OF_BUILTIN.get(first);
  const when = json === undefined ? FALSE : machine.hasType(leaf, json);
  return machine.branch(
    when,
    () => f(first),
    () => splitJson(machine, leaf, others, f),
  );
}

/** The types of JSON values, in the order in which paths are split. */
export const JSON_TYPES: readonly BuiltinType[] = ['str', 'list', 'dict', 'int', 'bool', 'none', 'float'];

/** Evaluates `f` with a settled kind: JSON values are split by `types`, the rest keeps the kind `json`. */
export function overSettled(machine: Machine, value: TermId, types: readonly BuiltinType[], f: (leaf: TermId, kind: Kind) => TermId): TermId {
  return overKinds(machine, value, (leaf, kind) => {
    if (kind.kind !== 'json') return f(leaf, kind);
    return splitJson(machine, leaf, types, (type) => f(leaf, type === undefined ? kind : builtinKind(type)));
  });
}

export function isType(kind: Kind, ...types: readonly BuiltinType[]): boolean {
  return kind.kind === 'builtin' && types.includes(kind.type);
}
export function isNumber(kind: Kind): boolean {
  return isType(kind, 'int', 'float', 'bool');
}

/** The name that Python's error texts give the type. */
export function typeName(kind: Kind): string {
  if (kind.kind === 'builtin') return kind.type === 'none' ? 'NoneType' : kind.type;
  return kind.kind;
}

/** Whether values of this static type are JSON data, so that named tests over them are total. */
export function isData(kind: Kind): boolean {
  return kind.kind === 'json' || (kind.kind === 'builtin' && jsonTypeOf(kind.type === 'dict' ? 'record' : kind.type) !== undefined);
}

/** A boolean value from a guard. */
export function guardOf(machine: Machine, value: TermId): number {
  const { store } = machine;
  const visit = (id: TermId): number => {
    const term = store.term(id);
    if (term.kind === 'conditional') return store.guards.ite(term.when, visit(term.then), visit(term.otherwise));
    return id === store.true ? 1 : 0;
  };
  return visit(value);
}
