import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { availableInternals, internals } from './internals.ts';
import { loadLlhttp } from './llhttp.ts';
import { PortableReader } from './portable-reader.ts';
import { loadRawStreams } from './sockets.ts';

test('this Node and undici have everything the data plane uses of their internals', async () => {
  assert.deepEqual(internals.missing, []);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  assert.notEqual(internals.handleOf(socket), null);
  socket.destroy();
  server.close();
});

test('public interfaces replace internals that are missing or have changed', () => {
  const closed = () => {
    throw new Error('No such module');
  };
  for (const binding of [undefined, closed, () => ({}), () => ({ WriteWrap: class {}, streamBaseState: [] })]) {
    assert.equal(loadRawStreams(binding), null);
  }
  for (const load of [closed, () => ({}), (name: string) => (name.endsWith('wasm.js') ? new Uint8Array() : {})]) {
    assert.equal(loadLlhttp(load), null);
  }
  const fallback = availableInternals(false, null);
  assert.deepEqual(fallback.missing, ["process.binding('stream_wrap')", 'undici/lib/llhttp']);
  const socket = connect({ host: '127.0.0.1', port: 1 }).on('error', () => {});
  assert.equal(fallback.handleOf(socket), null);
  assert.ok(fallback.newMessageReader('request') instanceof PortableReader);
  socket.destroy();
});
