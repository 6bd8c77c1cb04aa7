import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeaderList } from './header-list.ts';

/** Received fields, without anything between names and values. */
function received(...fields: string[]): HeaderList {
  const spans: number[] = [];
  let at = 0;
  for (let index = 0; index < fields.length; index += 2) {
    const nameEnd = at + fields[index]!.length;
    const valueEnd = nameEnd + fields[index + 1]!.length;
    spans.push(at, nameEnd, nameEnd, valueEnd, 0);
    at = valueEnd;
  }
  const bytes = Buffer.from(fields.join(''), 'latin1');
  return HeaderList.over({ bytes, spans: Int32Array.from(spans), count: fields.length / 2 });
}

test('finds a field, and whether it occurs more than once, in received and added fields', () => {
  const found = (headers: HeaderList) => {
    const place = headers.bytesOf('key');
    assert.equal(place?.isRepeated ?? false, headers.isRepeated('key'));
    return place && [place.bytes.toString('latin1', place.start, place.end), place.isRepeated];
  };
  assert.equal(found(received('Host', 'a', 'Kex', 'b')), null);
  assert.deepEqual(found(received('Host', 'a', 'KEY', 'b', 'Accept', 'c')), ['b', false]);
  assert.deepEqual(found(received('Key', 'b', 'Accept', 'c', 'kEY', 'd')), ['b', true]);
  const both = received('Key', 'b');
  both.append('KEY', 'é');
  assert.deepEqual(found(both), ['b', true]);
  const removed = received('Key', 'b', 'key', 'c');
  removed.set('Key', 'é');
  assert.deepEqual(found(removed), ['é', false]);
  removed.append('key', 'e');
  assert.deepEqual(found(removed), ['é', true]);
  removed.remove('key');
  assert.equal(found(removed), null);
});

test('removes what a target could treat as the same field', () => {
  for (const twin of ['x-internal', 'X_Internal', 'x.INTERNAL', 'X~internal']) {
    for (const headers of [received(twin, 'a', 'X-Internals', 'b'), new HeaderList([twin, 'a', 'X-Internals', 'b'])]) {
      headers.remove('x-internal');
      assert.deepEqual(headers.fields, ['X-Internals', 'b'], twin);
      headers.append(twin, 'c');
      headers.set('X-Internal', 'd');
      assert.deepEqual(headers.fields, ['X-Internals', 'b', 'X-Internal', 'd'], twin);
    }
  }
  const other = received('xainternal', 'a', 'x-internal-id', 'b');
  other.remove('x-internal');
  assert.equal(other.fields.length, 4);
});
