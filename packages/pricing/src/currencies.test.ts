import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CurrencyCode, currencyCodes, formatMinor, minorUnitOf, toMajor, toMinor } from './currencies.ts';

describe('currencies', () => {
  it('are the codes of ISO 4217 that the runtime knows, each once', () => {
    assert.equal(new Set(currencyCodes).size, currencyCodes.length);
    const known = new Set(Intl.supportedValuesOf('currency'));
    assert.deepEqual(
      currencyCodes.filter((code) => !known.has(code)),
      [],
    );
    for (const code of ['EUR', 'USD', 'JPY', 'BHD']) assert(CurrencyCode.safeParse(code).success);
    for (const code of ['eur', 'XXX', 'XAU', 'CLF', '', 'EURO']) assert(!CurrencyCode.safeParse(code).success, code);
    assert.deepEqual(['EUR', 'JPY', 'KWD'].map(minorUnitOf), [2, 0, 3]);
  });

  it('round half away from zero to their minor unit', () => {
    assert.deepEqual(
      ['1.005', '1.0049', '-1.005', '0.004', '-0.004', '90071992547409.91'].map((amount) => toMinor(amount, 'EUR')),
      [101, 100, -101, 0, 0, Number.MAX_SAFE_INTEGER],
    );
    assert.equal(toMinor('0.5', 'JPY'), 1);
    assert.equal(toMinor('0.0005', 'KWD'), 1);
    assert.throws(() => toMinor('90071992547409.92', 'EUR'), /too large to be calculated exactly/);
    assert.throws(() => toMinor('1', 'XXX'), /XXX is not a currency/);
  });

  it('convert back to the same amount', () => {
    for (const amount of [0, 1, -1, 99, 100, 123_456, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]) {
      for (const currency of ['EUR', 'JPY', 'KWD']) assert.equal(toMinor(toMajor(amount, currency), currency), amount);
    }
    assert.deepEqual([toMajor(-5, 'EUR'), toMajor(5, 'JPY'), toMajor(5, 'KWD')], ['-0.05', '5', '0.005']);
  });

  it('are written in the notation of a language', () => {
    assert.equal(formatMinor(369, 'EUR', 'en'), '€3.69');
    assert.equal(formatMinor(-123_456, 'EUR', 'de'), '-1.234,56\u00a0€');
    assert.equal(formatMinor(1_000, 'JPY', 'en'), '¥1,000');
    assert.equal(formatMinor(1_234, 'KWD', 'en'), 'KWD\u00a01.234');
    assert.equal(formatMinor(Number.MAX_SAFE_INTEGER, 'USD', 'en'), '$90,071,992,547,409.91');
  });
});
