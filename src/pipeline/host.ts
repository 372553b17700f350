/**
 * The files that the pipeline itself reads and writes: the identity of this compiler, and summaries that it has already
 * made. A cached summary that cannot be read counts as none. Nothing is ever half-written: a file appears whole or not.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonValue } from '../base/canonical-json.js';
import { digestOf, digestOfJson, type Digest } from '../base/digest.js';
import { InvariantError } from '../base/errors.js';
import type { KnownDocuments } from '../profile/known-documents.js';
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

/**
 * Documents of profiles that were valid under this very compiler, each with a digest over all of it; what does not match
 * counts as never read. Small and read at once, so synchronous.
 */
export function openDocumentCache(cacheDir: string | undefined, env: NodeJS.ProcessEnv): KnownDocuments {
  const folder = join(cacheDir ?? defaultCacheDir(env), 'documents');
  const keyOf = (schema: string, text: string): Digest => digestOfJson([compilerIdentity().build, schema, text]);
  const fileOf = (key: Digest): string => join(folder, `${key.replace('sha256:', '')}.json`);
  const found = new Map<Digest, JsonValue>();
  return {
    find(schema, text) {
      const key = keyOf(schema, text);
      const before = found.get(key);
      if (before !== undefined) return before;
      try {
        const [digest = '', ...rest] = readFileSync(fileOf(key), 'utf8').split('\n');
        const document = rest.join('\n');
        if (digest !== digestOf(`${key}\n${document}`)) return undefined;
        const data = JSON.parse(document) as JsonValue;
        found.set(key, data);
        return data;
      } catch {
        return undefined;
      }
    },
    remember(schema, text, data) {
      const key = keyOf(schema, text);
      const document = JSON.stringify(data);
      const scratch = join(folder, `.${randomUUID()}.tmp`);
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(scratch, `${digestOf(`${key}\n${document}`)}\n${document}`, { flag: 'wx' });
        renameSync(scratch, fileOf(key));
      } catch {
        removeScratch(scratch);
      }
    },
  };
}

/** What cannot be removed was not made, or is cleared with the cache. */
function removeScratch(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
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
