/**
 * Acquires a release: from a package index, a git repository, an archive file or a folder, or from the cache. Gives it
 * its identity (purl, publisher's digest, tree digest) and the dependency versions that its meaning depends on. Runs
 * nothing of the release.
 */
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { formatPurl, type Purl } from '../base/purl.js';
import { defaultCacheDir, ReleaseCache, type CachedRelease } from './cache.js';
import { readProjectMetadata, type DependencySource } from './dependencies.js';
import { listDirectory, readDirectoryFile } from './directory.js';
import { isErrnoException, ReleaseError, throwIfCancelled } from './errors.js';
import { fetchGitRelease } from './git.js';
import { fetchPypiRelease, sha256OfFile, type FetchOptions } from './pypi.js';
import type { Release, ReleaseFile, ReleaseIdentity } from './release.js';
import { parseReleaseSpec, type GitSpec, type PathSpec, type PypiSpec } from './spec.js';
import { followLinks, treeDigest } from './tree.js';
import { archiveFormat, unpackArchive } from './unpack.js';

export interface AcquireOptions {
  /** Default: `$FCD_CACHE`, else `fcd` in the user's cache folder. */
  readonly cacheDir?: string | undefined;
  /** Use the cache only. Folders and archive files of this machine are read all the same. */
  readonly offline?: boolean | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What relative paths are relative to; default: the current folder. */
  readonly workingDirectory?: string | undefined;
  /** Default: the environment of this process. pip and git are run with it. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

export async function acquireRelease(spec: string, options: AcquireOptions = {}): Promise<Release> {
  throwIfCancelled(options.signal);
  const parsed = parseReleaseSpec(spec);
  switch (parsed.kind) {
    case 'pypi':
    case 'git':
      return acquireNamed(parsed, options);
    case 'path':
      return acquirePath(parsed, options);
  }
}

async function acquireNamed(spec: PypiSpec | GitSpec, options: AcquireOptions): Promise<Release> {
  const cache = await openCache(options);
  const purl = formatPurl(spec.purl);
  // A purl says where it is from, a git URL of this machine does not.
  const key = spec.kind === 'git' ? `${withoutSubpath(spec.purl)} ${spec.url}` : withoutSubpath(spec.purl);
  const cached = await findCached(spec, key, cache, options);
  if (cached === undefined && options.offline === true) {
    throw new ReleaseError('not-cached', `${purl} is not in the cache, and --offline forbids fetching it`, {
      next: `Run the same command once without --offline; it fetches ${purl} into the cache.`,
    });
  }
  const release = cached ?? (await fetchNamed(spec, key, cache, options));
  const subpath = spec.purl.subpath;
  const main = await cachedSource(cache, release.main.tree, subpath);
  const companion =
    release.companion === undefined ? [] : [{ ...(await cachedSource(cache, release.companion.tree, '')), artifact: release.companion.artifact }];
  return buildRelease({ purl, artifact: release.main.artifact, tree: release.main.tree }, { name: spec.purl.name, version: spec.purl.version }, [
    main,
    ...companion,
  ]);
}

/** A published version never changes, so the cache answers for it; a git tag may be moved, so it is asked for when online. */
async function findCached(spec: PypiSpec | GitSpec, key: string, cache: ReleaseCache, options: AcquireOptions): Promise<CachedRelease | undefined> {
  if (spec.kind === 'pypi') return cache.findRelease(key);
  const commit = await cache.findArtifact(`gitCommit:${spec.ref}`);
  if (commit !== undefined) return { main: commit };
  return options.offline === true ? cache.findRelease(key) : undefined;
}

async function fetchNamed(spec: PypiSpec | GitSpec, key: string, cache: ReleaseCache, options: AcquireOptions): Promise<CachedRelease> {
  const fetchOptions: FetchOptions = { env: options.env ?? process.env, onProgress: options.onProgress ?? ignoreProgress, signal: options.signal };
  const release = spec.kind === 'pypi' ? await fetchPypiRelease(spec, cache, fetchOptions) : await fetchGitRelease(spec, cache, fetchOptions);
  await cache.rememberRelease(key, release);
  return release;
}

async function acquirePath(spec: PathSpec, options: AcquireOptions): Promise<Release> {
  const path = resolve(options.workingDirectory ?? process.cwd(), spec.path);
  let isDirectory: boolean;
  try {
    isDirectory = (await stat(path)).isDirectory();
  } catch (cause) {
    if (!isErrnoException(cause, 'ENOENT', 'ENOTDIR')) throw cause;
    throw new ReleaseError('path-missing', `there is no file or folder ${spec.path}`, {
      place: { file: spec.path },
      next: 'Name a package URL such as pkg:pypi/NAME@VERSION, or a path that exists.',
      cause,
    });
  }
  return isDirectory ? acquireDirectory(path, spec, options) : acquireArchive(path, spec, options);
}

async function acquireDirectory(path: string, spec: PathSpec, options: AcquireOptions): Promise<Release> {
  const files = await listDirectory(path, options.signal);
  const tree = treeDigest(files);
  const source: DependencySource = { files: byPath(files), subpath: spec.subpath, read: (file) => readDirectoryFile(path, file) };
  return buildRelease({ purl: `dir:${tree}${spec.subpath === '' ? '' : `#${spec.subpath}`}`, tree }, {}, [source]);
}

async function acquireArchive(path: string, spec: PathSpec, options: AcquireOptions): Promise<Release> {
  const fileName = basename(path);
  const format = archiveFormat(fileName);
  if (format === undefined)
    throw new ReleaseError('archive-unsupported', `${spec.path} is in no archive format that can be read`, {
      place: { file: spec.path },
      next: 'Name a .whl, .zip, .tar.gz or .tgz file, or a folder.',
    });
  const cache = await openCache(options);
  const artifact = `sha256:${await sha256OfFile(path)}`;
  let stored = await cache.findArtifact(artifact);
  if (stored === undefined) {
    const { tree } = await cache.storeTree(fileName, async (staging) => {
      await unpackArchive(format, path, staging, { name: fileName, signal: options.signal });
      return format === 'tar.gz' ? 'inside-top-folder' : 'as-is';
    });
    stored = { artifact, file: fileName, tree };
    await cache.rememberArtifact(stored);
  }
  const purl = formatPurl({ type: 'generic', name: fileName, qualifiers: new Map([['checksum', artifact]]), subpath: spec.subpath });
  return buildRelease({ purl, artifact, tree: stored.tree }, {}, [await cachedSource(cache, stored.tree, spec.subpath)]);
}

async function buildRelease(
  identity: ReleaseIdentity,
  known: { name?: string; version?: string | undefined },
  sources: readonly [DependencySource, ...DependencySource[]],
): Promise<Release> {
  const [main] = sources;
  if (main.subpath !== '' && ![...main.files.keys()].some((path) => path.startsWith(`${main.subpath}/`))) {
    throw new ReleaseError('path-missing', `${identity.purl} has no folder ${main.subpath}`, { next: 'Check the folder after "#".' });
  }
  const project = await readProjectMetadata(sources);
  const version = known.version ?? project.version;
  return {
    identity,
    name: known.name ?? project.name ?? 'unnamed',
    ...(version === undefined ? {} : { version }),
    files: [...main.files.values()],
    subpath: main.subpath,
    dependencies: project.dependencies,
    read: (path) => readMember(path, main),
  };
}

/** A link is read as the file that it leads to inside the tree. */
async function readMember(path: string, source: DependencySource): Promise<Buffer> {
  const file = await followLinks(path, source.files, async (link) => (await source.read(link)).toString('utf8'));
  if (file === undefined) throw new ReleaseError('file-missing', `the release has no file ${path}`, { place: { file: path } });
  return source.read(file);
}

async function cachedSource(cache: ReleaseCache, tree: CachedRelease['main']['tree'], subpath: string): Promise<DependencySource> {
  const { files } = await cache.readTree(tree);
  return { files: byPath(files), subpath, read: (file) => cache.readObject(tree, file) };
}

function openCache(options: AcquireOptions): Promise<ReleaseCache> {
  return ReleaseCache.open(options.cacheDir ?? defaultCacheDir(options.env ?? process.env));
}

function byPath(files: readonly ReleaseFile[]): ReadonlyMap<string, ReleaseFile> {
  return new Map(files.map((file) => [file.path, file]));
}

function withoutSubpath(purl: Purl): string {
  return formatPurl({ ...purl, subpath: '' });
}

function ignoreProgress(): void {
  // No one listens.
}
