import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCRATCH_AGE_MAX_MS } from '../../../src/base/limits.js';
import { defaultCacheDir, ReleaseCache, type CachedTree } from '../../../src/release/cache.js';
import { MODE_FILE } from '../../../src/release/tree.js';
import { refusalCode, useScratchFolder } from './scratch.js';

const scratch = useScratchFolder();
const folder = (...parts: string[]): string => join(scratch(), 'v1', ...parts);

function store(cache: ReleaseCache, texts: Record<string, string>): Promise<CachedTree> {
  return cache.storeTree('test', async (staging) => {
    for (const [path, text] of Object.entries(texts)) await staging.addFile(path, MODE_FILE, Buffer.from(text));
    return 'as-is';
  });
}

describe('the cache', () => {
  it('gives back what it was given', async () => {
    const cache = await ReleaseCache.open(scratch());
    const stored = await store(cache, { b: '2', a: '1', same: '1' });
    const read = await (await ReleaseCache.open(scratch())).readTree(stored.tree);
    expect(read).toEqual(stored);
    expect((await cache.readObject(read.tree, read.files[0]!)).toString()).toBe('1');
    const record = { main: { artifact: 'sha256:00', file: 'x.whl', tree: stored.tree }, companion: { artifact: 'sha256:11', tree: stored.tree } };
    await cache.rememberRelease('key', record);
    expect(await cache.findRelease('key')).toEqual(record);
    expect(await cache.findRelease('other')).toBeUndefined();
    expect(await cache.findArtifact('sha256:22')).toBeUndefined();
  });

  it('takes the same tree from many at once', async () => {
    const caches = await Promise.all(Array.from({ length: 8 }, () => ReleaseCache.open(scratch())));
    const trees = await Promise.all(caches.map((cache) => store(cache, { a: '1', b: '2' })));
    expect(new Set(trees.map((tree) => tree.tree)).size).toBe(1);
    expect(await readdir(folder('tmp'))).toEqual([]);
    expect(await readdir(folder('trees'))).toHaveLength(1);
  });

  it('keeps nothing of a failure', async () => {
    const cache = await ReleaseCache.open(scratch());
    await expect(
      cache.storeTree('test', async (staging) => {
        await staging.addFile('a', MODE_FILE, Buffer.from('1'));
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    expect([...(await readdir(folder('tmp'))), ...(await readdir(folder('trees')))]).toEqual([]);
  });

  it('sees tampering, wherever it is', async () => {
    const cache = await ReleaseCache.open(scratch());
    const { tree, files } = await store(cache, { a: '1' });
    await cache.rememberArtifact({ artifact: 'sha256:00', tree });
    const hex = tree.slice('sha256:'.length);

    await writeFile(folder('trees', hex, 'objects', files[0]!.sha256), 'x');
    expect(await refusalCode(() => cache.readObject(tree, files[0]!))).toBe('cache-corrupt');
    await rm(folder('trees', hex, 'objects', files[0]!.sha256));
    expect(await refusalCode(() => cache.readObject(tree, files[0]!))).toBe('cache-corrupt');

    const manifest = folder('trees', hex, 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    for (const damaged of [text.replace('"a"', '"b"'), '[]', '', text.slice(1)]) {
      await writeFile(manifest, damaged);
      expect(await refusalCode(() => cache.readTree(tree))).toBe('cache-corrupt');
    }

    const [recordName] = await readdir(folder('artifacts'));
    const recordFile = folder('artifacts', recordName!);
    const record = await readFile(recordFile, 'utf8');
    await writeFile(recordFile, record.replace('sha256:00', 'sha256:01'));
    expect(await refusalCode(() => cache.findArtifact('sha256:00'))).toBe('cache-corrupt');
    await writeFile(recordFile, '{}');
    expect(await refusalCode(() => cache.findArtifact('sha256:00'))).toBe('cache-corrupt');
  });

  it('does not take the record of one thing for that of another', async () => {
    const cache = await ReleaseCache.open(scratch());
    const { tree } = await store(cache, { a: '1' });
    await cache.rememberRelease('one', { main: { artifact: 'sha256:00', tree } });
    const [one] = await readdir(folder('releases'));
    await cache.rememberRelease('two', { main: { artifact: 'sha256:11', tree } });
    const two = (await readdir(folder('releases'))).find((name) => name !== one);
    await writeFile(folder('releases', two!), await readFile(folder('releases', one!)));
    expect(await refusalCode(() => cache.findRelease('two'))).toBe('cache-corrupt');
  });

  it('forgets what a killed process left, and leaves a running one alone', async () => {
    await ReleaseCache.open(scratch());
    const long = new Date(Date.now() - SCRATCH_AGE_MAX_MS - 60_000);
    for (const name of ['work-old', 'work-new']) await mkdir(folder('tmp', name));
    await utimes(folder('tmp', 'work-old'), long, long);
    await ReleaseCache.open(scratch());
    expect(await readdir(folder('tmp'))).toEqual(['work-new']);
  });

  it('that cannot be made is an error', async () => {
    await writeFile(join(scratch(), 'file'), '');
    expect(await refusalCode(() => ReleaseCache.open(join(scratch(), 'file')))).toBe('cache-unusable');
  });

  it('is where the user says', () => {
    expect(defaultCacheDir({ FCD_CACHE: 'x', XDG_CACHE_HOME: 'y' })).toBe('x');
    expect(defaultCacheDir({ XDG_CACHE_HOME: 'y' })).toBe(join('y', 'fcd'));
    expect(defaultCacheDir({})).toMatch(/\.cache.fcd$/);
  });
});
