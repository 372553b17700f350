/**
 * Unpacks an archive of unknown honesty into a staging tree. Nothing of it is run, no name of it becomes a file name of
 * this machine, and whatever is odd ends the unpacking: the caller drops the staging tree.
 */
import { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip, crc32 } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from 'yauzl';
import { ARCHIVE_RATIO_FLOOR_BYTES, ARCHIVE_RATIO_MAX, TREE_MEMBER_BYTES_MAX } from '../base/limits.js';
import type { TreeStaging } from './cache.js';
import { ReleaseError, throwIfCancelled } from './errors.js';
import { fileMode } from './tree.js';

export type ArchiveFormat = 'zip' | 'tar.gz';

export function archiveFormat(fileName: string): ArchiveFormat | undefined {
  if (/\.(?:whl|zip)$/i.test(fileName)) return 'zip';
  if (/\.(?:tar\.gz|tgz)$/i.test(fileName)) return 'tar.gz';
  return undefined;
}

export interface UnpackOptions {
  /** What errors call the archive. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
}

export async function unpackArchive(format: ArchiveFormat, file: string, staging: TreeStaging, options: UnpackOptions): Promise<void> {
  const packedBytes = (await stat(file)).size;
  const meter = new UnpackMeter(packedBytes, options.name);
  try {
    switch (format) {
      case 'zip':
        await unpackZip(file, staging, meter, options);
        return;
      case 'tar.gz':
        await unpackTarGz(file, staging, meter, options);
        return;
    }
  } catch (cause) {
    if (cause instanceof ReleaseError) throw cause;
    throw new ReleaseError('archive-unreadable', `${options.name} is damaged or cut short: ${cause instanceof Error ? cause.message : String(cause)}`, {
      next: 'Try again; if it stays, report the release to its publisher.',
      cause,
    });
  }
}

/** Counts unpacked bytes against the packed size, so that a bomb is seen while it grows. */
class UnpackMeter {
  readonly #packedBytes: number;
  readonly #name: string;
  #unpackedBytes = 0;

  constructor(packedBytes: number, name: string) {
    this.#packedBytes = packedBytes;
    this.#name = name;
  }

  add(bytes: number): void {
    this.#unpackedBytes += bytes;
    const allowed = Math.max(ARCHIVE_RATIO_FLOOR_BYTES, this.#packedBytes * ARCHIVE_RATIO_MAX);
    if (this.#unpackedBytes > allowed) {
      throw new ReleaseError('limit-exceeded', `${this.#name} unpacks to more than ${ARCHIVE_RATIO_MAX} times its size`, {
        next: 'It looks like a decompression bomb; report the release to its publisher.',
      });
    }
  }
}

const ZIP_UNIX_KIND_MASK = 0o170000;
const ZIP_UNIX_REGULAR = 0o100000;

async function unpackZip(file: string, staging: TreeStaging, meter: UnpackMeter, options: UnpackOptions): Promise<void> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true });
  try {
    for await (const entry of zip.eachEntry()) {
      throwIfCancelled(options.signal);
      await unpackZipEntry(zip, entry, staging, meter, options);
    }
  } finally {
    zip.close();
  }
}

async function unpackZipEntry(zip: ZipFile, entry: Entry, staging: TreeStaging, meter: UnpackMeter, options: UnpackOptions): Promise<void> {
  const path = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  // Readers that go by the local header would see another name: an archive with two faces.
  const local = await zip.readLocalFileHeaderPromise(entry);
  if (!local.fileName.equals(entry.fileNameRaw))
    throw new ReleaseError('archive-unreadable', `${options.name}: ${JSON.stringify(path)} has another name in its own header`);
  if (path.endsWith('/')) {
    staging.addFolder(path);
    return;
  }
  const unixMode = entry.externalFileAttributes >>> 16;
  const kind = unixMode & ZIP_UNIX_KIND_MASK;
  if (kind !== 0 && kind !== ZIP_UNIX_REGULAR) throw unsupportedKind(options.name, path, 'a link or a device');
  if (entry.isEncrypted()) throw new ReleaseError('archive-unsupported', `${options.name}: ${JSON.stringify(path)} is encrypted`);
  if (entry.uncompressedSize > TREE_MEMBER_BYTES_MAX) throw memberTooLarge(options.name, path);
  meter.add(entry.uncompressedSize);
  const chunks: Buffer[] = [];
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (crc32(bytes) !== entry.crc32) throw new ReleaseError('archive-unreadable', `${options.name}: the checksum of ${JSON.stringify(path)} is wrong`);
  await staging.addFile(path, fileMode(unixMode), bytes);
}

