/** Archives built byte by byte, so that tests can make what no packing tool would. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

export interface TarEntry {
  readonly path: string;
  readonly body?: string | Buffer;
  /** One character of POSIX ustar: '0' file, '1' hard link, '2' symbolic link, '3' device, '5' folder, '6' FIFO. */
  readonly type?: string;
  readonly target?: string;
  readonly mode?: number;
  /** Size that the header claims, when it is not that of the body. */
  readonly claimedSize?: number;
}

export function tarGz(entries: readonly TarEntry[]): Buffer {
  return gzipSync(tar(entries));
}

export function tar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(tarEntry), Buffer.alloc(1024)]);
}

function tarEntry(entry: TarEntry): Buffer {
  const body = Buffer.from(entry.body ?? '');
  const header = Buffer.alloc(512);
  const octal = (value: number, at: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  };
  header.write(entry.path, 0, 100, 'utf8');
  octal(entry.mode ?? 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(entry.claimedSize ?? body.length, 124, 12);
  octal(0, 136, 12);
  header.write(entry.type ?? '0', 156, 'latin1');
  header.write(entry.target ?? '', 157, 100, 'utf8');
  header.write('ustar\x0000', 257, 'latin1');
  header.fill(' ', 148, 156);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

export interface ZipEntry {
  readonly path: string;
  readonly body?: string | Buffer;
  readonly unixMode?: number;
  /** Name in the entry's own header, when it is not that of the directory. */
  readonly localPath?: string;
  readonly crc?: number;
  readonly encrypted?: boolean;
  readonly claimedSize?: number;
}

export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const body = Buffer.from(entry.body ?? '');
    const packed = deflateRawSync(body);
    const name = Buffer.from(entry.path);
    const localName = Buffer.from(entry.localPath ?? entry.path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 | (entry.encrypted === true ? 1 : 0), 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(entry.crc ?? crc32(body), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.claimedSize ?? body.length, 18);
    common.writeUInt16LE(localName.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, localName, packed]);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 0, 'latin1');
    central.writeUInt16LE((3 << 8) | 20, 4);
    common.copy(central, 6, 0, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(((entry.unixMode ?? 0o100644) << 16) >>> 0, 38);
    central.writeUInt32LE(offset, 42);
    directory.push(central, name);
    locals.push(local);
    offset += local.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directoryBytes, end]);
}
