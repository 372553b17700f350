/** The result of `check` for a terminal: the releases, each tool, and one line that says it all. */
import { formatPlace } from '../base/errors.js';
import type { CheckResult, ToolAnswer } from '../pipeline/check.js';
import { comparisonBody, tally } from './pair-text.js';
import { indented, paint, type Style } from './style.js';
import { summaryBody, summaryCounts } from './summary-text.js';
import { count, verdictPaint } from './words.js';

export function checkText(style: Style, result: CheckResult): string {
  const head = result.source === undefined ? paint(style, 'bold', result.target) : `${paint(style, 'bold', result.target)}\nagainst ${result.source}`;
  return [head, ...toolTexts(style, result), closing(style, result)].join('\n\n');
}

/** Tools of which the same is to be said stand together, where the first of them stands. */
function toolTexts(style: Style, result: CheckResult): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const answer of result.tools) {
    const body = bodyOf(style, answer, result);
    groups.set(body, [...(groups.get(body) ?? []), answer.tool]);
  }
  return [...groups].map(([body, tools]) => `${indented(style, 0, tools.map((tool) => paint(style, 'bold', tool)).join(', '))}\n  ${body}`);
}

function bodyOf(style: Style, answer: ToolAnswer, result: CheckResult): string {
  switch (answer.kind) {
    case 'pair':
      return comparisonBody(style, answer);
    case 'summary':
      return summaryBody(style, { tool: answer.tool, release: result.target, view: answer.summary.view, operations: answer.operations, quotes: answer.quotes });
    case 'failed': {
      const { error } = answer;
      const place = error.place === undefined ? '' : `${formatPlace(error.place)}: `;
      const next = error.next === undefined ? [] : [indented(style, 2, error.next, 'next: ')];
      return [paint(style, 'yellow', 'could not be analysed'), indented(style, 2, `${place}${error.message} [${error.code}]`), ...next].join('\n');
    }
  }
}

function closing(style: Style, result: CheckResult): string {
  const lines = result.tools.map((answer) => {
    switch (answer.kind) {
      case 'pair':
        return `${answer.tool}: ${paint(style, verdictPaint(answer.report.verdict), answer.report.verdict)}${answer.byDefinition ? ' by definition' : ` (${tally(answer.report.classes)})`}`;
      case 'summary':
        return `${answer.tool}: ${summaryCounts(answer.summary.view)}`;
      case 'failed':
        return `${answer.tool}: ${paint(style, 'yellow', 'could not be analysed')}`;
    }
  });
  return `${paint(style, 'bold', count(result.tools.length, 'tool'))}\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
