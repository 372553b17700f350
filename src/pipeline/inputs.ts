/**
 * Registered inputs and facts as users write them. An input that is not given is unknown and equal on both sides; `null`
 * means known to be unset. Values are text, as command lines and environments have them.
 */
import { JsonError } from '../base/canonical-json.js';
import { unreachable } from '../base/errors.js';
import { parseJsonStrict } from '../base/parse-json.js';
import type { Literal } from '../analysis/literal.js';
import { PipelineError } from './errors.js';

/** By name, `kind:name`. */
export type InputValues = ReadonlyMap<string, string | null>;
/** By the id that the profile gives. */
export type FactValues = ReadonlyMap<string, boolean>;

export interface SidedInputs {
  readonly source: InputValues;
  readonly target: InputValues;
}

export const NO_INPUTS: SidedInputs = { source: new Map(), target: new Map() };

const KINDS = ['option', 'env', 'config', 'file', 'flag', 'client', 'process', 'filesystem', 'dependency'];
const NAME = new RegExp(`^(?:${KINDS.join('|')}):\\S+$`);
const UNKNOWN_IS_LEFT_OUT = 'Write ID=true or ID=false; leave a fact out that is not known.';
const EXAMPLE = 'Write it as KIND:NAME=VALUE, for example option:repository=/srv/repo, or KIND:NAME=null for an input that is known to be unset.';

/** `option:repository=/srv/repo`. To say the text `null`, put it in quotes: `option:name="null"`. */
export function parseInput(text: string): readonly [name: string, value: string | null] {
  const at = text.indexOf('=');
  if (at < 0) throw new PipelineError('input-invalid', `the input "${text}" has no value`, { next: EXAMPLE });
  return [checkInputName(text.slice(0, at)), inputValue(text.slice(at + 1))];
}

function inputValue(text: string): string | null {
  if (text === 'null') return null;
  if (!text.startsWith('"')) return text;
  try {
    const value = parseJsonStrict(text);
    return typeof value === 'string' ? value : text;
  } catch (error) {
    if (error instanceof JsonError) return text;
    throw error;
  }
}

/** The `inputs` of a batch line: `{"source": {…}, "target": {…}}`. */
export function readSidedInputs(value: Literal | undefined): SidedInputs {
  if (value === undefined) return NO_INPUTS;
  if (value.kind !== 'object') throw new PipelineError('input-invalid', '"inputs" is not an object', { next: 'Write it as {"source": {"option:repository": "/srv/repo"}, "target": {}}.' });
  const stranger = [...value.members.keys()].find((key) => key !== 'source' && key !== 'target');
  if (stranger !== undefined) throw new PipelineError('input-invalid', `"inputs" has a member "${stranger}"`, { next: 'Its members are "source" and "target".' });
  return { source: readInputs(value.members.get('source'), 'inputs.source'), target: readInputs(value.members.get('target'), 'inputs.target') };
}

function readInputs(value: Literal | undefined, where: string): InputValues {
  if (value === undefined) return new Map();
  if (value.kind !== 'object') throw new PipelineError('input-invalid', `"${where}" is not an object`, { next: 'Write it as {"option:repository": "/srv/repo"}.' });
  return new Map([...value.members].map(([name, member]) => [checkInputName(name), literalText(name, member)]));
}

function literalText(name: string, value: Literal): string | null {
  switch (value.kind) {
    case 'null':
      return null;
    case 'string':
      return value.value;
    case 'boolean':
      return String(value.value);
    case 'number':
      return value.lexeme;
    case 'array':
    case 'object':
      throw new PipelineError('input-invalid', `the input "${name}" is neither text, a number, true, false nor null`, { next: 'Write the value as the text that the server is given.' });
    default:
      return unreachable(value);
  }
}

export function readFacts(value: Literal | undefined): FactValues {
  if (value === undefined) return new Map();
  if (value.kind !== 'object') throw new PipelineError('fact-invalid', '"facts" is not an object', { next: 'Write it as {"FACT-ID": true}.' });
  return new Map(
    [...value.members].map(([id, member]) => {
      if (member.kind !== 'boolean') throw new PipelineError('fact-invalid', `the fact "${id}" is neither true nor false`, { next: UNKNOWN_IS_LEFT_OUT });
      return [id, member.value];
    }),
  );
}

/** `branch-name-is-a-revision=true`. */
export function parseFact(text: string): readonly [id: string, value: boolean] {
  const match = /^([^=\s]+)=(true|false)$/.exec(text);
  if (match === null) throw new PipelineError('fact-invalid', `"${text}" is not a fact`, { next: UNKNOWN_IS_LEFT_OUT });
  return [match[1] ?? '', match[2] === 'true'];
}

function checkInputName(name: string): string {
  if (NAME.test(name)) return name;
  throw new PipelineError('input-invalid', `"${name}" names no input`, { next: `${EXAMPLE} The kinds are ${KINDS.join(', ')}.` });
}
