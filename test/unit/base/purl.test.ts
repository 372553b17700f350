import { describe, expect, it } from 'vitest';
import { formatPurl, isPurl, normalizePypiName, parsePurl, PurlError } from '../../../src/base/purl.js';

describe('purl', () => {
  it.each([
    ['pkg:pypi/Foo_Bar.baz@1.0', 'pkg:pypi/foo-bar-baz@1.0'],
    ['pkg:pypi/a@1.0%2Blocal?artifact=sdist', 'pkg:pypi/a@1.0+local?artifact=sdist'],
    ['pkg:npm/%40scope/name@1.0.0', 'pkg:npm/%40scope/name@1.0.0'],
    ['pkg:npm/@scope/name@1.0.0', 'pkg:npm/%40scope/name@1.0.0'],
    ['pkg:github/Owner/Repo@V1.0#src/git', 'pkg:github/owner/repo@V1.0#src/git'],
    ['pkg:github/o/r@v1?b=2&a=1', 'pkg:github/o/r@v1?a=1&b=2'],
  ])('%s has the canonical form %s', (text, canonical) => {
    expect(formatPurl(parsePurl(text))).toBe(canonical);
    expect(formatPurl(parsePurl(canonical))).toBe(canonical);
  });

  it('gives the parts', () => {
    expect(parsePurl('pkg:github/o/r@v1?artifact=sdist#src/git')).toEqual({
      type: 'github',
      namespace: 'o',
      name: 'r',
      version: 'v1',
      qualifiers: new Map([['artifact', 'sdist']]),
      subpath: 'src/git',
    });
    expect(parsePurl('pkg:pypi/a').version).toBeUndefined();
  });

  it.each(['pypi/a@1', 'pkg:pypi', 'pkg:pypi/a@1#../x', 'pkg:pypi/a@1#x/%2e%2e/y', 'pkg:pypi/a@1#x%2fy', 'pkg:pypi/%zz@1', 'pkg:pypi/a@1#%zz', ''])(
    'refuses %j',
    (text) => {
      expect(() => parsePurl(text)).toThrow(PurlError);
    },
  );

  it('knows a purl from a path', () => {
    expect(isPurl('pkg:pypi/a')).toBe(true);
    expect(isPurl('./pkg:a')).toBe(false);
  });

  it('normalises names as PEP 503 does', () => {
    expect(normalizePypiName('A-_.B')).toBe('a-b');
  });
});
