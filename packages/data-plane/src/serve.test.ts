import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { eventually } from '@millrace/eventually';
import { WebSocket, WebSocketServer } from 'ws';
import { startTestGateway, type TestGateway, type TestGatewayOptions, testContent } from './testing.ts';

const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** A target that answers by a handler of node:http. */
async function startTarget(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createHttpServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A target that is a bare socket. */
async function startRawTarget(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    handle(socket);
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

/** Sends text on a connection of its own, and gives all that is answered until it is closed or quiet. */
async function sendRaw(port: number, ...pieces: string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let answer = '';
  socket.setEncoding('latin1').on('data', (data) => {
    answer += data;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  // A client that asks for the end of the connection waits for it; any other leaves once nothing more comes.
  let before = '';
  const leaving = setInterval(() => {
    if (answer !== '' && answer === before) socket.destroy();
    before = answer;
  }, 100);
  if (pieces.join('').includes('Connection: close')) clearInterval(leaving);
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await wait(5);
  }
  await closed;
  clearInterval(leaving);
  return answer;
}

interface Echoed {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the target was asked. */
async function echoed(answer: Response): Promise<Echoed> {
  return (await answer.json()) as Echoed;
}

/** Status and code of a refusal. */
async function refusal(answer: Response): Promise<readonly [number, string]> {
  const { data } = (await answer.json()) as { data: { error: string } };
  return [answer.status, data.error];
}

const echo = (request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('latin1');
    response.setHeader('Content-Type', 'application/json');
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, body } satisfies Partial<Record<keyof Echoed, unknown>>));
  });
};

describe('the record of a request', () => {
  test('records the gateway’s time separately from the target’s', async () => {
    const targetMs = 40;
    const slow = await startTarget((_, response) => void setTimeout(() => response.end('late'), targetMs));
    const gateway = await start(slow.url);
    for (let request = 0; request < 20; request++) {
      await (await fetch(`http://127.0.0.1:${gateway.port}/echo/a`, { method: 'POST', body: 'a' })).text();
    }
    for (const { latencyUs, targetTimeUs, gatewayTimeUs } of gateway.records) {
      assert.equal(latencyUs, targetTimeUs + gatewayTimeUs);
      assert.ok(targetTimeUs >= (targetMs - 2) * 1_000, `${targetTimeUs}`);
      // What it does for a request takes it some microseconds, whatever the machine.
      assert.ok(gatewayTimeUs > 0 && gatewayTimeUs < latencyUs, `${gatewayTimeUs}`);
    }
    assert.equal(gateway.records.length, 20);
  });
});

