import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CreditableLine, type CreditRequest, CreditTooLarge, creditParts } from './credits.ts';
import { taxTotals } from './taxes.ts';
import { Random } from './testing.ts';

interface Invoice {
  readonly lines: readonly CreditableLine[];
  readonly taxes: CreditRequest['taxes'];
}

function invoiceOf(lines: readonly Omit<CreditableLine, 'creditedMinor'>[]): Invoice {
  return {
    lines: lines.map((line) => ({ ...line, creditedMinor: 0 })),
    taxes: taxTotals(lines).map((tax) => ({ ...tax, creditedMinor: 0 })),
  };
}

const standard = (amountMinor: number, taxRate = '19') => ({ amountMinor, taxCategory: 'S' as const, taxRate });

/** The invoice after a credit, and the credit's total. */
function credited(invoice: Invoice, credit: CreditRequest['credit']): { invoice: Invoice; totalMinor: number } {
  const parts = creditParts({ ...invoice, credit });
  return {
    totalMinor: parts.totalMinor,
    invoice: {
      lines: invoice.lines.map((line, index) => ({
        ...line,
        creditedMinor: line.creditedMinor + parts.lines[index]!,
      })),
      taxes: invoice.taxes.map((tax, index) => ({ ...tax, creditedMinor: tax.creditedMinor + parts.taxes[index]! })),
    },
  };
}

const leftOf = ({ lines, taxes }: Invoice): number[] => [
  ...lines.map(({ amountMinor, creditedMinor }) => amountMinor - creditedMinor),
  ...taxes.map(({ taxMinor, creditedMinor }) => taxMinor - creditedMinor),
];
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

describe('the parts of a credit note', () => {
  it('are shares of the invoice’s own amounts', () => {
    const invoice = invoiceOf([standard(100), standard(100), standard(100)]);
    assert.deepEqual(creditParts({ ...invoice, credit: { grossMinor: 5 } }), {
      lines: [2, 1, 1],
      taxes: [1],
      totalMinor: 5,
    });
    assert.deepEqual(creditParts({ ...invoice, credit: { lines: [{ index: 1, amountMinor: 50 }] } }), {
      lines: [0, 50, 0],
      taxes: [10],
      totalMinor: 60,
    });
    assert.deepEqual(creditParts({ ...invoice, credit: 'rest' }).totalMinor, 357);
  });

  it('never exceed what is left', () => {
    const invoice = invoiceOf([standard(100), standard(-30)]);
    assert.throws(() => creditParts({ ...invoice, credit: { grossMinor: 84 } }), CreditTooLarge);
    assert.throws(
      () => creditParts({ ...invoice, credit: { lines: [{ index: 0, amountMinor: 100 }] } }),
      (error) => error instanceof CreditTooLarge && error.leftMinor === 83,
    );
    const after = credited(invoice, { grossMinor: 83 }).invoice;
    assert.deepEqual(leftOf(after), [0, 0, 0]);
    assert.throws(() => creditParts({ ...after, credit: 'rest' }), /Nothing would be credited/);
    assert.throws(() => creditParts({ ...after, credit: { grossMinor: 1 } }), CreditTooLarge);
  });

  it('reject amounts that are none, lines that are missing or given twice, and the wrong sign', () => {
    const invoice = invoiceOf([standard(100), standard(-30)]);
    const credit = (lines: { index: number; amountMinor: number }[]) => () =>
      creditParts({ ...invoice, credit: { lines } });
    assert.throws(() => creditParts({ ...invoice, credit: { grossMinor: 0 } }), /Nothing would be credited/);
    assert.throws(() => creditParts({ ...invoice, credit: { grossMinor: 0.5 } }), /whole numbers/);
    assert.throws(credit([]), /Nothing would be credited/);
    assert.throws(credit([{ index: 2, amountMinor: 1 }]), /no line at index 2/);
    assert.throws(credit([{ index: 0, amountMinor: 101 }]), CreditTooLarge);
    assert.throws(credit([{ index: 0, amountMinor: -1 }]), CreditTooLarge);
    assert.throws(
      credit([
        { index: 0, amountMinor: 1 },
        { index: 0, amountMinor: 1 },
      ]),
      /credited twice/,
    );
  });

  it('come to exactly zero in any number of steps', () => {
    const random = new Random(4);
    for (let round = 0; round < 400; round += 1) {
      const lines = Array.from({ length: 1 + random.below(6) }, () =>
        random.below(4) === 0
          ? { amountMinor: 1 + random.below(9_999), taxCategory: random.pick(['AE', 'E'] as const), taxRate: '0' }
          : standard((random.below(6) === 0 ? -1 : 1) * (1 + random.below(9_999)), random.pick(['19', '7', '7.7'])),
      );
      let invoice = invoiceOf(lines);
      const due = total(leftOf(invoice));
      if (due <= 0) continue;
      let creditedMinor = 0;
      for (let step = 0; total(leftOf(invoice)) > 0; step += 1) {
        const left = leftOf(invoice);
        const index = random.below(lines.length);
        const kind = step === 20 ? 'rest' : random.pick(['gross', 'line', 'lines']);
        const credit =
          kind === 'rest'
            ? ('rest' as const)
            : kind === 'gross'
              ? { grossMinor: 1 + random.below(total(left)) }
              : kind === 'line'
                ? {
                    lines: [
                      { index, amountMinor: Math.sign(left[index]!) * (1 + random.below(Math.abs(left[index]!) || 1)) },
                    ],
                  }
                : { lines: lines.map((_, line) => ({ index: line, amountMinor: left[line]! })) };
        let result: ReturnType<typeof credited>;
        try {
          result = credited(invoice, credit);
        } catch {
          continue;
        }
        creditedMinor += result.totalMinor;
        assert(result.totalMinor > 0 && creditedMinor <= due, `seed 4, round ${round}`);
        invoice = result.invoice;
      }
      assert.equal(creditedMinor, due, `seed 4, round ${round}`);
    }
  });

  it('leave nothing of an invoice whose lines were all credited one by one', () => {
    const random = new Random(5);
    for (let round = 0; round < 200; round += 1) {
      const lines = Array.from({ length: 2 + random.below(5) }, () =>
        standard(1 + random.below(99), random.pick(['19', '7'])),
      );
      let invoice = invoiceOf(lines);
      for (const index of lines.keys()) {
        for (const share of [0.3, 1]) {
          const amountMinor = Math.ceil(leftOf(invoice)[index]! * share);
          if (amountMinor > 0) invoice = credited(invoice, { lines: [{ index, amountMinor }] }).invoice;
        }
      }
      assert(
        leftOf(invoice).every((left) => left === 0),
        `seed 5, round ${round}`,
      );
    }
  });
});
