import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** The libraries of the pages set styles on elements; scripts come from this server alone. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const compressions = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
} as const;

type Compression = keyof typeof compressions;

interface PageFile {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly tag: string;
  /** As it was compressed for its first reader. */
  readonly compressed: Map<Compression, Promise<Buffer>>;
}

/**
 * Serves built pages: their files under their names, and their `index.html` for every other address that is not the
 * API's, since the pages tell addresses apart themselves. What stands in `assets` has its content's hash in its name
 * and may be kept for good. The files are few and are kept in memory.
 *
 * @param folder of the build
 * @param options.isPage whether somebody may ask for a page there; anything else is left to the server's handler of
 *   unknown addresses
 */
export function addBuiltPages(
  server: FastifyInstance,
  folder: string,
  { isPage }: { readonly isPage: (path: string, request: FastifyRequest) => boolean },
): void {
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length).replaceAll('\\', '/'), readPageFile(path)];
      }),
  );
  const page = files.get('/index.html');
  if (page === undefined) throw new Error(`${folder} holds no index.html: build the pages.`);

  server.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    const named = files.get(path);
    const isAsset = path.startsWith('/assets/');
    if (named === undefined && (isAsset || !isPage(path, request))) return reply.callNotFound();
    const { bytes, mediaType, tag, compressed } = named ?? page;
    const compression = isText(mediaType) ? compressionFor(request.headers['accept-encoding']) : null;
    const variantTag = compression === null ? `"${tag}"` : `"${tag}-${compression}"`;
    reply
      .header('content-security-policy', pagePolicy)
      .header('cross-origin-resource-policy', 'same-origin')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('vary', 'accept-encoding')
      .header('etag', variantTag)
      .type(mediaType);
    if (request.headers['if-none-match'] === variantTag) return reply.code(304).send();
    if (compression === null) return reply.send(bytes);
    reply.header('content-encoding', compression);
    if (!compressed.has(compression)) compressed.set(compression, compressions[compression](bytes));
    return reply.send(await compressed.get(compression));
  });
}

function readPageFile(path: string): PageFile {
  const bytes = readFileSync(path);
  return {
    bytes,
    mediaType: mediaTypes[extname(path)] ?? 'application/octet-stream',
    tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    compressed: new Map(),
  };
}

function isText(mediaType: string): boolean {
  return /^text\/|javascript|json|svg/.test(mediaType);
}

/** The best compression that a browser takes. */
function compressionFor(accepted: string | undefined): Compression | null {
  const names = (accepted ?? '').split(',').map((part) => part.trim());
  const takes = (wanted: string) =>
    names.some((name) => new RegExp(`^${wanted}(?:$| *;(?! *q=0(?:\\.0*)?$))`).test(name));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
}
