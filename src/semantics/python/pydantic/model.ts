/** Models: the fields of a project class derived from BaseModel, its construction and its dump. */
import { conditional } from '../../../analysis/construct.js';
import { FALSE, TRUE } from '../../../analysis/guards.js';
import type { Machine } from '../../../analysis/machine.js';
import { classLineage } from '../../../analysis/members.js';
import { loadTime } from '../../../analysis/modules.js';
import type { CallArguments } from '../../../analysis/state.js';
import type { Guard, TermId } from '../../../analysis/terms.js';
import type { Expression } from '../../../ir/nodes.js';
import type { IrClass } from '../../../ir/program.js';
import type { Span } from '../../../ir/span.js';
import { definitionOf } from '../dataclasses.js';
import { raise, unsupported } from '../failures.js';
import { calleeOf, identityOf, isClassVariable } from '../names.js';
import { mergeRecords } from '../record-merge.js';
import { lookup, recordTerm, recordView, withKey, type RecordView } from '../records.js';
import { constantOf, stringOf } from '../terms.js';
import { constrained, FIELD_INFO_TYPE, mergeInfo, readAnnotation, readFieldInfo, type FieldInfo, type ModelType } from './model-type.js';
import { validate, type Validated, type Validation } from './validate.js';

export const BASE_MODEL = 'py:pydantic#BaseModel';
const VALIDATION_ERROR = 'py:pydantic#ValidationError';

export interface ModelField {
  readonly name: string;
  readonly type: ModelType;
  readonly info: FieldInfo;
  readonly required: boolean;
}
export interface Model {
  readonly name: string;
  readonly fields: readonly ModelField[];
  readonly extra: 'ignore' | 'forbid';
}

export function isModel(machine: Machine, classTerm: TermId, span: Span): boolean {
  return classLineage(machine, classTerm, span)?.some((ancestor) => ancestor.kind === 'external' && ancestor.identity === BASE_MODEL) === true;
}

/** Options of `model_config` under which validation is what it is here. */
const HARMLESS_OPTIONS: ReadonlySet<string> = new Set([
  'title',
  'json_schema_extra',
  'populate_by_name',
  'arbitrary_types_allowed',
  'frozen',
  'use_attribute_docstrings',
]);
const CUSTOM_METHODS: ReadonlySet<string> = new Set([
  '__init__',
  '__new__',
  'model_post_init',
  '__get_pydantic_core_schema__',
  '__get_validators__',
  '__getattr__',
]);

/** The fields of a model, or what about it is not modelled. */
export function readModel(machine: Machine, classTerm: TermId, span: Span): Model | { readonly problem: string } {
  const fields = new Map<string, ModelField>();
  let extra: Model['extra'] = 'ignore';
  for (const ancestor of [...(classLineage(machine, classTerm, span) ?? [])].reverse()) {
    if (ancestor.kind === 'external') {
      if (ancestor.identity !== BASE_MODEL && ancestor.identity !== 'py:builtins#object') return { problem: `the base class ${ancestor.identity}` };
      continue;
    }
    const definition = definitionOf(machine, ancestor.class);
    if (definition === undefined) return { problem: 'a class that was not lowered' };
    const custom = customCode(machine, definition);
    if (custom !== undefined) return { problem: custom };
    for (const field of definition.fields) {
      if (field.name === 'model_config') {
        const option = readConfig(machine, definition, field.default);
        if (typeof option === 'object') return option;
        extra = option;
      } else if (!field.name.startsWith('_') && !isClassVariable(machine, definition.module, field.annotation)) {
        if (field.annotation === undefined) return { problem: `the field ${field.name} without a type` };
        fields.set(field.name, readField(machine, definition, field.name, field.annotation, field.default, span));
      }
    }
  }
  return { name: definitionOf(machine, classTerm)?.name ?? '', fields: [...fields.values()], extra };
}

