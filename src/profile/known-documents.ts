/**
 * YAML documents as valid data: parsed strictly and checked against their schema, or remembered from a time when they
 * were. What is remembered has no places; whoever finds a problem in it loads the text again without the memory.
 */
import { InvariantError } from '../base/errors.js';
import type { JsonValue } from '../base/canonical-json.js';
import { throwOnErrors } from './finding.js';
import type { Schema } from './schema-parts.js';
import { validateSchema } from './validate-schema.js';
import { parseYamlStrict, PlaceTable, type SourceText, type YamlText } from './yaml-text.js';

export interface KnownDocuments {
  /** The data of a text that was valid under the schema of this name. */
  find(schema: string, text: string): JsonValue | undefined;
  remember(schema: string, text: string, data: JsonValue): void;
}

export function readDocument(source: SourceText, schema: Schema, known: KnownDocuments | undefined): YamlText {
  const name = schema['$id'];
  if (typeof name !== 'string') throw new InvariantError('a schema of documents has an $id');
  const data = known?.find(name, source.text);
  if (data !== undefined) return { data, places: new PlaceTable({ file: source.file, line: 1, column: 1 }) };
  const yaml = parseYamlStrict(source);
  throwOnErrors(validateSchema(yaml, schema));
  known?.remember(name, source.text, yaml.data);
  return yaml;
}
