import { describe, expect, it } from 'vitest';
import { formatPurl } from '../../../src/base/purl.js';
import type { ReleaseErrorCode } from '../../../src/release/errors.js';
import { parseReleaseSpec } from '../../../src/release/spec.js';
import { refusalCode } from './scratch.js';

describe('parseReleaseSpec', () => {
  it.each([
    [
      'pkg:pypi/Demo_Tool@v1.0.0-alpha1',
      { kind: 'pypi', name: 'demo-tool', version: '1.0.0a1', artifact: 'preferred', canonical: 'pkg:pypi/demo-tool@1.0.0a1' },
    ],
    ['pkg:pypi/a@1?artifact=sdist', { kind: 'pypi', name: 'a', version: '1', artifact: 'sdist', canonical: 'pkg:pypi/a@1?artifact=sdist' }],
    ['pkg:github/O/R@Tool-1.0#src/x', { kind: 'git', url: 'https://github.com/o/r.git', ref: 'Tool-1.0', canonical: 'pkg:github/o/r@Tool-1.0#src/x' }],
    [
      'git+https://user:secret@host.invalid/o/r.git@v1#sub',
      {
        kind: 'git',
        url: 'https://user:secret@host.invalid/o/r.git',
        ref: 'v1',
        canonical: 'pkg:generic/r@v1?vcs_url=git%2Bhttps%3A%2F%2Fhost.invalid%2Fo%2Fr.git%40v1#sub',
      },
    ],
    ['git+file:///somewhere/private/r@v1', { kind: 'git', url: 'file:///somewhere/private/r', ref: 'v1', canonical: 'pkg:generic/r@v1' }],
    ['./a/b#c', { kind: 'path', path: './a/b', subpath: 'c' }],
  ])('%s', (text, expected) => {
    const spec = parseReleaseSpec(text);
    expect(spec.kind === 'path' ? spec : { ...spec, canonical: formatPurl(spec.purl) }).toMatchObject(expected);
  });

  it.each<[string, ReleaseErrorCode]>([
    ['', 'spec-invalid'],
    ['pkg:pypi/a', 'version-needed'],
    ['pkg:pypi/a@latest', 'version-missing'],
    ['pkg:pypi/x/a@1', 'spec-invalid'],
    ['pkg:pypi/a@1?artifact=egg', 'qualifier-unsupported'],
    ['pkg:pypi/a@1?checksum=md5:00', 'qualifier-unsupported'],
    ['pkg:pypi/a@1?repository_url=host', 'qualifier-unsupported'],
    ['pkg:npm/a@1', 'purl-type-unsupported'],
    ['pkg:generic/a@1', 'purl-type-unsupported'],
    ['pkg:github/o/r', 'version-needed'],
    ['pkg:github/o/r@--upload-pack=x', 'spec-invalid'],
    ['pkg:github/o/r@a..b', 'spec-invalid'],
    ['git+ext::sh -c x@v1', 'spec-invalid'],
    ['git+http://host.invalid/r@v1', 'spec-invalid'],
    ['git+https://host.invalid/r', 'spec-invalid'],
    ['git+https://host.invalid/r@v1#../x', 'spec-invalid'],
  ])('refuses %j', async (text, code) => {
    expect(await refusalCode(() => parseReleaseSpec(text))).toBe(code);
  });
});
