/** One line of a batch, read strictly: what is asked, or an error that says what the line lacks. DESIGN section 14. */
import { parseLiteral, type Literal } from '../analysis/literal.js';
import { isPurl } from '../base/purl.js';
import { PipelineError } from './errors.js';
import { readFacts, readSidedInputs, type FactValues, type SidedInputs } from './inputs.js';

export interface BatchCall {
  readonly source: string;
  readonly target: string;
  readonly tool: string;
  readonly arguments: Literal;
  readonly inputs: SidedInputs;
  readonly facts: FactValues;
}

export type LineId = string | number | null;

type Members = ReadonlyMap<string, Literal>;

/** Throws for text that is no JSON object. */
export function readBatchLine(text: string, place: string): Members {
  const line = parseLiteral(text, place);
  if (line.kind === 'object') return line.members;
  throw new PipelineError('call-invalid', `${place}: the line is no JSON object`, { next: 'Write one object a line, with "id", "source", "target", "tool" and "arguments".' });
}

/** Null where the line has none: the answer then stands by its place. */
export function idOf(members: Members): LineId {
  const id = members.get('id');
  if (id?.kind === 'string') return id.value;
  return id?.kind === 'number' ? Number(id.lexeme) : null;
}

/** Members that are not known are left alone: a line may carry more than the question. */
export function batchCallOf(members: Members, place: string): BatchCall {
  const call = members.get('arguments');
  const missing = [...['source', 'target', 'tool'].filter((name) => members.get(name)?.kind !== 'string'), ...(call?.kind === 'object' ? [] : ['arguments'])];
  if (call === undefined || missing.length > 0) {
    throw new PipelineError('call-invalid', `${place}: the line has no ${missing.map((name) => `"${name}"`).join(', no ')}`, {
      next: '"source", "target" and "tool" are text, "arguments" is an object.',
    });
  }
  const subpath = (side: 'source' | 'target'): string | undefined => subpathOf(members.get('subpath'), side, place);
  return {
    source: withSubpath(textOf(members, 'source'), subpath('source')),
    target: withSubpath(textOf(members, 'target'), subpath('target')),
    tool: textOf(members, 'tool'),
    arguments: call,
    inputs: readSidedInputs(members.get('inputs')),
    facts: readFacts(members.get('facts')),
  };
}

function textOf(members: Members, name: string): string {
  const value = members.get(name);
  return value?.kind === 'string' ? value.value : '';
}

/** One for both sides, or `{"source", "target"}`. */
function subpathOf(value: Literal | undefined, side: 'source' | 'target', place: string): string | undefined {
  const own = value?.kind === 'object' ? value.members.get(side) : value;
  if (own === undefined || own.kind === 'null') return undefined;
  if (own.kind === 'string') return own.value;
  throw new PipelineError('call-invalid', `${place}: "subpath" is not text`, { next: 'Write a folder inside the release, or {"source": …, "target": …}.' });
}

function withSubpath(release: string, subpath: string | undefined): string {
  if (subpath === undefined || subpath === '' || release.includes('#')) return release;
  return `${release}#${isPurl(release) ? subpath.split('/').map(encodeURIComponent).join('/') : subpath}`;
}
