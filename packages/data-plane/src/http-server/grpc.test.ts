import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ClientWritableStream,
  credentials,
  status as grpc,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServiceError,
} from '@grpc/grpc-js';
import {
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
  testCaller,
  testContent,
  testTarget,
} from '../testing.ts';

const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

const bytes = (message: Buffer): Buffer => message;

function methodOf(path: string, requestStream: boolean, responseStream: boolean): MethodDefinition<Buffer, Buffer> {
  return {
    path,
    requestStream,
    responseStream,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
}

const methods = {
  unary: methodOf('/test.Echo/Unary', false, false),
  fail: methodOf('/test.Echo/Fail', false, false),
  wait: methodOf('/test.Echo/Wait', false, false),
  collect: methodOf('/test.Echo/Collect', true, false),
  count: methodOf('/test.Echo/Count', false, true),
  chat: methodOf('/test.Echo/Chat', true, true),
};

const unary: handleUnaryCall<Buffer, Buffer> = (call, done) => {
  const trailer = new Metadata();
  trailer.set('x-units', '2.5');
  trailer.set('x-timeout', String(call.metadata.get('grpc-timeout')[0] ?? 'none'));
  call.sendMetadata(new Metadata());
  done(null, Buffer.concat([call.request, Buffer.from(String(call.metadata.get('x-name')[0] ?? ''))]), trailer);
};
const fail: handleUnaryCall<Buffer, Buffer> = (call, done) =>
  done({ code: Number(String(call.request)), details: 'as asked: 100 % ü' });
/** Never answers, but notices that nobody waits. */
const cancelled: string[] = [];
const waiting: handleUnaryCall<Buffer, Buffer> = (call) =>
  void call.on('cancelled', () => cancelled.push(call.getPath()));
const collect: handleClientStreamingCall<Buffer, Buffer> = (call, done) => {
  let size = 0;
  call.on('data', (message: Buffer) => {
    size += message.length;
  });
  call.on('end', () => done(null, Buffer.from(String(size))));
};
const count: handleServerStreamingCall<Buffer, Buffer> = (call) => {
  const until = Number(String(call.request));
  let sent = 0;
  const more = () => {
    while (sent < until)
      if (!call.write(Buffer.from(String(sent++).padStart(1_000)))) return void call.once('drain', more);
    call.end();
  };
  more();
};
const chat: handleBidiStreamingCall<Buffer, Buffer> = (call) => {
  call.on('data', (message: Buffer) => call.write(Buffer.concat([message, message])));
  call.on('end', () => call.end());
};

async function startTarget(name = ''): Promise<number> {
  const server = new Server();
  server.addService(
    { ...methods },
    {
      unary:
        name === ''
          ? unary
          : (_call: unknown, done: (error: null, answer: Buffer) => void) => done(null, Buffer.from(name)),
      fail,
      wait: waiting,
      collect,
      count,
      chat,
    },
  );
  stops.push(() => server.forceShutdown());
  return await new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    }),
  );
}

function targetAt(port: number) {
  return { ...testTarget('backend', `http://127.0.0.1:${port}`), protocol: 'http2' as const };
}

async function start(port: number, more: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({
    deployments: [
      { content: testContent('echo', { basePath: '/test.Echo', routes: [{ targetPath: '/test.Echo/*' }] }) },
    ],
    targets: { backend: targetAt(port) },
    ...more,
    gateway: { acceptsPriorKnowledge: true, ...more.gateway },
  });
  stops.push(() => gateway.stop());
  return gateway;
}

function clientOf({ port }: TestGateway): Client {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  stops.push(() => client.close());
  return client;
}

interface Answer {
  readonly code: number;
  readonly details: string;
  readonly message: string;
  readonly trailer: Metadata;
}

/** Calls a unary method. */
function call(
  client: Client,
  method: MethodDefinition<Buffer, Buffer>,
  message: string | Buffer,
  headers: Record<string, string> = {},
  timeoutMs?: number,
) {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  const options = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
  return new Promise<Answer>((resolve) => {
    const done = (error: ServiceError | null, answer?: Buffer) =>
      resolve({
        code: error?.code ?? 0,
        details: error?.details ?? '',
        message: String(answer ?? ''),
        trailer: trailers ?? error?.metadata ?? metadata,
      });
    let trailers: Metadata | null = null;
    const started = client.makeUnaryRequest(method.path, bytes, bytes, Buffer.from(message), metadata, options, done);
    started.on('status', (got) => {
      trailers = got.metadata;
    });
  });
}

