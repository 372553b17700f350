/** The words of verdicts, and small things that several reports say alike. */
import { unreachable } from '../base/errors.js';
import type { PairVerdict, Verdict } from '../compatibility/verdict.js';
import type { Vocabulary } from '../pipeline/vocabulary.js';
import { indented, paint, printable, type Paint, type Style } from './style.js';

/** What becomes of the calls of one class. */
export function answerWord(verdict: Verdict): string {
  switch (verdict) {
    case 'equal':
      return 'keeps';
    case 'narrower':
      return 'narrows';
    case 'changed':
      return 'changes';
    case 'escalated':
      return 'cannot be decided';
    default:
      return unreachable(verdict);
  }
}

export function verdictPaint(verdict: Verdict | PairVerdict): Paint {
  switch (verdict) {
    case 'equal':
    case 'compatible':
    case 'narrower':
      return 'green';
    case 'changed':
    case 'incompatible':
      return 'red';
    case 'conditional':
    case 'escalated':
      return 'yellow';
    default:
      return unreachable(verdict);
  }
}

export function pairSentence(verdict: PairVerdict): string {
  switch (verdict) {
    case 'compatible':
      return 'every supported call keeps its effects or does less';
    case 'conditional':
      return 'some calls keep their effects or do less, others do not';
    case 'incompatible':
      return 'no call is certain to keep its effects';
    case 'escalated':
      return 'could not be decided';
    default:
      return unreachable(verdict);
  }
}

export function callSentence(verdict: Verdict): string {
  switch (verdict) {
    case 'equal':
      return 'the target does the same';
    case 'narrower':
      return 'the target does a part of it, or refuses';
    case 'changed':
      return 'the target does something else';
    case 'escalated':
      return 'it could not be decided';
    default:
      return unreachable(verdict);
  }
}

/** What the operations mean that a report names. */
export function operationLegend(style: Style, used: ReadonlySet<string>, { operations }: Vocabulary): readonly string[] {
  const lines = [...used].sort().flatMap((id) => {
    const operation = operations.get(id);
    return operation === undefined ? [] : [paint(style, 'dim', indented(style, 2, printable(operation.description), `${id}: `))];
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
}

export function unique(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)];
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${String(amount)} ${amount === 1 ? one : many}`;
}
