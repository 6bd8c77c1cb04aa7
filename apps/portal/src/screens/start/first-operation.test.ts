import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstOperation, withKey } from './first-operation.ts';

const operation = (id: string, method: string, path: string, deprecated = false) => ({
  id,
  method,
  path,
  summary: id,
  deprecated,
});
const groups = (...operations: readonly ReturnType<typeof operation>[]) => [{ operations }];

test('the first call is the first operation that needs nothing in its path', () => {
  const list = operation('list', 'GET', '/orders');
  assert.equal(firstOperation(groups(operation('get', 'GET', '/orders/{id}'), list))?.id, 'list');
  assert.equal(firstOperation(groups(operation('extract', 'POST', '/extract'), list))?.id, 'extract');
  assert.equal(firstOperation(groups(operation('old', 'GET', '/old', true), list))?.id, 'list');
  assert.equal(firstOperation(groups(operation('clear', 'DELETE', '/orders'), list))?.id, 'list');
});

test('without such an operation, the first call is the first at all', () => {
  assert.equal(firstOperation(groups(operation('get', 'GET', '/orders/{id}')))?.id, 'get');
  assert.equal(firstOperation([]), null);
});

test('a key takes the place of every placeholder, also one that means something in a pattern', () => {
  assert.equal(withKey('x-api-key: YOUR_API_KEY', '$&'), 'x-api-key: $&');
});