/** Validators and hooks run code of the class. */
function customCode(machine: Machine, definition: IrClass): string | undefined {
  for (const method of definition.methods) {
    if (CUSTOM_METHODS.has(method.name)) return `the method ${method.name} of ${definition.name}`;
    for (const decorator of machine.program.functions.get(method.function)?.decorators ?? []) {
      const identity = identityOf(machine, definition.module, calleeOf(decorator));
      if (identity === undefined || identity.startsWith('py:pydantic')) return `the validator ${method.name} of ${definition.name}`;
    }
  }
  return definition.decorators.length > 0 ? `a decorator of ${definition.name}` : undefined;
}

function readConfig(machine: Machine, definition: IrClass, value: Expression | undefined): Model['extra'] | { readonly problem: string } {
  const loaded = value === undefined ? undefined : loadTime(machine, definition.module, () => machine.evaluate(value));
  const view = loaded?.kind === 'value' ? recordView(machine, loaded.value) : undefined;
  if (view === undefined || view.rest !== undefined) return { problem: `the configuration of ${definition.name}` };
  let extra: Model['extra'] = 'ignore';
  for (const field of view.fields) {
    const name = stringOf(machine.store, field.key) ?? '';
    const option = stringOf(machine.store, field.value);
    if (name === 'extra' && (option === 'ignore' || option === 'forbid')) extra = option;
    else if (!HARMLESS_OPTIONS.has(name)) return { problem: `the option ${name} of ${definition.name}` };
  }
  return extra;
}

function readField(machine: Machine, definition: IrClass, name: string, annotation: Expression, value: Expression | undefined, span: Span): ModelField {
  const read = readAnnotation(machine, definition.module, annotation, span);
  const loaded = value === undefined ? undefined : loadTime(machine, definition.module, () => machine.evaluate(value));
  if (loaded !== undefined && loaded.kind !== 'value')
    return { name, type: { kind: 'unsupported', reason: `the default of ${name}` }, info: read.info, required: false };
  return fieldFrom(machine, name, read, loaded?.kind === 'value' ? loaded.value : undefined);
}

/** A field from its annotation and the value assigned to it, which may be a `Field(…)`. */
export function fieldFrom(
  machine: Machine,
  name: string,
  read: { readonly type: ModelType; readonly info: FieldInfo },
  assigned: TermId | undefined,
): ModelField {
  let { type, info } = read;
  if (assigned !== undefined && machine.typeOf(assigned) === FIELD_INFO_TYPE) {
    const own = readFieldInfo(machine, assigned);
    info = mergeInfo(info, own);
    type = own.problem === undefined ? constrained(type, own.constraints) : { kind: 'unsupported', reason: own.problem };
  } else if (assigned !== undefined && constantOf(machine.store, assigned)?.type !== 'special') info = { ...info, default: assigned };
  return { name, type, info, required: info.default === undefined && info.factory === undefined };
}

/** The default of a field: copied, so that no call changes it for another; never validated. */
export function defaultOf(machine: Machine, field: ModelField, span: Span): TermId {
  if (field.info.factory !== undefined) return machine.call(field.info.factory, { positional: [], keywords: [] }, span);
  return copyOf(machine, field.info.default ?? machine.store.null);
}

function copyOf(machine: Machine, value: TermId): TermId {
  const object = machine.object(value);
  if (object?.kind === 'list') return machine.allocate(object);
  return object?.kind === 'record' ? machine.newRecord(object.content) : value;
}

export interface Bound {
  readonly accepted: Guard;
  readonly values: ReadonlyMap<string, TermId>;
}

/** Each field from a mapping; `prepare` may change a value before it is validated. */
export function bindFields(
  validation: Validation,
  fields: readonly ModelField[],
  view: RecordView,
  prepare: (field: ModelField, value: TermId) => TermId = (_, value) => value,
): Bound {
  const { machine } = validation;
  const { store } = machine;
  let accepted: Guard = TRUE;
  const values = new Map<string, TermId>();
  for (const field of fields) {
    const found = lookup(machine, view, store.string(field.name));
    const validated = found.present === FALSE ? undefined : validate(validation, field.type, prepare(field, found.value));
    const given = validated === undefined ? FALSE : store.guards.and(found.present, validated.accepted);
    const absent = store.guards.not(found.present);
    accepted = store.guards.and(accepted, field.required ? given : store.guards.or(given, absent));
    const fallback = field.required || absent === FALSE ? undefined : defaultOf(machine, field, validation.span);
    const value = validated === undefined ? fallback : fallback === undefined ? validated.value : conditional(store, found.present, validated.value, fallback);
    values.set(field.name, value ?? store.null);
  }
  return { accepted, values };
}

