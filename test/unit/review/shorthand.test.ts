import { describe, expect, it } from 'vitest';
import { shorthandFor } from '../../../src/review/shorthand.js';

const LONG = 'Repo(Path(args.repository_path))';

describe('shorthand', () => {
  it('names the longest expressions that are repeated, and no part of them', () => {
    const texts = [`${LONG} fails`, `diff(${LONG})`, `a and ${LONG}`];
    const { apply, definitions } = shorthandFor(texts);
    expect(texts.map(apply)).toEqual(['A fails', 'diff(A)', 'a and A']);
    expect(definitions).toEqual([`A = ${LONG}`]);
  });

  it('leaves short and rare ones, and quotes, alone', () => {
    expect(shorthandFor([`${LONG} ${LONG}`]).definitions).toEqual([]);
    expect(shorthandFor(['f(x) f(x) f(x) f(x)']).definitions).toEqual([]);
    expect(shorthandFor([`"${LONG}" "${LONG}" "${LONG}"`]).definitions).toEqual([]);
    expect(shorthandFor(['"\\"(" ) ( "x']).definitions).toEqual([]);
  });

  it('does not take the dimensions of an operation for an expression', () => {
    const line = 'git.stage (method: git, repository: args.repo_path)';
    expect(shorthandFor([line, line, line]).definitions).toEqual([]);
  });

  it('gives the text back when the names are put in', () => {
    const texts = [`f(${LONG}, (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa))`, LONG, `${LONG}, (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa), (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)`];
    const { apply, definitions } = shorthandFor(texts);
    const back = (text: string): string => definitions.reduce((long, definition) => long.replaceAll(definition.charAt(0), definition.slice(4)), text);
    expect(definitions).toHaveLength(2);
    expect(texts.map((text) => back(apply(text)))).toEqual(texts);
  });
});
