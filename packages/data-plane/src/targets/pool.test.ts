import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, BlockList, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Deadlines } from '../http/deadlines.ts';
import { defaultLimits } from '../http/limits.ts';
import { internals } from '../node-internals/internals.ts';
import type { TargetConnection } from './connection.ts';
import { ConnectionPool } from './pool.ts';
import { createReach } from './reach.ts';

describe('a pool of connections to a target', () => {
  const deadlines = new Deadlines();
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket.on('error', () => {})));
  let pool: ConnectionPool;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    pool = new ConnectionPool({
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      tls: null,
      reach: createReach({ reachPrivate: true, reachAlso: new BlockList() }),
    });
  });
  after(() => {
    pool.retire();
    for (const socket of accepted) socket.destroy();
    server.close();
    deadlines.stop();
  });

  /** A connection that waits for its next request. */
  async function idle(): Promise<TargetConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<TargetConnection>();
    pool.connect(defaultLimits, deadlines, internals, (connection, error) => {
      if (error === null) resolve(connection);
      else reject(new Error(error));
    });
    const connection = await promise;
    connection.rest();
    return connection;
  }

  it('offers an idle connection again', async () => {
    const connection = await idle();
    assert.equal(pool.take(), connection);
    assert.equal(pool.take(), null);
    connection.destroy();
  });

  it('does not offer one whose time is over, although its socket closes only later in the turn', async () => {
    const connection = await idle();
    connection.onDeadline();
    assert.equal(pool.take(), null);
  });

  it('does not offer one that the target has ended, although its socket closes only later in the turn', async () => {
    const connection = await idle();
    const onEnd = Promise.withResolvers<TargetConnection | null>();
    const destroy = connection.destroy.bind(connection);
    // The pool is asked in the turn in which the connection gives up its socket.
    connection.destroy = () => {
      destroy();
      onEnd.resolve(pool.take());
    };
    accepted.at(-1)!.end();
    assert.equal(await onEnd.promise, null);
  });
});
