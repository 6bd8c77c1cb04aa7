import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { internals } from '../node-internals/internals.ts';
import { HeadWriter } from './head-writer.ts';
import { Outlet } from './outlet.ts';
import { takeBuffer } from './workspaces.ts';

/** Both ends of so many connections. */
async function connections(t: TestContext, count: number): Promise<(readonly [Socket, Socket])[]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ends: (readonly [Socket, Socket])[] = [];
  t.after(() => {
    for (const sockets of ends) for (const socket of sockets) socket.destroy();
    server.close();
  });
  for (let index = 0; index < count; index++) {
    const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [[accepted]] = await Promise.all([once(server, 'connection'), once(reader, 'connect')]);
    ends.push([accepted, reader]);
  }
  return ends;
}

test('buffered writes keep their order, whatever else is sent', async (t) => {
  const ends = await connections(t, 90);
  const received = ends.map(() => '');
  const outlets = ends.map(([socket, reader], index) => {
    reader.setEncoding('latin1').on('data', (text: string) => (received[index] += text));
    return new Outlet(socket, internals, () => {});
  });
  const expected = ends.map(() => '');
  let writer = new HeadWriter(takeBuffer());
  const send = (index: number, text: string, how: 'held' | 'at once') => {
    expected[index] += text;
    const outlet = outlets[index]!;
    if (how === 'held') {
      writer.text(text);
      writer = outlet.sendWritten(writer);
      assert.equal(writer.length, 0);
      assert.equal(outlet.isFlushed, text.length > 4_096);
    } else {
      outlet.send(Buffer.from(text), 0, text.length);
      assert.ok(outlet.isFlushed);
    }
  };
  for (let turn = 0; turn < 3; turn++) {
    // Of some, more than can be held; of some, what goes at once behind it. More connections than hold something at once.
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < outlets.length; index++) {
        const letter = String.fromCharCode(97 + ((turn + round + index) % 26));
        if (index % 3 === 0 && round === 2) send(index, letter.repeat(5_000), 'at once');
        else if (index % 7 === 0 && round === 1) send(index, letter.repeat(9_000), 'held');
        else send(index, letter.repeat(1_500), 'held');
      }
      // One that speaks again and again within the turn.
      for (let again = 0; again < 20; again++) {
        send(5, 'z'.repeat(1_000), 'held');
        outlets[5]!.flush();
      }
    }
    send(0, 'the end of the turn', 'held');
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(outlets.every(({ isFlushed }) => isFlushed));
  }
  const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);
  await eventually('all bytes', () => lengthOf(received) >= lengthOf(expected));
  assert.deepEqual(received, expected);
  for (const [index, outlet] of outlets.entries()) assert.equal(outlet.written, expected[index]!.length);
});

test('memory with several pending parts is released once', async (t) => {
  const [[socket, reader]] = (await connections(t, 1)) as [[Socket, Socket]];
  const drained = Promise.withResolvers<void>();
  const outlet = new Outlet(socket, internals, drained.resolve);
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
});