async function unpackTarGz(file: string, staging: TreeStaging, meter: UnpackMeter, options: UnpackOptions): Promise<void> {
  const reader = new TarReader(staging, options);
  const packed = createReadStream(file);
  const unpacked = packed.pipe(createGunzip());
  packed.on('error', (error) => unpacked.destroy(error));
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      throwIfCancelled(options.signal);
      meter.add(chunk.length);
      await reader.take(chunk);
    }
    await reader.end();
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
}

const FILE_KINDS: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile']);
const FOLDER_KINDS: ReadonlySet<string> = new Set(['Directory', 'GNUDumpDir']);

/** Drives the tar parser chunk by chunk and stages the members that each chunk completed, so little is held in memory. */
class TarReader {
  readonly #parser: Parser;
  readonly #staging: TreeStaging;
  readonly #name: string;
  readonly #completed: (() => Promise<void> | void)[] = [];
  #sawChunk = false;
  #failure: Error | undefined;

  constructor(staging: TreeStaging, options: UnpackOptions) {
    this.#staging = staging;
    this.#name = options.name;
    this.#parser = new Parser({
      strict: true,
      onReadEntry: (entry) => {
        this.#collect(entry);
      },
    });
    this.#parser.on('ignoredEntry', (entry: ReadEntry) => {
      this.#fail(unsupportedKind(this.#name, entry.path, `an entry of the kind ${entry.type}`));
    });
    this.#parser.on('error', (error: Error) => {
      this.#fail(error);
    });
  }

  async take(chunk: Buffer): Promise<void> {
    // The parser would unpack a second layer of compression by itself, past the meter.
    if (!this.#sawChunk && (startsWith(chunk, [0x1f, 0x8b]) || startsWith(chunk, [0x28, 0xb5, 0x2f, 0xfd]))) {
      throw new ReleaseError('archive-unsupported', `${this.#name} is compressed twice`);
    }
    this.#sawChunk = true;
    this.#parser.write(chunk);
    await this.#stageCompleted();
  }

  async end(): Promise<void> {
    this.#parser.end();
    await this.#stageCompleted();
  }

  #collect(entry: ReadEntry): void {
    const path = entry.path;
    if (FILE_KINDS.has(entry.type)) {
      this.#collectFile(entry);
      return;
    }
    const target = entry.linkpath ?? '';
    if (FOLDER_KINDS.has(entry.type)) {
      this.#completed.push(() => this.#staging.addFolder(path));
    } else if (entry.type === 'SymbolicLink') {
      this.#completed.push(() => this.#staging.addLink(path, target));
    } else if (entry.type === 'Link') {
      this.#completed.push(() => this.#staging.addAlias(path, target));
    } else {
      this.#fail(unsupportedKind(this.#name, path, `an entry of the kind ${entry.type}`));
    }
    entry.resume();
  }

  #collectFile(entry: ReadEntry): void {
    if (entry.size > TREE_MEMBER_BYTES_MAX) this.#fail(memberTooLarge(this.#name, entry.path));
    const chunks: Buffer[] = [];
    entry.on('data', (chunk) => {
      if (this.#failure === undefined) chunks.push(chunk);
    });
    entry.on('end', () => {
      this.#completed.push(() => this.#staging.addFile(entry.path, fileMode(entry.mode ?? 0), Buffer.concat(chunks)));
    });
  }

  async #stageCompleted(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    for (const stage of this.#completed.splice(0)) await stage();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
  }
}

function startsWith(bytes: Buffer, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

function unsupportedKind(name: string, path: string, what: string): ReleaseError {
  return new ReleaseError('member-kind-unsupported', `${name}: ${JSON.stringify(path)} is ${what}`, {
    next: 'The release is unsafe to unpack; report it to its publisher.',
  });
}

function memberTooLarge(name: string, path: string): ReleaseError {
  return new ReleaseError('limit-exceeded', `${name}: ${JSON.stringify(path)} is larger than ${TREE_MEMBER_BYTES_MAX} bytes`, {
    next: 'Releases of this size are not analysed.',
  });
}
