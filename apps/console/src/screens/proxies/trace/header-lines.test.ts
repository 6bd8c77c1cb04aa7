import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headersOf } from './header-lines.ts';

test('reads one header per line and keeps the colons of values', () => {
  assert.deepEqual(headersOf('Accept: application/json\n\n x-time:12:30:00 \nempty:'), [
    { name: 'Accept', value: 'application/json' },
    { name: 'x-time', value: '12:30:00' },
    { name: 'empty', value: '' },
  ]);
  assert.deepEqual(headersOf(''), []);
});

test('returns the number of a line that is not a header', () => {
  assert.deepEqual(headersOf('accept: text/plain\nno header'), { wrongLine: 2 });
  assert.deepEqual(headersOf(': value'), { wrongLine: 1 });
});
