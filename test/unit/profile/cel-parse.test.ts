import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CEL_BYTES_MAX, CEL_DEPTH_MAX } from '../../../src/base/limits.js';
import { parseCel } from '../../../src/profile/cel-parse.js';
import type { CelNode } from '../../../src/profile/cel.js';

const id = (name: string): CelNode => ({ kind: 'identifier', name });
const lit = (value: null | boolean | string | number | bigint): CelNode => ({ kind: 'literal', value });
const call = (name: string, ...args: CelNode[]): CelNode => ({ kind: 'call', function: name, arguments: args });
const member = (target: CelNode, name: string, ...args: CelNode[]): CelNode => ({ kind: 'call', function: name, target, arguments: args });

describe('CEL as data', () => {
  it.each<[string, CelNode]>([
    ['null', lit(null)],
    ['true', lit(true)],
    ['"a\\u00e9\\n"', lit('aé\n')],
    ["r'\\x'", lit('\\x')],
    ['3', lit(3n)],
    ['-3', lit(-3n)],
    ['0x1F', lit(31n)],
    ['1.5', lit(1.5)],
    ['-1.5', lit(-1.5)],
    ['9223372036854775807', lit(9223372036854775807n)],
    ['-9223372036854775808', lit(-9223372036854775808n)],
    ['a', id('a')],
    ['(a)', id('a')],
    ['a.b.c', { kind: 'select', operand: { kind: 'select', operand: id('a'), field: 'b' }, field: 'c' }],
    ['has(a.b)', { kind: 'has', operand: id('a'), field: 'b' }],
    ['a["b"]', { kind: 'index', operand: id('a'), index: lit('b') }],
    ['[a, 1]', { kind: 'list', elements: [id('a'), lit(1n)] }],
    ['{"k": a}', { kind: 'map', entries: [{ key: lit('k'), value: id('a') }] }],
    ['!a', call('!', id('a'))],
    ['-a', call('neg', id('a'))],
    ['a && b', { kind: 'and', left: id('a'), right: id('b') }],
    ['a || b', { kind: 'or', left: id('a'), right: id('b') }],
    ['a ? b : c', { kind: 'conditional', test: id('a'), then: id('b'), otherwise: id('c') }],
    ['f(a)', call('f', id('a'))],
    ['a.f(b)', member(id('a'), 'f', id('b'))],
    ['a.all(x, x)', { kind: 'macro', macro: 'all', range: id('a'), variable: 'x', body: id('x') }],
    ['a.exists(x, x)', { kind: 'macro', macro: 'exists', range: id('a'), variable: 'x', body: id('x') }],
    ['a.filter(x, x)', { kind: 'macro', macro: 'filter', range: id('a'), variable: 'x', body: id('x') }],
    ['a.map(x, x)', { kind: 'macro', macro: 'map', range: id('a'), variable: 'x', body: id('x') }],
    ['a // note\n == b', call('==', id('a'), id('b'))],
  ])('%s', (text, ast) => {
    expect(parseCel(text)).toEqual({ kind: 'parsed', ast });
  });
  it.each(['==', '!=', '<', '<=', '>', '>=', 'in', '+', '-', '*', '/', '%'])('operator %s', (operator) => {
    expect(parseCel(`a ${operator} b`)).toEqual({ kind: 'parsed', ast: call(operator, id('a'), id('b')) });
  });

  it.each([
    ['', 'cel-syntax', 0],
    ['a b', 'cel-syntax', 2],
    ['a ==', 'cel-syntax', 4],
    ['"open', 'cel-syntax', 0],
    ['rev.contains("x"', 'cel-syntax', 16],
    ['a && b"ab" == c', 'cel-unsupported', 5],
    ['a == 1u', 'cel-unsupported', 5],
    ['9223372036854775808', 'cel-unsupported', 0],
    ['a == "\\ud800"', 'cel-syntax', 6],
    ['a == "\ud800"', 'cel-unsupported', 5],
    ['has(a)', 'cel-unsupported', 0],
    ['has(a.b, a.c)', 'cel-unsupported', 0],
    ['a.map(x, x > 1, x)', 'cel-unsupported', 0],
    ['a.exists(i, x, true)', 'cel-unsupported', 0],
    ['a.exists(x)', 'cel-unsupported', 0],
    ['foo.bar{a: 1}', 'cel-syntax', 7],
    ['a.?b', 'cel-syntax', 2],
  ])('refuses %s', (text, code, offset) => {
    expect(parseCel(text)).toMatchObject({ kind: 'failed', code, offset });
  });

  it('bounds length and depth, at and past the limits', () => {
    const long = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    expect(parseCel(long(CEL_BYTES_MAX)).kind).toBe('parsed');
    expect(parseCel(long(CEL_BYTES_MAX + 1))).toMatchObject({ kind: 'failed', code: 'cel-unsupported' });
    expect(parseCel('['.repeat(CEL_DEPTH_MAX - 2) + ']'.repeat(CEL_DEPTH_MAX - 2)).kind).toBe('parsed');
    expect(parseCel('['.repeat(CEL_DEPTH_MAX + 2) + ']'.repeat(CEL_DEPTH_MAX + 2)).kind).toBe('failed');
  });
  it('answers for any text', () => {
    const piece = fc.constantFrom(
      'a',
      'b.',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      ' ',
      '&&',
      '!',
      '-',
      '1',
      '1u',
      '.?',
      'has',
      'exists',
      ',',
      ':',
      '?',
      '\\',
      '\u{1F600}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(['parsed', 'failed']).toContain(parseCel(pieces.join('')).kind);
      }),
    );
  });
});
