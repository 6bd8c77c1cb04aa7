import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headersOf } from './header-lines.ts';

test('headers are read a line each, with the colons of their values', () => {
  assert.deepEqual(headersOf('Accept: application/json\n\n x-time:12:30:00 \nempty:'), [
    { name: 'Accept', value: 'application/json' },
    { name: 'x-time', value: '12:30:00' },
    { name: 'empty', value: '' },
  ]);
  assert.deepEqual(headersOf(''), []);
});

test('a line that is no header is told by its number', () => {
  assert.deepEqual(headersOf('accept: text/plain\nno header'), { wrongLine: 2 });
  assert.deepEqual(headersOf(': value'), { wrongLine: 1 });
});
