/**
 * Acquires one commit of a git repository through the user's `git`, so that its mirrors (`insteadOf`), credentials and
 * proxies apply. Only objects are fetched and read: nothing is checked out, so no filter, hook, attribute or submodule of
 * the repository takes part. A tag is resolved to its commit, which becomes the identity; branches are refused, since
 * they move.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TREE_MEMBER_BYTES_MAX, NEAREST_VERSIONS_MAX } from '../base/limits.js';
import type { CachedArtifact, CachedRelease, ReleaseCache, TreeStaging } from './cache.js';
import { runChild } from './child.js';
import { redactUrls, ReleaseError, throwIfCancelled } from './errors.js';
import type { FetchOptions } from './pypi.js';
import type { GitSpec } from './spec.js';
import { fileMode } from './tree.js';

const FULL_COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const SHORT_COMMIT = /^[0-9a-f]{7,63}$/;
const GIT_LISTING_BYTES_MAX = 64 * 1024 * 1024;
const MISSING_NEXT = 'Install git, or name a published package instead.';

/** Settings of ours that no configuration file overrides. */
const SAFE_SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'protocol.ext.allow=never',
  'fetch.recurseSubmodules=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'transfer.bundleURI=false',
];

export async function fetchGitRelease(spec: GitSpec, cache: ReleaseCache, options: FetchOptions): Promise<CachedRelease> {
  return cache.withScratch(async (folder) => {
    const repository = new GitRepository(join(folder, 'repository'), options);
    await repository.create();
    options.onProgress(`looking up ${spec.ref} in ${redactUrls(spec.url)}`);
    const resolved = await resolveRef(spec, repository);
    if (resolved.commit !== undefined) {
      const known = await cache.findArtifact(`gitCommit:${resolved.commit}`);
      if (known !== undefined) return { main: known };
    }
    options.onProgress(`fetching ${spec.ref}`);
    const commit = await fetchCommit(spec, resolved, repository);
    const { tree } = await cache.storeTree(`${spec.purl.name}@${spec.ref}`, async (staging) => {
      await repository.exportCommit(commit, staging);
      return 'as-is';
    });
    const main: CachedArtifact = { artifact: `gitCommit:${commit}`, tree };
    await cache.rememberArtifact(main);
    return { main };
  });
}

interface ResolvedRef {
  /** Absent for a shortened commit id: only the repository's history tells. */
  readonly commit?: string;
  /** What to ask the server for. */
  readonly want: string;
}

async function resolveRef(spec: GitSpec, repository: GitRepository): Promise<ResolvedRef> {
  const tags = await repository.listTags(spec.url);
  const tag = `refs/tags/${spec.ref}`;
  // A peeled entry is the commit that an annotated tag points to.
  const commit = tags.get(`${tag}^{}`) ?? tags.get(tag);
  if (commit !== undefined) return { commit, want: tag };
  if (FULL_COMMIT.test(spec.ref)) return { commit: spec.ref, want: spec.ref };
  if (SHORT_COMMIT.test(spec.ref)) return { want: spec.ref };
  throw missingRef(spec, tags);
}

async function fetchCommit(spec: GitSpec, resolved: ResolvedRef, repository: GitRepository): Promise<string> {
  if (resolved.commit !== undefined && (await repository.fetchShallow(spec.url, resolved.want))) {
    return repository.requireCommit(resolved.commit, spec);
  }
  // The server does not give single commits away, or the id is shortened: all of its branches and tags, then look.
  await repository.fetchEverything(spec.url);
  return repository.requireCommit(resolved.commit ?? spec.ref, spec);
}

function missingRef(spec: GitSpec, tags: ReadonlyMap<string, string>): ReleaseError {
  const names = [...tags.keys()].filter((ref) => !ref.endsWith('^{}')).map((ref) => ref.slice('refs/tags/'.length));
  const wanted = spec.ref.replace(/^v/, '');
  const alike = names.filter((name) => name.includes(wanted) || wanted.includes(name));
  const shown = (alike.length > 0 ? alike : names).slice(-NEAREST_VERSIONS_MAX);
  return new ReleaseError('version-missing', `${redactUrls(spec.url)} has no tag "${spec.ref}", and it is not a commit id`, {
    next:
      shown.length === 0
        ? 'It has no tags: name a commit id. Branches are refused, since they move.'
        : `Some of its tags: ${shown.join(', ')}. Branches are refused, since they move; a commit id is fine.`,
  });
}

class GitRepository {
  readonly #folder: string;
  readonly #options: FetchOptions;

