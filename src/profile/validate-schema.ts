/** Checks loaded data against a schema and words what is wrong for an author: place, what was expected, and the fix. */
import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { InvariantError } from '../base/errors.js';
import { findingAt, type Finding, type LoadCode } from './finding.js';
import { nearest } from './nearest.js';
import type { Schema } from './schema-parts.js';
import type { Path, YamlText } from './yaml-text.js';

let checker: Ajv2020 | undefined;
const compiled = new WeakMap<Schema, ValidateFunction>();

export function validateSchema(yaml: YamlText, schema: Schema): Finding[] {
  checker ??= newChecker();
  const validate = compiled.get(schema) ?? checker.compile(schema);
  compiled.set(schema, validate);
  if (validate(yaml.data)) return [];
  return (validate.errors ?? []).filter((error) => !isEcho(error)).map((error) => finding(yaml, error));
}

/** Loaded when there is something to check: most runs find their documents checked already. */
function newChecker(): Ajv2020 {
  const library = createRequire(import.meta.url)('ajv/dist/2020.js') as { readonly Ajv2020: typeof Ajv2020 };
  return new library.Ajv2020({ allErrors: true, discriminator: true, verbose: true, strict: true, strictTypes: false, strictRequired: false });
}

/** Errors that only repeat another, more exact one. */
function isEcho(error: ErrorObject): boolean {
  if (error.keyword === 'if' || error.keyword === 'propertyNames') return true;
  return error.keyword === 'required' && error.parentSchema?.['discriminator'] !== undefined;
}

function finding(yaml: YamlText, error: ErrorObject): Finding {
  const path = pathOf(error.instancePath, yaml);
  const say = (at: Path, part: 'key' | 'value', code: LoadCode, message: string, fix: string): Finding =>
    findingAt(yaml.places.locate(yaml.data, at, part), code, message, fix);
  const where = path.length === 0 ? 'the document' : `"${path.join('.')}"`;
  const parent = (error.parentSchema ?? {}) as Readonly<Record<string, unknown>>;
  const meaning = typeof parent['description'] === 'string' ? parent['description'] : undefined;
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = Object.keys(parent['properties'] ?? {});
      const near = nearest(key, known);
      const fix = near === undefined ? `Keys here are: ${known.join(', ')}.` : `Did you mean "${near}"? Keys here are: ${known.join(', ')}.`;
      return say([...path, key], 'key', 'schema-unknown-key', `unknown key "${key}" in ${where}`, fix);
    }
    case 'required': {
      const key = String(params['missingProperty']);
      return say(path, 'key', 'schema-missing-key', `the key "${key}" is missing in ${where}`, `Add "${key}".`);
    }
    case 'discriminator': {
      if (!('model' in Object(error.data)))
        return say(path, 'key', 'schema-missing-key', `the key "model" is missing in ${where}`, `Add "model", one of: ${modelKinds(parent).join(', ')}.`);
      const near = nearest(String(params['tagValue']), modelKinds(parent));
      return say(
        [...path, 'model'],
        'value',
        'schema-not-allowed',
        `"${String(params['tagValue'])}" is not a kind of model`,
        `${near === undefined ? '' : `Did you mean "${near}"? `}Use one of: ${modelKinds(parent).join(', ')}.`,
      );
    }
    case 'type':
      return say(
        path,
        'value',
        'schema-wrong-type',
        `${where} must be ${typeName(params['type'])}, not ${shown(error.data)}`,
        expected(meaning, params['type'] === 'string' ? 'Write text, in quotes where YAML reads something else' : 'Correct the value'),
      );
    case 'enum':
      return say(
        path,
        'value',
        'schema-not-allowed',
        `${where} is ${shown(error.data)}`,
        `Use one of: ${(params['allowedValues'] as readonly unknown[]).map(String).join(', ')}.`,
      );
    case 'const':
      return say(path, 'value', 'schema-not-allowed', `${where} is ${shown(error.data)}`, `Use "${String(params['allowedValue'])}" or the longer form.`);
    case 'pattern':
      // A key that breaks its pattern is told by its own error; the property name is then the value at fault.
      if (error.propertyName !== undefined)
        return say(
          [...path, error.propertyName],
          'key',
          'schema-not-allowed',
          `the key "${error.propertyName}" in ${where} has not the right form`,
          `It must match ${String(params['pattern'])}.`,
        );
      return say(
        path,
        'value',
        'schema-not-allowed',
        `${where} is ${shown(error.data)}, which has not the right form`,
        `${expected(meaning, 'Correct the value')} It must match ${String(params['pattern'])}.`,
      );
    default:
      return say(path, 'value', 'schema-not-allowed', `${where} ${error.message ?? 'is not allowed'}`, expected(meaning, 'Correct the value'));
  }
}

function modelKinds(parent: Readonly<Record<string, unknown>>): string[] {
  const branches = parent['oneOf'];
  if (!Array.isArray(branches)) throw new InvariantError('a discriminator without oneOf');
  return (branches as { properties: { model: { const: string } } }[]).map((branch) => branch.properties.model.const);
}

function pathOf(pointer: string, yaml: YamlText): Path {
  const path: (string | number)[] = [];
  let current: unknown = yaml.data;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(current) ? Number(key) : key);
    current = (current as Record<string, unknown>)[key];
  }
  return path;
}

function expected(meaning: string | undefined, otherwise: string): string {
  return meaning === undefined ? `${otherwise}.` : `${otherwise}: ${meaning}.`;
}

function typeName(type: unknown): string {
  const names: Readonly<Record<string, string>> = { string: 'text', object: 'a map', array: 'a list', boolean: 'true or false', integer: 'a whole number' };
  return names[String(type)] ?? String(type);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a map';
  return JSON.stringify(value);
}
