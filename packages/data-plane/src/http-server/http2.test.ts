import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientSessionOptions,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { eventually } from '@millrace/eventually';
import { flag, frameType, setting } from '../http2/frames.ts';
import { block, frame, number, RawPeer, request, requestFields, settings } from '../http2/testing.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions, testCaller, testContent } from '../testing.ts';

const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

async function startTarget(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(backend: string, more: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({
    deployments: [{ content: testContent('echo', { basePath: '/echo' }) }],
    targets: { backend },
    ...more,
    gateway: { acceptsPriorKnowledge: true, ...more.gateway },
  });
  stops.push(() => gateway.stop());
  return gateway;
}

function session(url: string, options: ClientSessionOptions | SecureClientSessionOptions = {}): ClientHttp2Session {
  const opened = connect(url, options);
  opened.on('error', () => {});
  stops.push(() => opened.destroy());
  return opened;
}

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly status: number | undefined;
  readonly body: Buffer;
}

async function ask(to: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: Buffer | string): Promise<Answer> {
  const stream = to.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  let answered: IncomingHttpHeaders = {};
  stream.on('response', (got) => {
    answered = got;
  });
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return { headers: answered, status: Number(answered[':status']), body: Buffer.concat(pieces) };
}

const echo = (asked: IncomingMessage, response: ServerResponse) => {
  const pieces: Buffer[] = [];
  asked.on('data', (piece) => pieces.push(piece));
  asked.on('end', () => {
    const { method, url, headers } = asked;
    const body = Buffer.concat(pieces);
    response.end(JSON.stringify({ method, url, headers, size: body.length, hash: hashOf(body) }));
  });
};

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

function patternOf(size: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 7 + (index >> 8)) & 255));
}

