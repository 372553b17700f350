/** Inventory entries and relations: from validated YAML data to their loaded form. */
import { digestOfForm } from './canonical-form.js';
import type { DimensionModel, EntryParameter, Form, InventoryEntry, Model, Relation, ThrowModel } from './inventory.js';
import { parseParameters } from './parameters.js';
import type { RawDimensions, RawEntry, RawForm, RawRelation, RawThrow } from './raw-form.js';
import type { ReadContext } from './read-context.js';
import { unreachable } from '../base/errors.js';
import type { Path } from './yaml-text.js';

export function loadEntries(raw: readonly RawEntry[], path: Path, context: ReadContext): ReadonlyMap<string, InventoryEntry> {
  const entries = new Map<string, InventoryEntry>();
  for (const [index, rawEntry] of raw.entries()) {
    const at = [...path, index];
    const callee = context.identity(rawEntry.callee, [...at, 'callee']);
    if (entries.has(callee)) {
      context.report([...at, 'callee'], 'duplicate-callee', `the callee "${callee}" has two entries`, 'Put all its forms in one entry.');
    }
    const form: Omit<InventoryEntry, 'digest' | 'words'> = {
      callee,
      access: rawEntry.access ?? 'call',
      ...(rawEntry.async === true ? { async: true as const } : {}),
      parameters: loadParameters(rawEntry.parameters ?? '', [...at, 'parameters'], context),
      forms: loadForms(rawEntry.forms, callee, [...at, 'forms'], context),
      ...(rawEntry.note === undefined ? {} : { note: rawEntry.note }),
    };
    entries.set(callee, { ...form, ...(rawEntry.words === undefined ? {} : { words: rawEntry.words }), digest: digestOfForm(form) });
  }
  return entries;
}

export function loadRelations(raw: readonly RawRelation[], path: Path, context: ReadContext): readonly Relation[] {
  const relations = raw.map((relation, index): Relation => {
    const at = [...path, index];
    const when = context.optionalCel(relation.when, [...at, 'when']);
    for (const side of ['if', 'implies'] as const) {
      context.identity(relation[side].callee, [...at, side, 'callee']);
      if (relation[side].type !== undefined) context.identity(relation[side].type, [...at, side, 'type']);
    }
    return {
      id: relation.id,
      versions: context.range(relation.versions, [...at, 'versions']),
      reason: relation.reason,
      if: relation.if,
      implies: relation.implies,
      ...(when === undefined ? {} : { when }),
    };
  });
  reportRepeatedIds(relations, path, 'relations', context);
  return relations;
}

export function reportRepeatedIds(items: readonly { readonly id: string }[], path: Path, what: string, context: ReadContext): void {
  const seen = new Set<string>();
  for (const [index, { id }] of items.entries()) {
    if (seen.has(id)) context.report([...path, index, 'id'], 'duplicate-id', `two ${what} have the id "${id}"`, 'Give each its own id.');
    seen.add(id);
  }
}

function loadParameters(text: string, path: Path, context: ReadContext): readonly EntryParameter[] {
  const parsed = parseParameters(text);
  if (parsed.kind === 'parsed') return parsed.parameters;
  const fix = 'Write parameters as in "path=None, /, *words, key=None, **options".';
  context.report(path, parsed.code, parsed.message, fix, 'value', parsed.offset);
  return [];
}

function loadForms(raw: readonly RawForm[], callee: string, path: Path, context: ReadContext): readonly Form[] {
  const forms = raw.map((form, index): Form => {
    const at = [...path, index];
    const when = context.optionalCel(form.when, [...at, 'when']);
    return {
      id: form.id,
      versions: context.range(form.versions, [...at, 'versions']),
      ...(when === undefined ? {} : { when }),
      model: loadModel(form, callee, at, context),
      ...(form.type === undefined ? {} : { type: form.type }),
      throws: loadThrows(form.throws, [...at, 'throws'], context),
    };
  });
  reportRepeatedIds(forms, path, 'forms', context);
  return forms;
}

