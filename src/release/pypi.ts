/** Acquires one version of a Python project: asks the index, downloads and verifies the artifacts, unpacks them into the cache. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatPurl } from '../base/purl.js';
import type { CachedArtifact, CachedRelease, ReleaseCache } from './cache.js';
import { ReleaseError } from './errors.js';
import { downloadFile, fetchIndexPages } from './pip-client.js';
import { chooseFiles, filesOfVersion, mergeIndexFiles, nearestVersions, readIndexPage, type IndexFile } from './pypi-index.js';
import type { PypiSpec } from './spec.js';
import { archiveFormat, unpackArchive } from './unpack.js';

export interface FetchOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export async function fetchPypiRelease(spec: PypiSpec, cache: ReleaseCache, options: FetchOptions): Promise<CachedRelease> {
  const chosen = await chooseArtifacts(spec, cache, options);
  const main = await fetchArtifact(chosen.main, cache, options);
  const companion = chosen.companion === undefined ? undefined : await fetchArtifact(chosen.companion, cache, options);
  return { main, ...(companion === undefined ? {} : { companion }) };
}

async function chooseArtifacts(spec: PypiSpec, cache: ReleaseCache, options: FetchOptions): Promise<{ main: IndexFile; companion?: IndexFile }> {
  const purl = formatPurl(spec.purl);
  options.onProgress(`looking up ${purl}`);
  const files = await cache.withScratch(async (folder) => {
    const pages = await fetchIndexPages(spec.name, { ...options, folder });
    return mergeIndexFiles(
      await Promise.all(pages.map(async (page) => readIndexPage(await readFile(page.file, 'utf8'), page.contentType, page.url, spec.name))),
    );
  });
  if (files.length === 0) {
    throw new ReleaseError('package-missing', `the package index has no project ${spec.name}`, {
      next: 'Check the spelling; for a private index, check index-url of pip.',
    });
  }
  const ofVersion = filesOfVersion(files, spec.version);
  if (ofVersion.length === 0) {
    throw new ReleaseError('version-missing', `${spec.name} has no version ${spec.version}`, {
      next: `Nearest published versions: ${nearestVersions(files, spec.version).join(', ')}.`,
    });
  }
  const chosen = chooseFiles(ofVersion, spec.artifact);
  if (chosen === undefined) {
    throw new ReleaseError(
      'artifact-missing',
      `${purl} has no ${spec.artifact === 'preferred' ? 'pure wheel or source archive' : spec.artifact === 'wheel' ? 'pure wheel' : 'source archive'}; the index has ${ofVersion.map((file) => file.name).join(', ')}`,
      {
        next: 'Only source can be analysed: name another version, or a git tag of the project.',
      },
    );
  }
  if (spec.checksum !== undefined && spec.checksum !== `sha256:${chosen.main.sha256}`) {
    throw new ReleaseError('digest-mismatch', `the index offers ${chosen.main.name} with sha256:${chosen.main.sha256}, not with the checksum of the purl`, {
      next: 'Find out which is right before going on.',
    });
  }
  return chosen;
}

async function fetchArtifact(file: IndexFile, cache: ReleaseCache, options: FetchOptions): Promise<CachedArtifact> {
  const artifact = `sha256:${file.sha256}`;
  const known = await cache.findArtifact(artifact);
  if (known !== undefined) return known;
  const format = archiveFormat(file.name);
  if (format === undefined) throw new ReleaseError('archive-unsupported', `${file.name} is in no archive format that can be read`);
  options.onProgress(`downloading ${file.name}`);
  return cache.withScratch(async (folder) => {
    const path = join(folder, 'artifact');
    await downloadFile(file.url, file.name, path, { ...options, folder });
    const actual = await sha256OfFile(path);
    if (actual !== file.sha256) {
      throw new ReleaseError('digest-mismatch', `${file.name} arrived with sha256:${actual}, the index promised sha256:${file.sha256}`, {
        next: 'Try again; if it stays, something between you and the index changes files.',
      });
    }
    const { tree } = await cache.storeTree(file.name, async (staging) => {
      await unpackArchive(format, path, staging, { name: file.name, signal: options.signal });
      return file.form === 'sdist' ? 'inside-top-folder' : 'as-is';
    });
    const stored: CachedArtifact = { artifact, file: file.name, tree };
    await cache.rememberArtifact(stored);
    return stored;
  });
}

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}
