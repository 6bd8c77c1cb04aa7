/** Callers that send their whole body before they read, as most clients do, get an answer given before the body's end. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { eventually } from '@millrace/eventually';
import type { RevisionPolicy, RevisionRoute } from '@millrace/revision/content';
import { startTestGateway, type TestGateway, type TestGatewayOptions, testContent } from '../testing.ts';

const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

const piece = Buffer.alloc(1_000_000, 'x');
const pieces = 12;

interface Sent {
  /** Request line and fields, without those that frame the body. */
  readonly head: string;
  readonly framing: 'length' | 'chunked';
  /** Between two megabytes. */
  readonly pauseMs: number;
}

/** Sends a head and 12 MB, and only reads then; what can no longer be sent is an error, as for those clients. */
async function sendAll(open: () => Socket, { head, framing, pauseMs }: Sent): Promise<string> {
  const socket = open();
  stops.push(() => socket.destroy());
  socket.pause();
  const failed = new Promise<never>((_, reject) => {
    socket.on('error', reject);
  });
  failed.catch(() => {});
  const write = async (bytes: Buffer | string) => {
    await Promise.race([new Promise<void>((written) => socket.write(bytes, () => written())), failed]);
  };
  const isChunked = framing === 'chunked';
  const field = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${pieces * piece.length}`;
  await write(`${head}\r\nHost: a\r\n${field}\r\n\r\n`);
  for (let sent = 0; sent < pieces; sent++) {
    if (pauseMs > 0) await wait(pauseMs);
    await write(isChunked ? Buffer.concat([Buffer.from('f4240\r\n'), piece, Buffer.from('\r\n')]) : piece);
  }
  if (isChunked) await write('0\r\n\r\n');
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  socket.resume();
  for (let turns = 0; !answer.includes('\r\n\r\n') && turns < 1_000; turns++) await Promise.race([wait(5), failed]);
  socket.destroy();
  return answer;
}

async function start(more: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await startTestGateway(more);
  stops.push(() => gateway.stop());
  return gateway;
}

const specification = {
  openapi: '3.1.0',
  info: { title: 'checked', version: '1' },
  paths: {
    '/a': {
      post: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'string' } } } },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
};
const cache = { kind: 'response-cache', configuration: { ttlSeconds: 60 } } as const;

/** A proxy at `/NAME`, with these policies. */
function content(
  name: string,
  policies: readonly Partial<RevisionPolicy>[] = [],
  route: Partial<RevisionRoute> = {},
): { readonly content: ReturnType<typeof testContent> } {
  const isChecked = policies.some(({ kind }) => kind === 'request-validation');
  const more = isChecked ? { specification } : {};
  return { content: testContent(name, { basePath: `/${name}`, policies, routes: [route], ...more }) };
}

const deployments = [
  content('size', [{ kind: 'request-size-limit', configuration: { maxBodyBytes: 10_000 } }], {
    targetServer: 'silent',
  }),
  content('key', [{ kind: 'verify-api-key', configuration: {} }]),
  content('address', [{ kind: 'ip-allow-list', configuration: { allow: ['192.0.2.1'] } }]),
  content('rate', [{ kind: 'spike-arrest', configuration: { ratePerMinute: 1, per: 'ip' } }]),
  content('mock', [{ kind: 'mock-response', configuration: { status: 201 } }]),
  content('later', [{ kind: 'mock-response', configuration: { status: 202, delayMs: 300 } }]),
  content('cached', [
    { ...cache, flow: 'request' },
    { ...cache, flow: 'response' },
  ]),
  content('checked', [{ kind: 'request-validation', configuration: {} }], { method: 'POST', pathPattern: '/a' }),
  content('nowhere', [], { targetServer: 'nowhere' }),
  content('early', [], { targetServer: 'early' }),
];

/** A target that answers a request by its head, once on a connection; null: it does not. */
async function startTarget(status: string | null): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      if (status !== null) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno`);
    });
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the gateway answers before the body has come, and the status of it. */
const cases: readonly (readonly [status: number, method: string, path: string, fields?: string])[] = [
  [413, 'POST', '/size/a'],
  [401, 'POST', '/key/a'],
  [403, 'POST', '/address/a'],
  [404, 'POST', '/unknown'],
  [404, 'POST', '/checked/unknown'],
  [405, 'PUT', '/checked/a'],
  [415, 'POST', '/checked/a', 'Content-Type: text/plain'],
  [400, 'POST', '/checked/a?limit=x', 'Content-Type: application/json'],
  [413, 'POST', '/checked/a', 'Content-Type: application/json'],
  [400, 'POST', '/%zz'],
  [414, 'POST', `/${'x'.repeat(9_000)}`],
  [417, 'POST', '/mock/a', 'Expect: more'],
  [429, 'POST', '/rate/a'],
  [201, 'POST', '/mock/a'],
  [202, 'POST', '/later/a'],
  [200, 'GET', '/cached/a'],
  [503, 'POST', '/nowhere/a'],
  [422, 'POST', '/early/a'],
  // Whoever asks for leave and does not wait for it.
  [401, 'POST', '/key/a', 'Expect: 100-continue'],
];

