/**
 * The rules that every release tree obeys, wherever it came from (archive, git, folder), and its digest.
 *
 * `TreeChecker` sees each member before its bytes are taken and refuses: unsafe paths, duplicates, a file where a folder
 * is, names that differ only in letter case or Unicode normalisation (they are one file on some machines), links that
 * leave the tree, and anything over a limit. It touches no disk.
 */
import { Buffer } from 'node:buffer';
import { posix } from 'node:path';
import { digestOfJson, type Digest } from '../base/digest.js';
import { TREE_LINK_HOPS_MAX, TREE_MEMBER_BYTES_MAX, TREE_MEMBERS_MAX, TREE_PATH_BYTES_MAX, TREE_TOTAL_BYTES_MAX } from '../base/limits.js';
import { ReleaseError } from './errors.js';
import type { ReleaseFile } from './release.js';

/** Modes are normalised, as git does: two machines with different umasks must agree on a tree. */
export const MODE_FILE = 0o100644;
export const MODE_EXECUTABLE = 0o100755;
export const MODE_LINK = 0o120000;

export interface TreeLimits {
  readonly membersMax: number;
  readonly memberBytesMax: number;
  readonly totalBytesMax: number;
}

export const DEFAULT_TREE_LIMITS: TreeLimits = {
  membersMax: TREE_MEMBERS_MAX,
  memberBytesMax: TREE_MEMBER_BYTES_MAX,
  totalBytesMax: TREE_TOTAL_BYTES_MAX,
};

export function fileMode(unixMode: number): number {
  return (unixMode & 0o111) === 0 ? MODE_FILE : MODE_EXECUTABLE;
}

/** `sha256:` over the canonical list of (path, mode, sha256), sorted by path. A link counts with its target as content. */
export function treeDigest(files: readonly ReleaseFile[]): Digest {
  return digestOfJson(sortedByPath(files).map((file) => [file.path, file.mode, file.sha256]));
}

export function sortedByPath(files: readonly ReleaseFile[]): ReleaseFile[] {
  return [...files].sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
}

type Occupant = 'file' | 'folder';

export class TreeChecker {
  readonly #limits: TreeLimits;
  /** What errors call the tree: a file name or a purl. */
  readonly #source: string;
  readonly #occupants = new Map<string, Occupant>();
  /** Folded name → the spelling that took it. */
  readonly #spellings = new Map<string, string>();
  #members = 0;
  #totalBytes = 0;

  constructor(source: string, limits: TreeLimits = DEFAULT_TREE_LIMITS) {
    this.#source = source;
    this.#limits = limits;
  }

