import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { textOf, valueFrom } from './value-text.ts';

describe('values as they are typed', () => {
  const numbers: readonly (readonly [string, number])[] = [
    ['1428', 1428],
    ['1428.5', 1428.5],
    ['1428,50', 1428.5],
    ['1.428,50', 1428.5],
    ['1,428.50', 1428.5],
    ['1,428', 1428],
    ['1.428', 1.428],
    ['1.234.567', 1_234_567],
    ['12’345.60', 12_345.6],
    ['1 428,50', 1428.5],
    ['-12,5', -12.5],
    ['€ 1,428.50', 1428.5],
  ];
  for (const [typed, expected] of numbers) {
    test(`${typed} is ${expected}`, () => assert.equal(valueFrom(typed, 'amount', undefined), expected));
  }

  test('what is no number stays as it is', () => {
    assert.equal(valueFrom('about 12', 'amount', undefined), 'about 12');
    assert.equal(valueFrom('INV-0042', 'identifier', undefined), 'INV-0042');
    assert.equal(valueFrom('0042', 'identifier', undefined), '0042');
  });

  test('nothing removes the value', () => assert.equal(valueFrom('  ', 'date', '2026-03-14'), null));

  test('a list is edited line by line, an object as JSON', () => {
    assert.equal(textOf(['TypeScript', 'SQL'], 'text'), 'TypeScript\nSQL');
    assert.deepEqual(valueFrom('TypeScript\n\nSQL \n', 'text', ['SQL']), ['TypeScript', 'SQL']);
    const rates = [{ rate: 19, amount: 228 }];
    assert.deepEqual(valueFrom(textOf(rates, 'text'), 'text', rates), rates);
    assert.equal(valueFrom('[{', 'text', rates), '[{');
  });

  test('an amount is shown with its cents, and with more digits where it has them', () => {
    assert.equal(textOf(1428, 'amount'), '1428.00');
    assert.equal(textOf(1428.5, 'amount'), '1428.50');
    assert.equal(textOf(0.0325, 'amount'), '0.0325');
    assert.equal(textOf(3, 'number'), '3');
  });
});