describe('a caller that speaks HTTP/2', () => {
  test('is served by a target that speaks HTTP/1.1, with fields, bodies and cookies as sent', async () => {
    const gateway = await start(await startTarget(echo));
    const client = session(gateway.url);
    for (const size of [0, 1, 1_000, 16_384, 70_000, 3_000_000]) {
      const body = patternOf(size);
      for (const stated of [{}, { 'content-length': size }]) {
        const answer = await ask(
          client,
          { ':method': 'POST', ':path': '/echo/a%20b?x=1', 'X-Some': 'v', ...stated },
          body,
        );
        assert.equal(answer.status, 200);
        const got = JSON.parse(String(answer.body));
        assert.deepEqual([got.method, got.url, got.size, got.hash], ['POST', '/a%20b?x=1', size, hashOf(body)]);
        assert.equal(got.headers['x-some'], 'v');
      }
    }
    const answer = await ask(client, {
      ':path': '/echo',
      cookie: ['a=1', 'b=2'],
      te: 'trailers',
      'x-forwarded-for': '1.2.3.4',
    });
    const { headers } = JSON.parse(String(answer.body));
    assert.equal(headers.cookie, 'a=1; b=2');
    assert.equal(headers.te, undefined);
    assert.equal(headers.via, '2.0 millrace');
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers['x-forwarded-host'], new URL(gateway.url).host);
    assert.equal(headers['x-request-id'], answer.headers['x-request-id']);
    assert.equal(gateway.records.at(-1)?.requestId, headers['x-request-id']);
  });

  test('gets long answers, HEAD, 204, 304, early hints and errors as over HTTP/1.1', async () => {
    const large = patternOf(2_000_000);
    const gateway = await start(
      await startTarget((asked, response) => {
        if (asked.url === '/hints') response.writeEarlyHints({ link: '</a>; rel=preload' });
        if (asked.url === '/large') response.end(large);
        else if (asked.url === '/sized') response.setHeader('Content-Length', large.length).end(large);
        else if (asked.url === '/204' || asked.url === '/304') response.writeHead(Number(asked.url.slice(1))).end();
        else if (asked.url === '/cut') {
          response.setHeader('Content-Length', 100).write('a');
          setTimeout(() => asked.socket.destroy(), 50);
        } else response.end('body');
      }),
    );
    const client = session(gateway.url);
    for (const path of ['/echo/large', '/echo/sized']) {
      assert.equal(hashOf((await ask(client, { ':path': path })).body), hashOf(large));
    }
    const head = await ask(client, { ':path': '/echo/sized', ':method': 'HEAD' });
    assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, String(large.length), 0]);
    for (const status of [204, 304]) {
      const answer = await ask(client, { ':path': `/echo/${status}` });
      assert.deepEqual([answer.status, answer.body.length], [status, 0]);
    }
    const stream = client.request({ ':path': '/echo/hints' });
    const hints = once(stream, 'headers');
    assert.equal((await hints)[0].link, '</a>; rel=preload');
    stream.resume();
    await once(stream, 'end');
    await assert.rejects(ask(client, { ':path': '/echo/cut' }), { code: 'ERR_HTTP2_STREAM_ERROR' });
    const missing = await ask(client, { ':path': '/none' });
    assert.equal(missing.status, 404);
    assert.equal(JSON.parse(String(missing.body)).data.error, 'no_proxy');
    assert.deepEqual(
      gateway.records.slice(-2).map(({ status, error }) => [status, error]),
      [
        [200, 'target_failed'],
        [404, 'no_proxy'],
      ],
    );
  });

  test('shares one connection among many requests, each counted by its key', async () => {
    const key = 'key-of-many';
    const gateway = await start(await startTarget(echo), {
      deployments: [
        {
          content: testContent('echo', {
            basePath: '/echo',
            policies: [
              { kind: 'verify-api-key', configuration: { location: 'header', name: 'x-api-key' } },
              {
                kind: 'quota',
                configuration: { limit: 150, window: { unit: 'month', count: 1 }, per: 'app' },
              },
            ],
          }),
        },
      ],
      consumers: testCaller('many', createHash('sha256').update(key).digest('hex'), ['prx_echo']),
    });
    const client = session(gateway.url);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => ask(client, { ':path': '/echo', ':method': 'POST', 'x-api-key': key }, 'abc')),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length],
      [150, 50],
    );
    assert.equal(answers[0]!.headers['x-ratelimit-limit'], '150');
    assert.equal(gateway.gateway.stats().connections, 1);
    assert.equal((await ask(client, { ':path': '/echo' })).status, 401);
  });

  test('cancels a request, which ends the call of the target', async () => {
    const closed: string[] = [];
    const gateway = await start(
      await startTarget((asked, response) => {
        response.on('close', () => closed.push(asked.url ?? ''));
        if (asked.url === '/begun') response.write('a');
      }),
    );
    const client = session(gateway.url);
    const waiting = client.request({ ':path': '/echo/waiting' });
    const begun = client.request({ ':path': '/echo/begun' });
    await once(begun, 'response');
    waiting.close(8);
    begun.close(8);
    while (closed.length < 2) await wait(5);
    assert.deepEqual(
      gateway.records.map(({ status }) => status),
      [499, 499],
    );
    assert.equal(gateway.gateway.stats().inFlight, 0);
  });

  test('is answered before it has sent its body, which is then no longer wanted', async () => {
    const gateway = await start(await startTarget(echo));
    const client = session(gateway.url);
    const stream = client.request({ ':path': '/none', ':method': 'POST' });
    const [headers] = await once(stream, 'response');
    assert.equal(headers[':status'], 404);
    stream.resume();
    await once(stream, 'close');
    assert.equal(stream.rstCode, 0);
    const after = await ask(client, { ':path': '/echo', ':method': 'POST' }, 'a');
    assert.equal(after.status, 200);
  });

  test('waits for 100 Continue, if it says so', async () => {
    const gateway = await start(await startTarget(echo));
    const client = session(gateway.url);
    const stream = client.request({ ':path': '/echo', ':method': 'POST', expect: '100-continue' });
    await once(stream, 'continue');
    stream.end('abc');
    assert.equal((await once(stream, 'response'))[0][':status'], 200);
    stream.resume();
    const refused = client.request({ ':path': '/none', ':method': 'POST', expect: '100-continue' });
    assert.equal((await once(refused, 'response'))[0][':status'], 404);
    refused.resume();
  });

  test('that reads slowly holds the target back, and nobody else', async () => {
    let written = 0;
    const piece = Buffer.alloc(65_536, 'a');
    const gateway = await start(
      await startTarget((asked, response) => {
        if (asked.url !== '/endless') return void response.end('quick');
        const more = () => {
          while (written < 1_000_000_000 && response.write(piece)) written += piece.length;
          response.once('drain', more);
        };
        more();
      }),
    );
    const peer = await RawPeer.open(gateway.port);
    peer.send(request(1, '/echo/endless'));
    let before = -1;
    while (written !== before) {
      before = written;
      await wait(300);
    }
    assert.ok(written < 30_000_000, `${written}`);
    peer.send(frame(frameType.windowUpdate, 0, 0, number(1_000)), request(3, '/echo/quick'));
    assert.equal(await peer.status(3), 200);
    peer.socket.destroy();
  });

  test('finishes its requests while the gateway drains, and sends no more', async () => {
    const waiting: ServerResponse[] = [];
    const gateway = await start(await startTarget((_, response) => void waiting.push(response)));
    const client = session(gateway.url);
    const goAways: number[] = [];
    client.on('goaway', (_code, last) => goAways.push(last));
    const answer = ask(client, { ':path': '/echo' });
    while (waiting.length < 1) await wait(5);
    gateway.gateway.drain();
    while (goAways.length < 1) await wait(5);
    assert.deepEqual(goAways, [2 ** 31 - 1]);
    await wait(1_300);
    waiting[0]!.end('done');
    assert.equal(String((await answer).body), 'done');
    while (gateway.gateway.stats().connections > 0) await wait(5);
    assert.equal(gateway.records[0]?.status, 200);
  });

  const skip = spawnSync('openssl', ['version']).error ? 'no openssl here to make a certificate with' : false;
  test('chooses its protocol in the handshake of TLS', { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-http2-'));
    stops.push(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', [...made, '-subj', '/CN=a', '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const context = { key: readFileSync(key), cert: readFileSync(cert) };
    const gateway = await start(await startTarget(echo), { gateway: { tls: { context: () => context } } });
    const client = session(`https://127.0.0.1:${gateway.port}`, { rejectUnauthorized: false });
    const body = patternOf(300_000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(client, { ':path': '/echo', ':method': 'POST' }, body)),
    );
    for (const answer of answers) {
      const got = JSON.parse(String(answer.body));
      assert.deepEqual([got.hash, got.headers['x-forwarded-proto']], [hashOf(body), 'https']);
    }
    const [old] = await once(
      httpRequest({
        port: gateway.port,
        path: '/echo',
        createConnection: () =>
          connectTls({ port: gateway.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }),
      }).end(),
      'response',
    );
    assert.equal(old.httpVersion, '1.1');
    old.resume();
  });
});

