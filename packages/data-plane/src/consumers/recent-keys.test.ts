import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { RecentKeys } from './recent-keys.ts';

test('finds exactly the keys with the same bytes, wherever they are', () => {
  const recent = new RecentKeys<string>();
  const find = (key: string) => {
    const received = Buffer.from(`: ${key}\r\n`, 'latin1');
    return recent.find(received, 2, received.length - 2);
  };
  const keys = new Set(['']);
  // Many that begin or end alike, up to the longest that is kept.
  const beginnings = ['', 'mrk_', 'x'.repeat(30)];
  const ends = ['', '0'.repeat(8), 'y'.repeat(25)];
  for (let made = 0; made < 3_000; made++) {
    keys.add(beginnings[made % 3]! + randomBytes(randomInt(1, 9)).toString('latin1') + ends[randomInt(3)]!);
  }
  for (const key of keys) {
    assert.equal(find(key), null);
    const bytes = Buffer.from(`--${key}-`, 'latin1');
    recent.add(bytes, 2, bytes.length - 1, key);
  }
  assert.equal(recent.size, keys.size);
  for (const key of keys) assert.equal(find(key), key);
  for (const key of keys) assert.equal(find(`${key}z`), keys.has(`${key}z`) ? `${key}z` : null);
});

test('keeps nothing longer than a key', () => {
  const recent = new RecentKeys<number>();
  const long = Buffer.alloc(64, 'a');
  recent.add(long, 0, 64, 1);
  recent.add(long, 0, 63, 2);
  assert.deepEqual([recent.find(long, 0, 64), recent.find(long, 0, 63), recent.size], [null, 2, 1]);
});
