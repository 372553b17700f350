/**
 * The cache of acquired releases. Trees are content-addressed: `trees/<hex>/manifest.json` lists the members, and
 * `trees/<hex>/objects/<sha256>` holds their bytes, so no name chosen by a publisher ever becomes a file name here.
 *
 * Guarantees: a tree appears whole or not at all (it is staged beside, then renamed); two processes may do the same at
 * once; nothing of a failed attempt stays; whatever is read back is checked against its digest, and a difference is the
 * error `cache-corrupt`, never a silent re-download. Records map what a user named to a tree, so that `--offline` works.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../base/canonical-json.js';
import { canonicalJson } from '../base/canonical-json.js';
import { digestOfJson, isDigest, sha256Hex, type Digest } from '../base/digest.js';
import { SCRATCH_AGE_MAX_MS } from '../base/limits.js';
import { parseJsonStrict } from '../base/parse-json.js';
import { isErrnoException, ReleaseError } from './errors.js';
import type { ReleaseFile } from './release.js';
import { DEFAULT_TREE_LIMITS, MODE_LINK, sortedByPath, TreeChecker, treeDigest, type TreeLimits } from './tree.js';

/** Bumped when the layout changes; other versions are left alone. */
const LAYOUT = 'v1';

export function defaultCacheDir(env: NodeJS.ProcessEnv = process.env): string {
  if (env['FCD_CACHE'] !== undefined && env['FCD_CACHE'] !== '') return env['FCD_CACHE'];
  const base = env['XDG_CACHE_HOME'] !== undefined && env['XDG_CACHE_HOME'] !== '' ? env['XDG_CACHE_HOME'] : join(homedir(), '.cache');
  return join(base, 'fcd');
}

export interface CachedTree {
  readonly tree: Digest;
  readonly files: readonly ReleaseFile[];
}

/** One unpacked artifact of a release. */
export interface CachedArtifact {
  /** `sha256:…` or `gitCommit:…`. */
  readonly artifact: string;
  /** The publisher's file name; absent for git. */
  readonly file?: string;
  readonly tree: Digest;
}

/** What a named release was resolved to. `companion` is the source archive beside a wheel, read for its lock file. */
export interface CachedRelease {
  readonly main: CachedArtifact;
  readonly companion?: CachedArtifact;
}

export class ReleaseCache {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(cacheDir: string): Promise<ReleaseCache> {
    const root = join(cacheDir, LAYOUT);
    try {
      for (const folder of ['trees', 'artifacts', 'releases', 'tmp']) await mkdir(join(root, folder), { recursive: true });
    } catch (cause) {
      throw new ReleaseError('cache-unusable', `the cache folder cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`, {
        next: 'Set FCD_CACHE to a folder that you may write.',
        cause,
      });
    }
    const cache = new ReleaseCache(root);
    await cache.#removeAbandonedScratch();
    return cache;
  }

