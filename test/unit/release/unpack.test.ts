import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ARCHIVE_RATIO_FLOOR_BYTES, ARCHIVE_RATIO_MAX, TREE_MEMBER_BYTES_MAX } from '../../../src/base/limits.js';
import { ReleaseCache, type CachedTree } from '../../../src/release/cache.js';
import type { ReleaseErrorCode } from '../../../src/release/errors.js';
import { MODE_EXECUTABLE, MODE_FILE, MODE_LINK, type TreeLimits } from '../../../src/release/tree.js';
import { archiveFormat, unpackArchive } from '../../../src/release/unpack.js';
import { tar, tarGz, zip, type TarEntry, type ZipEntry } from './archives.js';
import { refusalCode, useScratchFolder } from './scratch.js';

const scratch = useScratchFolder();

async function unpack(fileName: string, bytes: Buffer, limits?: TreeLimits): Promise<CachedTree> {
  const file = join(scratch(), fileName);
  await writeFile(file, bytes);
  const cache = await ReleaseCache.open(join(scratch(), 'cache'));
  return cache.storeTree(
    fileName,
    async (staging) => {
      await unpackArchive(archiveFormat(fileName) ?? 'zip', file, staging, { name: fileName });
      return fileName.endsWith('.tar.gz') ? 'inside-top-folder' : 'as-is';
    },
    limits,
  );
}

async function leftovers(): Promise<string[]> {
  const cache = join(scratch(), 'cache', 'v1');
  return [...(await readdir(join(cache, 'tmp'))), ...(await readdir(join(cache, 'trees')))];
}

const brief = (tree: CachedTree): [string, number, number][] => tree.files.map((file) => [file.path, file.mode, file.size]);

describe('what is unpacked', () => {
  it('a source archive, without its top folder', async () => {
    const tree = await unpack(
      'a-1.tar.gz',
      tarGz([
        { path: 'a-1/', type: '5' },
        { path: 'a-1/setup.sh', body: 'x', mode: 0o755 },
        { path: './a-1/a/b.py', body: 'abc' },
        { path: 'a-1/link', type: '2', target: 'a/b.py' },
        { path: 'a-1/same', type: '1', target: 'a-1/setup.sh' },
      ]),
    );
    expect(brief(tree)).toEqual([
      ['a/b.py', MODE_FILE, 3],
      ['link', MODE_LINK, 6],
      ['same', MODE_EXECUTABLE, 1],
      ['setup.sh', MODE_EXECUTABLE, 1],
    ]);
  });

  it('a wheel, as it is', async () => {
    const tree = await unpack('a.whl', zip([{ path: 'a/' }, { path: 'a/b.py', body: 'abc' }, { path: 'a-1.dist-info/METADATA', body: '' }]));
    expect(brief(tree)).toEqual([
      ['a-1.dist-info/METADATA', MODE_FILE, 0],
      ['a/b.py', MODE_FILE, 3],
    ]);
  });

  it('the same files have the same tree digest in both formats, whatever the order', async () => {
    const one = await unpack(
      'a.tar.gz',
      tarGz([
        { path: 'top/x', body: '1' },
        { path: 'top/y', body: '2' },
      ]),
    );
    const two = await unpack(
      'a.whl',
      zip([
        { path: 'y', body: '2' },
        { path: 'x', body: '1' },
      ]),
    );
    const other = await unpack(
      'b.whl',
      zip([
        { path: 'y', body: '2' },
        { path: 'x', body: '1', unixMode: 0o100755 },
      ]),
    );
    expect(one.tree).toBe(two.tree);
    expect(other.tree).not.toBe(one.tree);
  });
});