describe('forwarding', () => {
  test('keeps methods, paths, queries, fields and bodies, framed by length or in chunks', async () => {
    const gateway = await start((await startTarget(echo)).url);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(`${gateway.url}/echo/a%20b/c?x=1&y=%2F`, { method, headers: { 'X-Some': 'v' } });
      assert.equal(answer.status, 200);
      const got = await echoed(answer);
      assert.equal(got.method, method);
      assert.equal(got.url, '/a%20b/c?x=1&y=%2F');
      assert.equal(got.headers['x-some'], 'v');
    }
    for (const size of [1, 1_000, 30_000, 70_000, 3_000_000]) {
      const body = 'x'.repeat(size);
      const sized = await fetch(`${gateway.url}/echo`, { method: 'POST', body });
      assert.equal((await echoed(sized)).body, body);
      const chunked = await fetch(`${gateway.url}/echo`, {
        method: 'POST',
        body: new Blob([body]).stream(),
        duplex: 'half',
      });
      const got = await echoed(chunked);
      assert.equal(got.headers['transfer-encoding'], 'chunked');
      assert.equal(got.body, body);
    }
  });

  test('sends the caller’s address to the target, and only trusts proxies to report one', async () => {
    const target = (await startTarget(echo)).url;
    const sent = {
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Proto': 'https',
      'X-Real-IP': '203.0.113.9',
      Forwarded: 'for=203.0.113.9',
      'X-Request-Id': 'given-id',
    };
    const plain = await start(target);
    const got = (await echoed(await fetch(`${plain.url}/echo`, { headers: sent }))).headers;
    assert.equal(got['x-forwarded-for'], '127.0.0.1');
    assert.equal(got['x-forwarded-proto'], 'http');
    assert.equal(got['x-forwarded-host'], new URL(plain.url).host);
    assert.equal(got.forwarded, `for=127.0.0.1;host="${new URL(plain.url).host}";proto=http`);
    assert.equal(got['x-real-ip'], undefined);
    assert.equal(got.via, '1.1 millrace');
    assert.match(got['x-request-id'] ?? '', /^req_/);
    assert.equal(plain.records[0]?.clientAddress, '127.0.0.1');

    const behind = await start(target, { gateway: { isTrustedProxy: (address) => address === '127.0.0.1' } });
    const answer = await fetch(`${behind.url}/echo`, { headers: sent });
    const trusted = (await echoed(answer)).headers;
    assert.equal(trusted['x-forwarded-for'], '203.0.113.9, 127.0.0.1');
    assert.equal(trusted['x-forwarded-proto'], 'https');
    assert.equal(trusted['x-request-id'], 'given-id');
    assert.equal(answer.headers.get('x-request-id'), 'given-id');
    assert.equal(behind.records[0]?.clientAddress, '203.0.113.9');
  });

  test('drops hop-by-hop fields in both directions, and those that Connection names', async () => {
    const target = await startRawTarget((socket) =>
      socket.once('data', (data) => {
        const body = data.toString('latin1');
        socket.end(
          `HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nX-End: 2\r\nKeep-Alive: timeout=5\r\n` +
            `X-Request-Id: theirs\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      }),
    );
    const gateway = await start(target);
    const answer = await sendRaw(
      gateway.port,
      'GET /echo HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, x-foo\r\nX-Foo: 1\r\nTE: trailers\r\nX-Bar: 2\r\n' +
        'Proxy-Authorization: x\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n',
    );
    const [head, received] = answer.split('\r\n\r\n', 2) as [string, string];
    assert.match(head, /\r\nX-End: 2\r\n/);
    assert.doesNotMatch(head, /X-Hop|Keep-Alive|theirs|Connection/);
    assert.match(received, /\r\nX-Bar: 2\r\n/);
    assert.doesNotMatch(received, /x-foo|\r\nTE|proxy-auth|upgrade|http2|connection/i);
  });

  test('responds as the target does: without body, until close, in chunks, to HTTP/1.0', async () => {
    const target = await startRawTarget((socket) =>
      socket.on('data', (data) => {
        const path = /^\w+ (\S+)/.exec(data.toString('latin1'))![1]!;
        if (path === '/204') socket.write('HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n');
        else if (path === '/304') socket.write('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\nETag: "x"\r\n\r\n');
        else if (path === '/head') socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
        else if (path === '/end') socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end');
        else if (path === '/hint') {
          socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        } else
          socket.write(
            'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: u\r\n\r\n',
          );
      }),
    );
    const gateway = await start(target);
    const get = (path: string, method = 'GET', version = '1.1') =>
      sendRaw(gateway.port, `${method} /echo${path} HTTP/${version}\r\nHost: a\r\n\r\n`);
    assert.match(await get('/204'), /^HTTP\/1\.1 204 No Content\r\nX-A: b\r\nX-Request-Id: \S+\r\n\r\n$/);
    assert.match(await get('/304'), /^HTTP\/1\.1 304 .*\r\nContent-Length: 9\r\nETag: "x"\r\n[\s\S]*\r\n\r\n$/);
    assert.match(await get('/head', 'HEAD'), /Content-Length: 1000\r\n[\s\S]*\r\n\r\n$/);
    assert.match(await get('/end'), /Transfer-Encoding: chunked\r\n\r\nd\r\nuntil the end\r\n0\r\n\r\n$/);
    assert.match(
      await get('/hint'),
      /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/,
    );
    assert.match(await get('/chunks'), /Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n$/);
    assert.match(await get('/chunks', 'GET', '1.0'), /Connection: close\r\n\r\nabcde$/);
  });

  test('ends a head correctly, whatever its last field is', async () => {
    const gateway = await start((await startTarget(echo)).url);
    for (const last of ['X-A:', 'X-A: ', 'X-A:   ', 'X-A: b ', 'X-A: b']) {
      const text = `POST /echo HTTP/1.1\r\nContent-Length: 3\r\nHost: a\r\nX-B:\r\n${last}\r\n\r\nabc`;
      for (const pieces of [[text], text.match(/[\s\S]{1,9}/g)!]) {
        const answer = await sendRaw(gateway.port, ...pieces);
        assert.match(answer, /"x-b":"","x-a":"b?","x-forwarded-for"[\s\S]*"body":"abc"/);
      }
    }
  });

  test('answers pipelined requests in their order', async () => {
    const gateway = await start((await startTarget(echo)).url);
    const text = Array.from(
      { length: 20 },
      (_, index) =>
        `POST /echo/${index} HTTP/1.1\r\nHost: a\r\n${index === 19 ? 'Connection: close\r\n' : ''}Content-Length: 5\r\n\r\nbody${index % 10}`,
    ).join('');
    for (const answer of [
      await sendRaw(gateway.port, text),
      await sendRaw(gateway.port, ...text.match(/[\s\S]{1,33}/g)!),
    ]) {
      const urls = [...answer.matchAll(/"url":"\/(\d+)"/g)].map(([, number]) => Number(number));
      assert.deepEqual(
        urls,
        Array.from({ length: 20 }, (_, index) => index),
      );
    }
  });

  test('lets a caller send a body after 100 Continue', async () => {
    const gateway = await start((await startTarget(echo)).url);
    const answer = await sendRaw(
      gateway.port,
      'POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
      'abc',
    );
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*"body":"abc"/);
    assert.doesNotMatch(answer, /"expect"/);
    const other = 'POST /echo HTTP/1.1\r\nHost: a\r\nExpect: more\r\nContent-Length: 3\r\n\r\nabc';
    assert.match(await sendRaw(gateway.port, other), /^HTTP\/1\.1 417 /);
  });

  test('streams both ways, as fast as the other side reads', async () => {
    // Several times what the system’s own buffers hold.
    const total = 128 * 1_024 * 1_024;
    const chunk = Buffer.alloc(65_536, 7);
    let takes = Promise.resolve();
    const target = await startTarget(async (incoming, response) => {
      await takes;
      incoming.pipe(response);
    });
    const gateway = await start(target.url);
    let goesOn = () => {};
    takes = new Promise((resolve) => {
      goesOn = resolve;
    });
    const sent = request(`${gateway.url}/echo`, { method: 'POST', headers: { 'Content-Length': total } });
    let left = total;
    const pump = () => {
      while (left > 0) {
        left -= chunk.length;
        if (!sent.write(chunk)) {
          sent.once('drain', pump);
          return;
        }
      }
      sent.end();
    };
    pump();
    await wait(150);
    assert(left > total / 2, `${total - left} bytes were taken for a target that takes none`);
    goesOn();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    // Nothing is read of the answer: the target's sending stops, and with it the caller's.
    await wait(150);
    assert(left > total / 4, `${total - left} bytes went through to a caller that takes none`);
    let received = 0;
    for await (const piece of answer) received += piece.length;
    assert.equal(received, total);
    assert.equal(gateway.gateway.stats().inFlight, 0);
  });

  test('passes server-sent events on as they come', async () => {
    let next = () => {};
    const target = await startTarget((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: 1\n\n');
      next = () => response.write('data: 2\n\n');
    });
    const gateway = await start(target.url);
    const reader = (await fetch(`${gateway.url}/echo`)).body!.getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    assert.equal(await read(), 'data: 1\n\n');
    next();
    assert.equal(await read(), 'data: 2\n\n');
    await reader.cancel();
  });

  test('connects a WebSocket to its target', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(sockets, 'listening');
    stops.push(() => sockets.close());
    let closed = 0;
    sockets.on('connection', (socket, { url }) => {
      socket.send(`welcome ${url}`);
      socket.on('message', (data) => socket.send(data));
      socket.on('close', () => closed++);
    });
    const gateway = await start(`http://127.0.0.1:${(sockets.address() as AddressInfo).port}`);
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/echo/chat`);
    const [welcome] = await once(socket, 'message');
    assert.equal(String(welcome), 'welcome /chat');
    const large = 'x'.repeat(1_000_000);
    socket.send(large);
    const [message] = await once(socket, 'message');
    assert.equal(String(message), large);
    socket.close();
    await once(socket, 'close');
    await eventually('the end at the target', () => closed === 1);
    await eventually('the end in the gateway', () => gateway.gateway.stats().inFlight === 0);
    assert.equal(gateway.records[0]?.status, 101);
  });
});

describe('a target that fails', () => {
  test('is distinguished: no connection, no response, not HTTP, too late', async () => {
    const refused = await start('http://127.0.0.1:1');
    const status = async ({ url }: TestGateway) => refusal(await fetch(`${url}/echo`));
    assert.deepEqual(await status(refused), [503, 'no_target']);
    const hangsUp = await start(await startRawTarget((socket) => socket.on('data', () => socket.destroy())));
    assert.deepEqual(await status(hangsUp), [502, 'target_failed']);
    for (const answer of [
      'SSH-2.0-OpenSSH\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc',
      `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ]) {
      const wrong = await start(await startRawTarget((socket) => socket.on('data', () => socket.write(answer))));
      assert.deepEqual(await status(wrong), [502, 'target_failed'], answer.slice(0, 60));
    }
    const slow = await start(await startRawTarget(() => {}), {
      deployments: [{ content: testContent('echo', { basePath: '/echo', routes: [{ timeoutMs: 100 }] }) }],
    });
    assert.deepEqual(await status(slow), [504, 'target_timeout']);
  });

  test('has its unfinished response cut off', async () => {
    const gateway = await start(
      await startRawTarget((socket) =>
        socket.on('data', () => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
          setTimeout(() => socket.destroy(), 10);
        }),
      ),
    );
    await assert.rejects(fetch(`${gateway.url}/echo`).then((answer) => answer.text()));
    assert.equal(gateway.records[0]?.error, 'target_failed');
  });

  test('is retried on a new connection if a kept one was closed, but never for a POST', async () => {
    let asked = 0;
    const target = await startRawTarget((socket) => {
      let answers = 0;
      socket.on('data', () => {
        asked++;
        // A second request on a connection is not answered.
        if (answers++ === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        else socket.destroy();
      });
    });
    const gateway = await start(target);
    const status = async (method: string) => (await fetch(`${gateway.url}/echo`, { method })).status;
    assert.equal(await status('GET'), 200);
    assert.equal(await status('GET'), 200);
    assert.equal(asked, 3);
    assert.equal(await status('POST'), 502);
    assert.equal(asked, 4);
  });

  test('doesn’t get three times the requests because all of its hosts fail', async () => {
    let asked = 0;
    const hosts = await Promise.all(
      [1, 2, 3].map(() =>
        startRawTarget((socket) =>
          socket.on('data', () => {
            asked++;
            socket.destroy();
          }),
        ),
      ),
    );
    const endpoints = hosts.map((url) => ({ host: '127.0.0.1', port: Number(new URL(url).port), weight: 1 }));
    const tls = { serverName: null, certificateAuthorities: null, clientCertificate: null };
    const gateway = await start('', {
      targets: { backend: { id: 'tgt_1', scheme: 'http', enabled: true, healthPath: null, endpoints, tls } },
    });
    for (let call = 0; call < 100; call++) assert.equal((await fetch(`${gateway.url}/echo`)).status, 502);
    assert(asked >= 110 && asked <= 121, `${asked} requests for 100 calls`);
  });

  test('can’t inject the response to the next request', async () => {
    const target = await startRawTarget((socket) =>
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil');
      }),
    );
    const gateway = await start(target);
    for (let index = 0; index < 5; index++) assert.equal(await (await fetch(`${gateway.url}/echo`)).text(), 'ok');
  });
});