  /** A private folder inside the cache, gone when `use` ends, however it ends. */
  async withScratch<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
    const folder = await mkdtemp(join(this.#root, 'tmp', 'work-'));
    try {
      return await use(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Lets `fill` add members, then publishes the tree. When `fill` throws, nothing stays. */
  async storeTree(source: string, fill: (staging: TreeStaging) => Promise<TreeLayout>, limits: TreeLimits = DEFAULT_TREE_LIMITS): Promise<CachedTree> {
    return this.withScratch(async (folder) => {
      const staging = new TreeStaging(source, join(folder, 'tree'), limits);
      await staging.open();
      const layout = await fill(staging);
      const files = staging.finish(layout);
      const tree = treeDigest(files);
      await writeFile(join(folder, 'tree', 'manifest.json'), canonicalJson(files.map(({ path, mode, size, sha256 }) => [path, mode, size, sha256])));
      try {
        await rename(join(folder, 'tree'), this.#treeFolder(tree));
      } catch (cause) {
        // Another process, or an earlier run, published the same tree: theirs must be as good as ours.
        if (!isErrnoException(cause, 'EEXIST', 'ENOTEMPTY', 'EPERM')) throw cause;
        await this.readTree(tree);
      }
      return { tree, files };
    });
  }

  async readTree(tree: Digest): Promise<CachedTree> {
    const text = await this.#readText(join(this.#treeFolder(tree), 'manifest.json'), tree);
    const files = readManifest(parseCached(text, tree));
    if (files === undefined || treeDigest(files) !== tree) throw corrupt(tree, 'its list of files is not the one that it is named by');
    return { tree, files };
  }

  async readObject(tree: Digest, file: ReleaseFile): Promise<Buffer> {
    let bytes: Buffer;
    try {
      bytes = await readFile(join(this.#treeFolder(tree), 'objects', file.sha256));
    } catch (cause) {
      throw corrupt(tree, `${file.path} is gone`, cause);
    }
    if (sha256Hex(bytes) !== file.sha256) throw corrupt(tree, `${file.path} was changed`);
    return bytes;
  }

  async findArtifact(artifact: string): Promise<CachedArtifact | undefined> {
    return readArtifact(await this.#readRecord('artifacts', artifact));
  }

  async rememberArtifact(artifact: CachedArtifact): Promise<void> {
    await this.#writeRecord('artifacts', artifact.artifact, artifactJson(artifact));
  }

  /** `key` is the canonical text of what was asked for; it is stored as a digest only, since it may hold a path. */
  async findRelease(key: string): Promise<CachedRelease | undefined> {
    const record = await this.#readRecord('releases', key);
    if (record === undefined) return undefined;
    const main = readArtifact(record['main']);
    if (main === undefined) throw corrupt(key, 'its record cannot be read');
    const companion = readArtifact(record['companion']);
    return { main, ...(companion === undefined ? {} : { companion }) };
  }

  async rememberRelease(key: string, release: CachedRelease): Promise<void> {
    await this.#writeRecord('releases', key, {
      main: artifactJson(release.main),
      ...(release.companion === undefined ? {} : { companion: artifactJson(release.companion) }),
    });
  }

  /** What a killed process left. A running one is younger. */
  async #removeAbandonedScratch(): Promise<void> {
    const oldest = Date.now() - SCRATCH_AGE_MAX_MS;
    for (const name of await readdir(join(this.#root, 'tmp'))) {
      const path = join(this.#root, 'tmp', name);
      // Another process may remove it first.
      const made = await stat(path).catch(() => undefined);
      if (made !== undefined && made.mtimeMs < oldest) await rm(path, { recursive: true, force: true });
    }
  }

  async #readRecord(folder: 'artifacts' | 'releases', key: string): Promise<JsonObject | undefined> {
    let text: string;
    try {
      text = await readFile(this.#recordFile(folder, key), 'utf8');
    } catch (cause) {
      if (isErrnoException(cause, 'ENOENT')) return undefined;
      throw corrupt(key, 'its record cannot be read', cause);
    }
    const document = parseCached(text, key);
    if (!isObject(document) || !isObject(document['record']) || document['digest'] !== recordDigest(folder, key, document['record'])) {
      throw corrupt(key, 'its record was changed');
    }
    return document['record'];
  }

  async #writeRecord(folder: 'artifacts' | 'releases', key: string, record: JsonObject): Promise<void> {
    const staged = join(this.#root, 'tmp', `record-${randomUUID()}`);
    try {
      await writeFile(staged, canonicalJson({ record, digest: recordDigest(folder, key, record) }));
      await rename(staged, this.#recordFile(folder, key));
    } finally {
      await rm(staged, { force: true });
    }
  }

  async #readText(file: string, what: string): Promise<string> {
    try {
      return await readFile(file, 'utf8');
    } catch (cause) {
      throw corrupt(what, 'it is gone', cause);
    }
  }

  #treeFolder(tree: Digest): string {
    return join(this.#root, 'trees', tree.slice('sha256:'.length));
  }

  #recordFile(folder: 'artifacts' | 'releases', key: string): string {
    return join(this.#root, folder, `${sha256Hex(key)}.json`);
  }
}

/** `inside-top-folder`: source archives wrap everything in one folder (`name-version/`), which is not part of the tree. */
export type TreeLayout = 'as-is' | 'inside-top-folder';

/** Takes the members of one tree into a staging folder. */
export class TreeStaging {
  readonly #members: ReleaseFile[] = [];
  readonly #linkTargets = new Map<string, string>();
  readonly #checker: TreeChecker;
  readonly #folder: string;
  readonly #stored = new Set<string>();

  constructor(source: string, folder: string, limits: TreeLimits) {
    this.#checker = new TreeChecker(source, limits);
    this.#folder = folder;
  }

  async open(): Promise<void> {
    await mkdir(join(this.#folder, 'objects'), { recursive: true });
  }

  async addFile(path: string, mode: number, bytes: Buffer): Promise<void> {
    const clean = this.#checker.addMember(path, bytes.length);
    const sha256 = sha256Hex(bytes);
    if (!this.#stored.has(sha256)) {
      await writeFile(join(this.#folder, 'objects', sha256), bytes, { flag: 'wx' });
      this.#stored.add(sha256);
    }
    this.#members.push({ path: clean, mode, size: bytes.length, sha256 });
  }

  /** Whether the link stays inside is checked by `finish`, when the root of the tree is known. */
  async addLink(path: string, target: string): Promise<void> {
    await this.addFile(path, MODE_LINK, Buffer.from(target, 'utf8'));
    this.#linkTargets.set(this.#members.at(-1)?.path ?? path, target);
  }

  /** A second name of a member that is already there (a hard link of a tar archive). */
  addAlias(path: string, of: string): void {
    const original = this.#members.find((member) => member.path === of.replace(/^(?:\.\/)+/, ''));
    if (original === undefined || original.mode === MODE_LINK) throw this.#checker.unsafeLink(path, of);
    const clean = this.#checker.addMember(path, original.size);
    this.#members.push({ ...original, path: clean });
  }

  addFolder(path: string): void {
    this.#checker.addFolder(path);
  }

  /** The members, sorted, below their common top folder when that is to be left out. */
  finish(layout: TreeLayout): ReleaseFile[] {
    const top = layout === 'inside-top-folder' ? this.#commonTopFolder() : '';
    for (const [path, target] of this.#linkTargets) this.#checker.checkLink(path.slice(top.length), target);
    return sortedByPath(this.#members.map((member) => ({ ...member, path: member.path.slice(top.length) })));
  }

  #commonTopFolder(): string {
    const [first] = this.#members;
    if (first === undefined || !first.path.includes('/')) return '';
    const top = first.path.slice(0, first.path.indexOf('/') + 1);
    return this.#members.every((member) => member.path.startsWith(top)) ? top : '';
  }
}

function recordDigest(folder: string, key: string, record: JsonObject): Digest {
  return digestOfJson({ folder, key, record });
}

function artifactJson(artifact: CachedArtifact): JsonObject {
  return { artifact: artifact.artifact, tree: artifact.tree, ...(artifact.file === undefined ? {} : { file: artifact.file }) };
}

function readArtifact(value: JsonValue | undefined): CachedArtifact | undefined {
  if (value === undefined || !isObject(value)) return undefined;
  const { artifact, tree, file } = value;
  if (typeof artifact !== 'string' || typeof tree !== 'string' || !isDigest(tree)) return undefined;
  return { artifact, tree, ...(typeof file === 'string' ? { file } : {}) };
}

function readManifest(document: JsonValue): ReleaseFile[] | undefined {
  if (!Array.isArray(document)) return undefined;
  const files: ReleaseFile[] = [];
  for (const row of document as readonly JsonValue[]) {
    if (!Array.isArray(row)) return undefined;
    const [path, mode, size, sha256] = row as readonly JsonValue[];
    if (typeof path !== 'string' || typeof mode !== 'number' || typeof size !== 'number' || typeof sha256 !== 'string') return undefined;
    files.push({ path, mode, size, sha256 });
  }
  return files;
}

function parseCached(text: string, what: string): JsonValue {
  try {
    return parseJsonStrict(text);
  } catch (cause) {
    throw corrupt(what, 'it cannot be read', cause);
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function corrupt(what: string, why: string, cause?: unknown): ReleaseError {
  return new ReleaseError('cache-corrupt', `the cached copy of ${what} is not intact: ${why}`, {
    next: 'Find out who writes to the cache folder (FCD_CACHE), delete that folder, and run the command again.',
    cause,
  });
}
