/** One row of a comparison in words: which calls, what becomes of them, what both releases do, and the notes below the row. */
import { unreachable } from '../base/errors.js';
import type { Deed, Doings } from '../compatibility/doings.js';
import type { TableRow } from '../compatibility/table.js';
import type { Reason, Side } from '../compatibility/verdict.js';
import type { Span } from '../ir/span.js';
import type { Quotes } from '../pipeline/quotes.js';
import { quoteSpan, type QuotedPlace } from './quotes.js';
import type { Speaker } from './speaker.js';
import { unique } from './words.js';

const LINES_SHOWN_MAX = 3;
/** Past it, a table says only what kind of effect it is. */
const LINE_LENGTH_MAX = 64;

export interface RowText {
  readonly source: string;
  readonly target: string;
  readonly notes: readonly string[];
  readonly places: readonly QuotedPlace[];
}

/** Dimensions that `shared` names are the same in all effects of the table. */
export function rowText(row: TableRow, speaker: Speaker, shared: ReadonlySet<string>, quotes: Quotes): RowText {
  const detailed = row.verdict === 'changed';
  const source = deedLines(row.source, speaker, shared, detailed);
  const target = deedLines(row.target, speaker, shared, detailed);
  return { source: sourceCell(row, source, speaker), target: targetCell(row, source, target, speaker), notes: notesOf(row, speaker), places: placesOf(row, quotes) };
}

/** Dimensions that have one value in all effects of all rows: who reads the table knows them. */
export function sharedDimensions(rows: readonly TableRow[], speaker: Speaker): ReadonlySet<string> {
  const deeds = rows.flatMap((row) => [...row.source.deeds, ...row.target.deeds]);
  const values = new Map<string, Set<string>>();
  for (const deed of deeds) {
    for (const { name, value } of deed.dimensions) values.set(name, (values.get(name) ?? new Set()).add(speaker.value(value)));
  }
  const everywhere = (name: string): boolean => deeds.every((deed) => deed.dimensions.some((dimension) => dimension.name === name));
  return new Set([...values].filter(([name, texts]) => texts.size === 1 && deeds.length > 1 && everywhere(name)).map(([name]) => name));
}

/** What only covers reading what the call names is left out beside other effects. */
export function mainDeeds({ deeds }: Doings): readonly Deed[] {
  const main = deeds.filter((deed) => !deed.baseline);
  return main.length > 0 ? main : deeds;
}

function deedLines(doings: Doings, speaker: Speaker, shared: ReadonlySet<string>, detailed: boolean): readonly string[] {
  const deeds = mainDeeds(doings);
  const lines = deeds.map((deed) => {
    const variants = new Set(deeds.filter((other) => other.operation === deed.operation).map((other) => speaker.deed(other, shared)));
    const text = speaker.deed(deed, shared);
    const all = new Set([...shared, ...deed.dimensions.map((dimension) => dimension.name)]);
    return !detailed && (variants.size > 1 || text.includes('?') || text.length > LINE_LENGTH_MAX) ? speaker.deed(deed, all) : text;
  });
  const different = unique(lines);
  return different.length > LINES_SHOWN_MAX + 1 ? [...different.slice(0, LINES_SHOWN_MAX), `and ${String(different.length - LINES_SHOWN_MAX)} other effects`] : different;
}

function sourceCell(row: TableRow, lines: readonly string[], speaker: Speaker): string {
  return lines.length > 0 ? lines.join('\n') : idle(row.source, speaker);
}

function targetCell(row: TableRow, source: readonly string[], target: readonly string[], speaker: Speaker): string {
  const orRefuses = row.target.refuses === 'never' || row.target.refusedAt.length === 0 ? '' : ', or refuses';
  const idleTarget = idle(row.target, speaker);
  const same = source.length === target.length && source.every((line, at) => line === target[at]);
  switch (row.verdict) {
    case 'equal':
      return 'the same';
    case 'narrower':
      if (target.length === 0) return idleTarget === idle(row.source, speaker) && source.length === 0 ? `the same${orRefuses}` : `${idleTarget}${row.target.refuses === 'always' ? '' : orRefuses}`;
      return same ? `the same${orRefuses === '' ? ', on fewer calls' : orRefuses}` : `${target.join('\n')}${orRefuses}`;
    case 'changed':
      return target.length === 0 ? idleTarget : same ? 'the same, but see below' : target.join('\n');
    case 'escalated':
      return target.length === 0 ? idleTarget : same ? 'the same, perhaps on more calls' : target.join('\n');
    default:
      return unreachable(row.verdict);
  }
}

