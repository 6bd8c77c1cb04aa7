import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import { WebSocket, WebSocketServer } from 'ws';
import { startTestGateway, type TestGateway, testCaller, testContent } from '../testing.ts';

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
const proxyId = 'prx_live';

describe('in-flight requests of a caller by key', () => {
  const held = new Map<string, ServerResponse>();
  const target = createServer((request, response) => {
    if (request.url === '/events')
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
    else held.set(request.url!, response);
  });
  const sockets = new WebSocketServer({ server: target });
  let closedAtTarget = 0;
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => socket.send(data));
    socket.on('close', () => closedAtTarget++);
  });
  let gateway: TestGateway;

  before(async () => {
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    gateway = await startTestGateway({
      deployments: [{ proxyId, content: testContent('live', { policies: [{ kind: 'verify-api-key' }] }) }],
      targets: { backend: `http://127.0.0.1:${(target.address() as AddressInfo).port}` },
    });
  });
  after(async () => {
    await gateway.stop();
    sockets.close();
    target.close();
    target.closeAllConnections();
  });
  beforeEach(() => {
    gateway.change([...testCaller('one', hashOf('one'), [proxyId]), ...testCaller('two', hashOf('two'), [proxyId])]);
    closedAtTarget = 0;
    held.clear();
  });

  const headers = (key: string) => ({ 'x-api-key': key });
  async function openSocket(key: string): Promise<WebSocket> {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/live/socket`, { headers: headers(key) });
    socket.on('error', () => {});
    await once(socket, 'open');
    return socket;
  }
  async function openEvents(key: string) {
    const answer = await fetch(`${gateway.url}/v1/live/events`, { headers: headers(key) });
    const reader = answer.body!.getReader();
    await reader.read();
    return reader;
  }
  /** The status of an answer that the target gives later, and its error. */
  async function ask(key: string, path: string) {
    const answering = fetch(`${gateway.url}/v1/live${path}`, { headers: headers(key) });
    while (!held.has(path)) await wait(5);
    return answering.then(async (answer) => {
      const body = await answer.text();
      return [answer.status, body.startsWith('{') ? JSON.parse(body).data.error : body];
    });
  }
  async function assertLives(socket: WebSocket): Promise<void> {
    socket.send('still');
    const [echo] = await once(socket, 'message');
    assert.equal(String(echo), 'still');
  }

  test('are cut off soon after a revocation, at both ends, and nobody else’s', async () => {
    const [cut, kept] = [await openSocket('one'), await openSocket('two')];
    const [cutEvents, keptEvents] = [await openEvents('one'), await openEvents('two')];
    const [waiting, short] = [ask('one', '/waits'), ask('one', '/short')];
    while (held.size < 2) await wait(5);
    const beganMs = performance.now();
    gateway.change([{ kind: 'credential', id: 'crd_one', value: null }]);
    held.get('/short')!.end('well');
    assert.deepEqual(await short, [200, 'well'], 'has a while to end');
    await Promise.all([once(cut, 'close'), assert.rejects(cutEvents.read())]);
    assert.deepEqual(await waiting, [401, 'key_invalid']);
    const tookMs = performance.now() - beganMs;
    assert.ok(tookMs > 300 && tookMs < 30_000, `${tookMs} ms`);
    while (closedAtTarget < 1) await wait(5);
    await assertLives(kept);
    kept.close();
    await keptEvents.cancel();
    await once(kept, 'close');
    while (gateway.gateway.stats().inFlight > 0) await wait(5);
    const outcomes = gateway.records.map(({ status, error }) => `${status} ${error}`).sort();
    assert.deepEqual(outcomes, [
      '101 key_invalid',
      '101 null',
      '200 key_invalid',
      '200 null',
      '401 key_invalid',
      '499 null',
    ]);
  });

  test('are cut off whatever removes the access, and when the key expires', async () => {
    const soonMs = Date.now() + 800;
    const another = { keyHash: hashOf('another') };
    const cases: readonly [kind: ConsumerChange['kind'], value: object | null][] = [
      ['developer', { active: false }],
      ['app', { active: false }],
      ['product', { active: false }],
      ['product', { proxies: [] }],
      ['subscription', null],
      ['credential', another],
      ['credential', { expiresAtMs: soonMs }],
      ['credential', { ...another, previousKeyHash: hashOf('7'), previousValidUntilMs: soonMs }],
    ];
    const callers = cases.map((_, index) => testCaller(`${index}`, hashOf(`${index}`), [proxyId]));
    gateway.change(callers.flat());
    const cut = await Promise.all(cases.map((_, index) => openSocket(`${index}`)));
    const kept = await openSocket('two');
    const closed = cut.map((socket) => once(socket, 'close'));
    gateway.change(
      cases.map(([kind, value], index) => {
        const change = callers[index]!.find((change) => change.kind === kind)!;
        return { ...change, value: value && { ...change.value, ...value } } as ConsumerChange;
      }),
    );
    await Promise.all(closed);
    await assertLives(kept);
    kept.terminate();
  });

  test('continue through a change that doesn’t affect them', async () => {
    const socket = await openSocket('one');
    gateway.change([
      { kind: 'credential', id: 'crd_two', value: null },
      ...testCaller('three', hashOf('three'), [proxyId]),
    ]);
    const other = await openSocket('three');
    gateway.change([{ kind: 'credential', id: 'crd_three', value: null }]);
    await once(other, 'close');
    await assertLives(socket);
    socket.terminate();
  });
});