describe('a response sent before the body has arrived', () => {
  let gateway: TestGateway;

  before(async () => {
    const backend = await startTarget('200 OK');
    const early = await startTarget('422 Unprocessable Content');
    const silent = await startTarget(null);
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const nowhere = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    closed.close();
    gateway = await start({ deployments, targets: { backend, nowhere, early, silent } });
    // So that the rate is used up, and an answer kept.
    await fetch(`${gateway.url}/rate/a`);
    assert.equal((await fetch(`${gateway.url}/cached/a`)).status, 200);
  });

  for (const framing of ['length', 'chunked'] as const) {
    test(`reaches a caller that sends 12 MB first, its body framed by ${framing}`, async () => {
      for (const [status, method, path, fields] of cases) {
        const head = `${method} ${path} HTTP/1.1${fields === undefined ? '' : `\r\n${fields}`}`;
        const open = () => connect({ port: gateway.port, host: '127.0.0.1', noDelay: true });
        const answer = await sendAll(open, { head, framing, pauseMs: 0 }).catch(String);
        assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), `${method} ${path.slice(0, 40)} ${fields ?? ''}`);
      }
    });

    test(`reaches a caller that takes 4 s to send it, its body framed by ${framing}`, async () => {
      const answers = cases.map(async ([status, method, path, fields]) => {
        const head = `${method} ${path} HTTP/1.1${fields === undefined ? '' : `\r\n${fields}`}`;
        const open = () => connect({ port: gateway.port, host: '127.0.0.1', noDelay: true });
        const answer = await sendAll(open, { head, framing, pauseMs: 330 }).catch(String);
        assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), `${method} ${path.slice(0, 40)} ${fields ?? ''}`);
      });
      await Promise.all(answers);
    });
  }

  const python = spawnSync('python3', ['-c', 'import http.client']).status === 0;
  test('reaches the client of Python', { skip: python ? false : 'no python3 here' }, async () => {
    const script = `
import http.client, json, sys, threading, time
port, cases = int(sys.argv[1]), json.loads(sys.argv[2])
seen = [None] * len(cases)
def call(index, method, path, chunked, slow):
    def body():
        for _ in range(12):
            if slow: time.sleep(0.25)
            yield b'x' * 1000000
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    headers = {'Content-Type': 'text/plain'}
    if not chunked: headers['Content-Length'] = '12000000'
    try:
        connection.request(method, path, body=body(), headers=headers, encode_chunked=chunked)
        seen[index] = connection.getresponse().status
    except OSError as error:
        seen[index] = repr(error)
threads = [threading.Thread(target=call, args=(index, *case)) for index, case in enumerate(cases)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps(seen))
`;
    const withoutFields = cases.filter(([, , path, fields]) => fields === undefined && path.length < 100);
    const given = withoutFields.flatMap(([status, method, path]) =>
      [true, false].flatMap((isChunked) => [true, false].map((isSlow) => [status, method, path, isChunked, isSlow])),
    );
    const asked = given.map(([, ...asked]) => asked);
    const child = spawn('python3', ['-c', script, String(gateway.port), JSON.stringify(asked)]);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr.pipe(process.stderr);
    await once(child, 'close');
    const statuses = JSON.parse(output) as readonly unknown[];
    assert.deepEqual(
      given.map(([, ...call], index) => [...call, statuses[index]]),
      given.map(([status, ...call]) => [...call, status]),
    );
  });
});

