/** The result of `check` as plain data. */
import { InvariantError } from '../base/errors.js';
import type { CheckResult, ToolAnswer } from '../pipeline/check.js';
import { reportForm } from './json.js';
import { summaryForm } from './summary-json.js';

export function checkForm({ target, source, tools }: CheckResult): object {
  return { target, ...(source === undefined ? {} : { source }), tools: tools.map(toolForm) };
}

function toolForm(answer: ToolAnswer): object {
  switch (answer.kind) {
    case 'table':
      throw new InvariantError('a table is for people');
    case 'report':
      return { tool: answer.tool, byDefinition: answer.byDefinition, ...reportForm(answer.report) };
    case 'summary':
      return { tool: answer.tool, ...summaryForm(answer.summary) };
    case 'failed': {
      const { code, message, place, next } = answer.error;
      return { tool: answer.tool, error: { code, message, ...place, ...(next === undefined ? {} : { next }) } };
    }
  }
}
