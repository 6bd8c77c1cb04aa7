import Big from 'big.js';
import * as z from 'zod';
import { CreditExpiry } from './credit-expiry.ts';
import { CurrencyCode, minorUnitOf } from './currencies.ts';
import { digitsBehindPoint, Price, Quantity } from './decimal.ts';
import { Proration } from './proration.ts';

/** What the gateway counts of a request: itself, its bytes, and the units that a header of the target's response names. */
export const Meter = z.enum(['requests', 'request_bytes', 'response_bytes', 'units']);

export const PlanType = z
  .enum(['pay_as_you_go', 'flat', 'tiered', 'prepaid'])
  .describe(
    'pay_as_you_go: usage alone. flat: a recurring fee, and usage beyond what it includes. tiered: prices by tiers. prepaid: usage is debited from a balance.',
  );

const Tier = z.strictObject({
  upTo: Quantity.nullable().describe('The last quantity in this tier; null in the last tier.'),
  unitPrice: Price.describe('Price of one unit in this tier.'),
  flatFee: Price.default('0').describe('Charged once per period when the tier is reached. The first is reached at 0.'),
});

const charge = {
  name: z
    .string()
    .max(63)
    .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'Use lower-case letters, digits and inner hyphens.')
    .describe('Unique in the plan; usage is given by it.'),
  meter: Meter,
  statusClasses: z
    .array(z.int().min(2).max(5))
    .min(1)
    .max(4)
    .default([2, 3])
    .describe(
      'Classes of the response’s status that are billed: 2 for 200 to 299. Rejected requests are never billed.',
    ),
  proxyIds: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('API proxies whose usage is billed; null for all of the product.'),
  allowance: Quantity.default('0').describe('Included per period, before the first priced unit.'),
};

export const Charge = z.discriminatedUnion(
  'model',
  [
    z.strictObject({ ...charge, model: z.literal('per_unit'), unitPrice: Price }),
    z.strictObject({
      ...charge,
      model: z.literal('package'),
      package: z.strictObject({
        size: Quantity.describe('Units per package.'),
        price: Price.describe('Price of each package begun.'),
      }),
    }),
    z.strictObject({
      ...charge,
      model: z.enum(['graduated', 'volume']),
      tiers: z
        .array(Tier)
        .min(1)
        .max(100)
        .describe('graduated: each tier’s part at its price. volume: everything at the price of the tier reached.'),
    }),
  ],
  'Enter the model: per_unit, package, graduated or volume.',
);
export type Charge = z.output<typeof Charge>;

/** The fields of a rate plan's terms, each without a default. */
export const planTermsFields = {
  type: PlanType,
  currency: CurrencyCode,
  recurringFee: Price.nullable().describe('Fee per billing period.'),
  feeTiming: z
    .enum(['advance', 'arrears'])
    .describe('Whether the recurring fee is billed before its period or after it.'),
  proration: Proration,
  setupFee: Price.nullable().describe('Charged once, with the first period.'),
  minimumSpend: Price.nullable().describe('Least amount of fee and usage per period.'),
  maximumSpend: Price.nullable().describe('Greatest amount of fee and usage per period.'),
  trialDays: z.int().min(0).max(365).describe('Days from the subscription on without fee, minimum and usage charges.'),
  creditExpiry: CreditExpiry.nullable().describe(
    'Of a prepaid plan: how long what is topped up is good for, to the end of the last day; null: it never expires.',
  ),
  charges: z.array(Charge).max(50),
};

/** The same with defaults for all but type and currency, to be spread into the schemas of new plans. */
export const planTermsShape = {
  ...planTermsFields,
  recurringFee: planTermsFields.recurringFee.default(null),
  feeTiming: planTermsFields.feeTiming.default('arrears'),
  proration: planTermsFields.proration.default('second'),
  setupFee: planTermsFields.setupFee.default(null),
  minimumSpend: planTermsFields.minimumSpend.default(null),
  maximumSpend: planTermsFields.maximumSpend.default(null),
  trialDays: planTermsFields.trialDays.default(0),
  creditExpiry: planTermsFields.creditExpiry.default(null),
  charges: planTermsFields.charges.default([]),
};

const PlanFields = z.strictObject(planTermsShape);

/** What a subscription to a version of a rate plan costs. */
export const PlanTerms = PlanFields.superRefine((terms, context) => {
  for (const { path, message } of checkTerms(terms)) context.addIssue({ code: 'custom', path: [...path], message });
});
export type PlanTerms = z.output<typeof PlanTerms>;

