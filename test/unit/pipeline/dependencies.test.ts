import { describe, expect, it } from 'vitest';
import { resolveDependencies, uncoveredDependencies, versionLookup } from '../../../src/pipeline/dependencies.js';
import type { DependencyVersion } from '../../../src/release/release.js';

const from = { path: 'uv.lock', sha256: '0'.repeat(64) };
const RELEASE: readonly DependencyVersion[] = [
  { name: 'gitpython', ecosystem: 'pypi', declared: '>=3.1', locked: '3.1.45', from },
  { name: 'mcp', ecosystem: 'pypi', declared: '>=1.0', from },
];

describe('dependency versions', () => {
  it('are the given one, else the locked one, else unknown', () => {
    expect(resolveDependencies('pypi', RELEASE, new Map())).toEqual([
      { name: 'gitpython', ecosystem: 'pypi', declared: '>=3.1', version: '3.1.45', source: 'locked' },
      { name: 'mcp', ecosystem: 'pypi', declared: '>=1.0', source: 'declared' },
    ]);
    const given = resolveDependencies('pypi', RELEASE, new Map([['dependency:GitPython', '3.1.50'], ['dependency:click', '8.1'], ['option:x', 'y']]));
    expect(given.map(({ name, version, source }) => [name, version, source])).toEqual([
      ['click', '8.1', 'given'],
      ['gitpython', '3.1.50', 'given'],
      ['mcp', undefined, 'declared'],
    ]);
  });

  it('are unknown where null is given, whatever is locked', () => {
    const [gitpython] = resolveDependencies('pypi', RELEASE, new Map([['dependency:gitpython', null]]));
    expect(gitpython).toEqual({ name: 'gitpython', ecosystem: 'pypi', declared: '>=3.1', source: 'unknown' });
  });

  it('refuses what is no version', () => {
    expect(() => resolveDependencies('pypi', RELEASE, new Map([['dependency:mcp', 'latest']]))).toThrow(expect.objectContaining({ code: 'input-invalid' }));
  });

  it('are found by the purl of a package', () => {
    const versionOf = versionLookup('pypi', resolveDependencies('pypi', RELEASE, new Map()));
    expect(versionOf('pkg:pypi/gitpython')).toBe('3.1.45');
    expect(versionOf('pkg:pypi/GitPython')).toBe('3.1.45');
    expect(versionOf('pkg:pypi/mcp')).toBeUndefined();
    expect(versionOf('pkg:npm/gitpython')).toBeUndefined();
  });

  it('outside the ranges of the profile are told; unknown ones are not', () => {
    const dependencies = resolveDependencies('pypi', RELEASE, new Map());
    expect(uncoveredDependencies('pypi', dependencies, new Map([['GitPython', '>=3.1.43,<3.3'], ['mcp', '<1']]))).toEqual([]);
    expect(uncoveredDependencies('pypi', dependencies, new Map([['gitpython', '>=3.1.46']]))).toEqual(['the profile covers gitpython >=3.1.46, and this release runs with 3.1.45']);
  });
});