describe('time limits of HTTP/2', () => {
  const limits = { headTimeoutMs: 300, bodyTimeoutMs: 300, wholeBodyTimeoutMs: 800, keepAliveMs: 300 };
  const backend = 'http://127.0.0.1:9';

  async function waiting(target = backend) {
    const gateway = await start(target, { gateway: { limits } });
    return { gateway, peer: await RawPeer.open(gateway.port, settings(), { acknowledges: false }) };
  }

  test('end a connection without requests with GOAWAY', async () => {
    const { peer } = await waiting();
    assert.equal(await peer.rejection(), 'connection 0');
    while (!peer.isClosed) await wait(10);
  });

  test('end a connection that begins a head or a frame and doesn’t go on', async () => {
    for (const part of [
      frame(frameType.headers, 0, 1, block(requestFields('/echo'))),
      Buffer.from([0, 0]),
      frame(frameType.ping, 0, 0, '12345678').subarray(0, 12),
    ]) {
      const { peer } = await waiting();
      peer.send(part);
      assert.match(await peer.rejection(), /^connection (?:0|11)$/);
    }
  });

  test('end a request whose body stops, or takes too long', async () => {
    const reading = await startTarget((asked) => void asked.resume());
    const { peer } = await waiting(reading);
    peer.send(
      request(1, '/echo', { method: 'POST', ends: false }),
      request(3, '/echo', { method: 'POST', ends: false }),
    );
    const dribble = setInterval(() => peer.send(frame(frameType.data, 0, 3, 'a')), 100);
    assert.equal(await peer.status(1), 408);
    assert.equal(await peer.status(3), 408);
    clearInterval(dribble);
    peer.socket.destroy();
  });

  test('end a response that is read byte by byte', async () => {
    const large = await startTarget((_, response) => void response.end(Buffer.alloc(200_000)));
    const { peer, gateway } = await waiting(large);
    peer.send(settings([setting.initialWindowSize, 1]), request(1, '/echo'));
    const dribble = setInterval(() => peer.send(frame(frameType.windowUpdate, 0, 1, number(1))), 100);
    assert.equal(await peer.rejection(), 'stream 8');
    clearInterval(dribble);
    assert.equal(gateway.gateway.stats().inFlight, 0);
    peer.socket.destroy();
  });
});

