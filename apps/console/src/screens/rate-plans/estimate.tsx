import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { PlanTerms } from '@millrace/pricing';
import { useForm } from '@millrace/ui/form';
import { useLocale } from '@millrace/ui/locale';
import { Failure } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { momentOf } from '@millrace/ui/zones';
import { useState } from 'react';
import { type ArgumentsOf, type DataOf, useRead } from '../../frame/api.ts';
import { PriceCurve } from './price-curve.tsx';
import { PriceLines } from './price-lines.tsx';
import { UsageFields } from './price-preview.tsx';
import classes from './rate-plans.module.css';
import { exampleQuantity } from './texts.ts';

/** What a usage costs under a version of a plan, as the server bills it, also where only a part of a period counts. */
export function Estimate(props: {
  readonly plan: DataOf<'getRatePlan'>;
  readonly terms: PlanTerms;
  readonly planVersion: number;
}) {
  const { plan, terms, planVersion } = props;
  const { timeZone } = useLocale();
  const first = Object.fromEntries(terms.charges.map((charge) => [charge.name, String(exampleQuantity(charge))]));
  const [usage, setUsage] = useState<Readonly<Record<string, string>>>(first);
  const [subscribedAt, setSubscribedAt] = useState('');
  const [asked, setAsked] = useState({ usage: first, subscribedAt: '' });
  const at = asked.subscribedAt === '' ? null : momentOf(asked.subscribedAt, timeZone);
  const read = useRead('estimateRatePlan', {
    params: { ratePlanId: plan.id },
    body: { usage: asked.usage, planVersion, ...(at && { subscribedAt: at.toISOString() }) },
  } as ArgumentsOf<'estimateRatePlan'>);
  const form = useForm({}, async () => setAsked({ usage: { ...usage }, subscribedAt }));
  return (
    <div className={classes.panel}>
      <Stack>
        {terms.charges.length > 0 && <PriceCurve terms={terms} usage={usage} />}
        <form onSubmit={(event) => form.submit(event)} noValidate>
          <Stack gap="xs">
            <UsageFields
              terms={terms}
              usage={usage}
              onChange={(name, quantity) => setUsage({ ...usage, [name]: quantity })}
            />
            <Group align="end" gap="xs">
              <TextInput
                label="Subscribed at"
                description="Empty: before the period"
                type="datetime-local"
                style={{ flex: 1, minWidth: 190 }}
                value={subscribedAt}
                onChange={(event) => setSubscribedAt(event.currentTarget.value)}
              />
              <Button type="submit" variant="default" loading={read.isFetching}>
                Estimate
              </Button>
            </Group>
          </Stack>
        </form>
        {read.error && <Failure error={read.error} />}
        {read.data && (
          <div>
            <PriceLines priced={read.data} />
            <Text size="xs" c="dimmed">
              For the billing period from <Moment at={read.data.period.from} /> to <Moment at={read.data.period.to} />.
            </Text>
          </div>
        )}
      </Stack>
    </div>
  );
}
