import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import {
  type ClientHttp2Session,
  connect,
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { flag, frameType } from '../http2/frames.ts';
import { block, frame, number, RawPeer, settings } from '../http2/testing.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions, testContent, testTarget } from '../testing.ts';
import { createBalancer } from './balance.ts';

const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Listens, and gives the port. */
async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A target that speaks HTTP/2 without TLS. */
async function startTarget(handle: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void) {
  const server = createServer();
  let sessions = 0;
  server.on('session', () => sessions++);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    handle(stream, headers);
  });
  const port = await listening(server);
  return { port, sessions: () => sessions, server };
}

/** A target that sends frames of its own. */
async function startRawTarget(handle: (peer: RawPeer) => void): Promise<number> {
  return await listening(
    createNetServer((socket) => {
      const peer = new RawPeer(socket, { isServer: true });
      peer.send(settings());
      handle(peer);
    }),
  );
}

type Protocol = 'http2' | 'auto';

function targetOf(ports: readonly number[], { protocol = 'http2' as Protocol, scheme = 'http' } = {}) {
  const target = testTarget('backend', `${scheme}://127.0.0.1:${ports[0]}`);
  return { ...target, protocol, endpoints: ports.map((port) => ({ host: '127.0.0.1', port, weight: 1 })) };
}

async function start(
  target: ReturnType<typeof targetOf>,
  more: Partial<TestGatewayOptions> = {},
): Promise<TestGateway> {
  const gateway = await startTestGateway({
    deployments: [{ content: testContent('echo', { basePath: '/echo' }) }],
    targets: { backend: target },
    ...more,
    gateway: { acceptsPriorKnowledge: true, ...more.gateway },
  });
  stops.push(() => gateway.stop());
  return gateway;
}

function session(gateway: TestGateway): ClientHttp2Session {
  const opened = connect(gateway.url);
  opened.on('error', () => {});
  stops.push(() => opened.destroy());
  return opened;
}

async function ask(to: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: Buffer | string) {
  const stream = to.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  let answered: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  stream.on('response', (got) => {
    answered = got;
  });
  stream.on('trailers', (got) => {
    trailers = got;
  });
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return { headers: answered, trailers, body: Buffer.concat(pieces), status: Number(answered[':status']) };
}

