/** The result of `check` for a terminal: the releases, each tool, and lines that say it all at a glance. */
import { formatPlace } from '../base/errors.js';
import { unreachable } from '../base/errors.js';
import type { CheckResult, ToolAnswer } from '../pipeline/check.js';
import { comparisonBody, tally } from './pair-text.js';
import { indented, paint, printable, type Style } from './style.js';
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
    case 'table':
      return comparisonBody(style, answer);
    case 'report':
      return answer.report.verdict;
    case 'summary':
      return summaryBody(style, { tool: answer.tool, release: result.target, view: answer.summary.view, vocabulary: answer.vocabulary, quotes: answer.quotes });
    case 'failed': {
      const { error } = answer;
      const place = error.place === undefined ? '' : `${formatPlace(error.place)}: `;
      const next = error.next === undefined ? [] : [indented(style, 2, error.next, 'next: ')];
      return [paint(style, 'yellow', 'could not be analysed'), indented(style, 2, `${place}${error.message} [${error.code}]`), ...next].join('\n');
    }
    default:
      return unreachable(answer);
  }
}

function closing(style: Style, { tools }: CheckResult): string {
  const width = Math.max(...tools.map((answer) => answer.tool.length));
  const lines = tools.map((answer) => `  ${answer.tool.padEnd(width)}  ${outcome(style, answer)}`);
  const inputs = [...new Set(tools.flatMap((answer) => (answer.kind === 'table' && !answer.byDefinition ? answer.table.equalInputs : [])))].sort();
  const condition = inputs.length === 0 ? [] : [indented(style, 0, `This holds where both releases run with the same ${inputs.map(printable).join(' and ')}.`)];
  return [`${paint(style, 'bold', count(tools.length, 'tool'))}\n${lines.join('\n')}`, ...condition].join('\n\n');
}

function outcome(style: Style, answer: ToolAnswer): string {
  switch (answer.kind) {
    case 'table': {
      const { table, byDefinition } = answer;
      return `${paint(style, verdictPaint(table.verdict), table.verdict)}${byDefinition ? ' by definition' : `: ${tally(table.rows)}`}`;
    }
    case 'report':
      return paint(style, verdictPaint(answer.report.verdict), answer.report.verdict);
    case 'summary':
      return summaryCounts(answer.summary.view);
    case 'failed':
      return paint(style, 'yellow', 'could not be analysed');
    default:
      return unreachable(answer);
  }
}