describe('hostile tar archives', () => {
  const inTop = (entry: TarEntry): TarEntry[] => [{ path: 'a-1/ok.py', body: 'x' }, entry];
  it.each<[string, TarEntry[], ReleaseErrorCode]>([
    ['an absolute path', inTop({ path: '/etc/passwd', body: 'x' }), 'member-path-unsafe'],
    ['a path with ..', inTop({ path: 'a-1/../../x', body: 'x' }), 'member-path-unsafe'],
    ['a drive letter', inTop({ path: 'C:/x', body: 'x' }), 'member-path-unsafe'],
    ['a backslash', inTop({ path: 'a-1\\..\\x', body: 'x' }), 'member-path-unsafe'],
    ['a folder with ..', inTop({ path: 'a-1/../../x/', type: '5' }), 'member-path-unsafe'],
    ['a link out of the tree', inTop({ path: 'a-1/l', type: '2', target: '../../x' }), 'member-link-unsafe'],
    ['a link to an absolute path', inTop({ path: 'a-1/l', type: '2', target: '/etc/passwd' }), 'member-link-unsafe'],
    ['a link out of the top folder', inTop({ path: 'a-1/l', type: '2', target: '../b-1/x' }), 'member-link-unsafe'],
    ['a hard link to nothing of the archive', inTop({ path: 'a-1/l', type: '1', target: '/etc/passwd' }), 'member-link-unsafe'],
    ['a device', inTop({ path: 'a-1/d', type: '3' }), 'member-kind-unsupported'],
    ['a FIFO', inTop({ path: 'a-1/d', type: '6' }), 'member-kind-unsupported'],
    ['an unknown kind', inTop({ path: 'a-1/d', type: 'Z' }), 'member-kind-unsupported'],
    ['a duplicate', inTop({ path: 'a-1/ok.py', body: 'y' }), 'member-duplicate'],
    ['a duplicate after ./', inTop({ path: './a-1/ok.py', body: 'y' }), 'member-duplicate'],
    ['a file where a folder is', inTop({ path: 'a-1', body: 'y' }), 'member-duplicate'],
    ['a folder where a file is', inTop({ path: 'a-1/ok.py/x', body: 'y' }), 'member-duplicate'],
    ['a case collision', inTop({ path: 'a-1/OK.py', body: 'y' }), 'member-collision'],
    ['a case collision of folders', inTop({ path: 'A-1/other.py', body: 'y' }), 'member-collision'],
    [
      'a normalisation collision',
      [
        { path: 'a-1/\u00e9', body: 'x' },
        { path: 'a-1/e\u0301', body: 'y' },
      ],
      'member-collision',
    ],
  ])('%s', async (_name, entries, code) => {
    expect(await refusalCode(() => unpack('a-1.tar.gz', tarGz(entries)))).toBe(code);
    expect(await leftovers()).toEqual([]);
  });

  it('cut short, in the compressed stream and inside', async () => {
    const whole = tarGz([{ path: 'a-1/x', body: 'x'.repeat(5000) }]);
    expect(await refusalCode(() => unpack('a-1.tar.gz', whole.subarray(0, whole.length - 10)))).toBe('archive-unreadable');
    const inside = tar([{ path: 'a-1/x', body: 'x'.repeat(5000) }]).subarray(0, 3000);
    expect(await refusalCode(() => unpack('a-1.tar.gz', gzipSync(inside)))).toBe('archive-unreadable');
    expect(await refusalCode(() => unpack('a-1.tar.gz', Buffer.from('no archive')))).toBe('archive-unreadable');
    expect(await leftovers()).toEqual([]);
  });

  it('compressed twice', async () => {
    expect(await refusalCode(() => unpack('a-1.tar.gz', gzipSync(tarGz([{ path: 'a-1/x' }]))))).toBe('archive-unsupported');
  });

  it('a member that says it is over the limit, without reading it', async () => {
    expect(await refusalCode(() => unpack('a-1.tar.gz', tarGz([{ path: 'a-1/x', claimedSize: TREE_MEMBER_BYTES_MAX + 1 }])))).toBe('limit-exceeded');
  });

  it('a bomb', async () => {
    // Packed about a thousand to one; at the floor it is still let through.
    const atFloor = ARCHIVE_RATIO_FLOOR_BYTES - 4096;
    expect((await unpack('a-1.tar.gz', tarGz([{ path: 'a-1/x', body: Buffer.alloc(atFloor) }]))).files).toHaveLength(1);
    const bomb = tarGz([{ path: 'a-1/x', body: Buffer.alloc(ARCHIVE_RATIO_FLOOR_BYTES * 2) }]);
    expect(bomb.length * ARCHIVE_RATIO_MAX).toBeLessThan(ARCHIVE_RATIO_FLOOR_BYTES);
    expect(await refusalCode(() => unpack('b-1.tar.gz', bomb))).toBe('limit-exceeded');
  });
});