  constructor(folder: string, options: FetchOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  async create(): Promise<void> {
    await mkdir(this.#folder);
    await this.#run(['init', '--quiet', '--bare', '--template=', '.']);
  }

  /** Tag refs and what they point to, peeled entries included. */
  async listTags(url: string): Promise<Map<string, string>> {
    const { stdout } = await this.#run(['ls-remote', '--quiet', '--tags', '--', url], GIT_LISTING_BYTES_MAX);
    const tags = new Map<string, string>();
    for (const line of stdout.toString('utf8').split('\n')) {
      const [id, ref] = line.split('\t');
      if (id !== undefined && ref !== undefined) tags.set(ref, id);
    }
    return tags;
  }

  /** False when the server refuses to give exactly this. */
  async fetchShallow(url: string, want: string): Promise<boolean> {
    const result = await this.#tryRun(['fetch', '--quiet', '--depth=1', '--no-tags', '--', url, want]);
    return result.exitCode === 0;
  }

  async fetchEverything(url: string): Promise<void> {
    await this.#run(['fetch', '--quiet', '--no-tags', '--', url, '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']);
  }

  async requireCommit(id: string, spec: GitSpec): Promise<string> {
    const result = await this.#tryRun(['rev-parse', '--quiet', '--verify', '--end-of-options', `${id}^{commit}`]);
    const commit = result.stdout.toString('utf8').trim();
    if (result.exitCode === 0 && FULL_COMMIT.test(commit)) return commit;
    throw new ReleaseError('version-missing', `${redactUrls(spec.url)} has no commit ${spec.ref}`, {
      next: 'Check the id; a commit that no branch or tag reaches may be gone.',
    });
  }

  /** Reads every blob of the commit's tree as it was committed. Submodules hold no files of this repository. */
  async exportCommit(commit: string, staging: TreeStaging): Promise<void> {
    const { stdout } = await this.#run(['ls-tree', '-r', '-z', '--long', '--full-tree', commit], GIT_LISTING_BYTES_MAX);
    const objects = new GitObjects(this.#spawn(['cat-file', '--batch']));
    try {
      for (const row of splitAtNul(stdout)) {
        throwIfCancelled(this.#options.signal);
        await exportEntry(readTreeRow(row), objects, staging);
      }
    } finally {
      objects.close();
    }
  }

  async #run(args: readonly string[], stdoutBytesMax?: number): Promise<{ stdout: Buffer }> {
    const result = await this.#tryRun(args, stdoutBytesMax);
    if (result.exitCode === 0) return result;
    const detail = redactUrls(result.stderr.trim().split('\n').slice(-3).join('\n'));
    throw new ReleaseError('git-failed', `git ${args[0] ?? ''} failed: ${detail}`, {
      next: 'Check that the same git command works in a terminal without asking for anything, or use --offline if the release is cached.',
    });
  }

  #tryRun(args: readonly string[], stdoutBytesMax?: number): ReturnType<typeof runChild> {
    return runChild('git', this.#withSettings(args), {
      cwd: this.#folder,
      env: this.#environment(),
      signal: this.#options.signal,
      missingNext: MISSING_NEXT,
      ...(stdoutBytesMax === undefined ? {} : { stdoutBytesMax }),
    });
  }

  #spawn(args: readonly string[]): ChildProcessWithoutNullStreams {
    return spawn('git', this.#withSettings(args), { cwd: this.#folder, env: this.#environment(), stdio: 'pipe' });
  }

  #withSettings(args: readonly string[]): string[] {
    return [...SAFE_SETTINGS.flatMap((setting) => ['-c', setting]), ...args];
  }

  #environment(): NodeJS.ProcessEnv {
    // Inside a hook, git's own variables would point every command at another repository.
    const inherited = Object.entries(this.#options.env).filter(
      ([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|QUARANTINE_PATH)$/.test(name),
    );
    return { ...Object.fromEntries(inherited), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_LFS_SKIP_SMUDGE: '1', LC_ALL: 'C' };
  }
}

interface TreeRow {
  readonly mode: number;
  readonly type: string;
  readonly id: string;
  readonly size: number;
  readonly path: string;
}

async function exportEntry(row: TreeRow, objects: GitObjects, staging: TreeStaging): Promise<void> {
  if (row.type === 'commit') return;
  if (row.type !== 'blob') throw new ReleaseError('member-kind-unsupported', `${row.path} is a git ${row.type}`);
  if (row.size > TREE_MEMBER_BYTES_MAX) throw new ReleaseError('limit-exceeded', `${row.path} is larger than ${TREE_MEMBER_BYTES_MAX} bytes`);
  const bytes = await objects.read(row.id, row.size);
  if ((row.mode & 0o170000) === 0o120000) await staging.addLink(row.path, bytes.toString('utf8'));
  else await staging.addFile(row.path, fileMode(row.mode), bytes);
}

function readTreeRow(row: Buffer): TreeRow {
  const tab = row.indexOf('\t');
  const [mode = '', type = '', id = '', size = ''] = row.subarray(0, tab).toString('latin1').split(/ +/);
  // Bytes that are not UTF-8 become U+FFFD, which the tree refuses.
  return { mode: Number.parseInt(mode, 8), type, id, size: size === '-' ? 0 : Number(size), path: row.subarray(tab + 1).toString('utf8') };
}

function splitAtNul(bytes: Buffer): Buffer[] {
  const rows: Buffer[] = [];
  for (let start = 0, end = bytes.indexOf(0); end >= 0; start = end + 1, end = bytes.indexOf(0, start)) rows.push(bytes.subarray(start, end));
  return rows;
}

/** A running `git cat-file --batch`: one id in, `<id> blob <size>\n<bytes>\n` out. */
class GitObjects {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #output: AsyncIterator<Buffer>;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#output = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    // A dead child is seen as the end of its output.
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.stderr.resume();
  }

  async read(id: string, size: number): Promise<Buffer> {
    this.#child.stdin.write(`${id}\n`);
    const header = `${id} blob ${size}\n`;
    const answer = await this.#take(header.length + size + 1);
    if (answer.subarray(0, header.length).toString('latin1') !== header)
      throw new ReleaseError('git-failed', `git cat-file gave no blob ${id}`, { next: 'Try again; if it stays, the repository is damaged.' });
    return answer.subarray(header.length, header.length + size);
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }

  async #take(length: number): Promise<Buffer> {
    const parts = [this.#buffered];
    let available = this.#buffered.length;
    while (available < length) {
      const next = await this.#output.next();
      if (next.done === true) throw new ReleaseError('git-failed', 'git cat-file ended early', { next: 'Try again; if it stays, the repository is damaged.' });
      parts.push(next.value);
      available += next.value.length;
    }
    const all = Buffer.concat(parts);
    this.#buffered = all.subarray(length);
    return all.subarray(0, length);
  }
}