describe('a caller that keeps sending after its response', () => {
  const limits = { lingerMs: 1_500, lingerPauseMs: 400, maxLingerBytes: 3_000_000, maxLingering: 10 };
  const refused = 'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n';

  /** Until the gateway has let go of a caller that sends so many bytes so often. */
  async function sendUntilCut(gateway: TestGateway, bytes: number, everyMs: number): Promise<void> {
    const before = gateway.gateway.stats().connections;
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write(refused);
    await once(socket, 'data');
    const sending = setInterval(() => socket.write(Buffer.alloc(bytes)), everyMs);
    try {
      await eventually('the end of the connection', () => gateway.gateway.stats().connections === before);
    } finally {
      clearInterval(sending);
      socket.destroy();
    }
  }

  test('is cut off after a time, however steadily it sends', async () => {
    const gateway = await start({ deployments: [], gateway: { limits } });
    const beganMs = performance.now();
    await sendUntilCut(gateway, 1, 50);
    assert.ok(performance.now() - beganMs >= 1_300);
  });

  test('is cut off when it pauses', async () => {
    const gateway = await start({ deployments: [], gateway: { limits: { ...limits, lingerMs: 600_000 } } });
    await sendUntilCut(gateway, 1, 600_000);
  });

  test('is cut off after a number of bytes', async () => {
    const patient = { ...limits, lingerMs: 600_000, lingerPauseMs: 600_000 };
    const gateway = await start({ deployments: [], gateway: { limits: patient } });
    await sendUntilCut(gateway, 1_000_000, 20);
  });

  test('is disconnected early if too many do that', async () => {
    const patient = { ...limits, lingerMs: 600_000, lingerPauseMs: 600_000, maxLingering: 1 };
    const gateway = await start({ deployments: [], gateway: { limits: patient } });
    const first = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    stops.push(() => first.destroy());
    first.write(refused);
    await once(first, 'data');
    await sendUntilCut(gateway, 1, 50);
    assert.equal(gateway.gateway.stats().connections, 1);
    first.destroy();
    await eventually('the end of the first', () => gateway.gateway.stats().connections === 0);
    // There is room for another.
    const second = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    stops.push(() => second.destroy());
    second.write(refused);
    await once(second, 'data');
    await wait(2_500);
    assert.equal(gateway.gateway.stats().connections, 1);
  });
});

const noOpenssl = spawnSync('openssl', ['version']).error ? 'no openssl here to make a certificate with' : false;

test('a response sent before the body has arrived reaches a caller over TLS', { skip: noOpenssl }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-early-'));
  stops.push(() => rmSync(folder, { recursive: true }));
  const [keyFile, certificateFile] = [join(folder, 'a.key'), join(folder, 'a.crt')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  execFileSync('openssl', [...request, '-subj', '/CN=a', ...files], { stdio: 'ignore' });
  const context = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const gateway = await start({ deployments: [], gateway: { tls: { context: () => context } } });
  for (const framing of ['length', 'chunked'] as const) {
    const open = () => connectTls({ port: gateway.port, host: '127.0.0.1', rejectUnauthorized: false });
    const answer = await sendAll(open, { head: 'POST /nothing HTTP/1.1', framing, pauseMs: 250 });
    assert.match(answer, /^HTTP\/1.1 404 /);
  }
});