describe('a caller that disconnects', () => {
  test('ends its request to the target, at any stage', async () => {
    let open = 0;
    let begun = 0;
    const target = await startRawTarget((socket) => {
      open++;
      begun++;
      socket.on('close', () => open--);
      socket.once('data', (data) => {
        if (data.includes('/answering')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nsome');
      });
    });
    const gateway = await start(target);
    for (const text of [
      'GET /ec',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf',
      'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha',
      'GET /echo HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /echo/answering HTTP/1.1\r\nHost: a\r\n\r\n',
    ]) {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.on('error', () => {});
      const before = begun;
      socket.write(text);
      await eventually('the connection', () => gateway.gateway.stats().connections === 1);
      if (text.includes(' HTTP/1.1')) await eventually('the request at the target', () => begun > before);
      socket.resetAndDestroy();
      await eventually(`the end of ${text}`, () => open === 0 && gateway.gateway.stats().connections === 0);
    }
    const { connections, inFlight } = gateway.gateway.stats();
    assert.deepEqual({ connections, inFlight }, { connections: 0, inFlight: 0 });
    assert.deepEqual(
      gateway.records.map(({ status }) => status),
      [499, 499, 499, 499],
    );
  });

  test('is not waited for beyond the limit for slow callers', async () => {
    const limits = { headTimeoutMs: 1_000, bodyTimeoutMs: 100, keepAliveMs: 100 };
    const gateway = await start((await startTarget(echo)).url, { gateway: { limits } });
    assert.match(await sendRaw(gateway.port, 'GET /echo HTTP/1.1\r\nHost'), /^HTTP\/1\.1 408 [\s\S]*request_timeout/);
    const body = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf';
    assert.match(await sendRaw(gateway.port, body), /^HTTP\/1\.1 408 /);
    const idle = connect(gateway.port, '127.0.0.1');
    await once(idle.resume(), 'close');
  });

  test('is not waited for beyond the limit for a whole body, however steadily its pieces come', async () => {
    const limits = { bodyTimeoutMs: 60_000, wholeBodyTimeoutMs: 200 };
    const gateway = await start((await startTarget(echo)).url, { gateway: { limits } });
    for (const head of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1');
      let answer = '';
      socket
        .on('error', () => {})
        .on('data', (data) => {
          answer += data;
        });
      const startMs = performance.now();
      socket.write(`POST /echo HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`);
      const sending = setInterval(() => socket.write(head.startsWith('T') ? '1\r\na\r\n' : 'a'), 20);
      await once(socket, 'end');
      clearInterval(sending);
      socket.destroy();
      assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*request_timeout/);
      assert.ok(performance.now() - startMs < 15_000, 'it ended before its pieces stopped');
    }
  });
});

