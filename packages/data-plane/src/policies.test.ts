import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { createRedisCounters } from '@millrace/counters/redis';
import { startTestGateway, testContent } from './testing.ts';

const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

interface Target {
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  asked: IncomingMessage[];
}

/** A gateway with these policies on `/v1/orders`, and a target behind it. */
async function serve(
  policies: Parameters<typeof testContent>[1] & object,
  options: Pick<Parameters<typeof startTestGateway>[0], 'counters'> = {},
) {
  const target: Target = { asked: [], answer: (_, response) => response.end('ok') };
  const server = createServer((request, response) => {
    target.asked.push(request);
    target.answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateway = await startTestGateway({
    ...options,
    deployments: [{ content: testContent('orders', policies) }],
    targets: { backend: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  });
  stops.push(
    () => {
      server.close();
      server.closeAllConnections();
    },
    () => gateway.stop(),
  );
  const ask = (path = '', init: RequestInit = {}) => fetch(`${gateway.url}/v1/orders${path}`, init);
  return { target, ask };
}

const json =
  (body: string, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers })
      .end(body);
  };

describe('policies on the wire', () => {
  it('report the caller’s own limit, not the target’s limit for the gateway', async () => {
    const configuration = { limit: 5, window: { unit: 'day' } };
    const { target, ask } = await serve({ policies: [{ kind: 'quota', configuration }] });
    target.answer = json('{}', { 'X-RateLimit-Limit': '60', 'x-ratelimit-remaining': '59' });
    const answer = await ask();
    assert.equal(answer.headers.get('x-ratelimit-limit'), '5');
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '4');
    const unlimited = await serve({});
    unlimited.target.answer = target.answer;
    assert.equal((await unlimited.ask()).headers.get('x-ratelimit-limit'), '60');
  });

  it('that need an unreachable Redis reject with the seconds after which it may be back, or fail open', async () => {
    const counters = createRedisCounters({ url: 'redis://127.0.0.1:1', nodes: () => 1 });
    stops.push(() => counters.close());
    const configuration = { limit: 5, window: { unit: 'day' }, mode: 'strict' };
    const { ask } = await serve({ policies: [{ kind: 'quota', configuration }] }, { counters });
    const answer = await ask();
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '3']);
    const open = { ...configuration, failOpen: true };
    const failingOpen = await serve({ policies: [{ kind: 'quota', configuration: open }] }, { counters });
    assert.equal((await failingOpen.ask()).status, 200);
  });

  it('mask the target’s response, in one piece and in many, and cut off what turns out not to be JSON', async () => {
    const configuration = { rules: [{ jsonPath: '$..secret' }, { detector: 'card' }] };
    const { target, ask } = await serve({ policies: [{ kind: 'data-masking', flow: 'response', configuration }] });
    target.answer = json('{"secret":"x","a":"4111 1111 1111 1111"}', { etag: '"1"' });
    const answer = await ask('', { headers: { range: 'bytes=0-3', 'accept-encoding': 'gzip' } });
    assert.equal(await answer.text(), '{"secret":"***","a":"***"}');
    assert.equal(answer.headers.get('etag'), null);
    assert.equal(target.asked[0]!.headers.range, undefined);
    assert.equal(target.asked[0]!.headers['accept-encoding'], 'identity');
    const head = await ask('', { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, null, '']);

    const items = Array.from({ length: 20_000 }, (_, secret) => ({ secret, note: 'x'.repeat(20) }));
    target.answer = json(JSON.stringify(items));
    const large = JSON.parse(await (await ask()).text());
    assert.equal(large.length, items.length);
    assert.ok(large.every((item: { secret: unknown }) => item.secret === '***'));

    target.answer = json('{"secret":"x"');
    assert.equal((await ask()).status, 503);
    target.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"a":1,"secret":"x"');
      response.end('}}');
    };
    assert.equal((await ask()).status, 503, 'nothing of it was sent');
    target.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(JSON.stringify('x'.repeat(100_000)));
      setTimeout(() => response.end('}'), 20);
    };
    await assert.rejects(async () => (await ask()).text());
    for (const contentType of ['text/plain', 'application/x-ndjson', 'application/json']) {
      target.answer = (_, response) => {
        response.writeHead(200, { 'content-type': contentType }).flushHeaders();
        setTimeout(() => response.end(Buffer.from('{"secret":"x"}', 'utf16le')), 20);
      };
      assert.equal((await ask()).status, 503, contentType);
    }
    target.answer = json('{}', { 'content-encoding': 'gzip' });
    assert.equal((await ask()).status, 503);
  });

  it('cache responses after masking them, and don’t change a cached one again', async () => {
    const cache = { kind: 'response-cache', configuration: { ttlSeconds: 60 } };
    const { target, ask } = await serve({
      policies: [
        cache,
        {
          kind: 'data-masking',
          flow: 'response',
          configuration: { rules: [{ jsonPath: '$.id', replacement: 'hash' }] },
        },
        { ...cache, flow: 'response' },
        { kind: 'transform-headers', flow: 'response', configuration: { append: [{ name: 'x-behind', value: '1' }] } },
      ],
    });
    target.answer = json('{"id":"1"}');
    const answers = [await ask(), await ask(), await ask('?other')];
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    assert.match(bodies[0]!, /^\{"id":"[\w-]{22}"\}$/);
    assert.deepEqual(bodies, [bodies[0], bodies[0], bodies[0]]);
    assert.equal(target.asked.length, 2);
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('x-behind')),
      ['1', '1', '1'],
    );
    assert.deepEqual(
      answers.map(({ headers }) => headers.has('age')),
      [false, true, false],
    );
    const head = await ask('', { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text(), target.asked.length], [200, '', 2]);
  });

  it('answer preflight requests, and decide instead of the target who may read', async () => {
    const configuration = {
      allowedOrigins: ['https://app.example.com'],
      allowedMethods: ['PUT'],
      allowedHeaders: ['x-api-key'],
    };
    const { target, ask } = await serve({
      routes: [{ method: 'PUT' }],
      policies: [{ kind: 'cors', configuration }, { kind: 'verify-api-key' }],
    });
    target.answer = json('{}', { 'access-control-allow-origin': '*' });
    const preflight = (origin: string) =>
      ask('', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT' } });
    const allowed = await preflight('https://app.example.com');
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get('access-control-allow-methods'), 'PUT');
    assert.equal((await preflight('https://app.example.com.evil.example')).status, 403);
    const refused = await ask('', { method: 'PUT', headers: { origin: 'https://app.example.com' } });
    assert.equal(refused.status, 401);
    assert.equal(
      refused.headers.get('access-control-allow-origin'),
      'https://app.example.com',
      'so that the page can read why',
    );
    assert.equal(target.asked.length, 0);

    const open = await serve({ policies: [{ kind: 'cors', configuration }] });
    open.target.answer = json('{}', { 'access-control-allow-origin': '*' });
    const other = await open.ask('', { headers: { origin: 'https://evil.example' } });
    assert.equal(other.status, 200);
    assert.equal(other.headers.get('access-control-allow-origin'), null);
  });

  it('give nobody a response that depends on what someone else sent', async () => {
    const configuration = { ttlSeconds: 60 };
    const { target, ask } = await serve({
      policies: [
        { kind: 'response-cache', configuration },
        { kind: 'response-cache', flow: 'response', configuration },
      ],
    });
    target.answer = ({ headers }, response) =>
      response.end(String(headers['x-original-url'] ?? headers['x-http-method-override'] ?? headers.origin ?? 'none'));
    const textOf = async (headers: Record<string, string>) => (await ask('', { headers })).text();
    for (const [name, value] of [
      ['x-original-url', '/admin'],
      ['x-http-method-override', 'DELETE'],
      ['origin', 'https://evil.example'],
    ] as const) {
      assert.equal(await textOf({ [name]: value }), value);
      assert.equal(await textOf({}), 'none');
    }
    const asked = target.asked.length;
    assert.equal(
      await textOf({ 'user-agent': 'another', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` }),
      'none',
    );
    assert.equal(target.asked.length, asked, 'ordinary clients share an answer');
  });

  it('remove headers whatever punctuation is in their names', async () => {
    const { target, ask } = await serve({
      policies: [
        {
          kind: 'transform-headers',
          configuration: { remove: ['x-internal'], set: [{ name: 'x-tenant', value: 'a' }] },
        },
      ],
    });
    await ask('', { headers: { X_Internal: '1', 'x.internal': '2', X_Tenant: 'b', X_Forwarded_For: '192.0.2.1' } });
    const { headers } = target.asked[0]!;
    assert.equal(headers['x-tenant'], 'a');
    assert.deepEqual(
      Object.keys(headers).filter((name) => /internal|_/.test(name)),
      [],
    );
  });

  it('validate bodies against the specification before the target gets them', async () => {
    const specification = {
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      paths: {
        '/{id}': {
          parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
          put: {
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { type: 'object', required: ['sku'] } } },
            },
          },
        },
      },
    };
    const { target, ask } = await serve({
      specification,
      routes: [{ method: 'PUT', pathPattern: '/{orderId}' }],
      policies: [{ kind: 'request-validation', configuration: { maxBodyBytes: 100 } }],
    });
    const put = (path: string, body: string, type = 'application/json') =>
      ask(path, { method: 'PUT', body, headers: { 'content-type': type } });
    assert.equal((await put('/1', '{"sku":"a"}')).status, 200);
    const refused = await put('/x', '{}');
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(((await refused.json()) as { data: { errors: object } }).data.errors), ['path.id']);
    assert.equal((await put('/1', '{}')).status, 400);
    assert.equal((await put('/1', '{}', 'text/xml')).status, 415);
    assert.equal((await put('/1', `{"sku":"${'x'.repeat(200)}"}`)).status, 413);
    assert.equal(target.asked.length, 1);
  });
});
