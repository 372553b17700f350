import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, JsonError, type JsonErrorCode } from '../../../src/base/canonical-json.js';
import { digestOf, digestOfJson, isDigest, sha256Hex } from '../../../src/base/digest.js';
import { JSON_DEPTH_MAX } from '../../../src/base/limits.js';
import { parseJsonStrict } from '../../../src/base/parse-json.js';

function codeOf(action: () => unknown): JsonErrorCode | 'no error' {
  try {
    action();
    return 'no error';
  } catch (error) {
    if (error instanceof JsonError) return error.code;
    throw error;
  }
}

function doubleFromBits(hex: string): number {
  return Buffer.from(hex, 'hex').readDoubleBE(0);
}

describe('canonicalJson: the vectors of RFC 8785', () => {
  it('section 3.2.2: literals, strings and numbers', () => {
    const value: unknown = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    const expected =
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d';
    expect(Buffer.from(canonicalJson(value), 'utf8').toString('hex')).toBe(expected);
  });

  it('section 3.2.3: keys are sorted by UTF-16 code units', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object)).toHaveLength(7);
    const order = [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map((match) => match[1]);
    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('appendix B: the double %s is written %s', (bits, text) => {
    expect(canonicalJson(doubleFromBits(bits))).toBe(text);
  });

  it('appendix B: NaN and Infinity are errors', () => {
    expect(codeOf(() => canonicalJson(doubleFromBits('7fffffffffffffff')))).toBe('json-not-representable');
    expect(codeOf(() => canonicalJson([doubleFromBits('7ff0000000000000')]))).toBe('json-not-representable');
  });
});

describe('canonicalJson refuses what JSON cannot say', () => {
  class Point {
    readonly x = 1;
  }
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['a hole in an array', new Array(1)],
    ['a function', { a: () => 1 }],
    ['a bigint', 1n],
    ['a symbol', Symbol('a')],
    ['a symbol key', { [Symbol('a')]: 1 }],
    ['a class instance', new Point()],
    ['a date', new Date(0)],
    ['a map', new Map()],
  ])('%s', (_name, value) => {
    expect(codeOf(() => canonicalJson(value))).toBe('json-not-representable');
  });

  it('lone surrogates, in text and in keys', () => {
    expect(codeOf(() => canonicalJson('\ud800'))).toBe('json-lone-surrogate');
    expect(codeOf(() => canonicalJson({ '\udc00': 1 }))).toBe('json-lone-surrogate');
  });

  it('a cycle, and nesting past the limit but not at it', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(codeOf(() => canonicalJson(cycle))).toBe('json-too-deep');
    expect(codeOf(() => canonicalJson(nested(JSON_DEPTH_MAX)))).toBe('no error');
    expect(codeOf(() => canonicalJson(nested(JSON_DEPTH_MAX + 1)))).toBe('json-too-deep');
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe('parseJsonStrict', () => {
  it('is a fixed point with canonicalJson and agrees with JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = canonicalJson(value);
        // A double beyond 2^53 is canonical as an integer that the strict reader refuses.
        fc.pre(codeOf(() => parseJsonStrict(text)) !== 'json-inexact-number');
        const parsed = parseJsonStrict(text);
        expect(canonicalJson(parsed)).toBe(text);
        expect(JSON.parse(text)).toEqual(parsed);
      }),
      { examples: [[{ __proto__: null, '': [-0, 1e-7, 1.5] }]] },
    );
  });

  it('accepts and refuses the same texts as JSON.parse, apart from what it is stricter about', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\n"',
      '"\\x"',
      '1',
      '-',
      '-0',
      '01',
      '1.',
      '.5',
      '1e5',
      '1e',
      'true',
      'nul',
      'null',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '\ufeff',
      '"',
      '\\',
      "'a'",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        let expected: unknown;
        let valid = true;
        try {
          expected = JSON.parse(text);
        } catch {
          valid = false;
        }
        const code = codeOf(() => parseJsonStrict(text));
        if (!valid) expect(code).not.toBe('no error');
        else if (code !== 'json-duplicate-key' && code !== 'json-inexact-number') expect(parseJsonStrict(text)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[string, JsonErrorCode]>([
    ['{"a":1,"a":1}', 'json-duplicate-key'],
    ['{"a":1,"\\u0061":2}', 'json-duplicate-key'],
    ['{"__proto__":1,"__proto__":2}', 'json-duplicate-key'],
    ['"\\ud800"', 'json-lone-surrogate'],
    ['"\ud800"', 'json-lone-surrogate'],
    ['{"\\udc00":1}', 'json-lone-surrogate'],
    ['9007199254740993', 'json-inexact-number'],
    ['-9007199254740992', 'json-inexact-number'],
    ['1e400', 'json-inexact-number'],
    ['', 'json-syntax'],
    ['\ufeff{}', 'json-syntax'],
    ['{} {}', 'json-syntax'],
    ['"a\u0001"', 'json-syntax'],
    ['[1,]', 'json-syntax'],
    ['// no\n1', 'json-syntax'],
    ['NaN', 'json-syntax'],
  ])('refuses %j with %s', (text, code) => {
    expect(codeOf(() => parseJsonStrict(text))).toBe(code);
  });

  it('takes the largest exact integer and a surrogate pair', () => {
    expect(parseJsonStrict('[9007199254740991, "\\ud83d\\ude00"]')).toEqual([9007199254740991, '😀']);
  });

  it('takes `__proto__` as a member', () => {
    const parsed = parseJsonStrict('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual(['__proto__']);
    expect(parsed['polluted']).toBeUndefined();
  });

  it('takes nesting at the limit and not past it', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(codeOf(() => parseJsonStrict(deep(JSON_DEPTH_MAX)))).toBe('no error');
    expect(codeOf(() => parseJsonStrict(deep(JSON_DEPTH_MAX + 1)))).toBe('json-too-deep');
  });

  it('says the file, line and column', () => {
    try {
      parseJsonStrict('{\n  "a": 1,\n  "a": 2\n}', { file: 'policy.json' });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(JsonError);
      expect((error as JsonError).place).toEqual({ file: 'policy.json', line: 3, column: 3 });
      expect((error as JsonError).message).toContain('policy.json:3:3');
    }
  });
});

describe('digests', () => {
  it('is SHA-256 over UTF-8', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(digestOf('é')).toBe(digestOf(Buffer.from([0xc3, 0xa9])));
  });
  it('of a value does not depend on the order of members', () => {
    expect(digestOfJson({ a: 1, b: [2] })).toBe(digestOfJson({ b: [2], a: 1 }));
    expect(digestOfJson({ a: 1 })).not.toBe(digestOfJson({ a: '1' }));
  });
  it('has one written form', () => {
    expect(isDigest(digestOf(''))).toBe(true);
    expect(isDigest(digestOf('').toUpperCase())).toBe(false);
    expect(isDigest(`${digestOf('')}\n`)).toBe(false);
    expect(isDigest('sha256:00')).toBe(false);
  });
});
