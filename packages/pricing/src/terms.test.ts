import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PlanTerms } from './terms.ts';

const calls = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' };
const tiered = (...bounds: (string | null)[]) => ({
  name: 'pages',
  meter: 'units',
  model: 'graduated',
  tiers: bounds.map((upTo) => ({ upTo, unitPrice: '1' })),
});

/** The problems of terms, each as its path and message. */
function problemsOf(fields: object): [path: string, message: string][] {
  const { error } = PlanTerms.safeParse({ type: 'tiered', currency: 'EUR', ...fields });
  return (error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);
}

describe('the terms of a rate plan', () => {
  it('have defaults for all that a simple plan leaves out', () => {
    assert.deepEqual(PlanTerms.parse({ type: 'pay_as_you_go', currency: 'EUR', charges: [calls] }), {
      type: 'pay_as_you_go',
      currency: 'EUR',
      recurringFee: null,
      feeTiming: 'arrears',
      proration: 'second',
      setupFee: null,
      minimumSpend: null,
      maximumSpend: null,
      trialDays: 0,
      creditExpiry: null,
      charges: [{ ...calls, statusClasses: [2, 3], proxyIds: null, allowance: '0' }],
    });
  });

  for (const [name, fields, path, message] of [
    ['tiers out of order', { charges: [tiered('10', '5', null)] }, 'charges.0.tiers.1.upTo', /ends at or before 10/],
    ['overlapping tiers', { charges: [tiered('10', '10.0', null)] }, 'charges.0.tiers.1.upTo', /ends at or before 10/],
    ['a bound that is no number', { charges: [tiered('many', null)] }, 'charges.0.tiers.0.upTo', /Enter a quantity/],
    ['a fee that is no number', { recurringFee: 'much', charges: [tiered(null)] }, 'recurringFee', /Enter a decimal/],
    ['an empty first tier', { charges: [tiered('0', null)] }, 'charges.0.tiers.0.upTo', /ends at or before 0/],
    ['a closed last tier', { charges: [tiered('10')] }, 'charges.0.tiers.0.upTo', /last tier must be open/],
    ['an open tier in between', { charges: [tiered(null, null)] }, 'charges.0.tiers.0.upTo', /Only the last tier/],
    ['no tiers', { charges: [tiered()] }, 'charges.0.tiers', /expected array to have >=1 items/],
    ['a repeated charge', { charges: [tiered(null), tiered(null)] }, 'charges.1.name', /Another charge is named pages/],
    [
      'a minimum above the maximum',
      { minimumSpend: '2', maximumSpend: '1', charges: [tiered(null)] },
      'maximumSpend',
      /at least the minimum/,
    ],
    [
      'tiers in a flat plan',
      { type: 'flat', recurringFee: '1', charges: [tiered(null)] },
      'charges.0.model',
      /A flat plan has no charge with graduated tiers/,
    ],
    ['a flat plan without a fee', { type: 'flat' }, 'recurringFee', /needs a recurring fee/],
    [
      'a fee to pay as you go',
      { type: 'pay_as_you_go', recurringFee: '1', charges: [calls] },
      'recurringFee',
      /has no recurring fee/,
    ],
    ['a plan without charges', { type: 'prepaid' }, 'charges', /needs at least one charge/],
    ['a tiered plan without tiers', { charges: [calls] }, 'charges', /at least one charge with tiers/],
    [
      'a prepaid allowance',
      { type: 'prepaid', charges: [{ ...calls, allowance: '5' }] },
      'charges.0.allowance',
      /includes no allowance/,
    ],
    [
      'an expiry without credit',
      { type: 'tiered', creditExpiry: { count: 1, unit: 'month' }, charges: [tiered(null)] },
      'creditExpiry',
      /no credit to expire/,
    ],
    ['a prepaid trial', { type: 'prepaid', trialDays: 5, charges: [calls] }, 'trialDays', /has no trial/],
    [
      'a fee finer than the currency',
      { currency: 'JPY', recurringFee: '1.5', charges: [tiered(null)] },
      'recurringFee',
      /JPY has no decimals/,
    ],
    [
      'a package of nothing',
      {
        type: 'pay_as_you_go',
        charges: [{ name: 'a', meter: 'requests', model: 'package', package: { size: '0', price: '1' } }],
      },
      'charges.0.package.size',
      /more than 0/,
    ],
    [
      'a status class twice',
      { type: 'pay_as_you_go', charges: [{ ...calls, statusClasses: [2, 2] }] },
      'charges.0.statusClasses.1',
      /listed twice/,
    ],
    [
      'a negative price',
      { type: 'pay_as_you_go', charges: [{ ...calls, unitPrice: '-1' }] },
      'charges.0.unitPrice',
      /Enter a decimal/,
    ],
    ['an unknown currency', { currency: 'XXX', charges: [tiered(null)] }, 'currency', /ISO 4217/],
    [
      'a price of another model',
      { type: 'pay_as_you_go', charges: [{ ...calls, tiers: [] }] },
      'charges.0',
      /Unrecognized key: "tiers"/,
    ],
  ] as const) {
    it(`reject ${name}`, () => {
      const problems = problemsOf(fields);
      assert.equal(problems.length, 1, JSON.stringify(problems));
      assert.equal(problems[0]![0], path);
      assert.match(problems[0]![1], message);
    });
  }
});
