/** The JSON schema of a model as pydantic 2 writes it, apart from the descriptions that come from docstrings. */
import { listOf } from '../../../analysis/construct.js';
import { TRUE } from '../../../analysis/guards.js';
import type { Machine } from '../../../analysis/machine.js';
import type { TermId } from '../../../analysis/terms.js';
import { unreachable } from '../../../base/errors.js';
import type { Span } from '../../../ir/span.js';
import { definitionOf } from '../dataclasses.js';
import { enumClass, memberParts } from '../enums.js';
import { unsupported } from '../failures.js';
import { kindOf } from '../kinds.js';
import { constantOf } from '../terms.js';
import { readModel, type Model, type ModelField } from './model.js';
import type { Constraints, ModelType } from './model-type.js';

type Schema = ReadonlyMap<string, TermId>;

interface Generation {
  readonly machine: Machine;
  readonly span: Span;
  readonly definitions: Map<string, TermId>;
  readonly root: string;
  problem?: string;
}

export function modelSchema(machine: Machine, classTerm: TermId, span: Span): TermId {
  const model = readModel(machine, classTerm, span);
  if ('problem' in model) return unsupported(machine, `the schema of a model with ${model.problem}`, span, 'review the model by hand');
  const generation: Generation = { machine, span, definitions: new Map(), root: model.name };
  const schema = new Map(objectSchema(generation, model));
  if (generation.problem !== undefined) return unsupported(machine, `the schema of a model with ${generation.problem}`, span, 'review the model by hand');
  const definitions = [...generation.definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  if (definitions.length > 0) schema.set('$defs', record(machine, new Map(definitions)));
  return machine.newRecord(record(machine, schema));
}

function record(machine: Machine, fields: Schema): TermId {
  return machine.store.intern({ kind: 'record', fields: [...fields].map(([key, value]) => ({ when: TRUE, key: machine.store.string(key), value })) });
}

function objectSchema(generation: Generation, model: Model): Schema {
  const { machine } = generation;
  const { store } = machine;
  const schema = new Map<string, TermId>();
  if (model.extra === 'forbid') schema.set('additionalProperties', store.false);
  schema.set('properties', record(machine, new Map(model.fields.map((field) => [field.name, record(machine, fieldSchema(generation, field))]))));
  const required = model.fields.filter((field) => field.required).map((field) => store.string(field.name));
  if (required.length > 0) schema.set('required', listOf(store, 'list', required));
  schema.set('title', store.string(model.name));
  schema.set('type', store.string('object'));
  return schema;
}

function fieldSchema(generation: Generation, field: ModelField): Schema {
  const { machine } = generation;
  const { store } = machine;
  const schema = new Map(typeSchema(generation, field.type));
  if (field.info.default !== undefined) {
    const plain = plainDefault(machine, field.info.default);
    if (plain === undefined) generation.problem ??= `the default of ${field.name}`;
    else schema.set('default', plain);
  }
  if (field.info.description !== undefined) schema.set('description', store.string(field.info.description));
  if (field.info.title !== undefined) schema.set('title', store.string(field.info.title));
  else if (!schema.has('$ref')) schema.set('title', store.string(titleOf(field.name)));
  return schema;
}

/** `file_path` is "File Path". */
function titleOf(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/[A-Za-z]+/g, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase())
    .trim();
}

function plainDefault(machine: Machine, value: TermId): TermId | undefined {
  const kind = kindOf(machine, value);
  if (kind.kind === 'enum') return kind.member.value;
  const frozen = machine.freeze(value);
  const term = machine.store.term(frozen);
  return constantOf(machine.store, frozen) !== undefined || term.kind === 'list' || term.kind === 'record' ? frozen : undefined;
}

