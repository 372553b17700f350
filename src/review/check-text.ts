/** The result of `check` for a terminal: the releases, each tool, and one line that says it all. */
import { formatPlace } from '../base/errors.js';
import type { CheckResult, ToolAnswer } from '../pipeline/check.js';
import { tally, toolComparisonText } from './pair-text.js';
import { indented, paint, type Style } from './style.js';
import { summaryCounts, summaryTable } from './summary-text.js';
import { count, verdictPaint } from './words.js';

export function checkText(style: Style, result: CheckResult): string {
  const head = result.source === undefined ? paint(style, 'bold', result.target) : `${paint(style, 'bold', result.target)}\nagainst ${result.source}`;
  return [head, ...result.tools.map((tool) => toolText(style, tool, result)), closing(style, result)].join('\n\n');
}

function toolText(style: Style, answer: ToolAnswer, result: CheckResult): string {
  switch (answer.kind) {
    case 'pair':
      return toolComparisonText(style, answer);
    case 'summary':
      return summaryTable(style, { tool: answer.tool, release: result.target, view: answer.summary.view, operations: answer.operations, quotes: answer.quotes });
    case 'failed': {
      const { error } = answer;
      const place = error.place === undefined ? '' : `${formatPlace(error.place)}: `;
      const next = error.next === undefined ? [] : [indented(style, 2, error.next, 'next: ')];
      return [`${paint(style, 'bold', answer.tool)}  ${paint(style, 'yellow', 'could not be analysed')}`, indented(style, 2, `${place}${error.message} [${error.code}]`), ...next].join('\n');
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
