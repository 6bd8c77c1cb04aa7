import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Big from 'big.js';
import { minorUnitOf } from './currencies.ts';
import { PricingError } from './decimal.ts';
import { type Priced, priceLateUsage, priceRecurringFee, priceUsage, type UsageToPrice } from './price.ts';
import { inJanuary, Random, randomTerms, termsOf } from './testing.ts';

/** The subtotal of a quantity of one charge, in minor units. */
function priceOf(charge: object, quantity: string, more: Partial<UsageToPrice> = {}): number {
  const terms = termsOf({
    type: 'tiers' in charge ? 'tiered' : 'pay_as_you_go',
    charges: [{ name: 'calls', meter: 'requests', ...charge }],
  });
  return priceUsage({ terms, ...inJanuary, usage: { calls: quantity }, ...more }).subtotalMinor;
}

const graduated = {
  model: 'graduated',
  tiers: [
    { upTo: '10', unitPrice: '10', flatFee: '2' },
    { upTo: '20', unitPrice: '5', flatFee: '3' },
    { upTo: null, unitPrice: '5', flatFee: '3' },
  ],
};
const volume = {
  model: 'volume',
  tiers: [
    { upTo: '5', unitPrice: '0', flatFee: '100' },
    { upTo: '10', unitPrice: '0', flatFee: '150' },
    { upTo: '15', unitPrice: '10' },
    { upTo: null, unitPrice: '5' },
  ],
};

