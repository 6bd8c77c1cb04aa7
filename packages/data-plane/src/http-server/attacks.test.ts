import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import { type Balancer, firstEndpoint } from '../targets/endpoints.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions, testContent } from '../testing.ts';

const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** A target that returns the bytes of a response chosen by the request's first line. */
async function startTarget(answer: (requestLine: string, socket: Socket) => Buffer | string | null): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (data) => {
      received += data.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const line = received.slice(0, received.indexOf('\r\n'));
        received = received.slice(end + 4);
        const bytes = answer(line, socket);
        if (bytes !== null) socket.write(bytes);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(backend: string, more: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({
    deployments: [{ content: testContent('echo', { basePath: '/echo' }) }],
    targets: { backend },
    ...more,
  });
  stops.push(() => gateway.stop());
  return gateway;
}

function withLength(body: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`), Buffer.from(body)]);
}

const cached = { kind: 'response-cache', configuration: { ttlSeconds: 60, maxBodyBytes: 16_000_000 } };
const cachedContent = testContent('echo', {
  basePath: '/echo',
  policies: [
    { ...cached, flow: 'request' },
    { ...cached, flow: 'response' },
  ],
});

/** A caller that can leave its answers unread. */
function openCaller(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  stops.push(() => socket.destroy());
  const chunks: Buffer[] = [];
  let size = 0;
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
  });
  const closed = once(socket, 'close');
  return {
    socket,
    closed,
    get size() {
      return size;
    },
    received: () => Buffer.concat(chunks),
    until: (bytes: number) => eventually(`${bytes} bytes`, () => size >= bytes || socket.destroyed),
  };
}

/** Of each byte of the body, how often it stands there. */
function counts(bytes: Buffer): Record<string, number> {
  const found: Record<string, number> = {};
  for (const byte of bytes) found[String.fromCharCode(byte)] = (found[String.fromCharCode(byte)] ?? 0) + 1;
  return found;
}

describe('bytes of one caller never reach another', () => {
  /** Callers that leave large answers unread for a while, so that the gateway keeps what it read for them. */
  async function readBeside(
    gateway: TestGateway,
    request: (letter: string) => string,
    letters: readonly string[],
  ): Promise<readonly Record<string, number>[]> {
    const callers = letters.map((letter) => {
      const caller = openCaller(gateway.port);
      caller.socket.pause();
      caller.socket.write(request(letter));
      return caller;
    });
    // So that each of them waits now and then, and goes on while others wait.
    for (let turn = 0; turn < 12; turn++) {
      await wait(10);
      for (const [index, { socket }] of callers.entries()) {
        if ((turn + index) % 3 === 0) socket.resume();
        else socket.pause();
      }
    }
    for (const { socket } of callers) socket.resume();
    await eventually('all answers', () => callers.every(({ socket }) => socket.closed));
    return callers.map((caller) => {
      const all = caller.received();
      return counts(all.subarray(all.indexOf('\r\n\r\n') + 4));
    });
  }

  test('if a cached response is as large as the read buffer', async () => {
    const size = 65_536;
    const backend = await startTarget((line) => {
      const letter = /\/(\w)/.exec(line)![1]!;
      return withLength(letter.repeat(letter === 'k' ? size : 2_000_000));
    });
    const gateway = await start(backend, {
      deployments: [{ content: cachedContent }],
    });
    const get = (letter: string, count = 1) =>
      `${`GET /echo/${letter} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count - 1)}GET /echo/${letter} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const first = openCaller(gateway.port);
    first.socket.write(get('k'));
    await first.closed;
    // Kept answers that wait to be sent, and what the gateway then reads for others.
    await readBeside(gateway, (letter) => (letter === 'k' ? get('k', 60) : get(letter)), ['k', 'k', 'x', 'y']);
    await readBeside(gateway, get, ['x', 'y', 'z']);
    const last = openCaller(gateway.port);
    last.socket.write(get('k'));
    await last.closed;
    const all = last.received();
    assert.match(all.toString('latin1', 0, 500), /^HTTP\/1\.1 200 .*\r\nage: /is);
    assert.deepEqual(counts(all.subarray(all.indexOf('\r\n\r\n') + 4)), { k: size });
  });
});

describe('a response that the caller doesn’t read', () => {
  test('blocks the caller’s next requests, answered by the gateway or by a target', async () => {
    const backend = await startTarget(() => withLength('x'.repeat(30_000)));
    const gateway = await start(backend);
    for (const [path, own] of [
      ['/echo/a', false],
      ['/nowhere', true],
    ] as const) {
      const caller = openCaller(gateway.port);
      caller.socket.pause();
      const before = gateway.gateway.stats().requests;
      const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
      const sent = own ? 100_000 : 10_000;
      caller.socket.write(request.repeat(sent));
      // Blocked: some are answered, and then no more for half a second. On a busy machine the first takes a while.
      let seen = before;
      let lastChangeMs = performance.now();
      await eventually('the end of answers that nobody reads', async () => {
        await wait(50);
        const { requests } = gateway.gateway.stats();
        if (requests !== seen) lastChangeMs = performance.now();
        seen = requests;
        return seen > before && performance.now() - lastChangeMs > 500;
      });
      const answered = seen - before;
      assert.ok(answered < sent / 4, `${answered} of ${sent} answered for ${path}`);
      caller.socket.resume();
      const size = own ? 330 * sent : 30_000 * 2_000;
      await caller.until(Math.min(size, 20_000_000));
      assert.ok(gateway.gateway.stats().requests - before > answered);
      caller.socket.destroy();
    }
  });

  test('doesn’t suspend the gateway’s deadlines', async () => {
    const size = 8_000_000;
    const backend = await startTarget(() => withLength('x'.repeat(size)));
    const gateway = await start(backend, { gateway: { limits: { keepAliveMs: 400, headTimeoutMs: 400 } } });
    for (const next of ['', 'GET /echo/slow HTTP/1.1\r\nHo']) {
      const caller = openCaller(gateway.port);
      caller.socket.pause();
      caller.socket.write(`GET /echo/a HTTP/1.1\r\nHost: a\r\n\r\n${next}`);
      await wait(200);
      caller.socket.resume();
      await caller.until(size);
      await eventually('the end of the connection', () => caller.socket.closed);
    }
  });

  test('is not cut off if it is read slowly and the connection ends with it', async () => {
    const size = 12_000_000;
    const backend = await startTarget(() => withLength('x'.repeat(size)));
    const gateway = await start(backend, { deployments: [{ content: cachedContent }] });
    const first = openCaller(gateway.port);
    first.socket.write('GET /echo/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await first.closed;
    // A kept answer is sent at once, so that megabytes of it wait for longer than a connection lingers.
    const caller = openCaller(gateway.port);
    caller.socket.pause();
    caller.socket.write('GET /echo/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await wait(2_500);
    caller.socket.resume();
    await caller.closed;
    const all = caller.received();
    assert.equal(all.length - all.indexOf('\r\n\r\n') - 4, size);
  });
});

describe('a retried request', () => {
  test('is complete, and its outcome is reported for its endpoint', async () => {
    const seen: string[] = [];
    const server = createServer((socket) => {
      let received = '';
      let answers = 0;
      socket.on('error', () => {});
      socket.on('data', (data) => {
        received += data.toString('latin1');
        const isWhole = received.endsWith('\r\n0\r\n\r\n') || received.startsWith('GET');
        if (!isWhole) return;
        seen.push(received);
        // A connection that was used before is closed just when the next request comes.
        if (answers++ > 0) socket.destroy();
        else socket.write(withLength('done'));
        received = '';
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(() => server.close());
    let inFlight = 0;
    const balancer: Balancer = {
      ...firstEndpoint,
      pickEndpoint(...picked) {
        const endpoint = firstEndpoint.pickEndpoint(...picked);
        if (endpoint !== null) inFlight++;
        return endpoint;
      },
      report() {
        inFlight--;
      },
      release() {
        inFlight--;
      },
    };
    const gateway = await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      gateway: { balancer },
    });
    const caller = openCaller(gateway.port);
    caller.socket.write('GET /echo/a HTTP/1.1\r\nHost: a\r\n\r\n');
    await caller.until(80);
    const before = caller.size;
    caller.socket.write('PUT /echo/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
    await wait(50);
    caller.socket.write('0\r\n\r\n');
    await caller.until(before + 80);
    assert.match(caller.received().toString('latin1'), /done.*\r\n\r\ndone$/s);
    assert.equal(seen.length, 3);
    const bodies = seen.slice(1).map((request) => request.slice(request.indexOf('\r\n\r\n') + 4));
    assert.deepEqual(bodies, ['5\r\nhello\r\n0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n']);
    assert.equal(inFlight, 0);
    caller.socket.destroy();
  });
});

describe('bodies that wait for a policy', () => {
  test('stay within their total memory limit', async () => {
    const specification = {
      openapi: '3.1.0',
      info: { title: 'echo', version: '1' },
      paths: {
        '/a': {
          post: {
            requestBody: { required: true, content: { 'application/json': { schema: { type: 'string' } } } },
            responses: { 200: { description: 'ok' } },
          },
        },
      },
    };
    const backend = await startTarget(() => withLength('done'));
    const gateway = await start(backend, {
      deployments: [
        {
          content: testContent('echo', {
            basePath: '/echo',
            routes: [{ method: 'POST', pathPattern: '/a' }],
            policies: [{ kind: 'request-validation', configuration: {} }],
            specification,
          }),
        },
      ],
      gateway: { limits: { maxHeldBytes: 100_000 } },
    });
    const post = (length: number) =>
      `POST /echo/a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const half = [openCaller(gateway.port), openCaller(gateway.port)];
    for (const { socket } of half) socket.write(`${post(60_000)}"${'x'.repeat(40_000)}`);
    await eventually('both requests', () => gateway.gateway.stats().inFlight === 2);
    await wait(100);
    const third = openCaller(gateway.port);
    third.socket.write(`${post(60_000)}"${'x'.repeat(40_000)}`);
    await third.closed;
    assert.match(third.received().toString('latin1'), /^HTTP\/1\.1 503 .*policy_unavailable/s);
    half[0]!.socket.destroy();
    await eventually('its end', () => gateway.gateway.stats().inFlight === 1);
    // What has ended is held no longer.
    const fourth = openCaller(gateway.port);
    fourth.socket.write(`${post(40_002)}"${'x'.repeat(40_000)}"`);
    await fourth.until(50);
    assert.match(fourth.received().toString('latin1'), /^HTTP\/1\.1 200 /);
    for (const { socket } of [...half, fourth]) socket.destroy();
  });
});

