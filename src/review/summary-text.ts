/** The summary of one tool of one release for a terminal, as a table or as a tree of the calls that lead to each effect. */
import type { DescribedExit, PlacedEffect, SummaryView } from '../pipeline/describe-summary.js';
import type { Quotes } from '../pipeline/quotes.js';
import type { Vocabulary } from '../pipeline/vocabulary.js';
import { formatSpan } from '../ir/span.js';
import { quoteLines, reasonsText } from './places-text.js';
import { quoteSpan } from './quotes.js';
import { shortName, Speaker } from './speaker.js';
import { indented, paint, printable, type Style } from './style.js';
import { renderTable, type Row } from './table.js';
import { count, operationLegend, unique } from './words.js';

export interface SummaryReport {
  readonly tool: string;
  readonly release: string;
  readonly view: SummaryView;
  readonly vocabulary: Vocabulary;
  readonly quotes: Quotes;
}

export function summaryTable(style: Style, report: SummaryReport): string {
  return `${paint(style, 'bold', report.tool)}  ${paint(style, 'dim', report.release)}\n  ${summaryBody(style, report)}`;
}

/** Everything but the names. */
export function summaryBody(style: Style, report: SummaryReport): string {
  const { view, vocabulary, quotes } = report;
  const speaker = new Speaker(vocabulary);
  const parts = [counts(style, view), ...providedText(style, view, speaker)];
  if (view.effects.length > 0) parts.push(renderTable(style, ['EFFECT', 'WHERE'], view.effects.map((effect) => effectRow(style, effect, speaker, quotes))));
  return [...parts, ...rest(style, report, speaker)].join('\n\n');
}

/** Outermost call first; calls that effects share are printed once. */
export function summaryTree(style: Style, report: SummaryReport): string {
  const speaker = new Speaker(report.vocabulary);
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const effect of report.view.effects) {
    const chain = [...effect.chain].reverse();
    const places = chain.map(formatSpan);
    let shared = 0;
    while (shared < places.length && shared < open.length && places[shared] === open[shared]) shared += 1;
    for (const [depth, span] of chain.entries()) {
      if (depth < shared) continue;
      const text = report.quotes.line('source', span.file, span.line)?.trim() ?? '';
      lines.push(`${' '.repeat(2 + depth * 2)}${paint(style, 'dim', `${span.file}:${String(span.line)}`)}  ${printable(text)}`);
    }
    const when = speaker.condition(effect.deed.when);
    lines.push(indented(style, 2 + chain.length * 2, `${effectText(effect, speaker)}${when === undefined ? '' : `, where ${when}`}`, `${paint(style, 'bold', '→')} `));
    open = places;
  }
  const head = `${paint(style, 'bold', report.tool)}  ${paint(style, 'dim', report.release)}\n  ${counts(style, report.view)}`;
  return [head, ...providedText(style, report.view, speaker), ...(lines.length === 0 ? [] : [lines.join('\n')]), ...rest(style, report, speaker)].join('\n\n');
}

/** `3 effects, 2 ways to refuse`. */
export function summaryCounts(view: SummaryView): string {
  if (view.absent) return 'not served by this release';
  const refusals = view.exits.filter((exit) => exit.how === 'throw').length;
  const undecided = view.escalations.length === 0 ? [] : [`${count(view.escalations.length, 'place')} could not be decided`];
  return [count(view.effects.length, 'effect'), count(refusals, 'way to refuse', 'ways to refuse'), ...undecided].join(', ');
}

function counts(style: Style, view: SummaryView): string {
  return paint(style, view.escalations.length > 0 ? 'yellow' : 'green', summaryCounts(view));
}

function providedText(style: Style, view: SummaryView, speaker: Speaker): readonly string[] {
  const provided = speaker.facts(view.provided);
  return provided === '' ? [] : [indented(style, 2, `Effects only where ${provided}.`)];
}

function effectText(effect: PlacedEffect, speaker: Speaker): string {
  return `${speaker.deed(effect.deed, new Set())}${effect.protective ? ' [protects]' : ''}`;
}

function effectRow(style: Style, effect: PlacedEffect, speaker: Speaker, quotes: Quotes): Row {
  const when = speaker.condition(effect.deed.when) ?? 'always';
  return { cells: [{ text: effectText(effect, speaker) }, { text: when }], below: quoteLines(style, effect.chain.slice(0, 1).map((span) => quoteSpan(quotes, 'source', span)), 4, true) };
}

function rest(style: Style, { view, vocabulary, quotes }: SummaryReport, speaker: Speaker): readonly string[] {
  const told = unique(view.disclosures.map(({ told: value, channel }) => `${speaker.told(value)}${channel === 'caller' ? '' : `, on ${printable(channel)}`}`));
  const refusals = view.exits.filter((exit) => exit.how === 'throw');
  return [
    ...(told.length === 0 ? [] : [indented(style, 2, `${told.join('; ')}.`, 'Tells the caller of ')]),
    ...(refusals.length === 0 ? [] : [['  Refuses:', ...refusals.flatMap((exit) => refusalLines(style, exit, speaker, quotes))].join('\n')]),
    ...(view.escalations.length === 0 ? [] : [`  Could not be decided:\n${reasonsText(style, view.escalations, quotes, { paint: 'yellow', oneSided: true })}`]),
    ...(view.inputs.length === 0 ? [] : [indented(style, 2, `${view.inputs.map(printable).join(', ')}.`, 'Reads the inputs ')]),
    ...operationLegend(style, new Set(view.effects.map((effect) => effect.operation)), vocabulary),
  ];
}

function refusalLines(style: Style, exit: DescribedExit, speaker: Speaker, quotes: Quotes): readonly string[] {
  const what = exit.type === undefined ? 'with an error of any type' : `with ${shortName(exit.type)}`;
  const when = speaker.condition(exit.condition);
  const line = indented(style, 2, `${what}${when === undefined ? '' : `, where ${when}`}`, '- ');
  return exit.span === undefined ? [line] : [line, ...quoteLines(style, [quoteSpan(quotes, 'source', exit.span)], 4, true)];
}
