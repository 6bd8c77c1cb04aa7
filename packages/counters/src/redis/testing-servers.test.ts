import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { withoutRedis } from '../testing.ts';
import { clusterPortDistance, freePort, openTestServers } from './testing-servers.ts';

describe('Redis servers of tests', { skip: withoutRedis }, () => {
  it('end, though one of them never started', async () => {
    const servers = openTestServers();
    await assert.rejects(servers.start('--no-such-setting', 'yes'), /No Redis server started/);
    const running = await servers.start();
    await servers[Symbol.asyncDispose]();
    await assert.rejects(running.command('PING'));
  });

  it('have ports whose second ones are free as well', async (context) => {
    const taken = createServer();
    const random = Math.random;
    const port = await freePort();
    await new Promise<void>((resolve) => taken.listen(port + clusterPortDistance, '127.0.0.1', resolve));
    context.after(() => taken.close());
    // The same port is offered once more, and then another.
    const offers = [(port - 10_000 + 0.5) / 12_000];
    context.mock.method(Math, 'random', () => offers.shift() ?? random());
    const chosen = await freePort();
    assert.equal(offers.length, 0);
    assert.notEqual(chosen, port);
  });
});
