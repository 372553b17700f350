/**
 * The dependency versions of a Python release: what its metadata declares, and what its lock file fixes. A lock that says
 * two things (resolution forks, two lock files that disagree), or a version that the requirement excludes, says nothing:
 * the version is then not locked. A file that
 * cannot be parsed is an error, since silence would look like "no dependency".
 */
import { parse as parseToml, type TomlTable, type TomlValue } from 'smol-toml';
import { LOCK_FILE_BYTES_MAX } from '../base/limits.js';
import { normalizePypiName } from '../base/purl.js';
import { isVersion, versionInRange } from '../base/versions.js';
import { ReleaseError } from './errors.js';
import type { DependencyVersion, ReleaseFile } from './release.js';
import { declaredRanges, metadataField, parseRequirement, pinsOfRequirementsFile, type Requirement } from './requirements.js';

/** The files of one artifact of the release. */
export interface DependencySource {
  readonly files: ReadonlyMap<string, ReleaseFile>;
  /** Folder of the project inside it. */
  readonly subpath: string;
  /** Set for an artifact other than the release's own. */
  readonly artifact?: string;
  read(file: ReleaseFile): Promise<Buffer>;
}

export interface ProjectMetadata {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies: readonly DependencyVersion[];
}

interface Statement {
  readonly value: string | undefined;
  readonly from: DependencyVersion['from'];
}

/** `sources` in order of preference: the analysed artifact first. Lock files are looked for in all of them. */
export async function readProjectMetadata(sources: readonly DependencySource[]): Promise<ProjectMetadata> {
  const [main] = sources;
  if (main === undefined) return { dependencies: [] };
  const declared = await readDeclared(main);
  let locked = new Map<string, Statement>();
  for (const source of sources) {
    locked = await readLocks(source);
    if (locked.size > 0) break;
  }
  const own = declared.name === undefined ? undefined : normalizePypiName(declared.name);
  const names = [...new Set([...declared.ranges.keys(), ...locked.keys()])].filter((name) => name !== own).sort();
  const dependencies = names.flatMap((name) => joinStatements(name, declared.ranges.get(name), locked.get(name)));
  return {
    ...(declared.name === undefined ? {} : { name: declared.name }),
    ...(declared.version === undefined ? {} : { version: declared.version }),
    dependencies,
  };
}

function joinStatements(name: string, declared: Statement | undefined, stated: Statement | undefined): DependencyVersion[] {
  // A lock file older than the requirement is not what would be installed.
  const isStale = stated?.value !== undefined && declared?.value !== undefined && !versionInRange('pypi', stated.value, declared.value);
  const locked = isStale ? { ...stated, value: undefined } : stated;
  const from = locked?.value === undefined ? (declared?.from ?? locked?.from) : locked.from;
  if (from === undefined) return [];
  return [
    {
      name,
      ecosystem: 'pypi',
      ...(declared?.value === undefined ? {} : { declared: declared.value }),
      ...(locked?.value === undefined ? {} : { locked: locked.value }),
      from,
    },
  ];
}

interface Declared {
  readonly name?: string;
  readonly version?: string;
  readonly ranges: Map<string, Statement>;
}

/** A wheel's METADATA, else pyproject.toml, else an sdist's PKG-INFO (older build tools write only that). */
async function readDeclared(source: DependencySource): Promise<Declared> {
  const wheelMetadata = [...source.files.values()].filter((file) => /^[^/]+\.dist-info\/METADATA$/.test(file.path));
  if (wheelMetadata.length > 1) throw unreadable(wheelMetadata[1]?.path ?? '', 'a wheel has one METADATA file, not several');
  const [metadata] = wheelMetadata;
  if (metadata !== undefined) return declaredByMetadata(metadata, await readText(source, metadata), source);
  const pyproject = source.files.get(inFolder(source.subpath, 'pyproject.toml'));
  const fromPyproject = pyproject === undefined ? undefined : await declaredByPyproject(pyproject, source);
  if (fromPyproject !== undefined) return fromPyproject;
  const pkgInfo = source.files.get(inFolder(source.subpath, 'PKG-INFO'));
  return pkgInfo === undefined ? { ranges: new Map() } : declaredByMetadata(pkgInfo, await readText(source, pkgInfo), source);
}

function declaredByMetadata(file: ReleaseFile, text: string, source: DependencySource): Declared {
  const requirements = metadataField(text, 'Requires-Dist').map((line) => requireRequirement(line, file.path));
  return {
    ...firstOf('name', metadataField(text, 'Name')),
    ...firstOf('version', metadataField(text, 'Version')),
    ranges: statements(declaredRanges(requirements), file, source),
  };
}

