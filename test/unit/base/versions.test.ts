import { describe, expect, it } from 'vitest';
import { compareVersions, isPrerelease, normalizeVersion, versionInRange, VersionError } from '../../../src/base/versions.js';

describe('versionInRange for pypi', () => {
  it.each<[string, string, boolean]>([
    ['3.1.49', '*', true],
    ['4.0.0rc1', '*', true],
    ['3.1.48', '<3.1.49', true],
    ['3.1.49', '<3.1.49', false],
    ['1.10.0', '>=1.10.0,<2', true],
    ['1.9.9', '>=1.10.0,<2', false],
    ['2.0.0', '>=1.10.0, <2', false],
    ['2.0.0a1', '>=1.10.0,<2', false],
    ['1.11.0a1', '>=1.10.0,<2', true],
    ['1.4.5', '~=1.4.2', true],
    ['1.5.0', '~=1.4.2', false],
    ['1.4.9', '==1.4.*', true],
    ['1!1.0', '>=2', true],
    ['1.0', '==1.0.0', true],
    ['1.0', '!=1.0', false],
  ])('%s in %s: %s', (version, range, expected) => {
    expect(versionInRange('pypi', version, range)).toBe(expected);
  });

  it.each<[string, string]>([
    ['not a version', '*'],
    ['', '*'],
    ['1.0', ''],
    ['1.0', '^1.0'],
    ['1.0', '>=1.0,'],
    ['1.0', '1.0'],
    ['1.0', '>=1.0 || <2'],
  ])('refuses to guess at %j in %j', (version, range) => {
    expect(() => versionInRange('pypi', version, range)).toThrow(VersionError);
  });

  it('refuses ecosystems whose ranges it cannot read', () => {
    expect(() => versionInRange('npm', '1.0.0', '*')).toThrow(/npm/);
  });

  it.each([
    ['v1.0.0-alpha1', '1.0.0a1'],
    ['2025.01.14', '2025.1.14'],
    ['1.0-1', '1.0.post1'],
    ['1.0+Ubuntu-1', '1.0+ubuntu.1'],
    ['1!2.0', '1!2.0'],
  ])('writes %s as %s', (version, normal) => {
    expect(normalizeVersion('pypi', version)).toBe(normal);
  });

  it('orders versions', () => {
    expect(['1.10', '1.9', '1.10rc1', '2025.1.14'].sort((left, right) => compareVersions('pypi', left, right))).toEqual([
      '1.9',
      '1.10rc1',
      '1.10',
      '2025.1.14',
    ]);
    expect(isPrerelease('pypi', '1.0rc1')).toBe(true);
    expect(isPrerelease('pypi', '1.0.post1')).toBe(false);
  });
});