  /** Admits a file or link of this size, or throws. Returns its path, cleaned of a leading `./`. */
  addMember(rawPath: string, bytes: number): string {
    const path = this.#cleanPath(rawPath);
    this.#members += 1;
    if (this.#members > this.#limits.membersMax) throw this.#overLimit(`more than ${this.#limits.membersMax} files`);
    if (bytes > this.#limits.memberBytesMax) throw this.#overLimit(`${path} is larger than ${this.#limits.memberBytesMax} bytes`);
    this.#totalBytes += bytes;
    if (this.#totalBytes > this.#limits.totalBytesMax) throw this.#overLimit(`more than ${this.#limits.totalBytesMax} bytes in all`);
    const segments = path.split('/');
    for (let end = 1; end < segments.length; end += 1) this.#occupy(segments.slice(0, end).join('/'), 'folder');
    this.#occupy(path, 'file');
    return path;
  }

  /** Folders are not members (git has none either), but their names are checked. */
  addFolder(rawPath: string): void {
    const trimmed = rawPath.replace(/\/+$/, '');
    if (trimmed === '' || trimmed === '.') return;
    const segments = this.#cleanPath(trimmed).split('/');
    for (let end = 1; end <= segments.length; end += 1) this.#occupy(segments.slice(0, end).join('/'), 'folder');
  }

  /** A link may point anywhere inside the tree, also to nothing. */
  checkLink(path: string, target: string): void {
    if (resolveLink(path, target) === undefined) throw this.unsafeLink(path, target);
  }

  unsafeLink(path: string, target: string): ReleaseError {
    return new ReleaseError(
      'member-link-unsafe',
      `${this.#source}: the link ${JSON.stringify(path)} leaves the tree (it points to ${JSON.stringify(target)})`,
      {
        next: 'The release is unsafe to unpack; report it to its publisher.',
      },
    );
  }

  #cleanPath(rawPath: string): string {
    const path = rawPath.replace(/^(?:\.\/)+/, '');
    const reason = unsafePathReason(path);
    if (reason === undefined) return path;
    throw new ReleaseError('member-path-unsafe', `${this.#source}: the member ${JSON.stringify(rawPath)} ${reason}`, {
      next: 'The release is unsafe to unpack; report it to its publisher.',
    });
  }

  #occupy(path: string, as: Occupant): void {
    const before = this.#occupants.get(path);
    if (before === 'folder' && as === 'folder') return;
    if (before !== undefined) {
      throw new ReleaseError('member-duplicate', `${this.#source}: ${path} is there twice${before === as ? '' : ', as a file and as a folder'}`, {
        place: { file: path },
      });
    }
    const folded = foldPath(path);
    const spelling = this.#spellings.get(folded);
    if (spelling !== undefined) {
      throw new ReleaseError(
        'member-collision',
        `${this.#source}: ${spelling} and ${path} are the same name on machines that ignore letter case or Unicode normalisation`,
        { place: { file: path } },
      );
    }
    this.#occupants.set(path, as);
    this.#spellings.set(folded, path);
  }

  #overLimit(what: string): ReleaseError {
    return new ReleaseError('limit-exceeded', `${this.#source}: ${what}`, {
      next: 'Releases of this size are not analysed; name a smaller artifact or a subfolder checkout.',
    });
  }
}

export function unsafePathReason(path: string): string | undefined {
  if (path === '') return 'has no name';
  if (Buffer.byteLength(path, 'utf8') > TREE_PATH_BYTES_MAX) return `has a path longer than ${TREE_PATH_BYTES_MAX} bytes`;
  if (/\p{Surrogate}/u.test(path) || path.includes('\ufffd')) return 'has a name that is not UTF-8';
  if (/\p{Cc}/u.test(path)) return 'has control characters in its name';
  if (path.includes('\\')) return 'has a backslash in its name';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'has an absolute path';
  const segments = path.split('/');
  if (segments.includes('..')) return 'climbs out of the tree with ".."';
  if (segments.some((segment) => segment === '' || segment === '.')) return 'has an empty or "." segment in its path';
  return undefined;
}

/** The path that a link points to, or undefined when it leaves the tree. */
export function resolveLink(path: string, target: string): string | undefined {
  if (target === '' || target.startsWith('/') || target.includes('\\') || /^[A-Za-z]:/.test(target) || /\p{Cc}/u.test(target)) return undefined;
  const resolved = posix.normalize(posix.join(posix.dirname(path), target)).replace(/\/+$/, '');
  return resolved === '..' || resolved.startsWith('../') ? undefined : resolved;
}

/** Follows links from one member to a file, through links of the tree only. Undefined: it ends nowhere, or in a circle. */
export async function followLinks(
  path: string,
  files: ReadonlyMap<string, ReleaseFile>,
  readTarget: (link: ReleaseFile) => Promise<string>,
): Promise<ReleaseFile | undefined> {
  let current = files.get(path);
  for (let hop = 0; hop < TREE_LINK_HOPS_MAX; hop += 1) {
    if (current?.mode !== MODE_LINK) return current;
    const next = resolveLink(current.path, await readTarget(current));
    current = next === undefined ? undefined : files.get(next);
  }
  return undefined;
}

function foldPath(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFKC');
}