async function declaredByPyproject(file: ReleaseFile, source: DependencySource): Promise<Declared | undefined> {
  const project = (await readToml(source, file))['project'];
  if (!isTable(project)) return undefined;
  const listed = project['dependencies'];
  // Computed by the build backend, which is never run here.
  if (listed === undefined && Array.isArray(project['dynamic']) && project['dynamic'].includes('dependencies')) return undefined;
  const lines = listed === undefined ? [] : listed;
  if (!Array.isArray(lines)) throw unreadable(file.path, 'project.dependencies is not a list');
  const requirements = lines.map((line) => requireRequirement(typeof line === 'string' ? line : '', file.path));
  return {
    ...(typeof project['name'] === 'string' ? { name: project['name'] } : {}),
    ...(typeof project['version'] === 'string' ? { version: project['version'] } : {}),
    ranges: statements(declaredRanges(requirements), file, source),
  };
}

const TOML_LOCKS = ['uv.lock', 'pdm.lock', 'poetry.lock'] as const;

/** The lock files nearest to the project: in its folder, else in a folder above it (workspaces have one for all). */
async function readLocks(source: DependencySource): Promise<Map<string, Statement>> {
  for (const folder of foldersUpwards(source.subpath)) {
    const locked = new Map<string, Statement>();
    for (const name of TOML_LOCKS) {
      const file = source.files.get(inFolder(folder, name));
      if (file !== undefined) addPins(locked, pinsOfTomlLock(await readToml(source, file), file.path), file, source);
    }
    for (const file of source.files.values()) {
      if (isRequirementsFile(file.path, folder)) addPins(locked, pinsOfRequirementsFile(await readText(source, file)), file, source);
    }
    if (locked.size > 0) return locked;
  }
  return new Map();
}

function pinsOfTomlLock(document: TomlTable, path: string): { name: string; version: string }[] {
  const packages = document['package'] ?? [];
  if (!Array.isArray(packages)) throw unreadable(path, 'its packages are not a list');
  return packages.flatMap((entry) => {
    if (!isTable(entry) || typeof entry['name'] !== 'string') throw unreadable(path, 'a package has no name');
    // Members of the project itself have no version that could be installed instead.
    if (typeof entry['version'] !== 'string' || isOwnSource(entry['source'])) return [];
    if (!isVersion('pypi', entry['version'])) throw unreadable(path, `${entry['name']} has the version "${entry['version']}"`);
    return [{ name: normalizePypiName(entry['name']), version: entry['version'] }];
  });
}

function isOwnSource(source: TomlValue | undefined): boolean {
  return source !== undefined && isTable(source) && ['editable', 'virtual', 'directory'].some((key) => key in source);
}

function addPins(locked: Map<string, Statement>, pins: readonly { name: string; version: string }[], file: ReleaseFile, source: DependencySource): void {
  for (const { name, version } of pins) {
    const before = locked.get(name);
    if (before === undefined) locked.set(name, statement(version, file, source));
    else if (before.value !== version) locked.set(name, { ...before, value: undefined });
  }
}

function isRequirementsFile(path: string, folder: string): boolean {
  const prefix = folder === '' ? '' : `${folder}/`;
  return path.startsWith(prefix) && /^requirements[^/]*\.txt$/.test(path.slice(prefix.length));
}

function foldersUpwards(subpath: string): string[] {
  const segments = subpath === '' ? [] : subpath.split('/');
  return Array.from({ length: segments.length + 1 }, (_, dropped) => segments.slice(0, segments.length - dropped).join('/'));
}

function statements(ranges: ReadonlyMap<string, string | undefined>, file: ReleaseFile, source: DependencySource): Map<string, Statement> {
  return new Map([...ranges].map(([name, range]) => [name, statement(range, file, source)]));
}

function statement(value: string | undefined, file: ReleaseFile, source: DependencySource): Statement {
  return { value, from: { path: file.path, sha256: file.sha256, ...(source.artifact === undefined ? {} : { artifact: source.artifact }) } };
}

function requireRequirement(line: string, path: string): Requirement {
  const requirement = parseRequirement(line);
  if (requirement === undefined) throw unreadable(path, `"${line}" is no requirement`);
  return requirement;
}

async function readToml(source: DependencySource, file: ReleaseFile): Promise<TomlTable> {
  try {
    return parseToml(await readText(source, file));
  } catch (cause) {
    if (cause instanceof ReleaseError) throw cause;
    throw unreadable(file.path, cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'it is not TOML', cause);
  }
}

async function readText(source: DependencySource, file: ReleaseFile): Promise<string> {
  if (file.size > LOCK_FILE_BYTES_MAX)
    throw new ReleaseError('limit-exceeded', `${file.path} is larger than ${LOCK_FILE_BYTES_MAX} bytes`, { place: { file: file.path } });
  return (await source.read(file)).toString('utf8');
}

function firstOf<Key extends string>(key: Key, values: readonly string[]): Partial<Record<Key, string>> {
  const [value] = values;
  return value === undefined ? {} : ({ [key]: value } as Record<Key, string>);
}

function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
}

function unreadable(path: string, why: string, cause?: unknown): ReleaseError {
  return new ReleaseError('metadata-unreadable', `${path} cannot be read: ${why}`, {
    place: { file: path },
    next: 'Report it to the publisher of the release; without its metadata the meaning of its calls is not known.',
    cause,
  });
}
