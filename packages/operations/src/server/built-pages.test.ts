import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { addBuiltPages } from './built-pages.ts';

const page = '<!doctype html><title>Pages</title>';
const script = `export const words = ${JSON.stringify('many words '.repeat(500))};`;

describe('built pages', () => {
  let folder: string;
  let server: FastifyInstance;
  let baseUrl: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-test-pages-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), page);
    writeFileSync(join(folder, 'assets', 'main-1a2b.js'), script);
    writeFileSync(join(folder, 'icon.png'), Buffer.from([1, 2, 3]));
    server = Fastify();
    server.setNotFoundHandler((_request, reply) => reply.code(404).send({ missing: true }));
    server.get('/api/known', async () => ({ known: true }));
    addBuiltPages(server, folder, { isPage: (path) => !path.startsWith('/api'), absent: 'Not built.' });
    baseUrl = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  after(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('every address of a page returns the page, which is revalidated each time', async () => {
    for (const path of ['/', '/index.html', '/documents/doc_1?field=total', '/..%2f..%2fetc/passwd']) {
      const response = await fetch(`${baseUrl}${path}`);
      assert.deepEqual([response.status, await response.text()], [200, page], path);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(response.headers.get('cache-control'), 'no-cache');
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self';.*connect-src 'self'.*frame-ancestors 'none'$/);
      assert.doesNotMatch(policy.match(/script-src[^;]*/)![0], /unsafe|http/);
    }
  });

  test('a client that does not ask for another type gets the page', async () => {
    const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
      server.inject({ method, url: '/', headers });
    const taking = ['*/*', 'text/html,*/*;q=0.8', 'text/*', 'application/json, */*;q=0.1', ''];
    for (const headers of [{}, ...taking.map((accept) => ({ accept }))]) {
      const { statusCode, body } = await ask(headers);
      assert.deepEqual([statusCode, body], [200, page], JSON.stringify(headers));
      const head = await ask(headers, 'HEAD');
      assert.deepEqual([head.statusCode, head.body], [200, '']);
    }
    for (const accept of ['application/json', 'image/*', 'application/json, text/html;q=0']) {
      const { statusCode, body } = await ask({ accept });
      assert.deepEqual([statusCode, body], [404, '{"missing":true}'], accept);
    }
  });

  test('assets are cached permanently, and a missing one is not found', async () => {
    const asset = await fetch(`${baseUrl}/assets/main-1a2b.js`);
    assert.deepEqual([asset.status, await asset.text()], [200, script]);
    assert.equal(asset.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    for (const path of ['/assets/main-old.js', '/api/unknown']) {
      const missing = await fetch(`${baseUrl}${path}`);
      assert.deepEqual([missing.status, await missing.json()], [404, { missing: true }], path);
    }
    assert.deepEqual(await (await fetch(`${baseUrl}/api/known`)).json(), { known: true });
  });

  test('pages that are built later or rebuilt are served without a restart', async () => {
    const later = join(folder, 'later');
    const other = Fastify();
    addBuiltPages(other, later, { isPage: () => true, absent: 'The pages are being built.' });
    const get = async (url: string) => {
      const { statusCode, body } = await other.inject({ url });
      return [statusCode, body];
    };
    const build = (text: string, asset: string) => {
      rmSync(later, { recursive: true, force: true });
      mkdirSync(join(later, 'assets'), { recursive: true });
      writeFileSync(join(later, 'assets', asset), text);
      writeFileSync(join(later, 'index.html'), text);
    };
    assert.deepEqual(await get('/documents'), [503, 'The pages are being built.\n']);
    build('the first', 'main-1.js');
    assert.deepEqual(await get('/documents'), [200, 'the first']);
    build('the second', 'main-2.js');
    while ((await get('/'))[1] !== 'the second') await sleep(50);
    assert.deepEqual(await get('/assets/main-2.js'), [200, 'the second']);
    // A browser with the previous page open can still load its parts.
    assert.deepEqual(await get('/assets/main-1.js'), [200, 'the first']);
    await other.close();
  });

  test('text is compressed in an encoding the browser accepts, images are not', async () => {
    const known = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip;q=0.5', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const { headers, body } = await get('/assets/main-1a2b.js', { 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], encoding);
      assert.equal(headers.vary, 'accept, accept-encoding');
      assert.equal((encoding === undefined ? body : known[encoding](body)).toString(), script);
      if (encoding !== undefined) assert.ok(body.length < script.length / 10);
    }
    const picture = await get('/icon.png', { 'accept-encoding': 'br' });
    assert.deepEqual([picture.headers['content-encoding'], [...picture.body]], [undefined, [1, 2, 3]]);
  });

  test('content that a browser has cached is not sent again', async () => {
    const { headers } = await get('/', { 'accept-encoding': 'br' });
    const again = await get('/', { 'accept-encoding': 'br', 'if-none-match': headers.etag! });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
    assert.equal((await get('/', { 'accept-encoding': 'gzip', 'if-none-match': headers.etag! })).status, 200);
  });

  /** As `fetch` does, without decompressing. */
  function get(path: string, headers: Record<string, string>) {
    return new Promise<{ status: number; headers: Record<string, string | undefined>; body: Buffer }>(
      (resolve, reject) => {
        request(`${baseUrl}${path}`, { headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers as Record<string, string | undefined>,
              body: Buffer.concat(chunks),
            }),
          );
        })
          .on('error', reject)
          .end();
      },
    );
  }
});
