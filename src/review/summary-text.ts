/** The summary of one tool of one release for a terminal, as a table or as a tree of the calls that lead to each effect. */
import type { PlacedEffect, SummaryView } from '../pipeline/describe-summary.js';
import type { Quotes } from '../pipeline/quotes.js';
import { formatSpan } from '../ir/span.js';
import { operationLegend } from './pair-text.js';
import { reasonsText } from './places-text.js';
import { indented, paint, printable, type Style } from './style.js';
import { renderTable, type Cell } from './table.js';
import { count, effectName, effectSentence, shortValue } from './words.js';

export interface SummaryReport {
  readonly tool: string;
  readonly release: string;
  readonly view: SummaryView;
  readonly operations: ReadonlyMap<string, string>;
  readonly quotes: Quotes;
}

export function summaryTable(style: Style, report: SummaryReport): string {
  return `${paint(style, 'bold', report.tool)}  ${paint(style, 'dim', report.release)}\n  ${summaryBody(style, report)}`;
}

/** Everything but the names. */
export function summaryBody(style: Style, report: SummaryReport): string {
  const { view } = report;
  const parts = [counts(style, view)];
  if (view.effects.length > 0) parts.push(renderTable(style, ['EFFECT', 'WHEN', 'WHERE'], view.effects.map(effectRow)));
  return [...parts, ...rest(style, report)].join('\n\n');
}

/** Outermost call first; calls that effects share are printed once. */
export function summaryTree(style: Style, report: SummaryReport): string {
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
      lines.push(`${' '.repeat(2 + depth * 2)}${paint(style, 'dim', `${span.file}:${span.line}`)}  ${printable(text)}`);
    }
    lines.push(indented(style, 2 + chain.length * 2, effectSentence(effect), `${paint(style, 'bold', '→')} `));
    open = places;
  }
  const head = `${paint(style, 'bold', report.tool)}  ${paint(style, 'dim', report.release)}\n  ${counts(style, report.view)}`;
  return [head, ...(lines.length === 0 ? [] : [lines.join('\n')]), ...rest(style, report)].join('\n\n');
}

/** `3 effects, 2 ways to refuse`. */
export function summaryCounts(view: SummaryView): string {
  if (view.absent) return 'not served by this release';
  const refusals = view.exits.filter((exit) => !exit.text.startsWith('returns')).length;
  const undecided = view.escalations.length === 0 ? [] : [`${count(view.escalations.length, 'place')} could not be decided`];
  return [count(view.effects.length, 'effect'), count(refusals, 'way to refuse', 'ways to refuse'), ...undecided].join(', ');
}

function counts(style: Style, view: SummaryView): string {
  return paint(style, view.escalations.length > 0 ? 'yellow' : 'green', summaryCounts(view));
}

function effectRow(effect: PlacedEffect): readonly Cell[] {
  const [first] = effect.chain;
  return [{ text: effectName(effect) }, { text: shortValue(effect.when) }, { text: first === undefined ? '' : `${first.file}:${first.line}` }];
}

function rest(style: Style, { view, operations, quotes }: SummaryReport): readonly string[] {
  const listed = (heading: string, outcomes: readonly { readonly text: string; readonly when: string }[]): readonly string[] =>
    outcomes.length === 0 ? [] : [[`  ${heading}`, ...outcomes.map(({ text, when }) => indented(style, 2, `${shortValue(text)}${when === 'always' ? '' : `, when ${shortValue(when)}`}`, '- '))].join('\n')];
  return [
    ...listed('Tells:', view.disclosures),
    ...listed('Ends:', view.exits),
    ...(view.escalations.length === 0 ? [] : [`  Could not be decided:\n${reasonsText(style, view.escalations.map(withCondition), quotes, { paint: 'yellow', oneSided: true })}`]),
    ...(view.inputs.length === 0 ? [] : [indented(style, 2, view.inputs.map(printable).join(', '), 'reads the inputs ')]),
    ...operationLegend(style, new Set(view.effects.map((effect) => effect.operation)), operations),
  ];
}

function withCondition<Escalation extends SummaryView['escalations'][number]>(escalation: Escalation): Escalation {
  return escalation.when === 'always' ? escalation : { ...escalation, message: `${escalation.message} (when ${escalation.when})` };
}