/** Answers with what was asked, and with trailers. */
function echo(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  let trailers: IncomingHttpHeaders = {};
  const pieces: Buffer[] = [];
  stream.on('trailers', (got) => {
    trailers = got;
  });
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  stream.on('end', () => {
    stream.respond({ ':status': 200, 'x-got': String(headers['x-some']) }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-after': String(trailers['x-before'] ?? 'nothing') }));
    stream.end(
      headers[':path'] === '/body'
        ? Buffer.concat(pieces)
        : JSON.stringify({ headers, size: Buffer.concat(pieces).length }),
    );
  });
}

const large = Buffer.from(Uint8Array.from({ length: 2_500_000 }, (_, index) => (index * 13 + (index >> 9)) & 255));

describe('a target that speaks HTTP/2', () => {
  test('serves callers of both protocols, whose requests share a connection', async () => {
    const target = await startTarget(echo);
    const gateway = await start(targetOf([target.port]));
    const client = session(gateway);
    const bodies = ['', 'a', 'b'.repeat(20_000), large] as const;
    for (const body of bodies) {
      const byOld = await fetch(`${gateway.url}/echo/body`, { method: 'POST', body, headers: { 'X-Some': 'v' } });
      assert.equal(byOld.headers.get('x-got'), 'v');
      assert.ok(Buffer.from(await byOld.arrayBuffer()).equals(Buffer.from(body)));
      const byNew = await ask(client, { ':path': '/echo/body', ':method': 'POST', 'x-some': 'v' }, Buffer.from(body));
      assert.ok(byNew.body.equals(Buffer.from(body)));
      assert.equal(byNew.trailers['x-after'], 'nothing');
    }
    const chunked = await fetch(`${gateway.url}/echo/body`, {
      method: 'POST',
      body: new Blob([large]).stream(),
      duplex: 'half',
    });
    assert.ok(Buffer.from(await chunked.arrayBuffer()).equals(large));
    const got = JSON.parse(
      String((await ask(client, { ':path': '/echo/a%20b?x=1', cookie: ['a=1', 'b=2'] })).body),
    ).headers;
    assert.equal(got[':path'], '/a%20b?x=1');
    assert.equal(got[':scheme'], 'http');
    assert.equal(got[':authority'], `127.0.0.1:${target.port}`);
    assert.equal(got.cookie, 'a=1; b=2');
    assert.equal(got.via, '2.0 millrace');
    assert.equal(got['x-forwarded-for'], '127.0.0.1');
    const many = await Promise.all(Array.from({ length: 90 }, () => ask(client, { ':path': '/echo/a' })));
    assert.ok(many.every(({ status }) => status === 200));
    assert.equal(target.sessions(), 1);
    assert.equal(gateway.records.at(-1)?.target, `127.0.0.1:${target.port}`);
  });

  test('gets and sends trailers, informational responses, HEAD and answers without a body', async () => {
    const target = await startTarget((stream, headers) => {
      if (headers[':path'] === '/hints') stream.additionalHeaders({ ':status': 103, link: '</a>' });
      if (headers[':method'] === 'HEAD')
        stream.respond({ ':status': 200, 'content-length': '77' }, { endStream: true });
      else if (headers[':path'] === '/204') stream.respond({ ':status': 204 }, { endStream: true });
      else if (headers[':path'] === '/empty') stream.respond({ ':status': 200 }, { endStream: true });
      else echo(stream, headers);
    });
    const gateway = await start(targetOf([target.port]));
    const client = session(gateway);
    const stream = client.request({ ':path': '/echo/a', ':method': 'POST' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-before': 'sent' }));
    stream.end('a');
    stream.resume();
    assert.equal((await once(stream, 'trailers'))[0]['x-after'], 'sent');
    const hints = client.request({ ':path': '/echo/hints' });
    assert.equal((await once(hints, 'headers'))[0].link, '</a>');
    hints.resume();
    const head = await ask(client, { ':path': '/echo/a', ':method': 'HEAD' });
    assert.deepEqual([head.status, head.headers['content-length']], [200, '77']);
    for (const path of ['204', 'empty']) {
      const byNew = await ask(client, { ':path': `/echo/${path}` });
      assert.equal(byNew.body.length, 0);
      const byOld = await fetch(`${gateway.url}/echo/${path}`);
      assert.equal((await byOld.arrayBuffer()).byteLength, 0);
      assert.equal(byOld.headers.get('content-length'), path === 'empty' ? '0' : null);
    }
  });

  test('that refuses a stream or goes away gets the request again, whatever its method', async () => {
    for (const how of ['refused', 'goAway'] as const) {
      let asked = 0;
      const port = await startRawTarget(async (peer) => {
        const first = await peer.frame(({ type }) => type === frameType.headers);
        if (first === null) return;
        asked++;
        if (asked === 1) {
          if (how === 'refused') peer.send(frame(frameType.resetStream, 0, first.id, number(7)));
          else peer.send(frame(frameType.goAway, 0, 0, Buffer.alloc(8)));
          if (how === 'goAway') return;
          await peer.frame(({ type, id }) => type === frameType.headers && id === 3);
        }
        const id = asked === 1 ? 3 : 1;
        await peer.frame((got) => got.type === frameType.data && got.id === id && (got.flags & 1) === 1);
        const body = peer.frames
          .filter((got) => got.type === frameType.data && got.id === id)
          .map(({ payload }) => payload);
        peer.send(
          frame(frameType.headers, flag.endHeaders, id, block([[':status', '200']])),
          frame(frameType.data, 1, id, Buffer.concat(body)),
        );
      });
      const gateway = await start(targetOf([port]));
      const answer = await fetch(`${gateway.url}/echo`, { method: 'POST', body: 'once' });
      assert.equal(await answer.text(), 'once', how);
      assert.equal(gateway.records[0]?.retries, 1);
    }
  });

  test('that resets a POST does not get it again, and that breaks off a GET does', async () => {
    let asked = 0;
    const target = await startTarget((stream) => {
      asked++;
      if (stream.session !== undefined && asked < 3) stream.session.destroy();
      else stream.respond({ ':status': 200 }, { endStream: true });
    });
    const gateway = await start(targetOf([target.port]));
    assert.equal((await fetch(`${gateway.url}/echo`, { method: 'POST', body: 'a' })).status, 502);
    assert.equal(asked, 1);
    const second = await start(targetOf([target.port, target.port]));
    assert.equal((await fetch(`${second.url}/echo`)).status, 200);
  });

  test('that allows few streams gets more connections', async () => {
    const server = createServer({ settings: { maxConcurrentStreams: 2 } });
    const requestCount = 10;
    let sessions = 0;
    server.on('session', () => sessions++);
    const streams: ServerHttp2Stream[] = [];
    server.on('stream', (stream) => {
      streams.push(stream);
      // None is answered before all are there, which they are only over several connections.
      if (streams.length < requestCount) return;
      for (const each of streams) each.respond({ ':status': 200 }, { endStream: true });
    });
    const gateway = await start(targetOf([await listening(server)]));
    const answers = await Promise.all(Array.from({ length: requestCount }, () => fetch(`${gateway.url}/echo`)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.ok(sessions >= requestCount / 2, `${sessions}`);
  });

  test('that speaks something else is reported, and nothing is sent to it', async () => {
    const requests: string[] = [];
    const old = await listening(
      createHttpServer((asked, response) => {
        requests.push(asked.method ?? '');
        response.end();
      }),
    );
    const gateway = await start(targetOf([old]));
    const answer = await fetch(`${gateway.url}/echo`, { method: 'POST', body: 'a' });
    assert.equal(answer.status, 503);
    assert.deepEqual(requests, []);
  });

  test('that breaks the protocol is not trusted', async () => {
    const answers: readonly (readonly [string, readonly Buffer[]])[] = [
      ['data before a head', [frame(frameType.data, 1, 1, 'a')]],
      ['no status', [frame(frameType.headers, 5, 1, block([['a', 'b']]))]],
      [
        'two statuses',
        [
          frame(
            frameType.headers,
            5,
            1,
            block([
              [':status', '200'],
              [':status', '200'],
            ]),
          ),
        ],
      ],
      [
        'two lengths',
        [
          frame(
            frameType.headers,
            4,
            1,
            block([
              [':status', '200'],
              ['content-length', '1'],
              ['content-length', '1'],
            ]),
          ),
          frame(frameType.data, 1, 1, 'a'),
        ],
      ],
      [
        'a longer body',
        [
          frame(
            frameType.headers,
            4,
            1,
            block([
              [':status', '200'],
              ['content-length', '1'],
            ]),
          ),
          frame(frameType.data, 1, 1, 'ab'),
        ],
      ],
      [
        'a shorter body',
        [
          frame(
            frameType.headers,
            4,
            1,
            block([
              [':status', '200'],
              ['content-length', '3'],
            ]),
          ),
          frame(frameType.data, 1, 1, 'ab'),
        ],
      ],
      [
        'a line feed',
        [
          frame(
            frameType.headers,
            5,
            1,
            block([
              [':status', '200'],
              ['a', 'b\r\nc: d'],
            ]),
          ),
        ],
      ],
      [
        'a field of the connection',
        [
          frame(
            frameType.headers,
            5,
            1,
            block([
              [':status', '200'],
              ['transfer-encoding', 'chunked'],
            ]),
          ),
        ],
      ],
      ['a push', [frame(frameType.pushPromise, 4, 1, Buffer.concat([number(2), block([[':method', 'GET']])]))]],
      ['101', [frame(frameType.headers, 5, 1, block([[':status', '101']]))]],
    ];
    for (const [what, frames] of answers) {
      const port = await startRawTarget(async (peer) => {
        await peer.frame(({ type }) => type === frameType.headers);
        peer.send(...frames);
      });
      const gateway = await start(targetOf([port]));
      const answer = await fetch(`${gateway.url}/echo`, { method: 'POST' }).catch(() => null);
      const text = await answer?.text().catch(() => null);
      assert.ok(
        answer === null || answer.status === 502 || text === null || text === undefined,
        `${what}: ${answer?.status} ${text}`,
      );
      assert.equal(gateway.records[0]?.error, 'target_failed', what);
    }
  });

  test('is held back by a caller that reads slowly, and holds back one that sends fast', async () => {
    let written = 0;
    const target = await startTarget((stream, headers) => {
      if (headers[':method'] === 'POST') return;
      stream.respond({ ':status': 200 });
      const more = () => {
        while (written < 500_000_000 && stream.write(Buffer.alloc(65_536))) written += 65_536;
        stream.once('drain', more);
      };
      more();
    });
    const gateway = await start(targetOf([target.port]));
    const client = session(gateway);
    client.request({ ':path': '/echo' }).pause();
    const uploading = client.request({ ':path': '/echo', ':method': 'POST' });
    let sent = 0;
    const send = () => {
      while (sent < 500_000_000 && uploading.write(Buffer.alloc(65_536))) sent += 65_536;
      uploading.once('drain', send);
    };
    send();
    for (let before = -1; before !== written + sent; await wait(300)) before = written + sent;
    assert.ok(written < 5_000_000 && sent < 5_000_000, `${written} ${sent}`);
    assert.equal(client.closed, false);
  });

  test('that doesn’t answer in time is given up, and its connection too if it shows no life', async () => {
    const port = await startRawTarget(() => {});
    const gateway = await start(targetOf([port]), { gateway: { limits: { targetTimeoutMs: 200 } } });
    assert.equal((await fetch(`${gateway.url}/echo`)).status, 504);
  });

  test('is checked by a request of HTTP/2', async () => {
    let isWell = false;
    const paths: string[] = [];
    const target = await startTarget((stream, headers) => {
      paths.push(String(headers[':path']));
      stream.respond({ ':status': headers[':path'] === '/health' && !isWell ? 503 : 200 }, { endStream: true });
    });
    const balancer = createBalancer({ healthCheckIntervalMs: 50 });
    const gateway = await start({ ...targetOf([target.port]), healthPath: '/health' }, { gateway: { balancer } });
    while ((await fetch(`${gateway.url}/echo`)).status !== 503) await wait(20);
    isWell = true;
    while ((await fetch(`${gateway.url}/echo`)).status !== 200) await wait(20);
    assert.ok(paths.includes('/health'));
  });
});

const skip = spawnSync('openssl', ['version']).error ? 'no openssl here to make a certificate with' : false;

describe('a target over TLS', { skip }, () => {
  let context: { key: Buffer; cert: Buffer };
  before(() => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-http2-target-'));
    stops.push(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', [...made, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    context = { key: readFileSync(key), cert: readFileSync(cert) };
  });

  function trusting(ports: readonly number[], protocol: Protocol) {
    const target = targetOf(ports, { protocol, scheme: 'https' });
    return { ...target, tls: { ...target.tls, certificateAuthorities: context.cert.toString() } };
  }

  for (const protocol of ['http2', 'auto'] as const) {
    test(`speaks HTTP/2 with ${protocol}`, async () => {
      const versions: string[] = [];
      const server = createSecureServer({ ...context, allowHTTP1: true }, (asked, response) => {
        versions.push(asked.httpVersion);
        response.end('a');
      });
      const gateway = await start(trusting([await listening(server)], protocol));
      for (let request = 0; request < 3; request++) {
        assert.equal(await (await fetch(`${gateway.url}/echo`)).text(), 'a');
      }
      assert.deepEqual(versions, ['2.0', '2.0', '2.0']);
    });
  }

  test('that only speaks HTTP/1.1 is served by auto, and not by http2', async () => {
    const port = await listening(createHttpsServer(context, (_, response) => void response.end('old')));
    const gateway = await start(trusting([port], 'auto'));
    const answers = await Promise.all(
      [1, 2, 3].map(async () => await (await fetch(`${gateway.url}/echo`, { method: 'POST', body: 'a' })).text()),
    );
    assert.deepEqual(answers, ['old', 'old', 'old']);
    assert.equal((await fetch(`${(await start(trusting([port], 'http2'))).url}/echo`)).status, 503);
  });
});