describe('hostile zip archives', () => {
  it.each<[string, ZipEntry[], ReleaseErrorCode]>([
    ['an absolute path', [{ path: '/x' }], 'member-path-unsafe'],
    ['a path with ..', [{ path: 'a/../../x' }], 'member-path-unsafe'],
    ['a backslash', [{ path: 'a\\x' }], 'member-path-unsafe'],
    ['a line break in a name', [{ path: 'a\nb' }], 'member-path-unsafe'],
    ['a link', [{ path: 'x', body: '../y', unixMode: 0o120777 }], 'member-kind-unsupported'],
    ['a device', [{ path: 'x', unixMode: 0o060644 }], 'member-kind-unsupported'],
    ['a duplicate', [{ path: 'x' }, { path: 'x' }], 'member-duplicate'],
    ['a case collision', [{ path: 'x' }, { path: 'X' }], 'member-collision'],
    ['two names for one entry', [{ path: 'good.py', localPath: 'evil.py' }], 'archive-unreadable'],
    ['a wrong checksum', [{ path: 'x', body: 'abc', crc: 1 }], 'archive-unreadable'],
    ['a wrong size', [{ path: 'x', body: 'abc', claimedSize: 2 }], 'archive-unreadable'],
    ['encryption', [{ path: 'x', body: 'abc', encrypted: true }], 'archive-unsupported'],
    ['a member over the limit', [{ path: 'x', body: 'abc', claimedSize: TREE_MEMBER_BYTES_MAX + 1 }], 'limit-exceeded'],
    ['a bomb', [{ path: 'x', body: Buffer.alloc(ARCHIVE_RATIO_FLOOR_BYTES * 2) }], 'limit-exceeded'],
  ])('%s', async (_name, entries, code) => {
    expect(await refusalCode(() => unpack('a.whl', zip([{ path: 'first.py', body: 'x' }, ...entries])))).toBe(code);
    expect(await leftovers()).toEqual([]);
  });

  it('cut short', async () => {
    const whole = zip([{ path: 'x', body: 'abc' }]);
    for (const length of [0, 10, whole.length - 1]) {
      expect(await refusalCode(() => unpack('a.whl', whole.subarray(0, length)))).toBe('archive-unreadable');
    }
  });
});

describe('limits of a tree: at, and past', () => {
  const limits: TreeLimits = { membersMax: 2, memberBytesMax: 3, totalBytesMax: 4 };
  it.each<[string, ZipEntry[], 'fine' | 'refused']>([
    ['members at', [{ path: 'a' }, { path: 'b' }], 'fine'],
    ['members past', [{ path: 'a' }, { path: 'b' }, { path: 'c' }], 'refused'],
    ['member size at', [{ path: 'a', body: 'abc' }], 'fine'],
    ['member size past', [{ path: 'a', body: 'abcd' }], 'refused'],
    [
      'total size at',
      [
        { path: 'a', body: 'ab' },
        { path: 'b', body: 'ab' },
      ],
      'fine',
    ],
    [
      'total size past',
      [
        { path: 'a', body: 'abc' },
        { path: 'b', body: 'ab' },
      ],
      'refused',
    ],
  ])('%s', async (_name, entries, expected) => {
    if (expected === 'fine') expect((await unpack('a.whl', zip(entries), limits)).files).toHaveLength(entries.length);
    else expect(await refusalCode(() => unpack('a.whl', zip(entries), limits))).toBe('limit-exceeded');
  });
});