function typeSchema(generation: Generation, type: ModelType): Schema {
  const { machine } = generation;
  const { store } = machine;
  const named = (name: string): Map<string, TermId> => new Map([['type', store.string(name)]]);
  switch (type.kind) {
    case 'any':
      return new Map();
    case 'scalar': {
      const name = { str: 'string', int: 'integer', float: 'number', bool: 'boolean', none: 'null' }[type.type];
      return withLimits(machine, named(name), type.constraints, 'Length');
    }
    case 'list':
      return withLimits(machine, new Map([['items', record(machine, typeSchema(generation, type.item))], ...named('array')]), type.constraints, 'Items');
    case 'dict':
      return new Map([
        ['additionalProperties', type.value.kind === 'any' ? store.true : record(machine, typeSchema(generation, type.value))],
        ...named('object'),
      ]);
    case 'union':
      return new Map([
        [
          'anyOf',
          listOf(
            store,
            'list',
            type.options.map((option) => record(machine, typeSchema(generation, option))),
          ),
        ],
      ]);
    case 'literal': {
      if (type.values.length === 1) return new Map([['const', type.values[0]!], ...named('string')]);
      const allText = type.values.every((value) => value !== store.null);
      return new Map([['enum', listOf(store, 'list', type.values)], ...(allText ? named('string') : [])]);
    }
    case 'enum':
      return reference(generation, type.class, () => enumSchema(generation, type.class));
    case 'model':
      return reference(generation, type.class, () => {
        const model = readModel(machine, type.class, generation.span);
        if (!('problem' in model)) return objectSchema(generation, model);
        generation.problem ??= model.problem;
        return new Map();
      });
    case 'url':
      return new Map([
        ['format', store.string('uri')],
        ['minLength', store.int(1)],
        ...named('string'),
        ...(type.identity === 'py:pydantic#HttpUrl' ? ([['maxLength', store.int(2083)]] as const) : []),
      ]);
    case 'context':
    case 'unsupported':
      generation.problem ??= type.kind === 'unsupported' ? type.reason : 'a context object as a field';
      return new Map();
    default:
      return unreachable(type);
  }
}

function withLimits(machine: Machine, schema: Map<string, TermId>, constraints: Constraints, unit: 'Length' | 'Items'): Schema {
  const { store } = machine;
  if (constraints.minLength !== undefined) schema.set(`min${unit}`, store.int(constraints.minLength));
  if (constraints.maxLength !== undefined) schema.set(`max${unit}`, store.int(constraints.maxLength));
  if (constraints.pattern !== undefined) schema.set('pattern', store.string(constraints.pattern));
  if (constraints.ge !== undefined) schema.set('minimum', constraints.ge);
  if (constraints.gt !== undefined) schema.set('exclusiveMinimum', constraints.gt);
  if (constraints.le !== undefined) schema.set('maximum', constraints.le);
  if (constraints.lt !== undefined) schema.set('exclusiveMaximum', constraints.lt);
  return schema;
}

function reference(generation: Generation, classTerm: TermId, make: () => Schema): Schema {
  const { machine } = generation;
  const name = definitionOf(machine, classTerm)?.name ?? '';
  if (name === generation.root) generation.problem ??= 'a model that contains itself';
  else if (!generation.definitions.has(name)) {
    // Entered before it is made, so that a model that contains itself ends.
    generation.definitions.set(name, machine.store.null);
    generation.definitions.set(name, record(machine, make()));
  }
  return new Map([['$ref', machine.store.string(`#/$defs/${name}`)]]);
}

function enumSchema(generation: Generation, classTerm: TermId): Schema {
  const { machine, span } = generation;
  const { store } = machine;
  const members = enumClass(machine, classTerm, span)?.members ?? [];
  const values = members.map((member) => memberParts(machine, member).value);
  if (values.some((value) => constantOf(store, value)?.type !== 'string')) generation.problem ??= 'an enum whose values are not text';
  const title = store.string(definitionOf(machine, classTerm)?.name ?? '');
  if (values.length === 1)
    return new Map([
      ['const', values[0]!],
      ['title', title],
      ['type', store.string('string')],
    ]);
  return new Map([
    ['enum', listOf(store, 'list', values)],
    ['title', title],
    ['type', store.string('string')],
  ]);
}