describe('the price of usage', () => {
  it('per unit is the quantity beyond the allowance times the price, rounded half away from zero', () => {
    const charge = { model: 'per_unit', unitPrice: '0.067' };
    assert.equal(priceOf(charge, '55'), 369);
    assert.equal(priceOf({ ...charge, allowance: '55' }, '55'), 0);
    assert.equal(priceOf({ ...charge, allowance: '100' }, '55'), 0);
    assert.equal(priceOf({ ...charge, allowance: '10' }, '65'), 369);
    assert.equal(priceOf({ model: 'per_unit', unitPrice: '0.000000000001' }, '1000000000000000'), 100_000);
  });

  it('of packages counts those begun beyond the allowance', () => {
    const charge = { model: 'package', package: { size: '10', price: '100' } };
    assert.equal(priceOf(charge, '121'), 130_000);
    assert.equal(priceOf({ ...charge, allowance: '10' }, '121'), 120_000);
    assert.equal(priceOf(charge, '0'), 0);
    assert.equal(priceOf(charge, '120'), 120_000);
    assert.equal(priceOf(charge, '120.000000000001'), 130_000);
  });

  it('of graduated tiers adds each tier’s part and the flat fee of every tier reached', () => {
    assert.equal(priceOf(graduated, '0'), 200);
    assert.equal(priceOf(graduated, '10'), 10_200);
    assert.equal(priceOf(graduated, '11'), 11_000);
    assert.equal(priceOf(graduated, '20'), 15_500);
    assert.equal(priceOf(graduated, '21'), 16_300);
  });

  it('of volume tiers is that of the tier reached, whose upper bound is in it', () => {
    const prices = { 0: 10_000, 5: 10_000, 6: 15_000, 10: 15_000, 15: 15_000, 16: 8_000 };
    for (const [quantity, price] of Object.entries(prices)) assert.equal(priceOf(volume, quantity), price, quantity);
  });

  it('adds the setup fee to the first period and a prorated recurring fee', () => {
    const terms = termsOf({ type: 'flat', recurringFee: '20', setupFee: '5' });
    const input = { terms, ...inJanuary, usage: {}, within: { ...inJanuary.period, from: '2024-01-21T21:55:18Z' } };
    assert.deepEqual(
      priceUsage({ ...input, isFirst: true }).lines.map(({ kind, amountMinor }) => [kind, amountMinor]),
      [
        ['setup', 500],
        ['recurring', 651],
      ],
    );
    assert.deepEqual(priceUsage(input).lines[0], {
      kind: 'recurring',
      charge: null,
      tier: null,
      isFlatFee: false,
      quantity: '1',
      unitPrice: '6.51',
      amountMinor: 651,
      share: { unit: 'second', part: 871_482, whole: 2_678_400 },
    });
    assert.equal(priceUsage({ ...input, terms: { ...terms, proration: 'day' } }).subtotalMinor, 710);
    assert.equal(priceUsage({ ...input, terms: { ...terms, proration: 'none' } }).subtotalMinor, 2_000);
  });

  it('prorates the fees of a plan and of its successor', () => {
    const fee = (recurringFee: string, within: { from: string; to: string }) =>
      priceRecurringFee({ terms: termsOf({ type: 'flat', recurringFee }), ...inJanuary, within })?.amountMinor;
    assert.equal(fee('10', { from: inJanuary.period.from, to: '2024-01-02T00:00:00Z' }), 32);
    assert.equal(fee('20', { from: '2024-01-02T00:00:00Z', to: inJanuary.period.to }), 1_935);
  });

  it('prorates allowance, tiers and flat fees like the fee', () => {
    const within = { from: '2024-01-01T00:00:00Z', to: '2024-01-16T12:00:00Z' };
    assert.equal(priceOf({ model: 'per_unit', unitPrice: '1', allowance: '100' }, '60', { within }), 1_000);
    assert.equal(priceOf(graduated, '5', { within }), 100 + 5_000);
    assert.equal(priceOf(graduated, '6', { within }), 100 + 5_000 + 150 + 500);
    assert.equal(priceOf(volume, '3', { within }), 5_000, 'the first tier ends at 3, rounded from 2.5');
    assert.equal(priceOf(volume, '4', { within }), 7_500);
  });

  it('rounds a prorated allowance to as many digits as it is written with', () => {
    const within = { from: '2024-01-01T00:00:00Z', to: '2024-01-11T00:00:00Z' };
    const allowance = (written: string) => {
      const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '1', allowance: written }];
      const terms = termsOf({ type: 'pay_as_you_go', charges });
      return priceUsage({ terms, ...inJanuary, within, usage: { calls: '500' } }).charges[0];
    };
    assert.deepEqual(allowance('1000'), { charge: 'calls', usage: '500', allowance: '323', billable: '177' });
    assert.equal(allowance('1000.00')?.allowance, '322.58');
    assert.equal(allowance('0.5')?.allowance, '0.2');
  });

  it('prices calls of a term that holds for a part of a day that another began, without fee, allowance or tiers', () => {
    const terms = termsOf({
      recurringFee: '10',
      minimumSpend: '20',
      proration: 'day',
      charges: [{ name: 'calls', meter: 'requests', allowance: '5', ...graduated }],
    });
    const within = { from: '2024-01-05T10:00:00Z', to: '2024-01-05T12:00:00Z' };
    const price = (usage: string, more = {}) =>
      priceUsage({ ...inJanuary, terms: { ...terms, ...more }, within, isContinuation: true, usage: { calls: usage } })
        .subtotalMinor;
    assert.deepEqual([price('0'), price('7'), price('7', { minimumSpend: null, maximumSpend: '50' })], [0, 3_500, 0]);
  });

  it('charges no fee, minimum or flat fee in a trial', () => {
    const terms = termsOf({
      recurringFee: '31',
      minimumSpend: '62',
      trialDays: 14,
      charges: [{ name: 'calls', meter: 'requests', ...graduated }],
    });
    const price = (trialEndsAt: string) => priceUsage({ terms, ...inJanuary, usage: {}, trialEndsAt });
    assert.equal(price('2024-02-01T00:00:00Z').subtotalMinor, 0);
    assert.equal(price('2024-03-01T00:00:00Z').subtotalMinor, 0);
    assert.equal(price('2024-01-31T00:00:00Z').subtotalMinor, 200);
    assert.equal(price('2023-12-31T00:00:00Z').subtotalMinor, 6_200);
  });

  it('brings fee and usage up to the minimum or down to the maximum in a line of its own', () => {
    const charges = [{ name: 'calls', meter: 'requests', ...graduated }];
    const terms = termsOf({ recurringFee: '10', setupFee: '7', minimumSpend: '50', maximumSpend: '100', charges });
    const price = (calls: string, more: Partial<UsageToPrice> = {}) => {
      const { lines, subtotalMinor } = priceUsage({ terms, ...inJanuary, usage: { calls }, ...more });
      const { kind, quantity, unitPrice } = lines.at(-1)!;
      return [kind, quantity, unitPrice, subtotalMinor];
    };
    assert.deepEqual(price('0'), ['minimum', '1', '38.00', 5_000]);
    assert.deepEqual(price('5'), ['usage', '1', '2.00', 6_200]);
    assert.deepEqual(price('21'), ['maximum', '-1', '73.00', 10_000]);
    assert.deepEqual(price('0', { isFirst: true }), ['minimum', '1', '38.00', 5_700], 'a setup fee is not spend');
    assert.deepEqual(price('0', { isFeeBilled: true }), ['minimum', '1', '38.00', 4_000], 'the fee is billed already');
  });

  it('rounds to the minor unit of the currency', () => {
    const price = (currency: string) => {
      const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.0125' }];
      return priceUsage({
        terms: termsOf({ type: 'pay_as_you_go', currency, charges }),
        ...inJanuary,
        usage: { calls: '100' },
      });
    };
    assert.deepEqual(
      ['JPY', 'EUR', 'KWD'].map((currency) => price(currency).subtotalMinor),
      [1, 125, 1_250],
    );
  });

  it('rejects an unknown charge, a quantity that is none, and amounts too large to be exact', () => {
    const terms = termsOf({
      type: 'pay_as_you_go',
      charges: [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '999999999999' }],
    });
    const price = (usage: Record<string, string>) => () => priceUsage({ terms, ...inJanuary, usage });
    assert.throws(price({ pages: '1' }), new PricingError('The plan has no charge named pages.'));
    assert.throws(price({ calls: '-1' }), /calls is not a quantity/);
    assert.throws(price({ calls: '1e9' }), /calls is not a quantity/);
    assert.throws(price({ calls: '91' }), /too large to be calculated exactly/);
    assert.equal(priceUsage({ terms, ...inJanuary, usage: { calls: '90' } }).subtotalMinor, 8_999_999_999_991_000);
  });

  it('has lines that add up and are each quantity times unit price', () => {
    const random = new Random(1);
    for (let round = 0; round < 400; round += 1) {
      const terms = randomTerms(random);
      const priced = priceUsage({
        terms,
        ...inJanuary,
        within: randomPart(random),
        usage: randomUsage(random, terms),
        isFirst: true,
      });
      assertAddsUp(priced, `seed 1, round ${round}`);
    }
  });
});