describe('limits', () => {
  test('of URL, head and fields', async () => {
    const gateway = await start((await startTarget(echo)).url);
    const status = async (text: string) => Number((await sendRaw(gateway.port, text)).slice(9, 12));
    assert.equal(await status(`GET /echo/${'a'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`), 414);
    assert.equal(await status(`GET /echo/${'a'.repeat(70_000)}`), 414);
    assert.equal(await status(`GET /echo HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`), 431);
    assert.equal(await status(`GET /echo HTTP/1.1\r\nHost: a\r\n${'X: a\r\n'.repeat(200)}\r\n`), 431);
    assert.equal(
      await status(`GET /echo HTTP/1.1\r\nHost: a\r\nX: ${' '.repeat(15_000)}a${' '.repeat(900)}\r\n\r\n`),
      200,
    );
  });

  test('of a body, however it is framed', async () => {
    const policies = [{ kind: 'request-size-limit', configuration: { maxBodyBytes: 1_000 } }];
    const gateway = await start((await startTarget(echo)).url, {
      deployments: [{ content: testContent('echo', { basePath: '/echo', policies }) }],
    });
    const post = (head: string, body: string) =>
      sendRaw(gateway.port, `POST /echo HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`, body);
    assert.match(await post('Content-Length: 1000', 'a'.repeat(1_000)), /^HTTP\/1\.1 200 /);
    assert.match(await post('Content-Length: 1001', 'a'.repeat(1_001)), /^HTTP\/1\.1 413 /);
    assert.match(
      await post('Transfer-Encoding: chunked', `3e9\r\n${'a'.repeat(1_001)}\r\n0\r\n\r\n`),
      /^HTTP\/1\.1 413 /,
    );
    assert.equal(gateway.gateway.stats().inFlight, 0);
  });
});

