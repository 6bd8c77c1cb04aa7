import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeCommand, RedisError, type Reply, ReplyReader } from './protocol.ts';

function read(...pieces: readonly string[]): readonly Reply[] {
  const replies: Reply[] = [];
  const reader = new ReplyReader((reply) => replies.push(reply));
  for (const piece of pieces) {
    // As a connection does, which reads into one buffer again and again.
    const lent = Buffer.from(piece, 'latin1');
    reader.read(lent);
    lent.fill(0);
  }
  return replies;
}

describe('replies of Redis', () => {
  const text =
    '+OK\r\n*3\r\n:1\r\n:-42\r\n$6\r\na\r\nb\u00e4!\r\n$-1\r\n*-1\r\n*0\r\n-ERR no\r\n:1000000000000\r\n*1\r\n*1\r\n:7\r\n';
  const replies: readonly Reply[] = [
    'OK',
    [1, -42, 'a\r\nb\u00e4!'],
    null,
    null,
    [],
    new RedisError('ERR no'),
    1_000_000_000_000,
    [[7]],
  ];

  it('are read', () => {
    assert.deepEqual(read(text), replies);
  });

  it('are the same wherever they are cut', () => {
    for (let cut = 1; cut < text.length; cut++) assert.deepEqual(read(text.slice(0, cut), text.slice(cut)), replies);
    assert.deepEqual(read(...text), replies);
  });

  it('are refused where they are none, or too much', () => {
    for (const bad of [
      'HTTP/1.1 200 OK\r\n',
      ':1x\r\n',
      ':1\rx',
      '$9999999\r\n',
      '*99999999\r\n',
      '*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n',
      '%1\r\n',
      `+${'x'.repeat(1_100_000)}`,
    ]) {
      assert.throws(() => read(bad), bad.slice(0, 20));
    }
  });
});

describe('commands to Redis', () => {
  it('tell the length of every argument', () => {
    assert.equal(encodeCommand(['SET', 'a b', 10]), '*3\r\n$3\r\nSET\r\n$3\r\na b\r\n$2\r\n10\r\n');
  });
});
