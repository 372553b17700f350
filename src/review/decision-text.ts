/** One concrete call for a terminal: the verdict, what each release does with it, and why. */
import type { CallDecision, DescribedEffect, Side } from '../compatibility/verdict.js';
import { placeLines, reasonsText } from './places-text.js';
import type { Quotes } from '../pipeline/quotes.js';
import { quoteSpan } from './quotes.js';
import { indented, paint, type Style } from './style.js';
import { operationLegend } from './pair-text.js';
import { callSentence, effectSentence, verdictPaint } from './words.js';

export interface DecisionView {
  readonly tool: string;
  readonly source: string;
  readonly target: string;
  readonly decision: CallDecision;
  /** Settled by equal files, inputs and dependencies. */
  readonly byDefinition: boolean;
  readonly operations: ReadonlyMap<string, string>;
  readonly quotes: Quotes;
  /** With the source line of every effect, not only of what differs. */
  readonly explain: boolean;
}

export function decisionText(style: Style, view: DecisionView): string {
  const { decision } = view;
  const title = `${paint(style, 'bold', view.tool)}  ${paint(style, verdictPaint(decision.verdict), decision.verdict)}: ${callSentence(decision.verdict)}`;
  const parts = [
    title,
    `${sideTitle(style, 'source', view.source)}\n${effectsText(style, 'source', decision.sourceEffects, view)}`,
    `${sideTitle(style, 'target', view.target)}\n${effectsText(style, 'target', decision.targetEffects, view)}`,
  ];
  if (view.byDefinition) parts.push(indented(style, 2, 'Both releases have the same files, inputs and dependencies.'));
  if (decision.reasons.length > 0) parts.push(`  Why:\n${reasonsText(style, decision.reasons, view.quotes, { paint: verdictPaint(decision.verdict) })}`);
  const used = new Set([...decision.sourceEffects, ...decision.targetEffects].map((effect) => effect.operation));
  return [...parts, ...operationLegend(style, used, view.operations)].join('\n\n');
}

function sideTitle(style: Style, side: Side, release: string): string {
  return `  ${side}  ${paint(style, 'dim', release)}`;
}

function effectsText(style: Style, side: Side, effects: readonly DescribedEffect[], view: DecisionView): string {
  if (effects.length === 0) return indented(style, 4, 'does nothing that the profile counts as an effect');
  return effects
    .flatMap((effect) => {
      const place = !view.explain || effect.span === undefined ? [] : placeLines(style, [quoteSpan(view.quotes, side, effect.span)]).map((line) => `  ${line}`);
      return [indented(style, 4, effectSentence(effect), '- '), ...place];
    })
    .join('\n');
}
