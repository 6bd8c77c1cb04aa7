import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openSender, type Sender, type SenderOptions, type SendResult } from './sender.ts';
import {
  createTestAuthority,
  type Receiver,
  type ServerCertificate,
  startReceiver,
  type TestAuthority,
} from './testing.ts';

const body = Buffer.from('{"event":"extraction.completed"}');
const closers: (() => Promise<unknown> | unknown)[] = [];
let authority: TestAuthority;
let certificate: ServerCertificate;

before(async () => {
  authority = await createTestAuthority();
  certificate = await authority.issue({ hosts: ['localhost', 'receiver.example'], addresses: ['127.0.0.1'] });
});
after(() => Promise.all(closers.map((close) => close())));

function sender(options: Partial<SenderOptions> = {}): Sender {
  const opened = openSender({
    allowLoopback: true,
    extraCertificates: authority.certificate,
    timeoutMs: 3000,
    ...options,
  });
  closers.push(() => opened.close());
  return opened;
}

async function receiver(
  answer: RequestListener,
  served: ServerCertificate | undefined = certificate,
): Promise<Receiver> {
  const started = await startReceiver(answer, served);
  closers.push(() => started.close());
  return started;
}

/** A TCP server that sends whatever the test wants. */
async function rawServer(onBytes: (socket: import('node:net').Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => onBytes(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function post(url: string, options?: Partial<SenderOptions>): Promise<SendResult> {
  return sender(options).send({
    url,
    headers: { 'content-type': 'application/json', 'x-svc-delivery': 'dlv_1' },
    body,
  });
}

describe('an attempt', () => {
  test('posts the exact bytes and headers over verified TLS and records the response', async () => {
    const { port, posts } = await receiver((_request, response) => {
      response.writeHead(201, { 'x-answer': 'yes' }).end('thank you');
    });
    const result = await post(`https://localhost:${port}/hook?a=1`);
    assert.equal(result.error, null);
    assert.equal(posts[0]?.path, '/hook?a=1');
    assert.deepEqual(posts[0]?.body, body);
    assert.equal(posts[0]?.headers['x-svc-delivery'], 'dlv_1');
    assert.equal(result.response?.status, 201);
    assert.equal(result.response?.headers['x-answer'], 'yes');
    assert.equal(Buffer.from(result.response?.body ?? []).toString(), 'thank you');
    assert.ok(result.latencyMs >= 0 && result.latencyMs < 60_000);
  });

  test('keeps 64 KB of a long response, with its length and hash, and stops reading at 1 MB', async () => {
    const long = Buffer.alloc(300_000, 'x');
    const endless = Buffer.alloc(8_000_000, 'y');
    const { port } = await receiver((request, response) => {
      response.on('error', () => undefined).end(request.url === '/long' ? long : endless);
    });
    const first = (await post(`https://localhost:${port}/long`)).response;
    assert.equal(first?.body.length, 65_536);
    assert.equal(first?.bodyLength, 300_000);
    assert.equal(first?.bodySha256, createHash('sha256').update(long).digest('hex'));
    const second = await post(`https://localhost:${port}/endless`);
    assert.equal(second.error, null);
    assert.equal(second.response?.bodyLength, 1_048_576);
    assert.equal(second.response?.body.length, 65_536);
  });

  test('reuses connections', async () => {
    const started = await receiver((_request, response) => response.end());
    const reused = sender();
    for (let n = 0; n < 20; n++) await reused.send({ url: `https://localhost:${started.port}/`, headers: {}, body });
    assert.ok(started.connectionCount <= 2, `${started.connectionCount} connections for 20 attempts`);
  });
});

describe('an attempt fails with its cause', () => {
  test('for any status but 2xx', async () => {
    const { port } = await receiver((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end('no');
    });
    for (const status of [400, 404, 410, 500, 503]) {
      const result = await post(`https://localhost:${port}/${status}`);
      assert.equal(result.error?.code, 'unsuccessful_status');
      assert.match(result.error?.message ?? '', new RegExp(String(status)));
      assert.equal(result.response?.status, status);
    }
  });

  test('for a redirect, which is not followed', async () => {
    const target = await receiver((_request, response) => response.end());
    const { port } = await receiver((_request, response) => {
      response.writeHead(307, { location: `https://localhost:${target.port}/` }).end();
    });
    const result = await post(`https://localhost:${port}/`);
    assert.equal(result.error?.code, 'redirect');
    assert.equal(result.response?.headers.location, `https://localhost:${target.port}/`);
    assert.equal(target.posts.length, 0);
  });

  test('when there is no response in time', async () => {
    const { port } = await receiver(() => undefined);
    const result = await post(`https://localhost:${port}/`, { timeoutMs: 200 });
    assert.equal(result.error?.code, 'timeout');
    assert.equal(result.response, null);
    assert.ok(result.latencyMs >= 190 && result.latencyMs < 2_900);
  });

  test('when the response trickles past the timeout, whatever its status', async () => {
    const { port } = await receiver((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const result = await post(`https://localhost:${port}/`, { timeoutMs: 300 });
    assert.equal(result.error?.code, 'timeout');
    assert.equal(result.response?.status, 200);
    assert.ok((result.response?.bodyLength ?? 0) > 0);
    assert.ok(result.latencyMs < 2_900);
  });

  test('when the headers trickle', async () => {
    const port = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const result = await post(`http://localhost:${port}/`, { timeoutMs: 300 });
    assert.equal(result.error?.code, 'timeout');
    assert.ok(result.latencyMs < 2_900);
  });

  test('when the connection is refused', async () => {
    const { port, close } = await startReceiver(() => undefined);
    await close();
    assert.equal((await post(`https://127.0.0.1:${port}/`)).error?.code, 'connection_refused');
  });

  test('when the connection closes before or during the response', async () => {
    const before = await rawServer((socket) => socket.destroy());
    assert.equal((await post(`http://localhost:${before}/`)).error?.code, 'connection_closed');
    const within = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
    const result = await post(`http://localhost:${within}/`);
    assert.equal(result.error?.code, 'connection_closed');
    assert.equal(result.response?.bodyLength, 4);
  });

  test('when the response is not HTTP, or its headers never end', async () => {
    const garbage = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    assert.equal((await post(`http://localhost:${garbage}/`)).error?.code, 'invalid_response');
    const headers = await rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(100_000)}`));
    assert.equal((await post(`http://localhost:${headers}/`)).error?.code, 'invalid_response');
  });

  test('when the certificate is untrusted, expired or for another name, or the receiver does not speak TLS', async () => {
    const unknown = await receiver((_request, response) => response.end());
    const untrusting = openSender({ allowLoopback: true, timeoutMs: 3000 });
    closers.push(() => untrusting.close());
    const refusals = [await untrusting.send({ url: `https://localhost:${unknown.port}/`, headers: {}, body })];
    const expired = await receiver(
      (_request, response) => response.end(),
      await authority.issue({ hosts: ['localhost'], expired: true }),
    );
    refusals.push(await post(`https://localhost:${expired.port}/`));
    const other = await receiver(
      (_request, response) => response.end(),
      await authority.issue({ hosts: ['other.example'] }),
    );
    refusals.push(await post(`https://localhost:${other.port}/`));
    const plain = await startReceiver((_request, response) => response.end());
    closers.push(() => plain.close());
    refusals.push(await post(`https://localhost:${plain.port}/`));
    for (const refusal of refusals) assert.equal(refusal.error?.code, 'tls', JSON.stringify(refusal.error));
    assert.match(refusals[1]?.error?.message ?? '', /CERT_HAS_EXPIRED/);
    assert.match(refusals[2]?.error?.message ?? '', /ALTNAME/);
    for (const { posts } of [unknown, expired, other, plain]) assert.equal(posts.length, 0);
  });

  test('when the name does not resolve', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('query'), { code: 'ENOTFOUND' }));
    const result = await post('https://receiver.example/', { resolve });
    assert.equal(result.error?.code, 'dns');
    assert.match(result.error?.message ?? '', /receiver\.example.*ENOTFOUND/);
  });
});

describe('the guard', () => {
  test('rejects a forbidden address before opening a connection', async () => {
    const started = await receiver((_request, response) => response.end());
    const result = await post(`https://127.0.0.1:${started.port}/`, { allowLoopback: false });
    assert.equal(result.error?.code, 'blocked_address');
    assert.equal(started.connectionCount, 0);
  });

  test('rejects a name if any of its addresses is forbidden', async () => {
    const started = await receiver((_request, response) => response.end());
    for (const forbidden of [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
    ]) {
      const resolve = async () => ['93.184.215.14', forbidden];
      const result = await post(`https://receiver.example:${started.port}/`, { allowLoopback: false, resolve });
      assert.equal(result.error?.code, 'blocked_address', forbidden);
    }
    assert.equal(started.connectionCount, 0);
  });

  test('resolves once per connection and connects to the checked address, which defeats rebinding', async () => {
    const started = await receiver((_request, response) => response.end());
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    let lookups = 0;
    const resolve = async () => answers[Math.min(lookups++, 1)]!;
    const rebinding = sender({ resolve });
    const url = `https://receiver.example:${started.port}/`;
    assert.equal((await rebinding.send({ url, headers: {}, body })).error, null);
    assert.equal(lookups, 1);
    assert.equal((await sender({ resolve }).send({ url, headers: {}, body })).error?.code, 'blocked_address');
    assert.equal(started.posts.length, 1);
  });

  test('does not let a header or path smuggle a second request', async () => {
    const started = await receiver((_request, response) => response.end());
    const result = await sender().send({
      url: `https://localhost:${started.port}/a%0d%0ab c`,
      headers: { 'x-svc-delivery': 'a\r\nx-injected: 1' },
      body,
    });
    assert.notEqual(result.error, null);
    assert.equal(started.posts.length, 0);
  });
});

test('closing a sender cancels attempts in progress', async () => {
  const begun = Promise.withResolvers<void>();
  const { port } = await receiver(() => begun.resolve());
  const closing = sender({ timeoutMs: 10_000 });
  const attempt = closing.send({ url: `https://localhost:${port}/`, headers: {}, body });
  await begun.promise;
  const started = performance.now();
  await closing.close();
  assert.equal((await attempt).error?.code, 'connection_closed');
  assert.ok(performance.now() - started < 8_000);
});

test('opening a sender with invalid extra certificates fails', () => {
  for (const extraCertificates of ['nonsense', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n']) {
    assert.throws(() => openSender({ allowLoopback: false, extraCertificates }), /not PEM certificates/);
  }
});
