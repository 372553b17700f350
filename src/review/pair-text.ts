/**
 * The comparison of two releases for a terminal: for each tool a table of its calls, and under each row that changes or
 * cannot be decided the lines of both releases that make it so.
 */
import { unreachable } from '../base/errors.js';
import type { PairTable, TableRow } from '../compatibility/table.js';
import type { Verdict } from '../compatibility/verdict.js';
import type { Quotes } from '../pipeline/quotes.js';
import type { Vocabulary } from '../pipeline/vocabulary.js';
import { quoteLines } from './places-text.js';
import { rowText, sharedDimensions } from './row-text.js';
import { Speaker } from './speaker.js';
import { indented, paint, printable, type Style } from './style.js';
import { renderTable, type Row } from './table.js';
import { answerWord, pairSentence, verdictPaint } from './words.js';

export interface ToolComparison {
  readonly tool: string;
  readonly vocabulary: Vocabulary;
  readonly table: PairTable;
  /** Trees, inputs and dependencies are equal, so that nothing had to be compared. */
  readonly byDefinition: boolean;
  readonly quotes: Quotes;
}

const VERDICTS: readonly Verdict[] = ['changed', 'escalated', 'narrower', 'equal'];
const TITLES = ['CALLS', 'ANSWER', 'SOURCE', 'TARGET'];

/** Everything but the name. */
export function comparisonBody(style: Style, { table, vocabulary, byDefinition, quotes }: ToolComparison): string {
  const verdict = `${paint(style, verdictPaint(table.verdict), table.verdict)}: ${pairSentence(table.verdict)}`;
  if (byDefinition) return `${verdict}\n  Both releases have the same files, inputs and dependencies.`;
  const speaker = new Speaker(vocabulary);
  const shared = sharedDimensions(table.rows, speaker);
  const rows = table.rows.map((row, index) => tableRow(style, row, callsText(table, index, speaker), rowText(row, speaker, shared, quotes)));
  const common = speaker.facts(table.common);
  return [
    verdict,
    [...(common === '' ? (table.rows.length > 2 ? [indented(style, 2, 'The first row that fits:')] : []) : [indented(style, 2, `Where ${common}, the first row that fits:`)]), renderTable(style, TITLES, rows)].join('\n'),
    ...(table.more === 0 ? [] : [indented(style, 2, `… and ${String(table.more)} more classes of calls.`)]),
  ].join('\n\n');
}

function tableRow(style: Style, row: TableRow, calls: string, { source, target, notes, places }: ReturnType<typeof rowText>): Row {
  return {
    cells: [{ text: calls }, { text: answerWord(row.verdict), paint: verdictPaint(row.verdict) }, { text: source }, { text: target }],
    below: [...notes.map((note) => indented(style, NOTE_INDENT, printable(note), '· ')), ...quoteLines(style, places, NOTE_INDENT)],
  };
}

const NOTE_INDENT = 4;

function callsText(table: PairTable, index: number, speaker: Speaker): string {
  const row = table.rows[index];
  const text = row === undefined ? undefined : speaker.condition(row.calls);
  if (text !== undefined) return text;
  return table.rows.length === 1 ? 'all supported calls' : index === table.rows.length - 1 ? 'all other supported calls' : 'all of these calls';
}

/** `1 changes, 2 keep`: rows by what becomes of their calls. */
export function tally(rows: readonly TableRow[]): string {
  return VERDICTS.flatMap((verdict) => {
    const amount = rows.filter((row) => row.verdict === verdict).length;
    return amount === 0 ? [] : [amount === 1 && rows.length === 1 ? `every call ${answerWord(verdict)}` : someCalls(verdict)];
  }).join(', ');
}

function someCalls(verdict: Verdict): string {
  switch (verdict) {
    case 'changed':
      return 'some calls change';
    case 'escalated':
      return 'some cannot be decided';
    case 'narrower':
      return 'some narrow';
    case 'equal':
      return 'some keep';
    default:
      return unreachable(verdict);
  }
}
