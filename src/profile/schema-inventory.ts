/** JSON Schema of an inventory file; published as `schemas/inventory.schema.json`. */
import { cel, closed, DOTTED_NAME, entries, IDENTITY, identity, KEBAB, language, listOf, mapOf, purl, relations, word, type Schema } from './schema-parts.js';

export const INVENTORY_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'inventory.schema.json',
  title: 'fcd inventory',
  ...closed(
    {
      inventory: word(KEBAB, 'Id of the inventory; the file is <id>.yaml'),
      language,
      package: { ...purl, description: 'The library, as a package URL without a version; absent for a standard library' },
      modules: listOf(word(DOTTED_NAME, 'Import name of a module'), 'Import names that are modules'),
      aliases: mapOf(identity('The canonical identity'), IDENTITY, 'Other names of the same thing (re-exports), to their canonical identity'),
      classes: mapOf(listOf(identity('A direct base'), 'Direct bases'), IDENTITY, 'Exceptions and other classes with their direct bases'),
      constants: mapOf(cel('The value'), IDENTITY, 'Attributes with a fixed value'),
      entries,
      relations,
    },
    ['inventory', 'language'],
    'The reviewed callees of one library',
  ),
};