export function newValidation(machine: Machine, span: Span): Validation {
  const validation: Validation = { machine, span, model: (classTerm, value) => validateModel(validation, classTerm, value) };
  return validation;
}

function validateModel(validation: Validation, classTerm: TermId, value: TermId): Validated | { readonly problem: string } {
  const { machine, span } = validation;
  const model = readModel(machine, classTerm, span);
  if ('problem' in model) return model;
  const held = machine.object(value);
  if (held?.kind === 'instance') return { accepted: held.class === classTerm ? TRUE : FALSE, exact: held.class === classTerm ? TRUE : FALSE, value };
  const isObject = machine.hasType(value, 'object');
  const view = isObject === FALSE ? undefined : recordView(machine, value);
  if (view === undefined) return { accepted: FALSE, exact: FALSE, value: machine.store.null };
  const bound = bindModel(validation, model, view);
  const accepted = machine.store.guards.and(isObject, bound.accepted);
  return { accepted, exact: accepted, value: machine.allocate({ kind: 'instance', class: classTerm, fields: bound.values }) };
}

function bindModel(validation: Validation, model: Model, view: RecordView): Bound {
  const { machine } = validation;
  const { store } = machine;
  const bound = bindFields(validation, model.fields, view);
  if (model.extra === 'ignore') return bound;
  const names = model.fields.map((field) => field.name).sort();
  const keys = store.intern({
    kind: 'list',
    as: 'list',
    segments: names.length === 0 ? [] : [{ kind: 'items', when: TRUE, items: names.map((name) => store.string(name)) }],
  });
  return { ...bound, accepted: store.guards.and(bound.accepted, machine.test('py.onlyKeys', [machine.freeze(recordTerm(machine, view)), keys])) };
}

/** `Model(**fields)`. */
export function constructModel(machine: Machine, classTerm: TermId, args: CallArguments, span: Span): TermId {
  if (args.positional.length > 0) return raise(machine, 'type', 'BaseModel.__init__() takes 1 positional argument');
  let view: RecordView | undefined = { fields: [], removed: [] };
  for (const argument of args.keywords) {
    if (view === undefined) break;
    view =
      argument.kind === 'named' ? withKey(machine, view, machine.store.string(argument.name), argument.value) : mergeRecords(machine, view, argument.of, span);
  }
  return view === undefined ? machine.store.null : modelFrom(machine, classTerm, view, span);
}

export function modelFrom(machine: Machine, classTerm: TermId, view: RecordView, span: Span): TermId {
  const model = readModel(machine, classTerm, span);
  const validation = newValidation(machine, span);
  const bound = 'problem' in model ? undefined : bindModel(validation, model, view);
  const problem = 'problem' in model ? model.problem : validation.problem;
  if (problem !== undefined) return unsupported(machine, `a model with ${problem}`, span, 'review the model by hand');
  if (bound === undefined || machine.dead) return machine.store.null;
  machine.raise(VALIDATION_ERROR, [machine.store.string('validation failed')], machine.store.guards.not(bound.accepted));
  return machine.dead ? machine.store.null : machine.allocate({ kind: 'instance', class: classTerm, fields: bound.values });
}

/** `model_dump()` with default options: a dict of the fields, models inside as dicts. */
export function dumpModel(machine: Machine, value: TermId, span: Span): TermId {
  const object = machine.object(value);
  if (object?.kind !== 'instance') return unsupported(machine, 'a dump of something that is no model', span);
  let view: RecordView = { fields: [], removed: [] };
  for (const [name, field] of object.fields) {
    if (name === 'args') continue;
    const plain = machine.overLeaves(field, (leaf) => (machine.object(leaf)?.kind === 'instance' ? dumpModel(machine, leaf, span) : copyOf(machine, leaf)));
    view = withKey(machine, view, machine.store.string(name), plain);
  }
  return machine.dead ? machine.store.null : machine.newRecord(recordTerm(machine, view));
}
