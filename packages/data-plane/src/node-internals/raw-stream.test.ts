import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { rawHandleOf, rawStreams } from './raw-stream.ts';

test('the Node that the project brings has the binding below its streams', async () => {
  assert.notEqual(rawStreams, null);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  assert.notEqual(rawHandleOf(socket), null);
  socket.destroy();
  server.close();
});