/** What the gateway sends to a call that has these fields, without a library in between. */
async function raw(gateway: TestGateway, path: string, headers: Record<string, string> = {}, body = Buffer.alloc(5)) {
  const client = connect(gateway.url);
  stops.push(() => client.destroy());
  const stream = client.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  stream.end(body);
  const [got, flags] = (await once(stream, 'response')) as [IncomingHttpHeaders, number];
  stream.resume();
  await once(stream, 'close');
  return { headers: got, ends: (flags & 1) === 1 };
}

const large = Buffer.alloc(1_000_000, 'm');

describe('gRPC through the gateway', () => {
  test('passes unary calls and streams of each kind', async () => {
    const gateway = await start(await startTarget());
    const client = clientOf(gateway);
    assert.deepEqual((await call(client, methods.unary, 'hello ', { 'x-name': 'world' })).message, 'hello world');
    assert.equal((await call(client, methods.unary, large)).message.length, large.length);

    const collected = await new Promise<string>((resolve, reject) => {
      const stream: ClientWritableStream<Buffer> = client.makeClientStreamRequest(
        methods.collect.path,
        bytes,
        bytes,
        (error, answer) => {
          if (error === null) resolve(String(answer));
          else reject(error);
        },
      );
      for (let sent = 0; sent < 200; sent++) stream.write(Buffer.alloc(10_000));
      stream.end();
    });
    assert.equal(collected, '2000000');

    const counted: ClientReadableStream<Buffer> = client.makeServerStreamRequest(
      methods.count.path,
      bytes,
      bytes,
      Buffer.from('3000'),
    );
    let next = 0;
    for await (const message of counted) assert.equal(Number(String(message)), next++);
    assert.equal(next, 3_000);

    const chatting: ClientDuplexStream<Buffer, Buffer> = client.makeBidiStreamRequest(methods.chat.path, bytes, bytes);
    for (let round = 0; round < 20; round++) {
      // Each message waits for the answer to the one before: nothing is held back on the way.
      chatting.write(Buffer.from(`${round}`));
      assert.equal(String((await once(chatting, 'data'))[0]), `${round}${round}`);
    }
    chatting.end();
    chatting.resume();
    await once(chatting, 'status');
    assert.deepEqual(
      gateway.records.map(({ status, grpcStatus }) => `${status} ${grpcStatus}`),
      Array(5).fill('200 0'),
    );
    assert.ok(gateway.records[1]!.requestBytes > large.length && gateway.records[1]!.responseBytes > large.length);
  });

  test('passes statuses, and counts them as the status of HTTP that they stand for', async () => {
    const gateway = await start(await startTarget());
    const client = clientOf(gateway);
    for (const [code, status] of [
      [3, 400],
      [5, 404],
      [7, 403],
      [8, 429],
      [13, 500],
      [14, 503],
      [16, 401],
    ] as const) {
      const answer = await call(client, methods.fail, String(code));
      assert.deepEqual([answer.code, answer.details], [code, 'as asked: 100 % ü']);
      const record = gateway.records.at(-1)!;
      assert.deepEqual([record.status, record.grpcStatus, record.error], [status, code, null]);
    }
  });

  test('ends calls that the gateway rejects with trailers only, without the body', async () => {
    const gateway = await start(await startTarget(), {
      deployments: [
        {
          content: testContent('echo', {
            basePath: '/test.Echo',
            routes: [{ method: 'POST', pathPattern: '/Unary', targetPath: '/test.Echo/Unary' }],
            policies: [
              { kind: 'verify-api-key', configuration: { location: 'header', name: 'x-api-key' } },
              { kind: 'quota', configuration: { limit: 2, window: { unit: 'month', count: 1 }, per: 'app' } },
              { kind: 'request-size-limit', configuration: { maxBodyBytes: 1_000 } },
            ],
          }),
        },
      ],
      consumers: testCaller('one', createHash('sha256').update('key').digest('hex'), ['prx_echo']),
    });
    const key = { 'x-api-key': 'key' };
    const cases = [
      ['/test.Echo/Unary', {}, '16', 401, 'key_missing'],
      ['/test.Echo/Other', key, '12', 404, 'no_route'],
      ['/other.Service/Method', key, '12', 404, 'no_proxy'],
      ['/test.Echo/Unary', { ...key, 'content-length': '5000' }, '8', 413, 'body_too_large'],
      ['/test.Echo/Unary', key, '8', 413, 'body_too_large'],
      ['/test.Echo/Unary', key, '8', 429, 'quota_exceeded'],
    ] as const;
    for (const [path, headers, grpcStatus, status, error] of cases) {
      const got = await raw(gateway, path, headers, Buffer.alloc(5_000));
      assert.deepEqual(
        [got.headers[':status'], got.headers['content-type'], got.headers['grpc-status'], got.ends],
        [200, 'application/grpc', grpcStatus, true],
        error,
      );
      assert.match(String(got.headers['grpc-message']), /^[\x20-\x7e]+$/);
      assert.match(String(got.headers['x-request-id']), /^req_/);
      const record = gateway.records.at(-1)!;
      assert.deepEqual([record.status, record.grpcStatus, record.error], [status, Number(grpcStatus), error]);
      if (status === 429) {
        assert.ok(record.limited);
        assert.ok(Number(got.headers['retry-after']) > 0);
        assert.equal(got.headers['x-ratelimit-limit'], '2');
      }
    }
  });

  test('counts one call of a quota for each call, however many messages it has', async () => {
    const gateway = await start(await startTarget(), {
      deployments: [
        {
          content: testContent('echo', {
            basePath: '/test.Echo',
            routes: [{ targetPath: '/test.Echo/*' }],
            policies: [
              { kind: 'verify-api-key', configuration: { location: 'header', name: 'x-api-key' } },
              { kind: 'quota', configuration: { limit: 3, window: { unit: 'month', count: 1 }, per: 'app' } },
            ],
          }),
        },
      ],
      consumers: [...testCaller('one', createHash('sha256').update('key').digest('hex'), ['prx_echo'])].map((change) =>
        change.kind === 'product' ? { ...change, value: { ...change.value!, unitsHeader: 'x-units' } } : change,
      ) as ReturnType<typeof testCaller>,
    });
    const client = clientOf(gateway);
    const metadata = new Metadata();
    metadata.set('x-api-key', 'key');
    const counted = client.makeServerStreamRequest(methods.count.path, bytes, bytes, Buffer.from('100'), metadata);
    counted.resume();
    await once(counted, 'status');
    assert.equal((await call(client, methods.unary, 'a', { 'x-api-key': 'key' })).code, 0);
    assert.deepEqual([gateway.records[1]?.unitsState, gateway.records[1]?.microUnits], ['counted', 2_500_000]);
    assert.equal((await call(client, methods.unary, 'a', { 'x-api-key': 'key' })).code, 0);
    const refused = await call(client, methods.unary, 'a', { 'x-api-key': 'key' });
    assert.equal(refused.code, grpc.RESOURCE_EXHAUSTED);
    assert.equal(refused.details, 'The quota is used up. Wait for the time in Retry-After, then try again.');
    assert.equal((await call(client, methods.unary, 'a', { 'x-api-key': 'wrong' })).code, grpc.UNAUTHENTICATED);
    assert.equal(gateway.records[0]?.appId, 'app_one');
  });

  test('is split between the revisions of a canary', async () => {
    const ports = { stable: await startTarget('stable'), canary: await startTarget('canary') };
    const deployments = (['stable', 'canary'] as const).map((name, index) => ({
      content: testContent('echo', {
        basePath: '/test.Echo',
        routes: [{ targetServer: name, targetPath: '/test.Echo/*' }],
      }),
      revision: index + 1,
      weight: index === 0 ? 75 : 25,
      split: 'requests' as const,
    }));
    const gateway = await start(ports.stable, {
      deployments,
      targets: { stable: targetAt(ports.stable), canary: targetAt(ports.canary) },
    });
    const client = clientOf(gateway);
    const names: string[] = [];
    for (let asked = 0; asked < 40; asked++) names.push((await call(client, methods.unary, 'a')).message);
    const share = names.filter((name) => name === 'canary').length;
    assert.ok(share >= 8 && share <= 12, `${share}`);
  });

  test('waits as long as the caller does, within its limit, and passes the time on', { timeout: 90_000 }, async () => {
    const gateway = await start(await startTarget());
    const client = clientOf(gateway);
    assert.equal((await call(client, methods.wait, 'a', {}, 200)).code, grpc.DEADLINE_EXCEEDED);
    while (cancelled.length < 1) await wait(5);
    // This one pays no attention to the time.
    const server = createServer();
    const asked: IncomingHttpHeaders[] = [];
    const closed: number[] = [];
    server.on('stream', (stream, headers) => {
      asked.push(headers);
      stream.on('close', () => closed.push(stream.rstCode));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(() => server.close());
    const silent = await start((server.address() as AddressInfo).port);
    const answer = await raw(silent, '/test.Echo/Wait', { 'grpc-timeout': '200m' });
    assert.equal(answer.headers['grpc-status'], String(grpc.DEADLINE_EXCEEDED));
    assert.deepEqual([silent.records[0]?.status, silent.records[0]?.error], [504, 'target_timeout']);
    while (closed.length < 1) await wait(5);
    assert.deepEqual([asked[0]?.['grpc-timeout'], asked[0]?.te, closed], ['200m', 'trailers', [8]]);
    const long = connect(gateway.url);
    stops.push(() => long.destroy());
    const fields = {
      ':method': 'POST',
      ':path': '/test.Echo/Unary',
      'content-type': 'application/grpc+proto',
      te: 'trailers',
    };
    const bounded = await start((server.address() as AddressInfo).port, {
      gateway: { limits: { maxGrpcTimeoutMs: 100 } },
    });
    assert.equal((await raw(bounded, '/test.Echo/Wait', { 'grpc-timeout': '99999999H' })).headers['grpc-status'], '4');
    assert.equal(asked[1]?.['grpc-timeout'], '100m');
    const stream = long.request(fields);
    stream.end(Buffer.alloc(5));
    stream.resume();
    assert.equal((await once(stream, 'trailers'))[0]['grpc-status'], '0');
  });

  test('ends with a status when the target fails before or within its answer', async () => {
    const server = createServer();
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      if (headers[':path'] === '/test.Echo/Unary') stream.close(2);
      else {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
        stream.write(Buffer.from([0, 0, 0, 0, 1, 65]));
        setTimeout(() => stream.session?.destroy(), 50);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(() => server.close());
    const gateway = await start((server.address() as AddressInfo).port);
    const client = clientOf(gateway);
    assert.equal((await call(client, methods.unary, 'a')).code, grpc.UNAVAILABLE);
    const stream = client.makeServerStreamRequest(methods.count.path, bytes, bytes, Buffer.from('1'));
    const messages: string[] = [];
    stream.on('data', (message) => messages.push(String(message)));
    const [error] = await once(stream, 'error');
    assert.deepEqual([messages, error.code], [['A'], grpc.UNAVAILABLE]);
    assert.deepEqual(
      gateway.records.map(({ status, grpcStatus }) => [status, grpcStatus]),
      [
        [502, 14],
        [502, 14],
      ],
    );
  });

  test('is rejected for a target of HTTP/1.1, and where a policy needs whole bodies', async () => {
    const port = await startTarget();
    const old = await start(port, { targets: { backend: `http://127.0.0.1:${port}` } });
    const byOld = await call(clientOf(old), methods.unary, 'a');
    assert.equal(byOld.code, grpc.UNAVAILABLE);
    assert.match(byOld.details, /Set its protocol to HTTP\/2/);
    const specification = {
      openapi: '3.1.0',
      info: { title: 'Echo', version: '1' },
      paths: {
        '/Unary': {
          post: { requestBody: { required: true, content: { 'application/json': { schema: {} } } }, responses: {} },
        },
      },
    };
    const validated = await start(port, {
      deployments: [
        {
          content: testContent('echo', {
            basePath: '/test.Echo',
            routes: [{ method: 'POST', pathPattern: '/Unary', targetPath: '/test.Echo/Unary' }],
            policies: [{ kind: 'request-validation', configuration: { refuseUnknownMediaTypes: false } }],
            specification,
          }),
        },
      ],
    });
    const rejected = await call(clientOf(validated), methods.unary, 'a');
    assert.equal(rejected.code, grpc.UNAVAILABLE);
    assert.match(rejected.details, /needs whole bodies/);
  });

  test('is cancelled with its caller', async () => {
    const gateway = await start(await startTarget());
    const client = clientOf(gateway);
    cancelled.length = 0;
    const metadata = new Metadata();
    const started = client.makeUnaryRequest(methods.wait.path, bytes, bytes, Buffer.from('a'), metadata, () => {});
    while (gateway.gateway.stats().inFlight === 0) await wait(5);
    await wait(50);
    started.cancel();
    while (cancelled.length < 1) await wait(5);
    assert.deepEqual(
      gateway.records.map(({ status }) => status),
      [499],
    );
  });
});
