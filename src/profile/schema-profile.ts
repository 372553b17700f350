/** JSON Schemas of a profile file and of a pack file; published as `schemas/profile.schema.json` and `schemas/pack.schema.json`. */
import {
  cel,
  closed,
  DOTTED_NAME,
  entries,
  flag,
  identity,
  INPUT_NAME,
  KEBAB,
  language,
  listOf,
  mapOf,
  oneOf,
  purl,
  text,
  versions,
  word,
  type Schema,
} from './schema-parts.js';

const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object', 'any'] as const;

const entryPoint = closed(
  {
    function: word('^[^\\s#]+#[^\\s#]+$', 'module#function, for example mcp_server_git#main'),
    decorators: listOf(identity('A decorator'), 'Decorators that the function may carry; any other stops'),
    parameters: listOf(
      closed(
        {
          name: text('Parameter'),
          input: word(INPUT_NAME, 'Registered input that it is bound to, for example option:repository'),
          type: text('Type of the value when set: an identity that is applied to the text, or str, int, bool, json'),
          nullable: flag('Whether it may be null when unset', false),
        },
        ['name', 'input', 'type'],
        'One parameter of the entry function',
      ),
      'Parameters in order',
    ),
  },
  ['function'],
  'One way in which the program is started',
);

/** What a pack may hold and a tool file may hold as well. */
const shared = {
  package: { ...purl, description: 'The server, as a package URL without a version' },
  packageVersions: { ...versions, description: 'Releases that the profile was reviewed for, "*" or comparisons such as ">=2025.9,<2026.7"' },
  language,
  subpath: text('Folder of the project inside a source checkout'),
  entry: { ...listOf(entryPoint, 'How the program is started; the first whose function exists is used'), minItems: 1 },
  inventories: listOf(word(KEBAB, 'Id of an inventory'), 'Inventories that the analysis may use'),
  operations: mapOf(
    closed(
      {
        description: text('What the operation does, for a reviewer'),
        words: text('What a call does, in a few words for tables, such as "reads the repository"'),
        dimensions: mapOf(
          closed(
            {
              order: { ...listOf(text('A value'), 'Values from smallest to largest, where they are ordered'), minItems: 2 },
              lowering: flag('A smaller value counts as narrower', false),
            },
            [],
            'One dimension',
          ),
          DOTTED_NAME,
          'Dimensions that every effect of this operation carries',
        ),
      },
      ['description', 'dimensions'],
      'One operation',
    ),
    DOTTED_NAME,
    'Operations, by name such as git.read',
  ),
  inputs: mapOf(
    closed(
      { description: text('What the input is'), disclosable: flag('The value may be told to the caller', false) },
      ['description'],
      'One registered input',
    ),
    INPUT_NAME,
    'Registered inputs, by kind:name such as option:repository',
  ),
  assumptions: listOf(
    closed({ id: text('Name of the assumption, in kebab-case'), text: text('What is assumed') }, ['id', 'text'], 'One assumption'),
    'What the review takes for granted',
  ),
  dependencies: mapOf(versions, '^\\S+$', 'Version ranges of dependencies that the profile was reviewed for'),
  reviewers: listOf(text('A reviewer'), 'Who reviewed it'),
};

const own = {
  pack: text('File with the shared parts, beside this one; what this file says wins'),
  id: word('^[a-z0-9][a-z0-9._-]*(/[A-Za-z0-9._-]+)?$', 'Id of the profile: <server>/<tool>'),
  version: { type: 'integer', minimum: 1, description: 'Raised with every reviewed change' },
  tool: word('^[A-Za-z0-9._/-]+$', 'The handle that --tool takes'),
  servedNames: listOf(
    closed({ versions, name: text('The name served') }, ['name'], 'A served name'),
    'Name served per range of releases, first match wins; the handle by default',
  ),
  arguments: listOf(
    closed(
      {
        name: text('Key in the arguments'),
        types: { ...listOf(oneOf(JSON_TYPES, 'A JSON type'), 'JSON types in the supported domain'), minItems: 1 },
        items: { ...listOf(oneOf(JSON_TYPES, 'A JSON type'), 'For arrays: types of the elements'), minItems: 1 },
        required: flag('Whether a call without it is outside the domain', false),
      },
      ['name', 'types'],
      'One argument',
    ),
    'Arguments in the supported domain',
  ),
  additionalArguments: flag('Whether a call with other keys is inside the domain', false),
  domain: cel('Extra condition of the domain over args'),
  entries: { ...entries, description: 'Callees of this profile alone; they win over inventories' },
  bounds: listOf(
    closed(
      {
        operation: word(DOTTED_NAME, 'Operation'),
        when: cel('Condition over args and dimensions; absent means always'),
        reason: text('Why it may never be certified'),
      },
      ['operation', 'reason'],
      'One bound',
    ),
    'Effects that may never be certified',
  ),
  facts: listOf(
    closed(
      {
        id: word(KEBAB, 'Name of the fact'),
        description: text('What it says'),
        call: closed(
          { callee: identity('The callee'), arguments: listOf(cel('Pattern over args.<name>, or _'), 'Arguments, the receiver first') },
          ['callee', 'arguments'],
          'The call that it speaks of',
        ),
        throws: { type: 'boolean', description: 'That the call throws, or that it does not' },
      },
      ['id', 'description', 'call', 'throws'],
      'A fact about the world that a caller may state',
    ),
    'Facts about the world that a caller may state',
  ),
};

export const PROFILE_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'profile.schema.json',
  title: 'fcd profile',
  ...closed({ ...own, ...shared }, ['id', 'version', 'tool'], 'The reviewed envelope of one tool'),
};

export const PACK_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'pack.schema.json',
  title: 'fcd profile pack',
  ...closed(shared, [], 'Parts that the profiles of one server share'),
};

/** Keys that a profile must have once its pack is merged. */
export const MERGED_REQUIRED = ['package', 'language', 'entry', 'inventories', 'operations'] as const;