describe('a failure of the gateway itself', () => {
  test('during a response only affects its request, and leaves the process running', async () => {
    const errors: unknown[] = [];
    const fails = (): never => {
      throw new Error('a failure on the way');
    };
    const cors = { kind: 'cors', configuration: { allowedOrigins: ['*'] } };
    const mock = { kind: 'mock-response', configuration: { status: 200, body: 'mocked', delayMs: 1 } };
    const gateway = await start((await startTarget(echo)).url, {
      deployments: [
        { content: testContent('echo', { basePath: '/echo', policies: [cors] }) },
        { content: testContent('mock', { basePath: '/mock', policies: [mock] }) },
        { content: testContent('plain', { basePath: '/plain' }) },
      ],
      watch: {
        request: ({ kind, run }) => (kind === 'cors' ? { ...run, onAnswer: fails } : run),
        response: ({ run }) => run,
      },
      gateway: {
        onError: (error) => errors.push(error),
        country: ({ request }) => (request.method === 'DELETE' ? fails() : 'ZZ'),
      },
    });
    for (let attempt = 0; attempt < 3; attempt++) {
      assert.deepEqual(await refusal(await fetch(`${gateway.url}/echo`)), [500, 'internal_error']);
      assert.equal((await fetch(`${gateway.url}/plain`)).status, 200);
    }
    assert.equal(errors.length, 3);
    assert.equal((await fetch(`${gateway.url}/plain`, { method: 'DELETE' })).status, 200);
    assert.equal((await fetch(`${gateway.url}/mock`)).status, 200);
    assert.equal(errors.length, 4);
    assert.equal(gateway.gateway.stats().inFlight, 0);
  });
});