function idle({ refuses, served, told }: Doings, speaker: Speaker): string {
  if (!served) return 'does not serve the tool';
  if (refuses === 'always') return 'refuses';
  return told.length === 0 ? 'has no effect' : `tells of ${unique(told.map((value) => speaker.told(value))).slice(0, LINES_SHOWN_MAX).join(', ')}`;
}

function notesOf(row: TableRow, speaker: Speaker): readonly string[] {
  const turnsOn = row.turnsOn === undefined ? undefined : speaker.condition(row.turnsOn);
  switch (row.verdict) {
    case 'equal':
      return [];
    case 'narrower':
      return turnsOn === undefined ? [] : [`refuses where ${turnsOn}`];
    case 'changed':
      return unique(sentences(row.reasons, speaker));
    case 'escalated':
      return unique([...(turnsOn === undefined ? [] : [`the target does more where ${turnsOn}`]), ...sentences(row.reasons, speaker)]);
    default:
      return unreachable(row.verdict);
  }
}

/** What the columns do not say already. */
function sentences(reasons: readonly Reason[], speaker: Speaker): readonly string[] {
  const told = reasons.some((reason) => reason.code !== 'disclosure-added');
  return reasons.flatMap((reason) => (told && reason.code === 'disclosure-added' ? [] : reasonSentence(reason, speaker)));
}

/** Undefined for effects that stand in the columns. */
function reasonSentence(reason: Reason, speaker: Speaker): readonly string[] {
  const { detail } = reason;
  switch (detail?.kind) {
    case 'effect':
      if (reason.code === 'effect-added' || reason.code === 'condition-widened') return [];
      if (reason.code === 'protection-dropped' || reason.code === 'dependency-dropped') return [`the target leaves out: ${speaker.deed(detail.deed, new Set())}`];
      return [reason.message];
    case 'dimensions':
      return detail.differing.map(({ name, source, target }) => `${name} is ${speaker.value(source)} in the source and ${speaker.value(target)} in the target`);
    case 'disclosure':
      return [`the target tells ${detail.channel === 'caller' ? 'the caller' : detail.channel} of ${speaker.told(detail.told)}`];
    case undefined:
      return [`${reason.message}${reason.next === undefined ? '' : `, next: ${reason.next}`} [${reason.code}]`];
    default:
      return unreachable(detail);
  }
}

/** The line or two that make the answer, source first. */
function placesOf(row: TableRow, quotes: Quotes): readonly QuotedPlace[] {
  const places: { readonly side: Side; readonly span: Span }[] = [];
  const add = (side: Side, span: Span | undefined): void => {
    if (span !== undefined) places.push({ side, span });
  };
  switch (row.verdict) {
    case 'equal':
      return [];
    case 'narrower':
      add('target', row.target.refusedAt[0]);
      break;
    case 'changed':
    case 'escalated': {
      const reason = row.reasons.find((each) => each.span !== undefined);
      const ofSource = reason?.side === 'source' ? reason.span : reason?.otherSpan;
      const ofTarget = reason?.side === 'source' ? reason.otherSpan : reason?.span;
      add('source', guardPlace(row.source, ofSource));
      add('target', ofTarget ?? mainDeeds(row.target)[0]?.span ?? row.target.refusedAt[0]);
      break;
    }
    default:
      return unreachable(row.verdict);
  }
  return places.map(({ side, span }) => quoteSpan(quotes, side, span));
}

/** A refusal says more than the effect that it keeps from happening. */
function guardPlace(source: Doings, other: Span | undefined): Span | undefined {
  return source.refusedAt[0] ?? other ?? mainDeeds(source)[0]?.span;
}
