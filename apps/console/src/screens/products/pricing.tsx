import { Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { counted } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead } from '../../frame/api.ts';
import { creditExpiryText } from '../../frame/credit-expiry.tsx';
import { createPlanAction, PlanMarks } from '../rate-plans/list.tsx';
import classes from '../rate-plans/rate-plans.module.css';
import { typeNames, usePriceTexts } from '../rate-plans/texts.ts';

type RatePlan = DataOf<'listProductRatePlans'>['ratePlans'][number];

/** What a product costs: its published rate plans as cards, and the others. */
export function ProductPricing() {
  const { productId } = useParams({ from: '/shell/products/$productId/pricing' });
  const read = useRead('listProductRatePlans', { params: { productId }, query: { pageSize: 100 } });
  const { summaryOf } = usePriceTexts();
  return (
    <Loaded read={read}>
      {({ ratePlans }) => {
        const published = ratePlans.filter(({ state }) => state === 'published');
        const others = ratePlans.filter(({ state }) => state !== 'published');
        return (
          <Stack gap="lg" pt="md">
            <Section title="Published" actions={<PermittedActions actions={[createPlanAction(productId)]} />}>
              {published.length === 0 ? (
                <EmptyList>No published rate plan: calls through this API product are free.</EmptyList>
              ) : (
                <div className={classes.cards}>
                  {published.map((plan) => (
                    <PlanCard key={plan.id} plan={plan} />
                  ))}
                </div>
              )}
            </Section>
            {others.length > 0 && (
              <Section title="Drafts and retired">
                <RecordTable
                  label="Table of other rate plans"
                  rows={others}
                  columns={[
                    {
                      title: 'Name',
                      cell: ({ id, displayName }) => (
                        <TextLink to="/rate-plans/$ratePlanId" params={{ ratePlanId: id }}>
                          {displayName}
                        </TextLink>
                      ),
                    },
                    { title: 'State', cell: (plan) => <PlanMarks plan={plan} /> },
                    { title: 'Price', cell: summaryOf },
                    { title: 'Updated', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
                  ]}
                />
              </Section>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** A published plan as a customer sees it: the price first, then what it includes. */
function PlanCard({ plan }: { readonly plan: RatePlan }) {
  const { id, displayName, description, type, currency, recurringFee, charges, trialDays, subscribers } = plan;
  const { priceOf, quantityOf, chargePriceOf } = usePriceTexts();
  const [first, ...others] = charges;
  const leads = recurringFee === null && first !== undefined;
  const [price, per] =
    recurringFee !== null
      ? [priceOf(recurringFee, currency), 'per billing period']
      : first === undefined
        ? ['Free', '']
        : splitPrice(chargePriceOf(first, currency));
  const included = (leads ? [first] : []).filter(({ allowance }) => Number(allowance) > 0);
  const features = [
    trialDays > 0 && `${counted(trialDays, 'day')} free`,
    ...included.map(({ allowance }) => `${quantityOf(allowance)} included per period`),
    ...(leads ? others : charges).map((charge) => {
      const allowance = Number(charge.allowance) > 0 ? `${quantityOf(charge.allowance)} included, then ` : '';
      return `${charge.name}: ${allowance}${chargePriceOf(charge, currency)}`;
    }),
    plan.setupFee !== null && `${priceOf(plan.setupFee, currency)} setup fee`,
    plan.minimumSpend !== null && `At least ${priceOf(plan.minimumSpend, currency)} per period`,
    plan.maximumSpend !== null && `At most ${priceOf(plan.maximumSpend, currency)} per period`,
    type === 'prepaid' && 'Deducted from a prepaid balance',
    plan.creditExpiry !== null && `Credit expires ${creditExpiryText(plan.creditExpiry)} after a top-up`,
  ].filter((feature) => feature !== false);
  return (
    <article className={classes.card} aria-label={displayName}>
      <div>
        <Group justify="space-between" gap="xs" mb={4}>
          <TextLink to="/rate-plans/$ratePlanId" params={{ ratePlanId: id }} fw={600} c="var(--mantine-color-text)">
            {displayName}
          </TextLink>
          <Text size="xs" c="dimmed">
            {typeNames[type]}
          </Text>
        </Group>
        {description && (
          <Text size="sm" c="dimmed" lineClamp={3}>
            {description}
          </Text>
        )}
      </div>
      <div>
        <div className={classes.headline}>{price}</div>
        <Text size="sm" c="dimmed">
          {per}
        </Text>
      </div>
      <ul className={classes.features}>
        {features.map((feature) => (
          <li key={feature}>
            <IconCheck size={15} stroke={2} aria-hidden />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        {counted(subscribers, 'subscriber')} · version {plan.planVersion}
      </Text>
    </article>
  );
}

/** `€0.01 per request` as the price and what it is for. */
function splitPrice(text: string): readonly [string, string] {
  const at = text.indexOf(' per ');
  return [text.slice(0, at), text.slice(at + 1)];
}
