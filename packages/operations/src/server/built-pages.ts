import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Compression, compress, compressionFor } from './compression.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/**
 * The web apps' libraries set styles on elements; scripts only come from this server. Documents are shown from memory by
 * the browser's own viewer.
 */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "object-src blob:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The `Cache-Control` of a file whose address changes with its content. */
export const permanent = 'public, max-age=31536000, immutable';

/** Interval between checks for a new build. */
const lookIntervalMs = 1_000;

/** What {@link sendFile} answers with. */
export interface SentFile {
  readonly mediaType: string;
  /** Changes with the content. */
  readonly tag: string;
  /** The content, in a form that the browser takes; null: as it is. */
  as(compression: Compression | null): Buffer | Promise<Buffer>;
}

/** A file of a build. */
export interface PageFile extends SentFile {
  readonly bytes: Buffer;
}

/**
 * Serves built pages: their files by name, and their `index.html` for every other address that is not the API's, since
 * the pages do their own routing. File names in `assets` contain a content hash and may be cached permanently. The
 * files are few and stay in memory.
 *
 * A new build is served as soon as it replaces this one, together with the previous one's assets for browsers that
 * still have its page open.
 *
 * @param folder of the build, which may appear later
 * @param options.isPage whether a page can be requested at an address; anything else, and any client that doesn't
 * accept a page, goes to the server's handler of unknown addresses
 * @param options.absent the text at a page's address while there is no build
 */
export function addBuiltPages(
  server: FastifyInstance,
  folder: string,
  options: {
    readonly isPage: (path: string) => boolean;
    readonly absent: string;
  },
): void {
  const { isPage, absent } = options;
  const filesNow = followBuild(folder);
  filesNow();

  server.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    const files = filesNow();
    const page = files.get('/index.html');
    const named = files.get(path);
    const isAsset = path.startsWith('/assets/');
    if (named === undefined && (isAsset || !isPage(path) || !takesPage(request.headers.accept))) {
      return reply.callNotFound();
    }
    const file = named ?? page;
    if (file === undefined) {
      reply.code(503).header('retry-after', '5').header('cache-control', 'no-store').type('text/plain; charset=utf-8');
      return reply.send(`${absent}\n`);
    }
    reply.header('content-security-policy', pagePolicy).header('vary', 'accept, accept-encoding');
    return sendFile(request, reply, file, isAsset ? permanent : 'no-cache');
  });
}

/**
 * Answers with a file, compressed as the browser takes it.
 *
 * @param cacheControl how long it may be kept, as `Cache-Control` says it
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SentFile,
  cacheControl: string,
): Promise<FastifyReply> {
  const { mediaType, tag } = file;
  const compression = isText(mediaType) ? compressionFor(request.headers['accept-encoding']) : null;
  const variantTag = compression === null ? `"${tag}"` : `"${tag}-${compression}"`;
  reply
    .header('cross-origin-resource-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cache-control', cacheControl)
    .header('etag', variantTag)
    .type(mediaType);
  if (request.headers['if-none-match'] === variantTag) return reply.code(304).send();
  if (compression !== null) reply.header('content-encoding', compression);
  return reply.send(await file.as(compression));
}

/** By path from the folder, such as `/index.html`. */
type PageFiles = ReadonlyMap<string, PageFile>;

/**
 * Reads a build, and reads it again when another one has replaced it; empty while there is none.
 *
 * @param marker a file that every build has, by its path from the folder
 */
export function followBuild(folder: string, marker = 'index.html'): () => PageFiles {
  let files: PageFiles = new Map();
  let ownNames: ReadonlySet<string> = new Set();
  let readFrom = '';
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = performance.now();
    if (files.size > 0 && nowMs - lookedAtMs < lookIntervalMs) return files;
    lookedAtMs = nowMs;
    const found = statSync(join(folder, marker), { throwIfNoEntry: false });
    const build = found === undefined ? readFrom : `${found.ino} ${found.mtimeMs}`;
    if (build === readFrom) return files;
    try {
      const read = readPageFiles(folder);
      const before = [...files].filter(([path]) => ownNames.has(path) && path.startsWith('/assets/'));
      files = new Map([...before, ...read]);
      ownNames = new Set(read.keys());
      readFrom = build;
    } catch (error) {
      // Replaced at this very moment: the next check finds it complete.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
    return files;
  };
}

function readPageFiles(folder: string): PageFiles {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length).replaceAll('\\', '/'), readPageFile(path)];
      }),
  );
}

function readPageFile(path: string): PageFile {
  return pageFile(readFileSync(path), mediaTypes[extname(path)] ?? 'application/octet-stream');
}

/** A file that is in memory already. */
export function pageFile(bytes: Buffer, mediaType: string): PageFile {
  // Compressed when first requested.
  const compressed = new Map<Compression, Promise<Buffer>>();
  return {
    bytes,
    mediaType,
    tag: tagOf(bytes),
    as(compression) {
      if (compression === null) return bytes;
      const made = compressed.get(compression) ?? compress(bytes, compression);
      compressed.set(compression, made);
      return made;
    },
  };
}

/** A short text that changes with the content, for `ETag`. */
export function tagOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** Whether a client accepts a page: without an Accept header it accepts anything (RFC 9110, 12.5.1). */
function takesPage(accepted: string | undefined): boolean {
  if (accepted === undefined || accepted.trim() === '') return true;
  return accepted.split(',').some((range) => {
    const [mediaType = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q *= *0(?:\.0*)?$/.test(parameter));
    return !refused && ['text/html', 'text/*', '*/*'].includes(mediaType);
  });
}

function isText(mediaType: string): boolean {
  return /^text\/|javascript|json|svg/.test(mediaType);
}