export interface TermsProblem {
  /** Of the field, such as `['charges', 0, 'tiers', 1, 'upTo']`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What contradicts itself in terms whose fields are each valid; empty where nothing does. */
export function checkTerms(terms: PlanTerms): TermsProblem[] {
  return [
    ...fieldsOfType(terms),
    ...payableFees(terms),
    ...spendProblems(terms),
    ...repeatedNames(terms),
    ...terms.charges.flatMap((charge, index) =>
      chargeProblems(charge).map(({ path, message }) => ({ path: ['charges', index, ...path], message })),
    ),
  ];
}

const typeNames = { pay_as_you_go: 'pay-as-you-go', flat: 'flat', tiered: 'tiered', prepaid: 'prepaid' } as const;

/** Models that the charges of a type may have. */
export const modelsOfType: Readonly<Record<PlanTerms['type'], readonly Charge['model'][]>> = {
  pay_as_you_go: ['per_unit', 'package'],
  flat: ['per_unit', 'package'],
  tiered: ['per_unit', 'package', 'graduated', 'volume'],
  prepaid: ['per_unit'],
};

const modelNames = {
  per_unit: 'a price per unit',
  package: 'packages',
  graduated: 'graduated tiers',
  volume: 'volume tiers',
} as const;

/** Fields that a type may not have: prepaid usage is debited at once, so nothing can depend on a period's total. */
export const absentOfType = {
  pay_as_you_go: ['recurringFee', 'minimumSpend'],
  flat: ['minimumSpend'],
  tiered: [],
  prepaid: ['recurringFee', 'setupFee', 'minimumSpend', 'maximumSpend'],
} as const satisfies Record<PlanTerms['type'], readonly (keyof typeof feeNames)[]>;

const feeNames = {
  recurringFee: 'recurring fee',
  setupFee: 'setup fee',
  minimumSpend: 'minimum spend',
  maximumSpend: 'maximum spend',
} as const;
const feeFields = ['recurringFee', 'setupFee', 'minimumSpend', 'maximumSpend'] as const;

function fieldsOfType(terms: PlanTerms): TermsProblem[] {
  const { type, charges } = terms;
  const problems: TermsProblem[] = [];
  const plan = `A ${typeNames[type]} plan`;
  for (const field of absentOfType[type]) {
    if (terms[field] !== null) {
      problems.push({ path: [field], message: `${plan} has no ${feeNames[field]}. Remove it or change the type.` });
    }
  }
  if (type === 'flat' && terms.recurringFee === null) {
    problems.push({ path: ['recurringFee'], message: `${plan} needs a recurring fee.` });
  }
  if (type === 'prepaid' && terms.trialDays > 0) {
    problems.push({ path: ['trialDays'], message: `${plan} has no trial. Top up the balance instead.` });
  }
  if (type !== 'prepaid' && terms.creditExpiry !== null) {
    problems.push({
      path: ['creditExpiry'],
      message: `${plan} has no credit to expire. Remove it or change the type.`,
    });
  }
  if (type !== 'flat' && charges.length === 0) {
    problems.push({ path: ['charges'], message: `${plan} needs at least one charge.` });
  }
  if (type === 'tiered' && charges.length > 0 && !charges.some((charge) => 'tiers' in charge)) {
    problems.push({ path: ['charges'], message: `${plan} needs at least one charge with tiers.` });
  }
  for (const [index, charge] of charges.entries()) {
    if (!modelsOfType[type].includes(charge.model)) {
      const message = `${plan} has no charge with ${modelNames[charge.model]}. Choose another model or change the type.`;
      problems.push({ path: ['charges', index, 'model'], message });
    }
    if (type === 'prepaid' && !new Big(charge.allowance).eq(0)) {
      const message = `${plan} includes no allowance. Top up the balance instead.`;
      problems.push({ path: ['charges', index, 'allowance'], message });
    }
  }
  return problems;
}

/** A fee is an amount of its own on an invoice, so it cannot be finer than what can be paid. */
function payableFees(terms: PlanTerms): TermsProblem[] {
  const digits = minorUnitOf(terms.currency);
  return feeFields.flatMap((field) => {
    const fee = terms[field];
    if (fee === null || digitsBehindPoint(new Big(fee).toFixed()) <= digits) return [];
    const allowed = digits === 0 ? 'no decimals' : `${digits} decimals`;
    return { path: [field], message: `An amount in ${terms.currency} has ${allowed}. Round the ${feeNames[field]}.` };
  });
}

function spendProblems({ minimumSpend, maximumSpend }: PlanTerms): TermsProblem[] {
  if (minimumSpend === null || maximumSpend === null || new Big(minimumSpend).lte(maximumSpend)) return [];
  return [{ path: ['maximumSpend'], message: 'The maximum spend must be at least the minimum spend.' }];
}

function repeatedNames({ charges }: PlanTerms): TermsProblem[] {
  const seen = new Set<string>();
  return charges.flatMap(({ name }, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return { path: ['charges', index, 'name'], message: `Another charge is named ${name}. Choose a different name.` };
  });
}

function chargeProblems(charge: Charge): TermsProblem[] {
  const problems: TermsProblem[] = [];
  for (const field of ['statusClasses', 'proxyIds'] as const) {
    const values: readonly unknown[] = charge[field] ?? [];
    const repeated = values.findIndex((value, index) => values.indexOf(value) !== index);
    if (repeated >= 0) problems.push({ path: [field, repeated], message: 'This value is listed twice. Remove one.' });
  }
  if (charge.model === 'package' && new Big(charge.package.size).eq(0)) {
    problems.push({ path: ['package', 'size'], message: 'A package must contain more than 0 units.' });
  }
  return 'tiers' in charge ? [...problems, ...tierProblems(charge.tiers)] : problems;
}

function tierProblems(tiers: Extract<Charge, { tiers: unknown }>['tiers']): TermsProblem[] {
  const last = tiers.length - 1;
  return tiers.flatMap(({ upTo }, index) => {
    const problem = (message: string) => ({ path: ['tiers', index, 'upTo'], message });
    if (index === last) return upTo === null ? [] : problem('The last tier must be open. Remove its upper bound.');
    if (upTo === null) return problem('Only the last tier may be open. Enter the upper bound of this one.');
    const before = index === 0 ? '0' : tiers[index - 1]!.upTo;
    if (before === null || new Big(upTo).gt(before)) return [];
    return problem(`This tier ends at or before ${before}, where it begins. Enter a greater upper bound.`);
  });
}
