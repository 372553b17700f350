/** The comparison of two releases for a terminal: for each tool a table of its calls, then what makes each change. */
import type { ClassRow, PairReport, Verdict } from '../compatibility/verdict.js';
import type { Quotes } from '../pipeline/quotes.js';
import { reasonsText } from './places-text.js';
import { shorthandFor, type Shorthand } from './shorthand.js';
import { indented, paint, printable, type Style } from './style.js';
import { renderTable, type Cell } from './table.js';
import { answerWord, effectLines, brief, pairSentence, shortValue, unique, verdictPaint } from './words.js';

export interface ToolComparison {
  readonly tool: string;
  /** What the profile says of the operations, for the legend. */
  readonly operations: ReadonlyMap<string, string>;
  readonly report: PairReport;
  /** Trees, inputs and dependencies are equal, so that nothing had to be compared. */
  readonly byDefinition: boolean;
  readonly quotes: Quotes;
}

const VERDICTS: readonly Verdict[] = ['equal', 'narrower', 'changed', 'escalated'];

/** Everything but the name: tools of which the same is to be said are told together. */
export function comparisonBody(style: Style, comparison: ToolComparison): string {
  const { report } = comparison;
  const verdict = `${paint(style, verdictPaint(report.verdict), report.verdict)}: ${pairSentence(report.verdict)}`;
  if (comparison.byDefinition) return `${verdict}\n  Both releases have the same files, inputs and dependencies.`;
  const { shown, more } = shownRows(report.classes);
  const cells = shown.map(classCells);
  const messages = [...shown.flatMap((row) => row.reasons), ...report.reasons].map((reason) => reason.message);
  const shorthand = shorthandFor([...cells.flatMap((row) => row.map((cell) => cell.text)), ...new Set(messages.map(shortValue))]);
  const rows = cells.map((row) => row.map((cell) => ({ ...cell, text: shorthand.apply(cell.text) })));
  const parts = [verdict, renderTable(style, ['CALLS', 'ANSWER', 'WHAT THEY DO'], rows), ...(more === '' ? [] : [indented(style, 2, more)])];
  if (shorthand.definitions.length > 0) parts.push(shorthand.definitions.map((definition, index) => indented(style, 2, definition, index === 0 ? 'where ' : '      ')).join('\n'));
  if (report.classesNote !== undefined) parts.push(indented(style, 2, printable(report.classesNote)));
  parts.push(...reasonSections(style, comparison, shorthand), ...notes(style, report), ...legend(style, comparison));
  return parts.filter((part) => part !== '').join('\n\n');
}

/** `1 keep, 2 narrow`: classes of calls by what becomes of them. */
export function tally(rows: readonly ClassRow[]): string {
  return VERDICTS.flatMap((verdict) => {
    const amount = rows.filter((row) => row.verdict === verdict).length;
    return amount === 0 ? [] : [`${amount} ${answerWord(verdict)}`];
  }).join(', ');
}

/** The first rows of each verdict; JSON output has them all. */
function shownRows(rows: readonly ClassRow[]): { readonly shown: readonly ClassRow[]; readonly more: string } {
  const byVerdict = VERDICTS.map((verdict) => rows.filter((row) => row.verdict === verdict));
  const more = byVerdict.flatMap((same) => (same.length > ROWS_SHOWN_MAX ? [`${same.length - ROWS_SHOWN_MAX} ${answerWord(same[0]?.verdict ?? 'equal')}`] : []));
  const shown = new Set(byVerdict.flatMap((same) => same.slice(0, ROWS_SHOWN_MAX)));
  return { shown: rows.filter((row) => shown.has(row)), more: more.length === 0 ? '' : `… and more classes of calls: ${more.join(', ')}; --json shows them all.` };
}

const ROWS_SHOWN_MAX = 6;

function classCells(row: ClassRow): readonly Cell[] {
  return [{ text: shortValue(row.condition) }, { text: answerWord(row.verdict), paint: verdictPaint(row.verdict) }, { text: whatTheyDo(row) }];
}

function whatTheyDo(row: ClassRow): string {
  const source = effectLines(row.sourceEffects);
  const target = effectLines(row.targetEffects);
  if (row.verdict === 'equal') return list(source);
  if (!sameLines(source, target)) return `before: ${list(source)}\nafter: ${list(target)}`;
  if (row.verdict === 'changed') return `${list(source)}\nafter: the same, but see below`;
  return row.verdict === 'narrower' && source.length > 0 ? `${list(source)}\nafter: the same on fewer calls, see below` : list(source);
}

function sameLines(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index]);
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? 'nothing' : lines.join('\n');
}

function reasonSections(style: Style, { report, quotes }: ToolComparison, shorthand: Shorthand): readonly string[] {
  const sections: readonly [Verdict, string][] = [
    ['changed', 'What makes the change:'],
    ['escalated', 'What could not be decided:'],
    ['narrower', 'Availability, or what the target no longer does:'],
  ];
  const said = report.classes.flatMap((row) => row.reasons);
  const extra = report.reasons.filter((reason) => !said.some((other) => other.message === reason.message && other.code === reason.code));
  return sections.flatMap(([verdict, heading]) => {
    const reasons = shownRows(report.classes).shown.filter((row) => row.verdict === verdict).flatMap((row) => row.reasons);
    // Reasons of the pair as a whole stand with its verdict.
    const all = report.verdict === 'escalated' && verdict === 'escalated' ? [...reasons, ...extra] : reasons;
    return all.length === 0 ? [] : [`${indented(style, 2, heading)}\n${reasonsText(style, all, quotes, { paint: verdictPaint(verdict), brief: true, say: shorthand.apply })}`];
  });
}

function notes(style: Style, report: PairReport): readonly string[] {
  // The classes that narrow tell the same with their places.
  const told = report.classes.some((row) => row.verdict === 'narrower');
  const availability = told ? [] : report.availability.map((note) => indented(style, 2, brief(shortValue(note)), 'availability: '));
  const inputs = report.equalInputs.map(printable).join(', ');
  const condition = inputs === '' ? [] : [indented(style, 2, `Holds where both releases run with the same ${inputs}.`)];
  return availability.length + condition.length === 0 ? [] : [unique([...availability, ...condition]).join('\n')];
}

function legend(style: Style, { report, operations }: ToolComparison): readonly string[] {
  const used = new Set(report.classes.flatMap((row) => [...row.sourceEffects, ...row.targetEffects]).map((effect) => effect.operation));
  return operationLegend(style, used, operations);
}

/** What the operations mean that a table names. */
export function operationLegend(style: Style, used: ReadonlySet<string>, operations: ReadonlyMap<string, string>): readonly string[] {
  const lines = [...used].sort().flatMap((operation) => {
    const description = operations.get(operation);
    return description === undefined ? [] : [paint(style, 'dim', indented(style, 2, description, `${operation}: `))];
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
}

