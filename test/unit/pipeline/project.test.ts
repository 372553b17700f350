import { describe, expect, it } from 'vitest';
import { fitProfile, packagesOf, servedName } from '../../../src/pipeline/project.js';
import type { Profile } from '../../../src/profile/profile.js';
import type { Release } from '../../../src/release/release.js';

const profile = (more: Partial<Profile>): Profile =>
  ({ tool: 'save', package: 'pkg:pypi/notes', packageVersions: '>=1,<3', language: 'python', servedNames: [{ versions: '<2', name: 'save_note' }], ...more }) as Profile;

function release(purl: string, files: Readonly<Record<string, string>>, version?: string): Release {
  return {
    identity: { purl, tree: 'sha256:0' },
    name: 'x',
    ...(version === undefined ? {} : { version }),
    files: Object.entries(files).map(([path, text]) => ({ path, mode: 0o644, size: text.length, sha256: '' })),
    subpath: '',
    dependencies: [],
    read: async (path) => Buffer.from(files[path] ?? ''),
  };
}

const PYPROJECT = '[project]\nname = "My.Notes"\nversion = "1.5"\ndependencies = []\n';

describe('what a release is', () => {
  it('a release of a registry is what its purl says, whatever it contains', async () => {
    expect(await packagesOf(release('pkg:pypi/notes@2.0', { 'pyproject.toml': PYPROJECT }, '2.0'))).toEqual([{ package: 'pkg:pypi/notes', version: '2.0' }]);
  });

  it('a folder is what its metadata says', async () => {
    expect(await packagesOf(release('dir:sha256:0', { 'pyproject.toml': PYPROJECT }))).toEqual([{ package: 'pkg:pypi/my-notes', version: '1.5' }]);
    expect(await packagesOf(release('dir:sha256:0', {}))).toEqual([]);
  });

  it('a tag on a forge is both', async () => {
    expect(await packagesOf(release('pkg:github/o/r@v9', { 'pyproject.toml': PYPROJECT }, 'v9'))).toEqual([
      { package: 'pkg:github/o/r', version: 'v9' },
      { package: 'pkg:pypi/my-notes', version: '1.5' },
    ]);
  });
});

describe('which profile fits', () => {
  it.each<[string | undefined, string]>([
    ['1.5', 'fits'],
    ['3.0', 'other-version'],
    [undefined, 'other-version'],
    ['not a version', 'other-version'],
  ])('version %s: %s', (version, kind) => {
    expect(fitProfile(profile({}), [{ package: 'pkg:pypi/notes', ...(version === undefined ? {} : { version }) }]).kind).toBe(kind);
  });

  it('goes by the package, and takes any version where the profile does', () => {
    expect(fitProfile(profile({}), [{ package: 'pkg:pypi/other', version: '1.5' }]).kind).toBe('other-package');
    expect(fitProfile(profile({ packageVersions: '*' }), [{ package: 'pkg:pypi/notes' }])).toEqual({ kind: 'fits', version: undefined });
  });

  it('the served name is that of the version, else the handle', () => {
    expect([servedName(profile({}), '1.9'), servedName(profile({}), '2.0'), servedName(profile({}), undefined)]).toEqual(['save_note', 'save', 'save']);
  });
});
