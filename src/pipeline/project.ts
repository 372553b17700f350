/**
 * Which package a release is, so that profiles can be found for it: a release from a registry is what its purl says, a
 * checkout or a folder is what its own metadata says (and, for a forge, also the repository).
 */
import { formatPurl, isPurl, normalizePypiName, parsePurl } from '../base/purl.js';
import { versionInRange, isVersion } from '../base/versions.js';
import { isEveryVersion } from '../profile/inventory-set.js';
import { ecosystemOf } from '../profile/language.js';
import type { Profile } from '../profile/profile.js';
import { readProjectMetadata } from '../release/dependencies.js';
import type { Release } from '../release/release.js';

/** A package that the release is, by a purl without version. */
export interface PackageName {
  readonly package: string;
  readonly version?: string;
}

const REGISTRIES: ReadonlySet<string> = new Set(['pypi', 'npm', 'golang', 'nuget']);

export async function packagesOf(release: Release): Promise<readonly PackageName[]> {
  const purl = isPurl(release.identity.purl) ? parsePurl(release.identity.purl) : undefined;
  const named: PackageName[] = [];
  if (purl !== undefined && purl.type !== 'generic') {
    const bare = { type: purl.type, ...(purl.namespace === undefined ? {} : { namespace: purl.namespace }), name: purl.name, qualifiers: new Map<string, string>(), subpath: '' };
    named.push({ package: formatPurl(bare), ...(release.version === undefined ? {} : { version: release.version }) });
    if (REGISTRIES.has(purl.type)) return named;
  }
  const metadata = await readProjectMetadata([
    { files: new Map(release.files.map((file) => [file.path, file])), subpath: release.subpath, read: (file) => release.read(file.path) },
  ]);
  if (metadata.name !== undefined) {
    const bare = { type: 'pypi', name: normalizePypiName(metadata.name), qualifiers: new Map<string, string>(), subpath: '' };
    named.push({ package: formatPurl(bare), ...(metadata.version === undefined ? {} : { version: metadata.version }) });
  }
  return named;
}

export type ProfileFit =
  | { readonly kind: 'fits'; readonly version: string | undefined }
  | { readonly kind: 'other-package' }
  /** Of this package, and not for this version of it. */
  | { readonly kind: 'other-version'; readonly version: string | undefined };

export function fitProfile(profile: Profile, packages: readonly PackageName[]): ProfileFit {
  const wanted = formatPurl(parsePurl(profile.package));
  const same = packages.filter((candidate) => candidate.package === wanted);
  const fitting = same.find((candidate) => coversVersion(profile, profile.packageVersions, candidate.version));
  if (fitting !== undefined) return { kind: 'fits', version: fitting.version };
  return same[0] === undefined ? { kind: 'other-package' } : { kind: 'other-version', version: same[0].version };
}

/** The name under which this release serves the profile's tool. */
export function servedName(profile: Profile, version: string | undefined): string {
  return profile.servedNames.find((served) => coversVersion(profile, served.versions, version))?.name ?? profile.tool;
}

/** A version that is not known, or is no version of the ecosystem (a commit), is covered only by a range that covers all. */
function coversVersion(profile: Profile, range: string, version: string | undefined): boolean {
  if (isEveryVersion(range)) return true;
  const ecosystem = ecosystemOf(profile.language);
  return version !== undefined && isVersion(ecosystem, version) && versionInRange(ecosystem, version, range);
}
