/** An explained call as plain data: the decision, with the text of every line that it names. */
import type { DecisionView } from './decision-text.js';
import { decisionForm } from './json.js';
import { quoteSpan, reasonPlaces } from './quotes.js';

export function explanationForm({ tool, source, target, decision, byDefinition, quotes }: DecisionView): object {
  const form = decisionForm(decision);
  const quoted = (side: 'source' | 'target', index: number): object => {
    const span = (side === 'source' ? decision.sourceEffects : decision.targetEffects)[index]?.span;
    const text = span === undefined ? undefined : quoteSpan(quotes, side, span).text;
    return text === undefined ? {} : { text };
  };
  return {
    tool,
    source,
    target,
    byDefinition,
    verdict: form.verdict,
    sourceEffects: form.sourceEffects.map((effect, index) => ({ ...effect, ...quoted('source', index) })),
    targetEffects: form.targetEffects.map((effect, index) => ({ ...effect, ...quoted('target', index) })),
    reasons: decision.reasons.map((reason, index) => ({ ...form.reasons[index], places: reasonPlaces(quotes, reason) })),
  };
}
