/**
 * Which version of each dependency one side runs with: the one that is given, else the one that the release locks, else
 * none. A range that is only declared settles nothing: any version in it may be installed.
 */
import { formatPurl, normalizePypiName, parsePurl } from '../base/purl.js';
import { isVersion, versionInRange, type Ecosystem } from '../base/versions.js';
import type { UsedDependency } from '../analysis/summary.js';
import type { VersionOf } from '../profile/inventory-set.js';
import type { DependencyVersion } from '../release/release.js';
import { PipelineError } from './errors.js';
import type { InputValues } from './inputs.js';

const PREFIX = 'dependency:';

/** Sorted by name. */
export function resolveDependencies(ecosystem: Ecosystem, declared: readonly DependencyVersion[], inputs: InputValues): readonly UsedDependency[] {
  const given = givenVersions(ecosystem, inputs);
  const known = new Map(declared.filter((dependency) => dependency.ecosystem === ecosystem).map((dependency) => [dependency.name, dependency]));
  return [...new Set([...known.keys(), ...given.keys()])].sort().map((name) => {
    const dependency = known.get(name);
    const range = dependency?.declared === undefined ? {} : { declared: dependency.declared };
    const version = given.get(name);
    if (version !== undefined) return version === null ? { name, ecosystem, ...range, source: 'unknown' } : { name, ecosystem, ...range, version, source: 'given' };
    if (dependency?.locked !== undefined) return { name, ecosystem, ...range, version: dependency.locked, source: 'locked' };
    return { name, ecosystem, ...range, source: dependency?.declared === undefined ? 'unknown' : 'declared' };
  });
}

export function versionLookup(ecosystem: Ecosystem, dependencies: readonly UsedDependency[]): VersionOf {
  const byPackage = new Map(dependencies.map((dependency) => [packagePurl(ecosystem, dependency.name), dependency.version]));
  return (purl) => byPackage.get(formatPurl(parsePurl(purl)));
}

/** The versions that are known and that the profile does not cover, as sentences. */
export function uncoveredDependencies(ecosystem: Ecosystem, dependencies: readonly UsedDependency[], ranges: ReadonlyMap<string, string>): readonly string[] {
  const byName = new Map(dependencies.map((dependency) => [dependency.name, dependency]));
  return [...ranges].flatMap(([name, range]) => {
    const version = byName.get(dependencyName(ecosystem, name))?.version;
    if (version === undefined || versionInRange(ecosystem, version, range)) return [];
    return [`the profile covers ${name} ${range}, and this release runs with ${version}`];
  });
}

function givenVersions(ecosystem: Ecosystem, inputs: InputValues): ReadonlyMap<string, string | null> {
  const given = new Map<string, string | null>();
  for (const [key, value] of inputs) {
    if (!key.startsWith(PREFIX)) continue;
    const name = dependencyName(ecosystem, key.slice(PREFIX.length));
    if (value !== null && !isVersion(ecosystem, value)) {
      throw new PipelineError('input-invalid', `"${key}" is given as ${JSON.stringify(value)}, which is not a version`, { next: `Write one version, for example ${key}=1.2.3.` });
    }
    given.set(name, value);
  }
  return given;
}

function dependencyName(ecosystem: Ecosystem, name: string): string {
  return ecosystem === 'pypi' ? normalizePypiName(name) : name;
}

function packagePurl(ecosystem: Ecosystem, name: string): string {
  const slash = ecosystem === 'pypi' ? -1 : name.lastIndexOf('/');
  const namespace = slash < 0 ? {} : { namespace: name.slice(0, slash) };
  return formatPurl({ type: ecosystem, ...namespace, name: name.slice(slash + 1), qualifiers: new Map(), subpath: '' });
}
