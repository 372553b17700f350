import { describe, expect, it } from 'vitest';
import { conjunction, disjunction, type Statement } from '../../../src/review/conjunction.js';
import { count } from '../../../src/review/words.js';

const say = (subject: string, verb: string, object: string, holds = true): Statement => ({ subject, verb, holds, object });

describe('statements as sentences', () => {
  it('say once what is said of one subject with one verb', () => {
    expect(conjunction([say('t', 'contains', '"a"'), { text: 'x' }, say('t', 'contains', '"b"'), { text: 'x' }])).toBe('t contains "a" and "b" and x');
    expect(conjunction([say('t', 'is', '1', false), say('t', 'is', '2', false), say('u', 'is', '3', false)])).toBe('t is none of 1, 2 and u is not 3');
    expect(conjunction([])).toBe('');
  });

  it('bound long lists', () => {
    const many = Array.from({ length: 9 }, (_, at) => say('t', 'contains', String(at), false));
    expect(conjunction(many.slice(0, 6))).toBe('t contains none of 0, 1, 2, 3, 4, 5');
    expect(conjunction(many)).toBe('t contains none of 0, 1, 2, 3, 4, 5, 3 more');
  });

  it.each([
    ['has only characters of', 't does not have only characters of x'],
    ['is hexadecimal of length', 't is not hexadecimal of length x'],
    ['starts with', 't does not start with x'],
    ['is exactly', 't is not x'],
  ])('negate "%s"', (verb, sentence) => {
    expect(conjunction([say('t', verb, 'x', false)])).toBe(sentence);
  });

  it('merge only alternatives of a single statement', () => {
    expect(disjunction([[say('t', 'is', '1')], [say('t', 'is', '2'), { text: 'y' }], [say('t', 'is', '3')], [say('t', 'is', '4', false)]])).toEqual(['t is 1 or 3', 't is 2 and y', 't is not 4']);
  });
});

describe('counting', () => {
  it('knows one and many', () => {
    expect([count(1, 'call'), count(2, 'call'), count(0, 'way to go', 'ways to go')]).toEqual(['1 call', '2 calls', '0 ways to go']);
  });
});