describe('tunnels', () => {
  test('stay open as long as either end sends something', async () => {
    const backend = await startTarget(
      () => 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    const gateway = await start(backend, {
      deployments: [
        { content: testContent('echo', { basePath: '/echo', routes: [{ pathPattern: '/*', timeoutMs: 200 }] }) },
      ],
      gateway: { limits: { targetIdleMs: 1_500 } },
    });
    const caller = openCaller(gateway.port);
    caller.socket.write('GET /echo/a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await caller.until(50);
    for (let turn = 0; turn < 20; turn++) {
      await wait(100);
      caller.socket.write('ping');
    }
    assert.equal(caller.socket.readableEnded || caller.socket.destroyed, false);
    await eventually('the end of the connection', () => caller.socket.closed);
  });
});

describe('targets that send more than they should', () => {
  test('a body after a response without one is not taken for the next response', async () => {
    const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
    for (const [method, head] of [
      ['HEAD', `HTTP/1.1 200 OK\r\nContent-Length: ${forged.length}\r\n\r\n`],
      ['HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
      ['GET', `HTTP/1.1 304 Not Modified\r\nContent-Length: ${forged.length}\r\n\r\n`],
      ['GET', `HTTP/1.1 204 No Content\r\nContent-Length: ${forged.length}\r\n\r\n`],
      ['GET', 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ] as const) {
      let first: Socket | null = null;
      const backend = await startTarget((line, socket) => {
        if (line.includes('/first')) {
          first = socket;
          return head;
        }
        // The body comes when somebody else waits for an answer on this connection.
        if (socket === first) return forged;
        return withLength('honest');
      });
      const gateway = await start(backend);
      const caller = openCaller(gateway.port);
      caller.socket.write(`${method} /echo/first HTTP/1.1\r\nHost: a\r\n\r\n`);
      await caller.until(20);
      await wait(20);
      const other = openCaller(gateway.port);
      other.socket.write('GET /echo/second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      await other.closed;
      assert.match(other.received().toString('latin1'), /honest$/, head);
    }
  });

  test('an invalid status is not a response', async () => {
    for (const status of ['000', '042', '099']) {
      const backend = await startTarget(() => `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`);
      const gateway = await start(backend, { gateway: { limits: { targetTimeoutMs: 500 } } });
      const caller = openCaller(gateway.port);
      caller.socket.write('GET /echo/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      await caller.closed;
      assert.match(caller.received().toString('latin1'), /^HTTP\/1\.1 502 /, status);
    }
  });

  test('endless informational responses end the call', async () => {
    const backend = await startTarget((_line, socket) => {
      const flood = setInterval(() => {
        if (socket.writableLength < 1_000_000) {
          socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000));
        }
      }, 1);
      socket.on('close', () => clearInterval(flood));
      return null;
    });
    const gateway = await start(backend);
    const caller = openCaller(gateway.port);
    caller.socket.write('GET /echo/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const outcome = await Promise.race([caller.closed.then(() => 'closed'), wait(3_000).then(() => 'open')]);
    assert.equal(outcome, 'closed');
    assert.match(caller.received().toString('latin1'), /HTTP\/1\.1 502 /);
    assert.ok(caller.size < 20_000);
  });
});

describe('spellings', () => {
  test('no segment of only parameters bypasses a route', async () => {
    const backend = await startTarget((line) => withLength(line));
    const gateway = await start(backend, {
      deployments: [
        {
          content: testContent('echo', {
            basePath: '/echo',
            routes: [
              { id: 'rte_admin', pathPattern: '/admin/*' },
              { id: 'rte_rest', pathPattern: '/*' },
            ],
            policies: [{ kind: 'verify-api-key', routeIds: ['rte_admin'], configuration: { name: 'x-api-key' } }],
          }),
        },
      ],
    });
    for (const path of ['/;x/admin/a', '/%3Bx/admin/a', '/;/admin/a', '/x/;/..;/admin/a', '/admin;x/a', '/admin;/a']) {
      const caller = openCaller(gateway.port);
      caller.socket.write(`GET /echo${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await caller.closed;
      assert.match(caller.received().toString('latin1'), /^HTTP\/1\.1 40[01] /, path);
    }
  });

  test('no parameter changes which API’s base path matches', async () => {
    const backend = await startTarget((line) => withLength(line));
    const gateway = await start(backend, {
      deployments: [
        { content: testContent('all', { basePath: '/v1' }) },
        {
          content: testContent('admin', {
            basePath: '/v1/admin',
            policies: [{ kind: 'verify-api-key', configuration: { name: 'x-api-key' } }],
          }),
        },
      ],
    });
    for (const path of ['/v1/admin/a', '/v1/admin;x/a', '/v1;x/admin/a', '/v1/admin;', '/v1/admin/']) {
      const caller = openCaller(gateway.port);
      caller.socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await caller.closed;
      assert.match(caller.received().toString('latin1'), /^HTTP\/1\.1 40[014] /, path);
    }
  });

  test('names with underscores can’t imitate headers that only a proxy may send', async () => {
    let seen = '';
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => {
        seen += data.toString('latin1');
        socket.write(withLength('ok'));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(() => server.close());
    const gateway = await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const caller = openCaller(gateway.port);
    caller.socket.write(
      'GET /echo/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX_Forwarded_For: 6.6.6.6\r\nx-forwarded_host: evil\r\n' +
        'X_Real_IP: 6.6.6.6\r\nX_REQUEST_ID: forged\r\nContent_Length: 5\r\nTransfer_Encoding: chunked\r\nX_Custom: kept\r\n\r\n',
    );
    await caller.closed;
    assert.match(caller.received().toString('latin1'), /ok$/);
    assert.match(seen, /X_Custom: kept/);
    assert.doesNotMatch(seen, /6\.6\.6\.6|evil|forged|_length|_encoding/i);
  });
});

describe('addresses from trusted proxies', () => {
  test('that can’t be parsed count as no address, rather than the proxy’s', async () => {
    const backend = await startTarget(() => withLength('ok'));
    const gateway = await start(backend, {
      deployments: [
        {
          content: testContent('echo', {
            basePath: '/echo',
            policies: [
              {
                kind: 'ip-allow-list',
                configuration: { allow: ['127.0.0.0/8', '::1/128'], clientAddress: 'forwarded' },
              },
            ],
          }),
        },
      ],
      gateway: { isTrustedProxy: (address) => address === '127.0.0.1' },
    });
    for (const [forwardedFor, status] of [
      ['unknown', 403],
      ['127.0.0.9, unknown', 403],
      ['8.8.8.8:1234', 403],
      ['127.0.0.9:1234, 8.8.8.8', 403],
      ['8.8.8.8, 127.0.0.9:1234', 200],
      ['[::1]:80', 200],
      ['::1', 200],
      [', ,', 200],
      ['8.8.8.8, 127.0.0.1', 403],
    ] as const) {
      const caller = openCaller(gateway.port);
      caller.socket.write(
        `GET /echo/a HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${forwardedFor}\r\nConnection: close\r\n\r\n`,
      );
      await caller.closed;
      assert.equal(Number(caller.received().toString('latin1', 9, 12)), status, forwardedFor);
    }
  });
});
