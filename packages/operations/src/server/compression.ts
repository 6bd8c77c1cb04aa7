import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';

const compressions = {
  // Above 5 the pages get 2 % smaller at three times the cost.
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
} as const;

/** A compression as `Content-Encoding` names it. */
export type Compression = keyof typeof compressions;

export function compress(bytes: Buffer, compression: Compression): Promise<Buffer> {
  return compressions[compression](bytes);
}

/** What {@link compress} made `br` of. */
export function decompress(brotli: Buffer): Promise<Buffer> {
  return promisify(brotliDecompress)(brotli);
}

/** The best compression that a browser takes, by its `Accept-Encoding`; null: none. */
export function compressionFor(accepted: string | undefined): Compression | null {
  const names = (accepted ?? '').split(',').map((part) => part.trim());
  const takes = (wanted: string) =>
    names.some((name) => new RegExp(`^${wanted}(?:$| *;(?! *q=0(?:\\.0*)?$))`).test(name));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
}
