import { describe, expect, it } from 'vitest';
import type { DescribedEffect } from '../../../src/compatibility/verdict.js';
import { brief, effectLines, effectSentence, shortValue } from '../../../src/review/words.js';

const effect = (more: Partial<DescribedEffect>): DescribedEffect => ({ operation: 'git.stage', dimensions: { words: 'args.files', repository: 'Repo(args.repo_path)' }, when: 'always', context: [], protective: false, baseline: false, ...more });

describe('effects in words', () => {
  it('name the operation, its dimensions, context and condition', () => {
    expect(effectSentence(effect({}))).toBe('git.stage (repository: Repo(args.repo_path), words: args.files)');
    expect(effectSentence(effect({ context: ['transaction'], protective: true, when: 'args.all is true' }))).toBe('git.stage (repository: Repo(args.repo_path), words: args.files), inside transaction [protects], when args.all is true');
  });

  it('leave out baseline reads beside others, long conditions and repetitions', () => {
    const read = effect({ operation: 'git.read', dimensions: {}, baseline: true });
    expect(effectLines([read, effect({}), effect({})])).toEqual(['git.stage (repository: Repo(args.repo_path), words: args.files)']);
    expect(effectLines([read])).toEqual(['git.read']);
    expect(effectLines([effect({ dimensions: {}, when: 'x'.repeat(81) })])).toEqual(['git.stage, sometimes']);
  });
});

describe('values in words', () => {
  it.each([
    ['Repo(py.pathlib.Path(args.repo_path), null, false, true)', 'Repo(Path(args.repo_path))'],
    ['f("a, null)", null)', 'f("a, null)")'],
    ['"py.pathlib.Path(x)"', '"py.pathlib.Path(x)"'],
    ['f("\\"a.b.C(", null)', 'f("\\"a.b.C(")'],
    ['Repo.diff(x, [], {})', 'Repo.diff(x)'],
    ['args.title', 'args.title'],
  ])('%s', (text, short) => {
    expect(shortValue(text)).toBe(short);
  });

  it('are cut where they are long', () => {
    expect(brief('x'.repeat(320))).toHaveLength(320);
    expect(brief('x'.repeat(321))).toHaveLength(320);
  });
});
