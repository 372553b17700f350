/** Facts about the elements of an argument, in predicates over calls in which the argument may be a list or a text. */
import { expect, it } from 'vitest';
import { evaluatePredicate } from '../../src/compatibility/evaluate-predicate.js';
import { pair, server } from './harness.js';

const guarded = (word: string): string => `
  words = arguments["files"]
  if not isinstance(words, (list, str)):
      raise TypeError("words")
  for word in words:
      if not isinstance(word, str) or word == "${word}":
          raise ValueError("refused")
  files.write("log", "x")
`;

it('a loop over a text reads its letters, and a predicate says nothing of them', async () => {
  const [source, target] = [server(guarded('-')), server(guarded('+'))];
  const { containedWhen } = (await pair(source, target)).report();
  if (containedWhen.kind !== 'predicate') throw new Error(containedWhen.reason);
  const captured = (files: string | readonly string[]): string =>
    evaluatePredicate(containedWhen.text, { args: { files }, source: new Map(), target: new Map() }).kind;
  expect(captured(['a', 'b'])).toBe('captured');
  expect(captured(['a', '-'])).not.toBe('captured');
  // The letter is refused by the source and not by the target.
  expect(captured('a-b')).not.toBe('captured');
});