describe('floods of HTTP/2', () => {
  /** Each sends frames as fast as the gateway reads them. */
  const floods: readonly (readonly [what: string, one: (id: number) => Buffer])[] = [
    ['rapid reset', (id) => Buffer.concat([request(id, '/echo'), frame(frameType.resetStream, 0, id, number(8))])],
    ['PING', () => frame(frameType.ping, 0, 0, '12345678')],
    ['SETTINGS', () => settings()],
    ['PRIORITY', (id) => frame(frameType.priority, 0, id, '\0\0\0\0\0')],
    ['unknown frames', () => frame(0x77, 0, 0, 'a')],
    ['windows that open by a byte', () => frame(frameType.windowUpdate, 0, 0, number(1))],
    [
      'empty DATA',
      (id) => (id === 1 ? request(1, '/echo', { method: 'POST', ends: false }) : frame(frameType.data, 0, 1)),
    ],
    ['requests that are refused', (id) => request(id, '/echo', { method: 'POST', ends: false })],
    [
      'requests that are malformed',
      (id) => frame(frameType.headers, flag.endHeaders | flag.endStream, id, block([['x', 'y']])),
    ],
    [
      'requests that make the gateway reset them',
      (id) => Buffer.concat([request(id, '/echo'), frame(frameType.windowUpdate, 0, id, number(0))]),
    ],
    ['resets of closed streams', (id) => Buffer.concat([request(id, '/none'), frame(frameType.data, 0, id, 'a')])],
  ];

  for (const [what, one] of floods) {
    test(`end soon: ${what}`, async () => {
      let called = 0;
      const target = createNetServer((socket: Socket) => {
        called++;
        socket.on('error', () => {});
        socket.resume();
      });
      target.listen(0, '127.0.0.1');
      await once(target, 'listening');
      const gateway = await start(`http://127.0.0.1:${(target.address() as AddressInfo).port}`);
      const peer = await RawPeer.open(gateway.port);
      for (let id = 1; id < 40_000 && !peer.isClosed; id += 200) {
        peer.send(...Array.from({ length: 100 }, (_, index) => one(id + 2 * index)));
        await wait(1);
      }
      const goAway = await peer.frame(({ type }) => type === frameType.goAway);
      assert.equal(goAway?.payload.readUInt32BE(4), 11);
      while (gateway.gateway.stats().connections > 0) await wait(5);
      assert.equal(gateway.gateway.stats().inFlight, 0);
      assert.ok(called <= 300, `${called} connections to the target`);
      target.close();
    });
  }

  test('requests that are given up at once share one connection to the target, and nothing of them reaches it', async () => {
    const asked: (string | undefined)[] = [];
    const sockets = new Set<Socket>();
    const backend = await startTarget((incoming, response) => {
      asked.push(incoming.url);
      sockets.add(incoming.socket);
      response.end('done');
    });
    const gateway = await start(backend);
    const peer = await RawPeer.open(gateway.port);
    for (let turn = 0; turn < 3; turn++) {
      const first = 1 + 100 * turn;
      const given = Array.from({ length: 20 }, (_, index) => {
        const id = first + 2 * index;
        return Buffer.concat([request(id, '/echo/given'), frame(frameType.resetStream, 0, id, number(8))]);
      });
      const last = first + 50;
      peer.send(Buffer.concat([...given, request(last, `/echo/${turn}`)]));
      const body = await peer.frame(({ type, id }) => type === frameType.data && id === last);
      assert.equal(body?.payload.toString(), 'done');
    }
    peer.socket.destroy();
    // A stream of Node has passed them on.
    if (process.env.MILLRACE_GATEWAY_NODE_INTERNALS === '0') return;
    assert.deepEqual(asked, ['/0', '/1', '/2']);
    assert.equal(sockets.size, 1);
  });

  test('a connection that has only waited may be closed by its target, and another one gets the request', async () => {
    const accepted: Socket[] = [];
    const target = createNetServer((socket: Socket) => {
      accepted.push(socket.on('error', () => {}));
      const isFirst = accepted.length === 1;
      socket.on('data', () => {
        if (isFirst) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone');
      });
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    const gateway = await start(`http://127.0.0.1:${(target.address() as AddressInfo).port}`);
    const peer = await RawPeer.open(gateway.port);
    peer.send(Buffer.concat([request(1, '/echo/given'), frame(frameType.resetStream, 0, 1, number(8))]));
    await eventually('the connection that nobody waits for', () => accepted.length === 1);
    await wait(50);
    peer.send(request(3, '/echo/next'));
    const answer = await peer.frame(({ type, id }) => type === frameType.data && id === 3);
    peer.socket.destroy();
    for (const socket of accepted) socket.destroy();
    target.close();
    assert.equal(answer?.payload.toString(), 'done');
  });

  test('end soon: CONTINUATION, with fields or without', async () => {
    const gateway = await start('http://127.0.0.1:9');
    for (const payload of [Buffer.alloc(0), block([['x', 'y'.repeat(16_000)]])]) {
      const peer = await RawPeer.open(gateway.port);
      peer.send(frame(frameType.headers, flag.endStream, 1, block(requestFields('/echo'))));
      for (let sent = 0; sent < 1_000 && !peer.isClosed; sent++)
        peer.send(frame(frameType.continuation, 0, 1, payload));
      assert.equal(await peer.rejection(), 'connection 11');
    }
  });

  test('end soon: heads that are bombs, and too many that are too long', async () => {
    const gateway = await start('http://127.0.0.1:9');
    const large = Buffer.concat([Buffer.from([0x40]), block([['x', 'y'.repeat(3_900)]]).subarray(1)]);
    const whole = flag.endHeaders | flag.endStream;
    for (const size of [15_000, 8]) {
      const peer = await RawPeer.open(gateway.port);
      peer.send(frame(frameType.headers, whole, 1, Buffer.concat([block(requestFields('/echo')), large])));
      assert.equal(await peer.status(1), 503);
      const bomb = Buffer.concat([block(requestFields('/echo')), Buffer.alloc(size, 0xbe)]);
      for (let id = 3; id < 1_000 && !peer.isClosed; id += 2) peer.send(frame(frameType.headers, whole, id, bomb));
      const goAway = await peer.frame(({ type }) => type === frameType.goAway);
      assert.equal(goAway?.payload.readUInt32BE(4), 11);
      if (size === 8) assert.equal(await peer.status(3), 431);
      peer.socket.destroy();
    }
  });
});
