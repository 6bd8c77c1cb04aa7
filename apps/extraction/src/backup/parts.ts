import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { BlobDriver } from '@millrace/blobs';
import { backupSealer, type Part, sha256Of } from './manifest.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Of a part, before compression: what is held in memory. A single chunk of the source may be longer. */
const partBytes = 16 * 1024 * 1024;
/** No part is longer, even one with a single row, which PostgreSQL limits to 1 GB. */
const longestPartBytes = 1024 * 1024 * 1024;

/** A place of backups, and what its parts are sealed with. */
export interface PartStore {
  readonly place: BlobDriver;
  readonly encryptionKey: Uint8Array;
  /** Of the backup: parts of one don't open in another. */
  readonly backupId: string;
}

/** Stores bytes as parts `NAME/000001` and so on, compressed and sealed. */
export async function writeParts(
  { place, encryptionKey, backupId }: PartStore,
  name: string,
  source: AsyncIterable<Uint8Array>,
): Promise<Part[]> {
  const sealer = backupSealer(encryptionKey);
  const parts: Part[] = [];
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  const flush = async () => {
    const key = `${name}/${String(parts.length + 1).padStart(6, '0')}`;
    const plain = await compress(Buffer.concat(gathered), { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
    const sealed = sealer.seal(plain, `${backupId}/${key}`);
    await place.put(key, sealed);
    parts.push({ key, sizeBytes: sealed.length, sha256: sha256Of(sealed) });
    gathered = [];
    gatheredBytes = 0;
  };
  for await (const bytes of source) {
    gathered.push(bytes);
    gatheredBytes += bytes.length;
    if (gatheredBytes >= partBytes) await flush();
  }
  if (gatheredBytes > 0) await flush();
  return parts;
}

/**
 * The bytes of these parts, one part at a time.
 *
 * @throws Error if one is missing or was changed
 */
export async function* readParts(
  { place, encryptionKey, backupId }: PartStore,
  parts: readonly Part[],
): AsyncGenerator<Buffer> {
  const sealer = backupSealer(encryptionKey);
  for (const { key, sha256 } of parts) {
    const sealed = await place.get(key);
    if (sealed === null) throw new Error(`The backup is damaged: ${key} is missing.`);
    if (sha256Of(sealed) !== sha256) throw new Error(`The backup is damaged: ${key} was changed.`);
    yield await decompress(sealer.open(sealed, `${backupId}/${key}`), { maxOutputLength: longestPartBytes });
  }
}

/** The same as lines of JSON. */
export async function* readLines(store: PartStore, parts: readonly Part[]): AsyncGenerator<unknown> {
  let rest = '';
  for await (const bytes of readParts(store, parts)) {
    const lines = (rest + bytes.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
