/** Types of validated fields, read from annotations. What is not understood keeps its reason and stops whoever needs it. */
import type { Machine } from '../../../analysis/machine.js';
import { classLineage } from '../../../analysis/members.js';
import { loadTime } from '../../../analysis/modules.js';
import type { TermId } from '../../../analysis/terms.js';
import type { Expression } from '../../../ir/nodes.js';
import type { Span } from '../../../ir/span.js';
import { enumClass } from '../enums.js';
import { recordView } from '../records.js';
import { constantOf, itemsOf, stringOf } from '../terms.js';

export type ScalarName = 'str' | 'int' | 'float' | 'bool' | 'none';

export interface Constraints {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Bounds as constant terms. */
  readonly ge?: TermId;
  readonly gt?: TermId;
  readonly le?: TermId;
  readonly lt?: TermId;
}

export type ModelType =
  | { readonly kind: 'any' }
  | { readonly kind: 'scalar'; readonly type: ScalarName; readonly constraints: Constraints }
  | { readonly kind: 'list'; readonly item: ModelType; readonly constraints: Constraints }
  | { readonly kind: 'dict'; readonly value: ModelType }
  | { readonly kind: 'union'; readonly options: readonly ModelType[] }
  | { readonly kind: 'literal'; readonly values: readonly TermId[] }
  | { readonly kind: 'enum'; readonly class: TermId }
  | { readonly kind: 'model'; readonly class: TermId }
  | { readonly kind: 'url'; readonly identity: string }
  /** A parameter that the server library fills in itself. */
  | { readonly kind: 'context'; readonly identity: string }
  | { readonly kind: 'unsupported'; readonly reason: string };

/** What `Field(…)` or `Annotated` metadata say about a field. */
export interface FieldInfo {
  readonly constraints: Constraints;
  readonly title?: string;
  readonly description?: string;
  readonly default?: TermId;
  readonly factory?: TermId;
  readonly problem?: string;
}

export const FIELD_INFO_TYPE = 'py:pydantic#FieldInfo';
const SCALARS: ReadonlyMap<string, ScalarName> = new Map([
  ['py:builtins#str', 'str'],
  ['py:builtins#int', 'int'],
  ['py:builtins#float', 'float'],
  ['py:builtins#bool', 'bool'],
  ['py:types#NoneType', 'none'],
]);
const LISTS: ReadonlySet<string> = new Set(['py:builtins#list', 'py:typing#List']);
const DICTS: ReadonlySet<string> = new Set(['py:builtins#dict', 'py:typing#Dict']);
const URLS: ReadonlySet<string> = new Set(['py:pydantic#AnyUrl', 'py:pydantic#HttpUrl', 'py:pydantic#AnyHttpUrl']);
const ANY: ModelType = { kind: 'any' };

const unsupportedType = (reason: string): ModelType => ({ kind: 'unsupported', reason });

export function readAnnotation(
  machine: Machine,
  module: string,
  annotation: Expression | undefined,
  span: Span,
): { readonly type: ModelType; readonly info: FieldInfo } {
  if (annotation === undefined) return { type: ANY, info: { constraints: {} } };
  const loaded = loadTime(machine, module, () => machine.evaluate(annotation));
  if (loaded.kind !== 'value') return { type: unsupportedType('an annotation that is not proved'), info: { constraints: {} } };
  return readType(machine, loaded.value, span);
}

function readType(machine: Machine, value: TermId, span: Span): { readonly type: ModelType; readonly info: FieldInfo } {
  const generic = genericParts(machine, value);
  if (generic?.base === 'py:typing#Annotated') {
    const [inner, ...metadata] = itemsOf(machine, generic.argument) ?? [];
    if (inner === undefined) return { type: unsupportedType('Annotated without a type'), info: { constraints: {} } };
    const read = readType(machine, inner, span);
    const info = metadata.reduce<FieldInfo>((before, one) => mergeInfo(before, metadataInfo(machine, one)), read.info);
    return { type: info.problem === undefined ? constrained(read.type, info.constraints) : unsupportedType(info.problem), info };
  }
  return { type: plainType(machine, value, generic, span), info: { constraints: {} } };
}

interface Generic {
  readonly base: string;
  readonly argument: TermId;
}

function genericParts(machine: Machine, value: TermId): Generic | undefined {
  const term = machine.store.term(value);
  if (term.kind !== 'apply' || term.fn !== 'py.generic') return undefined;
  const base = machine.store.term(term.args[0]!);
  return base.kind === 'external' ? { base: machine.library.canonical(base.identity), argument: term.args[1]! } : undefined;
}

