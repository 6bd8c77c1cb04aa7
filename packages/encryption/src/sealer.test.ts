import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSealer } from './sealer.ts';

const key = randomBytes(32);
const other = randomBytes(32);
const plain = Buffer.from('a document');

test('sealed bytes can be opened, and reveal nothing', () => {
  const sealer = createSealer([key], 'blobs');
  const sealed = sealer.seal(plain, 'name');
  assert.deepEqual(sealer.open(sealed, 'name'), plain);
  assert.ok(!sealed.includes(plain));
  assert.equal(sealed.length, plain.length + 36);
  assert.notDeepEqual(sealer.seal(plain, 'name'), sealed);
  assert.deepEqual(sealer.open(sealer.seal(Buffer.alloc(0), 'empty'), 'empty'), Buffer.alloc(0));
});

test('a change of any byte is detected', () => {
  const sealer = createSealer([key], 'blobs');
  const sealed = sealer.seal(plain, 'name');
  for (let position = 0; position < sealed.length; position++) {
    const changed = Buffer.from(sealed);
    changed[position]! ^= 1;
    assert.throws(() => sealer.open(changed, 'name'), { name: 'SealError' }, `byte ${position}`);
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => sealer.open(sealed.subarray(0, length), 'name'), { name: 'SealError' }, `${length} bytes`);
  }
});

test('sealed bytes only open with their own name, purpose and key', () => {
  const sealed = createSealer([key], 'blobs').seal(plain, 'name');
  assert.throws(() => createSealer([key], 'blobs').open(sealed, 'another'), { code: 'tampered' });
  assert.throws(() => createSealer([key], 'secrets').open(sealed, 'name'), { code: 'unknown_key' });
  assert.throws(() => createSealer([other], 'blobs').open(sealed, 'name'), { code: 'unknown_key' });
});

test('after a rotation the old key still opens and the new key seals', () => {
  const old = createSealer([key], 'blobs').seal(plain, 'name');
  const rotated = createSealer([other, key], 'blobs');
  assert.deepEqual(rotated.open(old, 'name'), plain);
  assert.deepEqual(createSealer([other], 'blobs').open(rotated.seal(plain, 'name'), 'name'), plain);
});

test('a key of the wrong length is rejected', () => {
  assert.throws(() => createSealer([randomBytes(16)], 'blobs'), /32 bytes/);
  assert.throws(() => createSealer([], 'blobs'), /key is needed/);
});
