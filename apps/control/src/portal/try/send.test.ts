import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, BlockList, createServer as createTcpServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { inTrace } from '@millrace/traces/context';
import { createOutbound } from '../../frame/outbound.ts';
import { chosenHeaders, keyLocationIn, pathOf, queryOf } from './rules.ts';
import { problemOf, sendToGateway } from './send.ts';

const anywhere = createOutbound({ reachPrivate: true, reachAlso: new BlockList() });
const outside = createOutbound({ reachPrivate: false, reachAlso: new BlockList() });

describe('a request to a gateway', () => {
  let address: string;
  const hosts: string[] = [];
  const traces: unknown[] = [];
  const server = createServer((request, response) => {
    hosts.push(request.headers.host ?? '');
    traces.push(request.headers.traceparent);
    if (request.url === '/silent') return;
    if (request.url === '/slow') {
      response.writeHead(200).write('begun');
      return;
    }
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' }).write('cut', () => response.destroy());
      return;
    }
    response.end('whole');
  });
  /** Answers nothing that is HTTP. */
  const garbage = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
  before(async () => {
    for (const one of [server, garbage]) {
      one.listen(0, '127.0.0.1');
      await once(one, 'listening');
    }
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ignored?path`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
    garbage.close();
  });

  const send = (path: string, options: { readonly hostName?: string; readonly address?: string } = {}) =>
    sendToGateway(
      anywhere,
      {
        address: options.address ?? address,
        hostName: options.hostName ?? null,
        method: 'GET',
        path,
        headers: [],
        body: null,
      },
      300,
    );
  const reasonOf = (sent: Promise<unknown>) => sent.then(() => 'none', problemOf);

  test('is part of the trace of the call that sends it', async () => {
    traces.length = 0;
    const context = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };
    await inTrace(context, () => send('/'));
    await send('/');
    assert.deepEqual(traces, ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined]);
  });

  test('names the environment’s host, at the node’s address', async () => {
    const { bytes, isWhole, status } = await send('/', { hostName: 'api.example.com' });
    assert.deepEqual([status, bytes.toString(), isWhole, hosts.at(-1)], [200, 'whole', true, 'api.example.com']);
  });

  test('ends in time, with what had come', async () => {
    assert.equal(await reasonOf(send('/silent')), 'No response within 0.3 seconds.');
    for (const path of ['/slow', '/cut']) {
      const { bytes, isWhole } = await send(path);
      assert.deepEqual([bytes.toString(), isWhole], [path === '/slow' ? 'begun' : 'cut', false]);
    }
  });

  test('says nothing of the network behind the gateway', async () => {
    const refused = { address, hostName: null, method: 'GET', path: '/', headers: [], body: null };
    assert.match(await reasonOf(sendToGateway(outside, refused)), /can’t be reached from here/);
    const metadata = { ...refused, address: 'http://169.254.169.254' };
    assert.match(await reasonOf(sendToGateway(anywhere, metadata, 300)), /can’t be reached from here/);
    assert.equal(await reasonOf(send('/', { address: 'http://127.0.0.1:9' })), 'The gateway can’t be reached.');
    const other = `http://127.0.0.1:${(garbage.address() as AddressInfo).port}`;
    assert.equal(await reasonOf(send('/', { address: other })), 'The gateway’s response isn’t valid HTTP.');
  });

  test('has a path of the base path and encoded parameters alone', () => {
    const of = (path: string, pathParameters: Record<string, string> = {}) => pathOf('/v1', { path, pathParameters });
    assert.equal(of('/'), '/v1');
    assert.equal(of('/orders/{id}/lines', { id: 'a/b' }), '/v1/orders/a%2Fb/lines');
    assert.throws(() => of('/orders/{id}', { id: '..' }), /Enter another value/);
    assert.throws(() => of('/orders/../{id}', { id: 'a' }), /can’t be called from here/);
    assert.throws(() => of('/orders/{id}', {}), /Enter a value/);
  });

  test('has no header or parameter of the key but the key', () => {
    const query = { in: 'query', name: 'key' } as const;
    assert.equal(
      String(
        queryOf(
          [
            { name: 'key', value: 'x' },
            { name: 'a', value: 'b' },
          ],
          query,
        ),
      ),
      'a=b',
    );
    const header = { in: 'header', name: 'x-key' } as const;
    assert.deepEqual(
      chosenHeaders(
        [
          { name: 'X-Key', value: 'x' },
          { name: 'x', value: 'y' },
        ],
        header,
      ),
      [{ name: 'x', value: 'y' }],
    );
    const configuration = { location: 'query', name: 'key' };
    assert.deepEqual(keyLocationIn([{ kind: 'verify-api-key', enabled: true, configuration }]), query);
    assert.equal(keyLocationIn([{ kind: 'verify-api-key', enabled: false, configuration }]), null);
  });
});
