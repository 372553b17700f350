import { describe, expect, it } from 'vitest';
import { parseParameters } from '../../../src/profile/parameters.js';

function summary(text: string): string {
  const parsed = parseParameters(text);
  if (parsed.kind === 'failed') return `${parsed.code}@${parsed.offset}`;
  return parsed.parameters.map(({ name, kind, default: value }) => `${kind} ${name}${value === undefined ? '' : `=${value.text}`}`).join('; ');
}

describe('parameters', () => {
  it.each([
    ['', ''],
    ['rev', 'positional rev'],
    [
      'a, b=None, /, c=True, *words, key=False, **options',
      'positional-only a; positional-only b=null; positional c=true; rest words; keyword-only key=false; keyword-rest options',
    ],
    ['a, *, key', 'positional a; keyword-only key'],
    ['*words, key', 'rest words; keyword-only key'],
    ['a=", ", b=[1, 2], c={"k": -1}', 'positional a=", "; positional b=[1, 2]; positional c={"k": -1}'],
    ['a, ', 'positional a'],
    ['$scope, _hidden', 'positional $scope; positional _hidden'],
  ])('%s', (text, expected) => {
    expect(summary(text)).toBe(expected);
  });
  it.each([
    ['a, a', 'parameters-syntax@3'],
    ['a b', 'parameters-syntax@0'],
    ['a,, b', 'parameters-syntax@2'],
    ['/, a', 'parameters-syntax@0'],
    ['*, /, a', 'parameters-syntax@3'],
    ['a, *', 'parameters-syntax@3'],
    ['*a, *b', 'parameters-syntax@4'],
    ['*a, *, b', 'parameters-syntax@4'],
    ['**o, a', 'parameters-syntax@5'],
    ['*a=1', 'parameters-syntax@0'],
    ['a=1, b', 'parameters-syntax@5'],
    ['self, a', 'parameters-syntax@0'],
    ['a=[1', 'parameters-syntax@0'],
    ['a=other', 'default-not-constant@2'],
    ['a=f(1)', 'default-not-constant@2'],
    ['a=1 2', 'cel-syntax@4'],
    ['a=', 'cel-syntax@2'],
    ['a=b"x"', 'cel-unsupported@2'],
  ])('refuses %s', (text, expected) => {
    expect(summary(text)).toBe(expected);
  });
});
