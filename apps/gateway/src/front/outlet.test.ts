import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Outlet } from './outlet.ts';
import { takeBuffer } from './workspaces.ts';

test('memory of which several parts wait is given back once', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[accepted]] = await Promise.all([once(server, 'connection'), once(reader, 'connect')]);
  const socket: Socket = accepted;
  const drained = Promise.withResolvers<void>();
  const outlet = new Outlet(socket, drained.resolve);
  // Until the system takes no more.
  const filling = Buffer.alloc(1_000_000);
  while (outlet.isFlushed) outlet.send(filling, 0, filling.length);
  const [owner, other] = [takeBuffer(), takeBuffer()];
  assert.ok(outlet.send(owner, 0, 20_000));
  assert.ok(outlet.send(other, 0, 20_000));
  assert.ok(outlet.send(owner, 20_000, 40_000));
  assert.ok(outlet.isFull);
  reader.resume();
  await drained.promise;
  assert.ok(outlet.isFlushed);
  const taken = Array.from({ length: 300 }, () => takeBuffer());
  assert.equal(new Set(taken).size, taken.length);
  socket.destroy();
  reader.destroy();
  server.close();
});
