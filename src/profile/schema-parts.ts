/**
 * Pieces that the published schemas share. The schemas are TypeScript constants, so that loading needs no file; the
 * files in `schemas/` are their JSON, and a test keeps the two equal. Each property is described, so that editors help.
 */
export type Schema = { readonly [key: string]: unknown };

export const LANGUAGES = ['python', 'typescript', 'javascript', 'go', 'csharp'] as const;

export const KEBAB = '^[a-z0-9]+(-[a-z0-9]+)*$';
export const DOTTED_NAME = '^[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z_][A-Za-z0-9_-]*)*$';
export const INPUT_NAME = '^(option|env|config|file|flag|client|process|filesystem|dependency):.+$';
const PURL = '^pkg:[a-z]+/[^@?#\\s]+$';
const IDENTITY = '^[a-z]+:[^\\s#]+(#[^\\s#]+)?$';

export const text = (description: string): Schema => ({ type: 'string', minLength: 1, description });
export const cel = (description: string): Schema => ({ type: 'string', minLength: 1, description: `${description} (CEL)` });
export const flag = (description: string, byDefault: boolean): Schema => ({ type: 'boolean', default: byDefault, description });
export const word = (pattern: string, description: string): Schema => ({ type: 'string', pattern, description });
export const oneOf = (words: readonly string[], description: string): Schema => ({ enum: words, description });
export const listOf = (items: Schema, description: string): Schema => ({ type: 'array', items, description });
export const mapOf = (values: Schema, keys: string, description: string): Schema => ({
  type: 'object',
  propertyNames: { pattern: keys },
  additionalProperties: values,
  description,
});
export const closed = (properties: Schema, required: readonly string[], description: string): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  description,
});

export const identity = (description: string): Schema => word(IDENTITY, `${description}, as a canonical identity such as py:git.exc#BadName`);
export const versions = { ...text('Version range, "*" or comparisons such as ">=3.1.49,<4"'), default: '*' };
export const purl = word(PURL, 'Package URL without a version, such as pkg:pypi/gitpython');
export const language = oneOf(LANGUAGES, 'Language of the code that is described');
export { IDENTITY };

const dimension: Schema = {
  if: { type: 'object' },
  then: closed(
    { value: cel('Value of the dimension'), exact: flag('False: only an approximation, so the effect never matches another', true) },
    ['value'],
    'A dimension with its exactness',
  ),
  else: cel('Value of the dimension, exact'),
  description: 'A CEL text (exact), or a map of value and exact',
};
const dimensions = mapOf(dimension, DOTTED_NAME, 'Dimensions of the effect, by name; the operation says which it has');
const operation = word(DOTTED_NAME, 'Operation, as declared by the profile, such as git.read');

const throwModel = closed(
  {
    type: identity('Exception; absent means that its type is unknown'),
    when: cel('Throws exactly when this holds'),
    as: closed(
      { callee: identity('The other callee'), arguments: listOf(cel('Argument'), 'Its arguments, the receiver first') },
      ['callee', 'arguments'],
      'Throws exactly when that other call would throw',
    ),
  },
  [],
  'One way in which the call may throw',
);

const throwsField: Schema = {
  if: { type: 'string' },
  then: { const: 'never' },
  else: { type: 'array', items: throwModel },
  description: 'Ways in which the call may throw, or "never"; absent means that it may throw an unknown type',
};

const formCommon = {
  id: word(KEBAB, 'Name of the form; part of the identity of the behaviour'),
  versions,
  when: cel('Condition over the arguments; absent means always. The first form that holds applies'),
  type: text('Type of the result: an identity, list<T>, dict<K,V>, optional<T>, str, bytes, int, float, bool, none, json'),
  throws: throwsField,
};

const model = (kind: string, description: string, fields: Schema, required: readonly string[]): Schema => {
  const properties = { ...formCommon, model: { const: kind, description }, ...fields };
  return closed(properties, ['id', 'model', ...required], description);
};

