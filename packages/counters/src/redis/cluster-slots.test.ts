import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRedirection, readSlots, slotOf } from './cluster-slots.ts';
import { RedisError } from './protocol.ts';

const asked = { path: null, host: '10.0.0.1', port: 7000 };

describe('slots of a Redis Cluster', () => {
  it('are those of the specification', () => {
    // Its reference value of CRC-16/XMODEM is 0x31c3.
    assert.equal(slotOf('123456789'), 0x31c3 % 16_384);
    assert.equal(slotOf('foo'), 12_182);
    assert.equal(slotOf(''), 0);
  });

  it('are read with the host that was asked where a server leaves its own out', () => {
    const reply = [
      [0, 5460, ['10.0.0.2', 7001, 'id', ['hostname', 'redis-2']], ['10.0.0.3', 7002, 'id', []]],
      [5461, 16_383, [null, 7003, 'id', []]],
    ];
    assert.deepEqual(readSlots(reply, asked), [
      { first: 0, last: 5460, server: { path: null, host: '10.0.0.2', port: 7001 } },
      { first: 5461, last: 16_383, server: { path: null, host: '10.0.0.1', port: 7003 } },
    ]);
    for (const other of ['OK', [1], [[0, 1]], [[0, 1, ['host', 'port']]], new RedisError('ERR'), null]) {
      assert.throws(() => readSlots(other, asked), /not a server of a Redis Cluster/);
    }
  });

  it('are where a refusal points', () => {
    const server = { path: null, host: 'redis-2', port: 7001 };
    assert.deepEqual(readRedirection('MOVED 3999 redis-2:7001', asked), { isMoved: true, slot: 3999, server });
    assert.deepEqual(readRedirection('ASK 3999 ::1:7001', asked), {
      isMoved: false,
      slot: 3999,
      server: { ...server, host: '::1' },
    });
    assert.equal(readRedirection('MOVED 3999 :7001', asked)?.server.host, '10.0.0.1');
    assert.equal(readRedirection('CLUSTERDOWN The cluster is down', asked), null);
  });
});
