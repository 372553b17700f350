import { describe, expect, it } from 'vitest';
import { ALWAYS } from '../../../src/compatibility/facts.js';
import { Speaker } from '../../../src/review/speaker.js';
import { anyOf, argument, call, deed, fact, list, NULL, repository, startsWith, text, VOCABULARY } from './kit.js';

const speaker = new Speaker(VOCABULARY);
const target = argument('target');

describe('values in words', () => {
  it.each([
    [target, 'target'],
    [argument('files', 0), 'files[0]'],
    [argument('a b'), '"a b"'],
    [text('a"\u001b'), '"a\\"\\u001b"'],
    [repository, 'the repository at repo_path'],
    [call('py:lib#Thing.make', [target, NULL], repository), 'Thing.make(the repository at repo_path, target)'],
    [{ kind: 'text' as const, parts: [text('--unified='), argument('n')] }, '"--unified={n}"'],
    [{ kind: 'choice' as const, of: [text('a'), target] }, '"a" or target'],
    [{ kind: 'list' as const, items: [{ value: target, spread: true, sometimes: true }] }, '[all of target?]'],
  ])('%#: %o', (value, words) => {
    expect(speaker.value(value)).toBe(words);
  });

  it('lose their inner parts where they are long, and no bracket', () => {
    let nested = call('f', [argument('a_rather_long_name_of_an_argument')]);
    for (let depth = 0; depth < 4; depth += 1) nested = call('a_function_with_a_name', [nested, target]);
    const words = speaker.value(nested);
    expect(words.length).toBeLessThanOrEqual(80);
    expect(words).toContain('…');
    expect(words.replace(/[^(]/g, '')).toHaveLength(words.replace(/[^)]/g, '').length);
  });

  it('name what is told by the words of the inventory', () => {
    expect(speaker.told(list(text('path'), target))).toBe('path of target');
    expect(speaker.told(repository)).toBe('the repository at repo_path');
  });
});

describe('conditions in words', () => {
  it.each([
    [[startsWith(target, '-')], 'target starts with "-"'],
    [[startsWith(target, '-', false)], 'target does not start with "-"'],
    [[startsWith(target, '-', false), startsWith(target, '^', false)], 'target starts with none of "-", "^"'],
    [[fact({ kind: 'given', path: ['context_lines'] }, false)], 'context_lines is omitted'],
    [[fact({ kind: 'equal', left: argument('files'), right: list(text('.')) })], 'files is exactly ["."]'],
    [[fact({ kind: 'type', of: { kind: 'input', name: 'option:repository' }, is: 'null' }, false)], 'option:repository is set'],
    [[fact({ kind: 'type', of: target, is: 'array' }, false)], 'target is not a list'],
    [[fact({ kind: 'throws', call: repository })], 'there is no repository at repo_path'],
    [[fact({ kind: 'throws', call: repository }, false)], 'the repository at repo_path does not fail'],
    [[fact({ kind: 'throws', call: call('py.pathlib.relative_to', [target, argument('root')]) })], 'target is not inside root'],
    [[fact({ kind: 'throws', call: call('py:lib#go', []), error: 'py:lib#Bad' })], 'go() fails with Bad'],
    [[fact({ kind: 'some', over: argument('files'), when: anyOf([startsWith({ kind: 'element', of: argument('files') }, '../')]) })], 'some element of files starts with "../"'],
    [[fact({ kind: 'some', over: argument('files'), when: anyOf([startsWith({ kind: 'element', of: argument('files') }, '../')]) }, false)], 'no element of files starts with "../"'],
  ])('%#', (facts, words) => {
    expect(speaker.facts(facts)).toBe(words);
  });

  it('merge alternatives about one subject, and count what does not fit', () => {
    expect(speaker.condition(ALWAYS)).toBeUndefined();
    expect(speaker.condition(anyOf([startsWith(target, '-')], [startsWith(target, '^')], [startsWith(target, '-')]))).toBe('target starts with "-" or "^"');
    expect(speaker.condition({ ...anyOf([startsWith(target, '-')]), more: 2 })).toBe('target starts with "-"; or in 2 other cases');
    const long = anyOf([startsWith(target, 'x'.repeat(150))], [startsWith(argument('other'), 'y'.repeat(150))]);
    expect(speaker.condition(long)).toMatch(/; or in 1 other case$/);
    expect(speaker.condition({ ...long, always: [startsWith(target, '-')] })).toBe('target starts with "-", with exceptions');
  });

  it('say how a fact can be declared', () => {
    expect(speaker.declaration([fact({ kind: 'throws', call: call('py:git#Repo.rev_parse', [target], repository) })])).toBe('--fact target-is-a-revision=true or =false');
    expect(speaker.declaration([startsWith(target, '-')])).toBeUndefined();
  });
});

describe('effects in words', () => {
  it('are called by the profile, with the dimensions that tell them apart', () => {
    expect(speaker.deed(deed('git.read', { repository, selection: list(target) }), new Set(['repository']))).toBe('reads the repository (selection [target])');
    expect(speaker.deed(deed('file.write', { repository, other: NULL }), new Set())).toBe('file.write (the repository at repo_path)');
  });
});
