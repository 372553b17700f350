/** Damaged archives: each is either unpacked or refused with a code; nothing else happens and nothing is left behind. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReleaseCache } from '../../../src/release/cache.js';
import { ReleaseError } from '../../../src/release/errors.js';
import { unpackArchive, type ArchiveFormat } from '../../../src/release/unpack.js';
import { tar, zip } from './archives.js';

const TAR = tar([
  { path: 'a-1/', type: '5' },
  { path: 'a-1/one.py', body: 'x = 1\n' },
  { path: 'a-1/link', type: '2', target: 'one.py' },
  { path: 'a-1/hard', type: '1', target: 'a-1/one.py' },
  { path: 'a-1/two.py', body: 'y'.repeat(700) },
]);
const ZIP = zip([{ path: 'a/' }, { path: 'a/one.py', body: 'x = 1\n' }, { path: 'a/two.py', body: 'y'.repeat(700) }]);

const damage = (length: number): fc.Arbitrary<{ at: number; byte: number }[]> =>
  fc.array(fc.record({ at: fc.nat(length - 1), byte: fc.nat(255) }), { minLength: 1, maxLength: 4 });

function damaged(bytes: Buffer, changes: readonly { at: number; byte: number }[], end: number): Buffer {
  const copy = Buffer.from(bytes);
  for (const { at, byte } of changes) copy[at] = byte;
  return copy.subarray(0, end);
}

it.each<[string, ArchiveFormat, Buffer, (bytes: Buffer) => Buffer]>([
  ['tar, damaged before compression', 'tar.gz', TAR, (bytes) => gzipSync(bytes)],
  ['tar, damaged after compression', 'tar.gz', gzipSync(TAR), (bytes) => bytes],
  ['zip', 'zip', ZIP, (bytes) => bytes],
])('%s', async (_name, format, whole, pack) => {
  const folder = await mkdtemp(join(tmpdir(), 'fcd-fuzz-'));
  try {
    const cache = await ReleaseCache.open(join(folder, 'cache'));
    let refused = 0;
    let unpacked = 0;
    await fc.assert(
      fc.asyncProperty(damage(whole.length), fc.oneof(fc.constant(whole.length), fc.nat(whole.length)), async (changes, end) => {
        await writeFile(join(folder, 'archive'), pack(damaged(whole, changes, end)));
        try {
          await cache.storeTree('archive', async (staging) => {
            await unpackArchive(format, join(folder, 'archive'), staging, { name: 'archive' });
            return 'inside-top-folder';
          });
          unpacked += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(ReleaseError);
          refused += 1;
        }
        expect(await readdir(join(folder, 'cache/v1/tmp'))).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect([refused > 0, refused + unpacked]).toEqual([true, 400]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
