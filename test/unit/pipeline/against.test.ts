import { describe, expect, it } from 'vitest';
import { againstSpec } from '../../../src/pipeline/against.js';

describe('againstSpec', () => {
  it.each([
    ['pkg:pypi/a@2.0', '1.0', 'pkg:pypi/a@1.0'],
    ['pkg:pypi/a@2.0?artifact=sdist&checksum=sha256:00#src/a', '1.0', 'pkg:pypi/a@1.0?artifact=sdist#src/a'],
    ['pkg:github/o/r@v2', 'v1.0.0', 'pkg:github/o/r@v1.0.0'],
    ['pkg:pypi/a@2.0', 'pkg:pypi/b@1.0', 'pkg:pypi/b@1.0'],
    ['./new', './1.0', './1.0'],
    ['./new', 'old', 'old'],
    ['./new', 'releases/1.0', 'releases/1.0'],
  ])('%s against %s', (release, other, expected) => {
    expect(againstSpec(release, other)).toBe(expected);
  });

  it('refuses a version of a folder', () => {
    expect(() => againstSpec('./new', '1.0')).toThrow(expect.objectContaining({ code: 'input-invalid', next: expect.stringContaining('./1.0') }));
  });
});
