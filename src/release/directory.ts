/**
 * A folder of this machine as a release: its identity is the digest of its files, never its path. Nothing is copied; each
 * read is checked against the digest that was taken at the start, so a folder that changes meanwhile is an error.
 *
 * Left out, since they are not source of the release: version control, installed packages, caches of tools.
 */
import { constants } from 'node:fs';
import { open, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../base/digest.js';
import { isErrnoException, ReleaseError, throwIfCancelled } from './errors.js';
import type { ReleaseFile } from './release.js';
import { DEFAULT_TREE_LIMITS, fileMode, MODE_LINK, sortedByPath, TreeChecker, type TreeLimits } from './tree.js';

const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  '.hg',
  '.svn',
  'node_modules',
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
]);
/** Marks a Python virtual environment, whatever its folder is called. */
const VIRTUAL_ENVIRONMENT_MARK = 'pyvenv.cfg';

export async function listDirectory(root: string, signal?: AbortSignal, limits: TreeLimits = DEFAULT_TREE_LIMITS): Promise<ReleaseFile[]> {
  const checker = new TreeChecker('the folder', limits);
  const files: ReleaseFile[] = [];
  const visit = async (folder: string): Promise<void> => {
    throwIfCancelled(signal);
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    if (folder !== '' && entries.some((entry) => entry.name === VIRTUAL_ENVIRONMENT_MARK)) return;
    for (const entry of entries) {
      // A folder, or in linked work trees and submodules a file.
      if (entry.name === '.git') continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (SKIPPED_FOLDERS.has(entry.name)) continue;
        checker.addFolder(path);
        await visit(path);
      } else if (entry.isSymbolicLink()) {
        const target = await readlink(join(root, path));
        checker.checkLink(path, target);
        checker.addMember(path, target.length);
        files.push({ path, mode: MODE_LINK, size: Buffer.byteLength(target), sha256: sha256Hex(target) });
      } else if (entry.isFile()) {
        // Sizes are checked before a file is read, so that a huge one is not.
        const { size, mode } = await stat(join(root, path));
        checker.addMember(path, size);
        const bytes = await readPlainFile(root, path);
        files.push({ path, mode: fileMode(mode), size: bytes.length, sha256: sha256Hex(bytes) });
      } else {
        throw new ReleaseError('member-kind-unsupported', `${path} is neither a file, a folder nor a link`, {
          place: { file: path },
          next: 'Move it out of the folder.',
        });
      }
    }
  };
  await visit('');
  return sortedByPath(files);
}

export async function readDirectoryFile(root: string, file: ReleaseFile): Promise<Buffer> {
  const bytes = file.mode === MODE_LINK ? Buffer.from(await readlink(join(root, file.path))) : await readPlainFile(root, file.path);
  if (sha256Hex(bytes) === file.sha256) return bytes;
  throw changed(file.path);
}

async function readPlainFile(root: string, path: string): Promise<Buffer> {
  try {
    // Not through a link that was put there after the listing.
    const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (isErrnoException(cause, 'ENOENT', 'ELOOP', 'EISDIR', 'ENOTDIR')) throw changed(path, cause);
    throw cause;
  }
}

function changed(path: string, cause?: unknown): ReleaseError {
  return new ReleaseError('file-changed', `${path} changed while the folder was read`, {
    place: { file: path },
    next: 'Run the command again when the folder is quiet.',
    cause,
  });
}
