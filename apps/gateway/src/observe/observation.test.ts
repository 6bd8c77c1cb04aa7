import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { newRecord, type RequestRecord } from '@millrace/data-plane/record';
import { startTestGateway, testContent } from '@millrace/data-plane/testing';
import { HeaderList } from '@millrace/policies/headers';
import { type ReceivedSpan, startTestCollector, type TestCollector } from '@millrace/traces/testing';
import { sinkOf } from './access-log.ts';
import { type Observation, type ObservationOptions, startObservation } from './observation.ts';

describe('what a node shows', () => {
  let observation: Observation | null = null;
  afterEach(async () => {
    await observation?.stop();
    observation = null;
  });

  async function start(options: Partial<ObservationOptions> = {}): Promise<Observation> {
    observation = await startObservation({
      host: '127.0.0.1',
      port: 0,
      accessLog: null,
      traces: null,
      readiness: () => ({ ready: true }),
      sources: {
        connections: () => 3,
        inFlight: () => 2,
        spooledBatches: () => 1,
        isUsageDurable: () => true,
        eventLoopDelayMs: () => 4,
      },
      ...options,
    });
    return observation;
  }
  const get = (path: string, init?: RequestInit) => fetch(`${observation!.address}${path}`, init);
  const request: RequestRecord = {
    ...newRecord(),
    startedAtMs: Date.UTC(2026, 0, 15, 9),
    requestId: 'req_1',
    method: 'POST',
    path: '/v1/"orders"\n',
    clientAddress: '203.0.113.7',
    proxyId: 'prx_1',
    appId: 'app_1',
    status: 429,
    error: 'quota_exceeded',
    limited: true,
    requestBytes: 10,
    responseBytes: 20,
    latencyUs: 1_500,
    gatewayTimeUs: 40,
    target: null,
  };

  test('health and readiness on a separate port', async () => {
    let ready = false;
    await start({ readiness: () => ({ ready, refused: 'not whole' }) });
    assert.equal((await get('/healthz')).status, 200);
    const before = await get('/readyz');
    assert.equal(before.status, 503);
    assert.deepEqual(await before.json(), { ready: false, refused: 'not whole' });
    ready = true;
    assert.equal((await get('/readyz', { method: 'HEAD' })).status, 200);
    assert.equal((await get('/')).status, 404);
    assert.equal((await get('/metrics', { method: 'POST' })).status, 405);
  });

  test('Prometheus metrics', async () => {
    const { record } = await start();
    for (let index = 0; index < 3; index += 1) record(request);
    record({ ...request, proxyId: '', status: 404, error: 'no_proxy' });
    record({ ...request, status: 200, error: null });
    const answer = await get('/metrics');
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
    const lines = new Set((await answer.text()).split('\n'));
    for (const line of [
      'millrace_gateway_requests_total{proxy="prx_1",status="4xx"} 3',
      'millrace_gateway_requests_total{proxy="prx_1",status="2xx"} 1',
      'millrace_gateway_requests_total{proxy="none",status="4xx"} 1',
      'millrace_gateway_errors_total{error="quota_exceeded"} 3',
      'millrace_gateway_request_bytes_total 50',
      'millrace_gateway_request_duration_seconds_bucket{le="0.0025"} 5',
      'millrace_gateway_request_duration_seconds_bucket{le="0.001"} 0',
      'millrace_gateway_own_duration_seconds_count 5',
      'millrace_gateway_connections 3',
      'millrace_gateway_usage_batches 1',
      'millrace_gateway_ready 1',
    ]) {
      assert(lines.has(line), line);
    }
    assert.equal((await (await get('/metrics')).text()).match(/requests_total\{/g)?.length, 3);
  });

  test('proxies beyond a limit are counted together', async () => {
    const { record } = await start();
    for (let index = 0; index < 2_000; index += 1) record({ ...request, proxyId: `prx_${index}` });
    const text = await (await get('/metrics')).text();
    assert((text.match(/requests_total\{/g)?.length ?? 0) <= 501);
    assert.match(text, /requests_total\{proxy="other",status="4xx"\} 1500/);
  });

  test('a line of the access log describes the request', async () => {
    let text = '';
    const { record } = await start({
      accessLog: {
        maxBytes: 4_096,
        async write(bytes) {
          text += bytes;
        },
      },
    });
    for (let index = 0; index < 300; index += 1) record({ ...request, retries: index });
    await observation?.stop();
    observation = null;
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 300);
    const { startedAtMs, grpcStatus, ...fields } = request;
    assert.deepEqual(JSON.parse(lines[7]!), {
      time: '2026-01-15T09:00:00.000Z',
      type: 'access',
      ...fields,
      retries: 7,
    });
    assert.equal(startedAtMs, Date.parse(JSON.parse(lines[0]!).time));
  });

  test('lines of other routes, apps and outcomes keep apart', async () => {
    let text = '';
    const { record } = await start({
      accessLog: {
        maxBytes: 4_096,
        async write(bytes) {
          text += bytes;
        },
      },
    });
    const requests: RequestRecord[] = [];
    for (let index = 0; index < 200; index += 1) {
      requests.push({
        ...request,
        startedAtMs: request.startedAtMs + (index >> 3),
        method: index % 13 === 0 ? 'M\u00e9"' : 'GET',
        path: index % 7 === 0 ? `/${'\u0001\\\u20ac'.repeat(1_000)}` : `/${index}`,
        routeId: `rte_${index % 3}`,
        deploymentId: `dep_${index % 5}`,
        revision: index % 4,
        appId: index % 2 === 0 ? `app_${index % 6}` : null,
        productId: index % 5 === 0 ? null : `prd_${index % 11}`,
        termId: index % 8 === 0 ? `trm_${index}` : null,
        grpcStatus: index % 9 === 0 ? index : null,
        status: index % 2 === 0 ? 200 : 429,
        error: index % 2 === 0 ? null : 'quota_exceeded',
        refused: index % 4 === 1,
        limited: index % 2 === 1,
        unitsState: (['uncounted', 'counted', 'missing', 'unreadable'] as const)[index % 4]!,
        microUnits: index * 1e9,
        latencyUs: index * 1e6,
        target: index % 3 === 0 ? null : '[2001:db8::1]:8080',
      });
    }
    for (const one of requests) record(one);
    await observation?.stop();
    observation = null;
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, requests.length);
    for (const [index, one] of requests.entries()) {
      const { startedAtMs, grpcStatus, ...fields } = one;
      assert.deepEqual(JSON.parse(lines[index]!), {
        time: new Date(startedAtMs).toISOString(),
        type: 'access',
        ...fields,
        ...(grpcStatus === null ? {} : { grpcStatus }),
      });
    }
  });

  test('a pipe that is full delays lines, in their order', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-access-'));
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    // Open for both, it has a reader that does not read yet.
    const both = openSync(path, 'r+');
    const { record } = await start({ accessLog: sinkOf(both) });
    for (let index = 0; index < 500; index += 1) record({ ...request, retries: index });
    await setTimeout(20);
    for (let index = 500; index < 1_000; index += 1) record({ ...request, retries: index });
    const reader = spawn('head', ['-n', '1000', path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    reader.stdout.on('data', (data) => {
      text += data;
    });
    await once(reader, 'close');
    const retries = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).retries);
    assert.deepEqual(
      retries,
      Array.from({ length: 1_000 }, (_, index) => index),
    );
    await observation?.stop();
    observation = null;
    closeSync(both);
    rmSync(folder, { recursive: true });
  });

  test('the access log can go to a pipe, and a lost reader is not a failure', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-access-'));
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(reader, 'exit');
    const file = openSync(path, 'w');
    let text = '';
    reader.stdout.on('data', (data) => {
      text += data;
    });
    const { record } = await start({ accessLog: sinkOf(file) });
    for (let index = 0; index < 1_000; index += 1) record(request);
    while (text.split('\n').length <= 1_000) await setTimeout(2);
    assert.equal(JSON.parse(text.split('\n')[999]!).requestId, 'req_1');
    reader.kill('SIGKILL');
    await exited;
    for (let index = 0; index < 100; index += 1) record(request);
    while (!/access_log_dropped_total 100\b/.test(await (await get('/metrics')).text())) await setTimeout(2);
    await observation?.stop();
    observation = null;
    closeSync(file);
    rmSync(folder, { recursive: true });
  });

  test('an access log without a reader neither blocks nor grows', async () => {
    const taken: Buffer[] = [];
    let isRead = false;
    const { record } = await start({
      accessLog: {
        maxBytes: 4_096,
        async write(bytes) {
          while (!isRead) await setTimeout(1);
          assert(bytes.length <= 4_096);
          taken.push(Buffer.from(bytes));
        },
      },
    });
    for (let index = 0; index < 20_000; index += 1) record(request);
    const text = await (await get('/metrics')).text();
    const dropped = Number(/access_log_dropped_total (\d+)/.exec(text)?.[1]);
    assert(dropped > 10_000 && dropped < 20_000, `${dropped}`);
    isRead = true;
    while (taken.reduce((sum, { length }) => sum + length, 0) < 1_000_000) await setTimeout(1);
    await setTimeout(10);
    record(request);
    await observation?.stop();
    observation = null;
    const lines = Buffer.concat(taken).toString().trimEnd().split('\n');
    assert.equal(lines.length, 20_000 - dropped + 2);
    assert.equal(JSON.parse(lines.at(-2)!).dropped, dropped);
  });

  describe('traces', () => {
    let collector: TestCollector;
    before(async () => {
      collector = await startTestCollector();
    });
    after(() => collector.stop());
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const begin = (headers: HeaderList, isTrusted: boolean) =>
      observation!.traces!.begin({ connection: { isTrusted }, request: { method: 'POST', headers } });
    const partsOf = (headers: HeaderList) => {
      const text = headers.get('traceparent') ?? '';
      const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/.exec(text) ?? [];
      assert(traceId !== undefined && spanId !== undefined && flags !== undefined, text);
      return { traceId, spanId, flags };
    };
    const startTraces = (percent: number, believesCallers = false) =>
      start({ traces: { endpoint: collector.endpoint, percent, believesCallers } });

    test('the trace of a trusted proxy continues to the target and the collector', async () => {
      await startTraces(0);
      const headers = new HeaderList(['Traceparent', traceparent, 'Tracestate', 'a=b']);
      const traced = begin(headers, true);
      const { traceId, spanId, flags } = partsOf(headers);
      assert.equal(traceId, '0af7651916cd43dd8448eb211c80319c');
      assert.equal(flags, '01');
      assert.equal(headers.get('tracestate'), 'a=b');
      traced.end({ ...request, status: 200, error: null, target: '10.0.0.7:8080' });
      await observation?.stop();
      observation = null;
      const call = collector.spans.find((span) => span.spanId === spanId);
      const server = collector.spans.find((span) => span.spanId === call?.parentSpanId);
      assert.equal(server?.parentSpanId, 'b7ad6b7169203331');
      assert.equal(server?.traceId, traceId);
      assert.equal(server?.attributes['millrace.request.id'], 'req_1');
      assert.equal(server?.attributes['http.response.status_code'], 200);
    });

    test('a request through the gateway reaches its target, and the collector, in one trace', async () => {
      await startTraces(100);
      const seen: string[] = [];
      const target = createServer((incoming, response) => {
        seen.push(String(incoming.headers.traceparent));
        response.end('done');
      });
      target.listen(0, '127.0.0.1');
      await once(target, 'listening');
      const gateway = await startTestGateway({
        deployments: [{ content: testContent('echo', { basePath: '/echo' }) }],
        targets: { backend: `http://127.0.0.1:${(target.address() as AddressInfo).port}` },
        gateway: { trace: (exchange) => observation!.traces!.begin(exchange) },
      });
      try {
        await (await fetch(`${gateway.url}/echo/a`, { headers: { traceparent } })).text();
        await (await fetch(`${gateway.url}/nowhere`)).text();
      } finally {
        await gateway.stop();
        target.closeAllConnections();
        target.close();
      }
      await observation?.stop();
      observation = null;
      const [version, traceId, spanId, flags] = (seen[0] ?? '').split('-');
      assert.deepEqual([seen.length, version, flags], [1, '00', '01']);
      assert(!traceparent.includes(traceId!));
      const { spans } = collector;
      const names = spans.filter((span) => span.traceId === traceId).map(({ kind }) => kind);
      assert.deepEqual(names.sort(), [2, 3], 'a span of a server, one of a client');
      assert(spans.some((span) => span.spanId === spanId));
      const isUnmatched = ({ attributes }: ReceivedSpan) => attributes['http.response.status_code'] === 404;
      assert(spans.some((span) => isUnmatched(span) && span.parentSpanId === undefined));
    });

    test('other traces are only trusted if the setting says so', async () => {
      await startTraces(0);
      const headers = new HeaderList(['traceparent', traceparent, 'tracestate', 'a=b']);
      const sent = collector.spans.length;
      begin(headers, false).end(request);
      const { traceId, flags } = partsOf(headers);
      assert.notEqual(traceId, '0af7651916cd43dd8448eb211c80319c');
      assert.equal(flags, '00');
      assert.equal(headers.get('tracestate'), null);
      await observation?.stop();
      assert.equal(collector.spans.length, sent);
      await startTraces(0, true);
      const believed = new HeaderList(['traceparent', traceparent]);
      begin(believed, false).end(request);
      assert.equal(partsOf(believed).traceId, '0af7651916cd43dd8448eb211c80319c');
    });

    test('an invalid traceparent starts a new trace, by the ratio', async () => {
      await startTraces(100);
      for (const wrong of [
        '',
        'x',
        `${traceparent}-more`,
        traceparent.replace('00-', 'ff-'),
        `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      ]) {
        const headers = new HeaderList(['traceparent', wrong]);
        begin(headers, true).end(request);
        const { traceId, flags } = partsOf(headers);
        assert(!wrong.includes(traceId), wrong);
        assert.equal(flags, '01');
      }
    });
  });
});
