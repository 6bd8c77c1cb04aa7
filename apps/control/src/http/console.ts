import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../frame/errors.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** Mantine sets styles on elements; scripts come from this server alone. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * Serves the built console: its files under their names, and its page for every other address that is not the API's,
 * since the console itself tells addresses apart. The files are few and are kept in memory.
 *
 * @param folder of the build
 */
export function addConsole(server: FastifyInstance, folder: string): void {
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const bytes = readFileSync(path);
        const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
        return [path.slice(folder.length).replaceAll('\\', '/'), { bytes, tag }];
      }),
  );
  const page = files.get('/index.html');
  if (page === undefined) throw new Error(`${folder} holds no index.html: build the console.`);

  server.get('/*', (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    if (path === '/api' || path.startsWith('/api/')) throw new ApiError('not_found');
    const named = files.get(path);
    if (named === undefined && path.startsWith('/assets/')) throw new ApiError('not_found');
    const file = named ?? page;
    reply
      .header('content-security-policy', pagePolicy)
      .header('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('etag', file.tag)
      .type(named === undefined ? mediaTypes['.html']! : (mediaTypes[extname(path)] ?? 'application/octet-stream'));
    if (request.headers['if-none-match'] === file.tag) return reply.code(304).send();
    return reply.send(file.bytes);
  });
}
