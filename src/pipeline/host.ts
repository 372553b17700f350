/**
 * The files that the pipeline itself reads and writes: the identity of this compiler, and summaries that it has already
 * made. A cached summary that cannot be read counts as none. Nothing is ever half-written: a file appears whole or not.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestOf, digestOfJson, type Digest } from '../base/digest.js';
import { InvariantError } from '../base/errors.js';
import { defaultCacheDir } from '../release/cache.js';

export interface CompilerIdentity {
  readonly name: string;
  readonly version: string;
  /** Over every file of the compiled program, so that a changed compiler never reads an old one's summaries. */
  readonly build: Digest;
}

let identity: CompilerIdentity | undefined;

export function compilerIdentity(): CompilerIdentity {
  identity ??= readCompilerIdentity();
  return identity;
}

function readCompilerIdentity(): CompilerIdentity {
  const code = resolve(dirname(fileURLToPath(import.meta.url)), '..');
  const manifestPath = join(code, '..', 'package.json');
  if (!existsSync(manifestPath)) throw new InvariantError('the package has no package.json beside its code');
  const manifestText = readFileSync(manifestPath, 'utf8');
  const manifest = JSON.parse(manifestText) as { readonly name: string; readonly version: string };
  const files = readdirSync(code, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:js|ts)$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
  const build = digestOfJson([digestOf(manifestText), ...files.map((path) => [path, digestOf(readFileSync(join(code, path)))])]);
  return { name: manifest.name, version: manifest.version, build };
}

export interface SummaryCache {
  find(key: Digest): Promise<string | undefined>;
  remember(key: Digest, text: string): Promise<void>;
}

/** Summaries in the folder where releases are cached. A folder that cannot be written is no reason to stop: nothing is remembered then. */
export function openSummaryCache(cacheDir: string | undefined, env: NodeJS.ProcessEnv): SummaryCache {
  const folder = join(cacheDir ?? defaultCacheDir(env), 'summaries');
  const fileOf = (key: Digest): string => join(folder, `${key.replace('sha256:', '')}.json`);
  return {
    async find(key) {
      try {
        return await readFile(fileOf(key), 'utf8');
      } catch {
        return undefined;
      }
    },
    async remember(key, text) {
      const scratch = join(folder, `.${randomUUID()}.tmp`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(scratch, text, { flag: 'wx' });
        await rename(scratch, fileOf(key));
      } catch {
        await rm(scratch, { force: true }).catch(() => undefined);
      }
    },
  };
}
