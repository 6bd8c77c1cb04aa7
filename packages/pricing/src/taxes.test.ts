import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { taxTotals } from './taxes.ts';

describe('tax totals', () => {
  it('are calculated on the sum of the lines of a category and rate', () => {
    const cents = Array.from({ length: 81 }, () => ({ amountMinor: 1, taxCategory: 'S' as const, taxRate: '19' }));
    assert.deepEqual(taxTotals(cents), [{ category: 'S', rate: '19', basisMinor: 81, taxMinor: 15 }]);
    assert.deepEqual(
      taxTotals([
        { amountMinor: 1_000, taxCategory: 'S', taxRate: '19' },
        { amountMinor: 500, taxCategory: 'AE', taxRate: '0' },
        { amountMinor: -50, taxCategory: 'S', taxRate: '7.70' },
        { amountMinor: 2_000, taxCategory: 'S', taxRate: '19.0' },
        { amountMinor: 100, taxCategory: 'S', taxRate: '7.7' },
      ]),
      [
        { category: 'S', rate: '19', basisMinor: 3_000, taxMinor: 570 },
        { category: 'AE', rate: '0', basisMinor: 500, taxMinor: 0 },
        { category: 'S', rate: '7.7', basisMinor: 50, taxMinor: 4 },
      ],
    );
    assert.deepEqual(taxTotals([]), []);
  });

  it('round half away from zero', () => {
    const taxOf = (amountMinor: number) => taxTotals([{ amountMinor, taxCategory: 'S', taxRate: '10' }])[0]?.taxMinor;
    assert.deepEqual([5, 4, -5, -4].map(taxOf), [1, 0, -1, 0]);
  });

  it('reject a rate in a category without tax, and a rate that is none', () => {
    assert.throws(() => taxTotals([{ amountMinor: 1, taxCategory: 'AE', taxRate: '19' }]), /AE has the rate 0/);
    assert.throws(() => taxTotals([{ amountMinor: 1, taxCategory: 'S', taxRate: '-19' }]), /not a percentage/);
  });
});
