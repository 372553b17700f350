/**
 * Names for long expressions that a report repeats: `A = Repo(Path(args.repo_path))` once, and `A` wherever it stood. Purely
 * of text: an expression is a group in balanced brackets with the name before it; what is in quotes is left alone.
 */

export interface Shorthand {
  /** The text with names in the place of what they stand for. */
  readonly apply: (text: string) => string;
  /** `A = …`, in order, without those that no applied text used. */
  readonly definitions: readonly string[];
}

/** Shorter ones read better as they are. */
const LENGTH_MIN = 24;
const REPEATED_MIN = 3;
const NOT_AN_EXPRESSION = -1;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function shorthandFor(texts: readonly string[]): Shorthand {
  const counts = new Map<string, number>();
  for (const text of texts) for (const part of groupsOf(text)) counts.set(part, (counts.get(part) ?? 0) + 1);
  const repeated = [...counts].filter(([part, amount]) => part.length >= LENGTH_MIN && amount >= REPEATED_MIN).map(([part]) => part);
  // Longest first, so that a part of a named expression is not named for its occurrences inside.
  repeated.sort((left, right) => right.length - left.length || (left < right ? -1 : 1));
  const named: string[] = [];
  let rest = texts;
  for (const part of repeated) {
    if (named.length === LETTERS.length) break;
    const uses = rest.reduce((sum, text) => sum + text.split(part).length - 1, 0);
    if (uses < REPEATED_MIN) continue;
    named.push(part);
    rest = rest.map((text) => text.replaceAll(part, '\u0000'));
  }
  const names = new Map(named.map((part, index) => [part, LETTERS.charAt(index)]));
  const apply = (text: string): string => named.reduce((short, part) => short.replaceAll(part, names.get(part) ?? part), text);
  return { apply, definitions: named.map((part) => `${names.get(part) ?? ''} = ${part}`) };
}

/** Every balanced group outside quotes, with the name in front of it. */
function groupsOf(text: string): readonly string[] {
  const groups: string[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      at = endOfQuote(text, at);
    } else if (character === '(') {
      const name = /[\w.]*$/.exec(text.slice(0, at))?.[0] ?? '';
      // The dimensions of an operation stand in brackets behind its name: a list, no expression.
      open.push(/\w $/.test(text.slice(0, at)) ? NOT_AN_EXPRESSION : at - name.length);
    } else if (character === ')') {
      const start = open.pop();
      if (start !== undefined && start !== NOT_AN_EXPRESSION) groups.push(text.slice(start, at + 1));
    }
  }
  return groups;
}

function endOfQuote(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}
