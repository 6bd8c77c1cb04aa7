import { Stack, Text } from '@mantine/core';
import type { Charge, PlanTerms } from '@millrace/pricing';
import { Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { Properties } from '@millrace/ui/values';
import { counted } from '@millrace/ui/words';
import { creditExpiryText } from '../../frame/credit-expiry.tsx';
import classes from './rate-plans.module.css';
import { meterNames, typeNames, usePriceTexts } from './texts.ts';

const prorations: Readonly<Record<PlanTerms['proration'], string>> = {
  second: 'By the second',
  day: 'By the day begun',
  none: 'None',
};

/** The terms of a version: its fees, its limits and its charges. */
export function TermsView({ terms }: { readonly terms: PlanTerms }) {
  const { type, currency, recurringFee, feeTiming, proration, setupFee, minimumSpend, maximumSpend, trialDays } = terms;
  const { priceOf } = usePriceTexts();
  const feeOf = (fee: string | null) => fee !== null && priceOf(fee, currency);
  return (
    <Stack gap="lg">
      <Properties
        of={{
          Type: typeNames[type],
          Currency: currency,
          'Recurring fee':
            recurringFee !== null &&
            `${priceOf(recurringFee, currency)} per period, billed ${feeTiming === 'advance' ? 'before' : 'after'} it`,
          'Setup fee': feeOf(setupFee),
          'Minimum spend': feeOf(minimumSpend),
          'Maximum spend': feeOf(maximumSpend),
          'Free trial': trialDays > 0 && counted(trialDays, 'day'),
          'Credit expires': terms.creditExpiry !== null && `${creditExpiryText(terms.creditExpiry)} after a top-up`,
          Proration: type !== 'prepaid' && prorations[proration],
        }}
      />
      <Section title="Charges for usage">
        {terms.charges.length === 0 ? (
          <Text size="sm" c="dimmed">
            None: usage is included in the fee.
          </Text>
        ) : (
          <Stack gap="sm">
            {terms.charges.map((charge) => (
              <ChargeView key={charge.name} charge={charge} currency={currency} />
            ))}
          </Stack>
        )}
      </Section>
    </Stack>
  );
}

const modelTexts = { graduated: 'each tier at its own price', volume: 'all units at the price of the tier reached' };

function ChargeView({ charge, currency }: { readonly charge: Charge; readonly currency: string }) {
  const { priceOf, quantityOf, chargePriceOf } = usePriceTexts();
  const { name, meter, statusClasses, proxyIds, allowance, model } = charge;
  const scope = proxyIds === null ? null : `of ${counted(proxyIds.length, 'API proxy').replace('proxys', 'proxies')}`;
  const responses = `${statusClasses.map((statusClass) => `${statusClass}xx`).join(', ')} responses`;
  const included = Number(allowance) > 0 ? `${quantityOf(allowance)} included per period` : null;
  const tiers = 'tiers' in charge ? charge.tiers : null;
  return (
    <div className={classes.panel}>
      <div className={classes.charge}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" fw={500}>
          {tiers === null || model === 'per_unit' || model === 'package'
            ? chargePriceOf(charge, currency)
            : `${meterNames[meter]}, ${modelTexts[model]}`}
        </Text>
      </div>
      <Text size="xs" c="dimmed">
        {[included, responses, scope].filter((part) => part !== null).join(' · ')}
      </Text>
      {tiers !== null && (
        <RecordTable
          label={`Tiers of ${name}`}
          rows={tiers.map((tier, index) => ({ ...tier, id: String(index), from: tiers[index - 1]?.upTo ?? '0' }))}
          columns={[
            {
              title: 'Quantity',
              cell: ({ from, upTo }) =>
                upTo === null ? `Above ${quantityOf(from)}` : `Above ${quantityOf(from)}, up to ${quantityOf(upTo)}`,
            },
            { title: 'Price per unit', align: 'end', cell: ({ unitPrice }) => priceOf(unitPrice, currency) },
            {
              title: 'Flat fee',
              align: 'end',
              cell: ({ flatFee }) => (Number(flatFee) === 0 ? '–' : priceOf(flatFee, currency)),
            },
          ]}
        />
      )}
    </div>
  );
}
