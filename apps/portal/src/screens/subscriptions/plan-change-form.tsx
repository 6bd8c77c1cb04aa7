import { Alert, Stack, Text } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { Loaded } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { Period } from '../../frame/period.tsx';
import { texts } from '../../frame/texts.ts';
import { PlanChoice } from '../start/plan-choice.tsx';

const words = texts.planChange;

/** Moves a subscription to another plan, and first shows what that costs in the present period. */
export function PlanChangeForm(props: {
  readonly subscription: DataOf<'getPortalSubscription'>;
  readonly onClose: () => void;
}) {
  const { subscription, onClose } = props;
  const { id, productId } = subscription;
  const product = useRead('getCatalogProduct', { params: { productId } });
  const change = useWrite('changePortalPlan');
  const form = useForm({ ratePlanId: '' }, async (body) => {
    await change.mutateAsync({ params: { subscriptionId: id }, body });
    showDone(words.done);
    onClose();
  });
  const { ratePlanId } = form.values;
  return (
    <Loaded read={product}>
      {({ plans, billingPeriod }) => (
        <FormBody form={form} submitLabel={words.submit} onCancel={onClose} disabled={ratePlanId === ''}>
          <PlanChoice
            plans={plans.filter((plan) => plan.id !== subscription.ratePlanId)}
            billingPeriod={billingPeriod}
            chosen={ratePlanId}
            onChoose={(chosen) => form.set('ratePlanId', chosen)}
            error={form.errorAt('ratePlanId')}
          />
          {ratePlanId !== '' && <Preview subscriptionId={id} ratePlanId={ratePlanId} />}
        </FormBody>
      )}
    </Loaded>
  );
}

type Cost = DataOf<'previewPortalPlanChange'>['staying'][number];

function Preview({ subscriptionId, ratePlanId }: { readonly subscriptionId: string; readonly ratePlanId: string }) {
  const read = useRead('previewPortalPlanChange', { params: { subscriptionId }, query: { ratePlanId } });
  return (
    <Loaded read={read}>
      {({ period, from, to, staying, changing }) => (
        <Stack gap="sm">
          <Text size="sm">
            {words.period} <Period period={period} />
          </Text>
          <Costs title={words.staying(from?.displayName ?? null)} costs={staying} />
          <Costs title={words.changing(to.displayName)} costs={changing} />
          <Alert color="blue">{words.note}</Alert>
        </Stack>
      )}
    </Loaded>
  );
}

function Costs({ title, costs }: { readonly title: string; readonly costs: readonly Cost[] }) {
  const amountText = useAmounts();
  if (costs.length === 0) {
    return (
      <Text size="sm">
        {title}: {words.nothing}
      </Text>
    );
  }
  return costs.map(({ currency, lines, subtotalMinor }) => (
    <div key={currency}>
      <Text fw={600} size="sm">
        {title}: {amountText({ amountMinor: subtotalMinor, currency })}
      </Text>
      <RecordTable
        label={title}
        rows={lines.map((line, index) => ({ ...line, id: String(index) }))}
        columns={[
          { title: words.position, cell: (line) => texts.lineName(line) },
          {
            title: words.amount,
            align: 'end',
            cell: ({ amountMinor }) => amountText({ amountMinor, currency }),
          },
        ]}
      />
    </div>
  ));
}
