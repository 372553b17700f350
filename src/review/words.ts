/** The words of reports: verdicts as what happens to the calls, effects as sentences. Nothing here shows an internal name. */
import { unreachable } from '../base/errors.js';
import type { DescribedEffect, PairVerdict, Reason, Verdict } from '../compatibility/verdict.js';
import type { Paint } from './style.js';
import { printable } from './style.js';

/** What becomes of the calls of one class. */
export function answerWord(verdict: Verdict): string {
  switch (verdict) {
    case 'equal':
      return 'keep';
    case 'narrower':
      return 'narrow';
    case 'changed':
      return 'change';
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

/** `git.stage (method: "git add", repository: repo_path)`. */
export function effectName(effect: DescribedEffect): string {
  const dimensions = Object.entries(effect.dimensions)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}: ${printable(value)}`);
  return `${effect.operation}${dimensions.length === 0 ? '' : ` (${dimensions.join(', ')})`}`;
}

export function effectSentence(effect: DescribedEffect): string {
  const context = effect.context.length === 0 ? '' : `, inside ${effect.context.map(printable).join(', ')}`;
  const when = effect.when === 'always' ? '' : `, when ${printable(effect.when)}`;
  return `${effectName(effect)}${context}${when}${effect.protective ? ' [protects]' : ''}`;
}

/** Effects that matter to a reader first; several baseline reads are told in one line. */
export function effectLines(effects: readonly DescribedEffect[]): readonly string[] {
  return unique(effects.map(effectSentence));
}

export function unique(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)];
}

export function reasonSentence(reason: Reason, oneSided = false): string {
  const side = oneSided || reason.side === 'both' ? '' : `${reason.side}: `;
  return `${side}${printable(reason.message)} [${reason.code}]`;
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
