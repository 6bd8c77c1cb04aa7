import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Charge } from '@millrace/pricing';
import type { PricingCard } from './data.ts';
import { estimator, headlinePrice, quotaInWords, shiftPoint, termsInWords } from './prices.ts';
import { sampleContext, samplePlans } from './testing.ts';

const english = sampleContext();
const german = sampleContext({ language: 'de' });
const [starter, business, prepaid] = samplePlans() as [PricingCard, PricingCard, PricingCard];
const words = (plan: PricingCard, context = english) => termsInWords(context, plan, 'month').map(({ text }) => text);

describe('prices', () => {
  it('moves the point of a decimal exactly', () => {
    assert.equal(shiftPoint('0.0000000002', 9), '0.2');
    assert.equal(shiftPoint('12', 9), '12000000000');
    assert.equal(shiftPoint('1500000000', -9), '1.5');
    assert.equal(shiftPoint('5', -9), '0.000000005');
    assert.equal(shiftPoint('0', -9), '0');
    assert.equal(shiftPoint('10.50', 0), '10.5');
    assert.equal(shiftPoint('123456789012345678.5', 9), '123456789012345678500000000');
  });

  it('shows the largest figure of a plan', () => {
    assert.deepEqual(headlinePrice(english, starter, 'month'), { amount: '€0.067', unit: 'per request' });
    assert.deepEqual(headlinePrice(english, business, 'month'), { amount: '€49', unit: 'per month' });
    assert.deepEqual(headlinePrice(german, business, 'quarter'), { amount: '49\u00a0€', unit: 'pro Quartal' });
    assert.deepEqual(headlinePrice(english, { ...starter, charges: [] }, 'month'), { amount: 'Free', unit: '' });
  });

  it('says every term of a plan', () => {
    assert.deepEqual(words(starter), [
      '100 requests included, then €0.067 per request',
      'Only successful calls are billed.',
    ]);
    assert.deepEqual(words(business), [
      'First 14 days free',
      'calls: 1,000 requests included',
      'calls: Priced by tier, each part of your requests at its tier’s price',
      'upload: €0.20 per GB sent',
      'Never more than €2,500 a month',
      'Billed afterwards',
      'Only successful calls are billed.',
    ]);
    assert.deepEqual(words(prepaid, german), [
      '0,04\u00a0€ pro Einheit',
      'Aufrufe werden von einem Guthaben abgebucht, das Sie aufladen.',
      'Nur erfolgreiche Aufrufe werden berechnet.',
    ]);
    const expiring = (count: number, unit: 'day' | 'month', context = english) =>
      words({ ...prepaid, creditExpiry: { count, unit } }, context)[2];
    assert.equal(expiring(12, 'month'), 'What you top up is good for 12 months.');
    assert.equal(expiring(1, 'day', german), 'Aufgeladenes Guthaben ist 1 Tag gültig.');
    const packaged: Charge = {
      name: 'calls',
      meter: 'requests',
      statusClasses: [2, 4],
      proxyIds: null,
      allowance: '0',
      model: 'package',
      package: { size: '1000', price: '5' },
    };
    assert.deepEqual(
      words({ ...starter, charges: [packaged], setupFee: '10', recurringFee: '1.5', feeTiming: 'advance' }),
      [
        '€5 for every 1,000 requests begun',
        '€10 once, for setup',
        'Billed in advance',
        'Calls answered with 2xx, 4xx are billed.',
      ],
    );
  });

  it('says a quota', () => {
    assert.equal(
      quotaInWords(english, { limit: 10_000, window: { unit: 'day', count: 1 } }),
      '10,000 requests per day',
    );
    assert.equal(quotaInWords(german, { limit: 1, window: { unit: 'hour', count: 6 } }), '1 Anfrage in 6 Stunden');
  });

  it('estimates by the function that makes invoices', () => {
    const product = { name: 'orders', plans: [starter, business, prepaid], billingPeriod: 'month' } as const;
    const estimate = (plan: string, usage: Readonly<Record<string, string>>) =>
      String(estimator(english, product, { plan, usage }));
    assert.match(estimate('starter', { pages: '1100' }), /€67\.00 <small>per month/);
    assert.match(estimate('business', { calls: '25 000', upload: '10' }), /€971\.00/);
    assert.match(estimate('business', { calls: '1000000000000' }), /Enter numbers without signs/);
    for (const typed of ['-1', '1e9', 'x', '1,5', '<b>', '1.2.3']) {
      assert.match(estimate('starter', { pages: typed }), /Enter numbers without signs/, typed);
    }
    assert.match(estimate('absent', {}), /€663\.30/);
  });
});