const waitingCount = 12;
/** Callers of a thread of their own, which have sent their requests while the gateway's thread stands still. */
const waitingCallers = `
  const { connect } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const { areWaiting, port } = workerData;
  let waiting = 0;
  const outcomes = Array.from({ length: ${waitingCount} }, () => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /echo HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => {
        if (++waiting < ${waitingCount}) return;
        Atomics.store(areWaiting, 0, 1);
        Atomics.notify(areWaiting, 0);
      });
    });
    socket.once('data', (data) => {
      resolve(data.toString('latin1').split('\\r\\n', 1)[0]);
      socket.destroy();
    });
    socket.once('error', (error) => resolve(error.code));
    socket.once('end', () => resolve('closed'));
  }));
  Promise.all(outcomes).then((all) => parentPort.postMessage(all));
`;

describe('a change of the configuration', () => {
  test('applies even if only the masking key or the environment’s name changed', async () => {
    const mask = {
      kind: 'data-masking',
      flow: 'response' as const,
      configuration: { rules: [{ jsonPath: '$.url', replacement: 'hash' }] },
    };
    const named = {
      kind: 'transform-headers',
      flow: 'response' as const,
      configuration: { set: [{ name: 'x-environment', value: '{{environment.name}}' }] },
    };
    const targets = { backend: (await startTarget(echo)).url };
    const deployments = [{ content: testContent('echo', { basePath: '/echo', policies: [mask, named] }) }];
    const secrets = { maskingKey: Buffer.alloc(32, 1).toString('base64') };
    const environment = { id: 'env_test', name: 'test', production: false };
    const gateway = await start('', { deployments, targets, secrets, environment });
    const answered = async () => {
      const answer = await fetch(`${gateway.url}/echo`);
      return [(await echoed(answer)).url, answer.headers.get('x-environment')] as const;
    };
    const [first, name] = await answered();
    assert.equal(name, 'test');
    await gateway.use({ deployments, targets, secrets, environment });
    assert.deepEqual(await answered(), [first, 'test']);
    await gateway.use({ deployments, targets, secrets, environment: { ...environment, name: 'renamed' } });
    assert.deepEqual(await answered(), [first, 'renamed']);
    const other = { maskingKey: Buffer.alloc(32, 2).toString('base64') };
    await gateway.use({ deployments, targets, secrets: other, environment: { ...environment, name: 'renamed' } });
    assert.notEqual((await answered())[0], first);
  });

  test('under load loses no request, nor do a drain and a stop', async () => {
    const target = (await startTarget(echo)).url;
    const contents = ['one', 'two'].map((route) =>
      testContent('echo', { basePath: '/echo', routes: [{ id: route, pathPattern: '/*' }] }),
    );
    const gateway = await start(target);
    let failed = 0;
    let answered = 0;
    let isDone = false;
    /** What comes next; null where the connection is closed instead. */
    const next = (socket: Socket) =>
      new Promise<Buffer | null>((resolve) => {
        socket.removeAllListeners('data').once('data', resolve);
        socket.removeAllListeners('close').once('close', () => resolve(null));
      });
    const call = async () => {
      const socket = connect(gateway.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.on('error', () => failed++);
      for (let closes = false; !isDone && !closes; ) {
        socket.write('POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc');
        const data = await next(socket);
        if (data?.includes(' 200 ')) answered++;
        else failed++;
        closes = data === null || data.includes('Connection: close');
      }
      socket.destroy();
    };
    const callers = Array.from({ length: 16 }, async () => {
      while (!isDone) await call();
    });
    for (let round = 0; round < 20 || answered <= 50; round++) {
      await gateway.use({ deployments: [{ content: contents[round % 2]! }], targets: { backend: target } });
      await wait(5);
    }
    gateway.gateway.drain();
    await wait(50);
    gateway.gateway.resume();
    await wait(50);
    isDone = true;
    await Promise.all(callers);
    assert.equal(failed, 0);
    assert(answered > 50, `${answered} were answered`);
  });

  test('responds at its end to connections that the system had accepted already', async () => {
    const gateway = await start((await startTarget(echo)).url);
    const areWaiting = new Int32Array(new SharedArrayBuffer(4));
    const callers = new Worker(waitingCallers, { eval: true, workerData: { port: gateway.port, areWaiting } });
    const outcomes = once(callers, 'message');
    await once(callers, 'online');
    // They may wait already.
    assert.notEqual(Atomics.wait(areWaiting, 0, 0, 10_000), 'timed-out');
    await gateway.gateway.stop(5_000);
    assert.deepEqual((await outcomes)[0], Array(waitingCount).fill('HTTP/1.1 200 OK'));
  });

  test('splits calls between revisions, and each caller stays with one', async () => {
    const one = (await startTarget((_, response) => response.end('one'))).url;
    const two = (await startTarget((_, response) => response.end('two'))).url;
    const content = (targetServer: string) => testContent('echo', { basePath: '/echo', routes: [{ targetServer }] });
    const gateway = await startTestGateway({
      deployments: [
        { content: content('one'), revision: 1, weight: 80 },
        { content: content('two'), revision: 2, weight: 20 },
      ],
      targets: { one, two },
    });
    stops.push(() => gateway.stop());
    const revisionOf = async (caller: number) => {
      const answer = await fetch(`${gateway.url}/echo`, { headers: { authorization: `Bearer caller-${caller}` } });
      return answer.text();
    };
    const first = await Promise.all(Array.from({ length: 400 }, (_, caller) => revisionOf(caller)));
    const share = first.filter((revision) => revision === 'two').length / first.length;
    assert(share > 0.12 && share < 0.28, `${share} got revision 2`);
    for (let caller = 0; caller < 20; caller++) assert.equal(await revisionOf(caller), first[caller]);
  });

  test('splits one caller’s requests between revisions, evenly at any time', async () => {
    const one = (await startTarget((_, response) => response.end('one'))).url;
    const two = (await startTarget((_, response) => response.end('two'))).url;
    const content = (targetServer: string) => testContent('echo', { basePath: '/echo', routes: [{ targetServer }] });
    for (const weight of [1, 10, 50, 90]) {
      const gateway = await startTestGateway({
        deployments: [
          { content: content('one'), revision: 1, weight: 100 - weight, split: 'requests' },
          { content: content('two'), revision: 2, weight, split: 'requests' },
        ],
        targets: { one, two },
      });
      stops.push(() => gateway.stop());
      const got: boolean[] = [];
      for (let call = 0; call < 1_000; call++) {
        const answer = await fetch(`${gateway.url}/echo`, { headers: { authorization: 'Bearer the-only-caller' } });
        got.push((await answer.text()) === 'two');
      }
      const count = (calls: readonly boolean[]) => calls.filter(Boolean).length;
      assert.ok(Math.abs(count(got) - weight * 10) <= 3, `${count(got)} of 1,000 at ${weight} %`);
      for (let from = 0; from < 1_000; from += 200) {
        const some = count(got.slice(from, from + 200));
        assert.ok(Math.abs(some - weight * 2) <= 3, `${some} of 200 at ${weight} %`);
      }
      // Calls that come in turns, such as a health check between any two others, meet both revisions alike.
      for (const turn of [0, 1]) {
        const some = count(got.filter((_, call) => call % 2 === turn));
        assert.ok(Math.abs(some - weight * 5) <= 4, `${some} of every second one at ${weight} %`);
      }
    }
  });
});

describe('an error of the gateway', () => {
  test('has one shape', async () => {
    const gateway = await start((await startTarget(echo)).url, {
      deployments: [
        { content: testContent('echo', { basePath: '/echo', routes: [{ method: 'GET', pathPattern: '/a/{id}' }] }) },
      ],
      hostNames: ['api.example.com', '127.0.0.1'],
    });
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${gateway.url}${path}`, init);
      const text = await answer.text();
      return { status: answer.status, allow: answer.headers.get('allow'), body: text === '' ? null : JSON.parse(text) };
    };
    const { status, body } = await ask('/other');
    assert.equal(status, 404);
    assert.deepEqual(Object.keys(body), ['code', 'status', 'data']);
    assert.equal(body.data.error, 'no_proxy');
    assert.match(body.data.requestId, /^req_/);
    assert.equal((await ask('/echo/b')).body.data.error, 'no_route');
    const wrong = await ask('/echo/a/1', { method: 'DELETE' });
    assert.deepEqual([wrong.status, wrong.allow], [405, 'GET, HEAD']);
    assert.equal((await ask('/echo/a/1', { method: 'HEAD' })).status, 200);
    assert.equal((await ask('/echo/a/1/')).status, 200);
    const host = 'GET /echo/a/1 HTTP/1.1\r\nHost: elsewhere\r\n\r\n';
    assert.match(await sendRaw(gateway.port, host), /^HTTP\/1\.1 404 [\s\S]*no_proxy/);
    const absolute = 'GET http://API.example.com/echo/a/1 HTTP/1.1\r\nHost: api.example.com\r\n\r\n';
    assert.match(await sendRaw(gateway.port, absolute), /^HTTP\/1\.1 200 /);
  });
});