/** Saying nothing is saying that anything may be thrown. */
function loadThrows(raw: RawForm['throws'], path: Path, context: ReadContext): readonly ThrowModel[] {
  if (raw === undefined) return [{}];
  return raw === 'never' ? [] : loadThrowModels(raw, path, context);
}

function loadThrowModels(raw: readonly RawThrow[], path: Path, context: ReadContext): readonly ThrowModel[] {
  return raw.map((item, index): ThrowModel => {
    const at = [...path, index];
    const when = context.optionalCel(item.when, [...at, 'when']);
    return {
      ...(item.type === undefined ? {} : { type: context.identity(item.type, [...at, 'type']) }),
      ...(when === undefined ? {} : { when }),
      ...(item.as === undefined
        ? {}
        : {
            as: {
              callee: context.identity(item.as.callee, [...at, 'as', 'callee']),
              arguments: context.cels(item.as.arguments, [...at, 'as', 'arguments']),
            },
          }),
    };
  });
}

function loadModel(form: RawForm, callee: string, path: Path, context: ReadContext): Model {
  const optional = (field: 'resource' | 'value', text: string | undefined): object => {
    const cel = context.optionalCel(text, [...path, field]);
    return cel === undefined ? {} : { [field]: cel };
  };
  switch (form.model) {
    case 'pure':
      return { kind: 'pure', function: form.function ?? callee };
    case 'observes':
      return { kind: 'observes', ...optional('resource', form.resource), disclosed: form.disclosed ?? true };
    case 'fresh':
      return { kind: 'fresh' };
    case 'returns':
      return { kind: 'returns', value: context.cel(form.value, [...path, 'value']) };
    case 'guard':
      return { kind: 'guard' };
    case 'input':
      return { kind: 'input', name: context.cel(form.name, [...path, 'name']) };
    case 'effect':
      return {
        kind: 'effect',
        operation: form.operation,
        dimensions: loadDimensions(form.dimensions, [...path, 'dimensions'], context),
        ...optional('resource', form.resource),
        protective: form.protective ?? false,
        baseline: form.baseline ?? false,
        refuses: loadThrowModels(form.refuses ?? [], [...path, 'refuses'], context),
      };
    case 'calls':
      return {
        kind: 'calls',
        closure: form.closure,
        arguments: context.cels(form.arguments ?? [], [...path, 'arguments']),
        ...(form.context === undefined
          ? {}
          : {
              context: {
                operation: form.context.operation,
                dimensions: loadDimensions(form.context.dimensions, [...path, 'context', 'dimensions'], context),
              },
            }),
      };
    case 'context':
      return {
        kind: 'context',
        operation: form.operation,
        dimensions: loadDimensions(form.dimensions, [...path, 'dimensions'], context),
        ...optional('value', form.value),
      };
    case 'registers':
      return {
        kind: 'registers',
        role: form.role,
        fields: new Map(Object.entries(form.fields).map(([key, text]) => [key, context.cel(text, [...path, 'fields', key])])),
        returns: form.returns ?? 'none',
      };
    case 'serves':
      return { kind: 'serves', server: context.cel(form.server, [...path, 'server']) };
    case 'intrinsic':
      return { kind: 'intrinsic', name: form.name };
    case 'refuse':
      return { kind: 'refuse', reason: form.reason };
    default:
      return unreachable(form);
  }
}

function loadDimensions(raw: RawDimensions, path: Path, context: ReadContext): ReadonlyMap<string, DimensionModel> {
  return new Map(
    Object.entries(raw).map(([name, dimension]): [string, DimensionModel] =>
      typeof dimension === 'string'
        ? [name, { value: context.cel(dimension, [...path, name]), exact: true }]
        : [name, { value: context.cel(dimension.value, [...path, name, 'value']), exact: dimension.exact ?? true }],
    ),
  );
}
