import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Port, type PortOptions } from './port.ts';

const host = '127.0.0.1';
const alone = (port = 0): PortOptions => ({ host, port, sharesPort: false });
const shared = (port = 0): PortOptions => ({ host, port, sharesPort: true });
const taken = { code: 'EADDRINUSE' };
const reason =
  process.platform === 'linux' ? false : 'a port has one queue there, which only ever belongs to one program';

function newPort() {
  const accepted: Socket[] = [];
  const port = new Port((socket) => accepted.push(socket.resume().end()), true);
  return { port, accepted };
}

/** Callers whom the system lets in while nobody accepts them. */
async function call(port: number, count: number): Promise<Socket[]> {
  const callers = Array.from({ length: count }, () => connect({ host, port }));
  // They connect in this turn, and in the pause the system has time for it.
  await setImmediate();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  return callers;
}

describe('a port', { skip: reason }, () => {
  test('accepts many simultaneous connections within a few turns', async () => {
    const { port, accepted } = newPort();
    const callers = await call(await port.open(alone()), 64);
    let turns = 0;
    for (; accepted.length < callers.length && turns < 1_000; turns++) await setImmediate();
    for (const socket of [...callers, ...accepted]) socket.destroy();
    await port.close();
    // Its queues are filled by chance: that one of 16 has more than 20 of 64 is one case of billions.
    assert.ok(turns <= 25, `${turns} turns`);
  });

  test('accepts everyone waiting in its queues before it is closed', async () => {
    const { port, accepted } = newPort();
    const callers = await call(await port.open(alone()), 64);
    const closing = port.close();
    // Where one is reset, this is refused.
    await Promise.all(callers.map((caller) => once(caller.resume(), 'end')));
    await closing;
    assert.equal(accepted.length, 64);
  });

  test('belongs to one gateway, whether another would share it or not', async () => {
    const { port } = newPort();
    const number = await port.open(alone());
    for (const options of [alone(number), shared(number)]) await assert.rejects(newPort().port.open(options), taken);
    await port.close();
    const after = newPort();
    assert.equal(await after.port.open(alone(number)), number);
    for (const options of [alone(number), shared(number)]) await assert.rejects(newPort().port.open(options), taken);
    await after.port.close();
  });

  test('belongs to everyone sharing it, and nobody else', async () => {
    const [first, second] = [newPort().port, newPort().port];
    const number = await first.open(shared());
    assert.equal(await second.open(shared(number)), number);
    await first.close();
    await assert.rejects(newPort().port.open(alone(number)), taken);
    await second.close();
    const last = newPort().port;
    assert.equal(await last.open(alone(number)), number);
    await last.close();
  });

  test('of another program is left alone, even if that would share it', async () => {
    for (const reusePort of [false, true]) {
      const other = createServer().listen({ host, port: 0, reusePort });
      await once(other, 'listening');
      const { port: number } = other.address() as AddressInfo;
      await assert.rejects(newPort().port.open(alone(number)), taken);
      other.close();
      await once(other, 'close');
      const { port } = newPort();
      assert.equal(await port.open(alone(number)), number);
      await port.close();
    }
  });
});