function plainType(machine: Machine, value: TermId, generic: Generic | undefined, span: Span): ModelType {
  const { store } = machine;
  const again = (inner: TermId): ModelType => readType(machine, inner, span).type;
  const term = store.term(value);
  if (value === store.null) return { kind: 'scalar', type: 'none', constraints: {} };
  if (term.kind === 'apply' && term.fn === 'py.union') return union(term.args.map(again));
  if (generic !== undefined) return genericType(machine, generic, again);
  if (term.kind === 'class') return classType(machine, value, span);
  if (term.kind !== 'external') return unsupportedType('an annotation that is no type');
  const identity = machine.library.canonical(term.identity);
  const scalar = SCALARS.get(identity);
  if (scalar !== undefined) return { kind: 'scalar', type: scalar, constraints: {} };
  if (identity === 'py:typing#Any' || identity === 'py:builtins#object') return ANY;
  if (LISTS.has(identity)) return { kind: 'list', item: ANY, constraints: {} };
  if (DICTS.has(identity)) return { kind: 'dict', value: ANY };
  if (URLS.has(identity)) return { kind: 'url', identity };
  if (/^py:mcp\.server\..*#Context$/.test(identity)) return { kind: 'context', identity };
  return unsupportedType(`the type ${identity}`);
}

function genericType(machine: Machine, generic: Generic, again: (value: TermId) => ModelType): ModelType {
  const parameters = machine.typeOf(generic.argument) === 'tuple' ? (itemsOf(machine, generic.argument) ?? []) : [generic.argument];
  const [first, second] = parameters;
  if (first === undefined) return unsupportedType('a generic type without parameters');
  if (generic.base === 'py:typing#Optional') return union([again(first), { kind: 'scalar', type: 'none', constraints: {} }]);
  if (generic.base === 'py:typing#Union') return union(parameters.map(again));
  if (LISTS.has(generic.base)) return { kind: 'list', item: again(first), constraints: {} };
  if (DICTS.has(generic.base)) {
    const key = again(first);
    if (key.kind !== 'any' && !(key.kind === 'scalar' && key.type === 'str')) return unsupportedType('a dict whose keys are not text');
    return { kind: 'dict', value: second === undefined ? ANY : again(second) };
  }
  if (generic.base === 'py:typing#Literal') {
    const texts = parameters.every((parameter) => stringOf(machine.store, parameter) !== undefined || parameter === machine.store.null);
    return texts ? { kind: 'literal', values: parameters } : unsupportedType('a Literal of other values than text');
  }
  if (/^py:mcp\.server\..*#Context$/.test(generic.base)) return { kind: 'context', identity: generic.base };
  return unsupportedType(`the type ${generic.base}[…]`);
}

function union(options: readonly ModelType[]): ModelType {
  const flat = options.flatMap((option) => (option.kind === 'union' ? option.options : [option]));
  const bad = flat.find((option) => option.kind === 'unsupported');
  if (bad !== undefined) return bad;
  const only = flat[0];
  return flat.length === 1 && only !== undefined ? only : { kind: 'union', options: flat };
}

function classType(machine: Machine, value: TermId, span: Span): ModelType {
  if (enumClass(machine, value, span) !== undefined) return { kind: 'enum', class: value };
  const lineage = classLineage(machine, value, span) ?? [];
  if (lineage.some((ancestor) => ancestor.kind === 'external' && ancestor.identity === 'py:pydantic#BaseModel')) return { kind: 'model', class: value };
  return unsupportedType('a class that is no model and no enum');
}

function metadataInfo(machine: Machine, value: TermId): FieldInfo {
  if (machine.typeOf(value) === FIELD_INFO_TYPE) return readFieldInfo(machine, value);
  return stringOf(machine.store, value) !== undefined || value === machine.store.null
    ? { constraints: {} }
    : { constraints: {}, problem: 'annotation metadata other than Field' };
}

export function mergeInfo(before: FieldInfo, after: FieldInfo): FieldInfo {
  return { ...before, ...after, constraints: { ...before.constraints, ...after.constraints } };
}

/** Limits apply to the type itself, and under Optional to the part that is not None. */
export function constrained(type: ModelType, constraints: Constraints): ModelType {
  if (Object.keys(constraints).length === 0) return type;
  if (type.kind === 'scalar' || type.kind === 'list')
    return type.kind === 'scalar' && type.type === 'none' ? type : { ...type, constraints: { ...type.constraints, ...constraints } };
  if (type.kind === 'union' && type.options.length === 2 && type.options.some((option) => option.kind === 'scalar' && option.type === 'none'))
    return { kind: 'union', options: type.options.map((option) => constrained(option, constraints)) };
  return unsupportedType('limits on a type that is neither text, number nor list');
}

/** Options that say nothing about which values are accepted. */
const DESCRIPTIVE: ReadonlySet<string> = new Set([
  'title',
  'description',
  'examples',
  'json_schema_extra',
  'deprecated',
  'repr',
  'frozen',
  'kw_only',
  'init_var',
]);

/** The arguments of a `Field(…)` call, kept as a record by the intrinsic. */
export function readFieldInfo(machine: Machine, value: TermId): FieldInfo {
  const { store } = machine;
  let info: FieldInfo = { constraints: {} };
  for (const field of recordView(machine, value)?.fields ?? []) {
    const name = stringOf(store, field.key) ?? '';
    const constant = constantOf(store, field.value);
    const isEllipsis = constant?.type === 'special';
    if (field.value === store.null && name !== 'default') continue;
    if (name === 'default') info = isEllipsis ? info : { ...info, default: field.value };
    else if (name === 'default_factory') info = { ...info, factory: field.value };
    else if (name === 'description' && constant?.type === 'string') info = { ...info, description: constant.value };
    else if (name === 'title' && constant?.type === 'string') info = { ...info, title: constant.value };
    else if ((name === 'min_length' || name === 'max_length') && constant?.type === 'int')
      info = { ...info, constraints: { ...info.constraints, [name === 'min_length' ? 'minLength' : 'maxLength']: Number(constant.value) } };
    else if (name === 'pattern' && constant?.type === 'string') info = { ...info, constraints: { ...info.constraints, pattern: constant.value } };
    else if (['ge', 'gt', 'le', 'lt'].includes(name) && (constant?.type === 'int' || constant?.type === 'float'))
      info = { ...info, constraints: { ...info.constraints, [name]: field.value } };
    else if (!DESCRIPTIVE.has(name)) info = { ...info, problem: `the field option ${name}` };
  }
  return info;
}
