/** The words of reports: verdicts as what happens to the calls, effects as sentences. Nothing here shows an internal name. */
import { unreachable } from '../base/errors.js';
import type { DescribedEffect, PairVerdict, Verdict } from '../compatibility/verdict.js';
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

/**
 * A value in words, for people: without the module of a library function, and without trailing arguments that only spell
 * out defaults. Text in quotes stays as it is. JSON output has the whole.
 */
export function shortValue(text: string): string {
  return printable(text)
    .split(QUOTED)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(MODULE_PREFIX, '').replace(TRAILING_DEFAULTS, ')')))
    .join('');
}

const QUOTED = /("(?:[^"\\]|\\.)*")/;
const MODULE_PREFIX = /\b(?:[a-z_][\w]*\.)+(?=[A-Za-z_]\w*\()/g;
const TRAILING_DEFAULTS = /(?:, (?:null|true|false|\[\]|\{\}))+\)/g;

/** `git.stage (method: "git add", repository: Repo(args.repo_path))`. */
export function effectName(effect: DescribedEffect): string {
  const dimensions = Object.entries(effect.dimensions)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}: ${shortValue(value)}`);
  const context = effect.context.length === 0 ? '' : `, inside ${effect.context.map(shortValue).join(', ')}`;
  return `${effect.operation}${dimensions.length === 0 ? '' : ` (${dimensions.join(', ')})`}${context}${effect.protective ? ' [protects]' : ''}`;
}

export function effectSentence(effect: DescribedEffect): string {
  return effect.when === 'always' ? effectName(effect) : `${effectName(effect)}, when ${shortValue(effect.when)}`;
}

/** Effects for a table: what only covers reading what the call names is left out beside others, and long conditions are. */
export function effectLines(effects: readonly DescribedEffect[]): readonly string[] {
  const main = effects.filter((effect) => !effect.baseline);
  return unique((main.length > 0 ? main : effects).map(shortSentence));
}

function shortSentence(effect: DescribedEffect): string {
  if (effect.when === 'always') return effectName(effect);
  const when = shortValue(effect.when);
  return `${effectName(effect)}, ${when.length > CONDITION_SHOWN_MAX ? 'sometimes' : `when ${when}`}`;
}

const CONDITION_SHOWN_MAX = 80;

export function unique(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)];
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** The beginning of a long sentence. */
export function brief(text: string): string {
  return text.length > SENTENCE_SHOWN_MAX ? `${text.slice(0, SENTENCE_SHOWN_MAX - 1).trimEnd()}…` : text;
}

const SENTENCE_SHOWN_MAX = 320;
