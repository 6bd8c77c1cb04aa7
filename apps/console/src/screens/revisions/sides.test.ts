import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparison, workingCopy } from './sides.ts';

test('compares any two sides, the older one first', () => {
  assert.deepEqual(comparison('3', workingCopy), { revision: 3, against: workingCopy });
  assert.deepEqual(comparison(workingCopy, '3'), { revision: 3, against: workingCopy });
  assert.deepEqual(comparison('2', '5'), { revision: 5, against: '2' });
  assert.deepEqual(comparison('5', '2'), { revision: 5, against: '2' });
  assert.deepEqual(comparison('production@4', 'test@7'), { revision: 7, against: '4' });
});

test('does not compare a side with itself', () => {
  assert.equal(comparison('4', 'production@4'), null);
  assert.equal(comparison(workingCopy, workingCopy), null);
});