describe('the price of late usage', () => {
  it('is the difference, in a line per charge', () => {
    const charges = [{ name: 'calls', meter: 'requests', ...volume }];
    const input = { terms: termsOf({ charges }), ...inJanuary, billed: { calls: '15' }, late: { calls: '1' } };
    const { lines, subtotalMinor, charges: summaries } = priceLateUsage(input);
    assert.equal(subtotalMinor, 8_000 - 15_000);
    assert.deepEqual(lines, [
      {
        kind: 'late',
        charge: 'calls',
        tier: null,
        isFlatFee: false,
        quantity: '-1',
        unitPrice: '70.00',
        amountMinor: -7_000,
        share: null,
      },
    ]);
    assert.equal(summaries[0]?.usage, '16');
    assert.deepEqual(priceLateUsage({ ...input, late: {} }).lines, []);
  });

  it('reduces the minimum that was billed', () => {
    const charges = [{ name: 'calls', meter: 'requests', ...graduated }];
    const terms = termsOf({ minimumSpend: '100', charges });
    const { lines } = priceLateUsage({ terms, ...inJanuary, billed: { calls: '1' }, late: { calls: '4' } });
    assert.deepEqual(
      lines.map(({ charge, amountMinor }) => [charge, amountMinor]),
      [
        ['calls', 4_000],
        [null, -4_000],
      ],
    );
  });

  it('comes to the same total however usage is split', () => {
    const random = new Random(2);
    for (let round = 0; round < 200; round += 1) {
      const terms = randomTerms(random);
      const input = { terms, ...inJanuary, within: randomPart(random), isFirst: true };
      const usage = randomUsage(random, terms);
      let billed = Object.fromEntries(Object.keys(usage).map((name) => [name, '0']));
      let total = priceUsage({ ...input, usage: billed }).subtotalMinor;
      for (let step = 0; step < 4; step += 1) {
        const late = step === 3 ? difference(usage, billed) : randomShare(random, difference(usage, billed));
        const priced = priceLateUsage({ ...input, billed, late });
        assertAddsUp(priced, `seed 2, round ${round}`);
        total += priced.subtotalMinor;
        billed = combine(billed, late, (one, other) => one.plus(other));
      }
      assert.deepEqual(billed, usage);
      assert.equal(total, priceUsage({ ...input, usage }).subtotalMinor, `seed 2, round ${round}`);
    }
  });
});

type Usage = Record<string, string>;

function combine(one: Usage, other: Usage, calculate: (one: Big, other: Big) => Big): Usage {
  return Object.fromEntries(
    Object.entries(one).map(([name, text]) => [name, calculate(new Big(text), new Big(other[name]!)).toFixed()]),
  );
}

const difference = (all: Usage, part: Usage) => combine(all, part, (one, other) => one.minus(other));

function randomUsage(random: Random, { charges }: ReturnType<typeof randomTerms>): Usage {
  return Object.fromEntries(charges.map(({ name }) => [name, new Big(random.decimal(200, random.below(3))).toFixed()]));
}

function randomShare(random: Random, usage: Usage): Usage {
  return Object.fromEntries(
    Object.entries(usage).map(([name, text]) => [name, new Big(text).times(random.below(101)).times('0.01').toFixed()]),
  );
}

/** A part of January, from a random second to another. */
function randomPart(random: Random): { from: string; to: string } {
  const [from, to] = [random.below(2_678_400), random.below(2_678_400)].sort((a, b) => a - b);
  const at = (second: number) => new Date(Date.parse(inJanuary.period.from) + second * 1_000).toISOString();
  return { from: at(from!), to: at(to! + 1) };
}

function assertAddsUp({ lines, subtotalMinor, currency }: Priced, message: string): void {
  const scale = new Big(10).pow(minorUnitOf(currency));
  for (const { quantity, unitPrice, amountMinor } of lines) {
    const amount = new Big(quantity).times(unitPrice).times(scale).round(0, Big.roundHalfUp);
    assert(amount.eq(amountMinor), `${message}: ${quantity} × ${unitPrice} is not ${amountMinor} ${currency}`);
  }
  assert.equal(
    lines.reduce((total, { amountMinor }) => total + amountMinor, 0),
    subtotalMinor,
    message,
  );
}
