/**
 * Versions and ranges of package ecosystems. A range here is what profiles and inventories write: `*` (every version,
 * pre-releases too), or comma-separated comparisons such as `>=1.10.0,<2`. Anything that cannot be read is an error, never
 * "not in range": a misread range would choose the wrong model of a library.
 */
import { compare, explain, satisfies, valid, validRange } from '@renovatebot/pep440';
import { FcdError, unreachable } from './errors.js';

export type Ecosystem = 'pypi' | 'npm' | 'golang' | 'nuget';

export type VersionErrorCode = 'version-unreadable' | 'range-unreadable' | 'ecosystem-unsupported';

export class VersionError extends FcdError<VersionErrorCode> {}

const EVERY_VERSION = '*';

export function versionInRange(ecosystem: Ecosystem, version: string, range: string): boolean {
  checkVersion(ecosystem, version);
  checkRange(ecosystem, range);
  if (range.trim() === EVERY_VERSION) return true;
  // A range answers for every version that may be installed; leaving pre-releases out is a resolver's preference only.
  return satisfies(version, range, { prereleases: true });
}

export function checkVersion(ecosystem: Ecosystem, version: string): void {
  requirePython(ecosystem);
  if (!isVersion(ecosystem, version)) {
    throw new VersionError('version-unreadable', `"${version}" is not a version as PEP 440 writes them`);
  }
}

export function isVersion(ecosystem: Ecosystem, version: string): boolean {
  requirePython(ecosystem);
  return valid(version) !== null;
}

/** The one normal spelling of a version (PEP 440): `v1.0-alpha1` is `1.0a1`. */
export function normalizeVersion(ecosystem: Ecosystem, version: string): string {
  checkVersion(ecosystem, version);
  const parts = explain(version);
  if (parts === null) return version;
  return parts.local === null ? parts.public : `${parts.public}+${parts.local}`;
}

export function checkRange(ecosystem: Ecosystem, range: string): void {
  const trimmed = range.trim();
  // Says the same in every ecosystem.
  if (trimmed === EVERY_VERSION) return;
  requirePython(ecosystem);
  if (trimmed === '' || !validRange(trimmed)) {
    throw new VersionError('range-unreadable', `"${range}" is not a version range`, {
      next: 'Write "*" for every version, or comparisons joined by commas, for example ">=1.10.0,<2".',
    });
  }
}

/** Negative, zero or positive as `left` is older than, the same as, or newer than `right`. */
export function compareVersions(ecosystem: Ecosystem, left: string, right: string): number {
  checkVersion(ecosystem, left);
  checkVersion(ecosystem, right);
  return compare(left, right);
}

export function isPrerelease(ecosystem: Ecosystem, version: string): boolean {
  checkVersion(ecosystem, version);
  return explain(version)?.is_prerelease ?? false;
}

function requirePython(ecosystem: Ecosystem): void {
  switch (ecosystem) {
    case 'pypi':
      return;
    case 'npm':
    case 'golang':
    case 'nuget':
      throw new VersionError('ecosystem-unsupported', `versions of the ecosystem ${ecosystem} are not supported`);
    default:
      unreachable(ecosystem);
  }
}
