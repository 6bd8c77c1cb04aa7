import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountMinorOf, decimalOf } from './src/money.ts';

test('an amount is parsed into minor units of its currency', () => {
  assert.equal(amountMinorOf('12.5', 'EUR'), 1_250);
  assert.equal(amountMinorOf('12,50', 'EUR'), 1_250);
  assert.equal(amountMinorOf(' 0.07 ', 'EUR'), 7);
  assert.equal(amountMinorOf('1.15', 'EUR'), 115);
  assert.equal(amountMinorOf('500', 'JPY'), 500);
  assert.equal(amountMinorOf('1.234', 'KWD'), 1_234);
});

test('an invalid amount, or one with too many decimal places, is rejected', () => {
  for (const typed of ['', 'ten', '-5', '1.', '1.005', '1e3', '1 000']) {
    assert.equal(amountMinorOf(typed, 'EUR'), null, typed);
  }
  assert.equal(amountMinorOf('1.5', 'JPY'), null);
});

test('an amount is formatted with its currency’s decimal places', () => {
  assert.equal(decimalOf({ amountMinor: 5, currency: 'EUR' }), '0.05');
  assert.equal(decimalOf({ amountMinor: -1_250, currency: 'EUR' }), '-12.50');
  assert.equal(decimalOf({ amountMinor: 500, currency: 'JPY' }), '500');
});
