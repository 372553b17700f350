import { describe, expect, it } from 'vitest';
import { JSON_DEPTH_MAX, PROFILE_ALIASES_MAX, PROFILE_BYTES_MAX } from '../../../src/base/limits.js';
import { ProfileError, type Finding } from '../../../src/profile/finding.js';
import { parseYamlStrict } from '../../../src/profile/yaml-text.js';

const parse = (text: string) => parseYamlStrict({ file: 'f.yaml', text });

function failure(text: string): Finding {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof ProfileError) return error.findings[0]!;
    throw error;
  }
  throw new Error('expected a ProfileError');
}

describe('strict YAML', () => {
  it('reads the core schema of YAML 1.2', () => {
    expect(parse('a: no\nb: 1\nc: 1.5\nd: true\ne: null\nf: [x, "y"]\ng: 0x10\nh: 2020-01-01\n').data).toEqual({
      a: 'no',
      b: 1,
      c: 1.5,
      d: true,
      e: null,
      f: ['x', 'y'],
      g: 16,
      h: '2020-01-01',
    });
  });
  it('does not merge "<<"', () => {
    expect(parse('a: &x { b: 1 }\nc: { "<<": *x }\n').data).toEqual({ a: { b: 1 }, c: { '<<': { b: 1 } } });
  });

  it.each([
    ['duplicate key', 'a: 1\nb: 2\na: 3\n', 'yaml-duplicate-key', 3, 1],
    ['duplicate key in a flow map', 'a: { b: 1,\n  b: 2 }\n', 'yaml-duplicate-key', 2, 3],
    ['broken flow list', 'a: [1, 2\nb: 3\n', 'yaml-syntax', 2, 1],
    ['tab indentation', 'a:\n\tb: 1\n', 'yaml-syntax', 2, 1],
    ['unclosed quote', 'a: "x\n', 'yaml-syntax', 2, 1],
    ['two documents', 'a: 1\n---\nb: 2\n', 'yaml-syntax', 2, 1],
    ['unknown tag', 'a: !python/object x\n', 'yaml-syntax', 1, 4],
    ['binary tag', 'a: !!binary aGk=\n', 'yaml-value-not-json', 1, 13],
    ['set tag', 'a: !!set { x }\n', 'yaml-value-not-json', 1, 10],
    ['unresolved alias', 'a: *x\n', 'yaml-syntax', 1, 4],
    ['empty file', '# only a comment\n', 'yaml-syntax', 1, 1],
    ['number as key', 'a:\n  1: x\n', 'yaml-key-not-text', 2, 3],
    ['list as key', 'a:\n  [x]: y\n', 'yaml-key-not-text', 2, 3],
    ['null as key', 'null: y\n', 'yaml-key-not-text', 1, 1],
    ['prototype as key', 'a: 1\n__proto__: y\n', 'yaml-key-not-text', 2, 1],
    ['half a surrogate pair', 'a: "\\ud800"\n', 'yaml-value-not-json', 1, 4],
    ['half a surrogate pair in a key', '"\\ud800": 1\n', 'yaml-key-not-text', 1, 1],
    ['infinity', 'a: .inf\n', 'yaml-value-not-json', 1, 4],
    ['not a number', 'a: .nan\n', 'yaml-value-not-json', 1, 4],
    ['integer beyond doubles', 'a: 9007199254740993\n', 'yaml-value-not-json', 1, 4],
  ])('refuses: %s', (_name, text, code, line, column) => {
    expect(failure(text)).toMatchObject({ code, file: 'f.yaml', line, column, severity: 'error' });
    expect(failure(text).fix).toMatch(/\.$/);
  });

  it('bounds aliases, at and past the limit', () => {
    const aliases = (count: number) => `x: &x 1\nlist: [${Array.from({ length: count }, () => '*x').join(', ')}]\n`;
    expect(parse(aliases(PROFILE_ALIASES_MAX)).data).toMatchObject({ x: 1 });
    expect(failure(aliases(PROFILE_ALIASES_MAX + 1))).toMatchObject({ code: 'yaml-alias-limit', line: 2 });
  });
  it('stops an alias bomb and an alias of itself at once', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg'].map((pair) => [pair[0], pair[1]]))
      bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(', ')}]`);
    expect(failure(bomb.join('\n')).code).toBe('yaml-alias-limit');
    expect(['yaml-alias-limit', 'yaml-too-deep']).toContain(failure('a: &a [*a]\n').code);
  });
  it('bounds nesting, at and past the limit', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parse(nested(JSON_DEPTH_MAX))).not.toThrow();
    expect(failure(nested(JSON_DEPTH_MAX + 2)).code).toBe('yaml-too-deep');
  });
  it('bounds size, at and past the limit', () => {
    const sized = (bytes: number) => `a: 1\n#${'x'.repeat(bytes - 6)}`;
    expect(() => parse(sized(PROFILE_BYTES_MAX))).not.toThrow();
    expect(failure(sized(PROFILE_BYTES_MAX + 1)).code).toBe('file-too-large');
  });

  it('knows places of keys, values and characters inside a value', () => {
    const yaml = parse('a:\n  - b: plain text\n    c: "quoted"\n    d: "es\\"caped"\n');
    const at = (path: (string | number)[], part?: 'key' | 'value', offset?: number) => {
      const { line, column } = yaml.places.locate(yaml.data, path, part, offset);
      return [line, column];
    };
    expect(at(['a', 0, 'b'], 'key')).toEqual([2, 5]);
    expect(at(['a', 0, 'b'])).toEqual([2, 8]);
    expect(at(['a', 0, 'b'], 'value', 6)).toEqual([2, 14]);
    expect(at(['a', 0, 'c'], 'value', 1)).toEqual([3, 10]);
    // Escapes shift the characters: the place of the value is all that is known.
    expect(at(['a', 0, 'd'], 'value', 5)).toEqual([4, 8]);
    expect(at(['a', 0, 'missing'])).toEqual([2, 5]);
    expect(at(['nowhere'])).toEqual([1, 1]);
  });
});