const MODELS: readonly Schema[] = [
  model('pure', 'No effect and reads nothing: a function of its arguments', { function: text('Concrete implementation; the callee by default') }, []),
  model(
    'observes',
    'Reads the world',
    { resource: cel('What is read, for example ["repository", self]'), disclosed: flag('A result that depends on it discloses the resource', true) },
    [],
  ),
  model('fresh', 'Clock, random or generated id', {}, []),
  model('returns', 'The result is this term', { value: cel('The result') }, ['value']),
  model('guard', 'May refuse the call, returns nothing', {}, []),
  model('input', 'Reads a registered input', { name: cel('Name of the input, for example "env:" + name') }, ['name']),
  model(
    'effect',
    'Has a security-relevant effect',
    {
      operation,
      dimensions,
      resource: cel('What is touched, for disclosure of the result'),
      protective: flag('Sets a protection, such as requiring encryption', false),
      baseline: flag('An ordinary effect of a resource that the call legitimately opened', false),
      refuses: listOf(throwModel, 'Conditions under which it is refused before anything happened'),
    },
    ['operation', 'dimensions'],
  ),
  model(
    'calls',
    'Calls a closure that it is given; the result is the result of the closure',
    {
      closure: text('Parameter that is the closure'),
      arguments: listOf(cel('Argument'), 'Arguments of the closure'),
      context: closed({ operation, dimensions }, ['operation', 'dimensions'], 'Context of the effects inside'),
    },
    ['closure'],
  ),
  model('context', 'Enters a context: effects inside carry it', { operation, dimensions, value: cel('What the context binds; self by default') }, [
    'operation',
    'dimensions',
  ]),
  model(
    'registers',
    'Registers a closure with a server',
    {
      role: oneOf(['tool-dispatch', 'tool-list', 'tool', 'other'], 'What the closure is registered as'),
      fields: mapOf(cel('Field'), DOTTED_NAME, 'Fields of the role: server, handler, name, schema, validation, description'),
      returns: { ...oneOf(['handler', 'none'], 'What the registering call returns'), default: 'none' },
    },
    ['role', 'fields'],
  ),
  model('serves', 'The server starts to serve: setup ends here', { server: cel('The server') }, ['server']),
  model('intrinsic', 'Implemented by the semantics of the language', { name: text('Name of the implementation') }, ['name']),
  model('refuse', 'Recognised and outside the envelope: stops', { reason: text('Why it stops, for the reader of the escalation') }, ['reason']),
];

const form: Schema = {
  type: 'object',
  required: ['model'],
  properties: { model: { description: 'Kind of the model' } },
  discriminator: { propertyName: 'model' },
  oneOf: MODELS,
  description: 'One behaviour of the callee for some arguments and versions',
};

export const entries = listOf(
  closed(
    {
      callee: identity('The callee'),
      access: { ...oneOf(['call', 'attribute'], 'Called, or read as an attribute'), default: 'call' },
      async: { type: 'boolean', default: false, description: 'A coroutine function: it runs when its result is awaited, and not at all otherwise' },
      parameters: { type: 'string', default: '', description: 'Parameters, such as "path=None, /, *words, key=None, **options"; defaults are CEL constants' },
      note: text('Why it is modelled so'),
      words: closed(
        {
          value: text('What the call gives, such as "the repository at {path}"'),
          succeeds: text('That it does not throw, such as "there is a repository at {path}"'),
          fails: text('That it throws, such as "there is no repository at {path}"'),
        },
        [],
        'How reports speak of it; parameters stand in braces, {self} is the receiver',
      ),
      forms: { ...listOf(form, 'Behaviours, in order; the first whose versions and condition hold applies'), minItems: 1 },
    },
    ['callee', 'forms'],
    'One callee with its behaviours',
  ),
  'Callees with a model for each',
);

const callPattern = (description: string): Schema =>
  closed(
    {
      callee: identity('The callee'),
      arguments: listOf(text('A variable, or _ for anything'), 'Argument patterns, the receiver first'),
      type: identity('Exception; absent means any'),
    },
    ['callee', 'arguments'],
    description,
  );

export const relations = listOf(
  closed(
    {
      id: word(KEBAB, 'Name of the relation'),
      versions,
      reason: text('Why it holds, with the grammar it relies on'),
      if: callPattern('Whenever this call throws'),
      implies: callPattern('this call throws'),
      when: cel('Extra condition over the variables'),
    },
    ['id', 'reason', 'if', 'implies'],
    'A reviewed implication between refusals',
  ),
  'Reviewed implications between refusals',
);
