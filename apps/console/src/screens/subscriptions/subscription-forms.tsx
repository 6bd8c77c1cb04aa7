import { Text } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { firstQuota, QuotaInputs } from '../../frame/quota.tsx';
import { RatePlanField } from './subscribe-form.tsx';

interface Props {
  readonly subscription: DataOf<'getSubscription'>;
  readonly onClose: () => void;
}

/** Sets a subscription's own quota. */
export function QuotaForm({ subscription, onClose }: Props) {
  const set = useWrite('setSubscriptionQuota');
  const form = useForm(subscription.quota ?? firstQuota, async (body) => {
    await set.mutateAsync({ params: { subscriptionId: subscription.id }, body });
    showDone('Quota saved. It applies from the next call.');
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <Text size="sm">Replaces the API product’s quota, for this app only.</Text>
      <QuotaInputs
        quota={form.values}
        onChange={({ limit, window }) => {
          form.set('limit', limit);
          form.set('window', window);
        }}
        errorAt={form.errorAt}
      />
    </FormBody>
  );
}

/** Changes a subscription's rate plan. */
export function PlanForm({ subscription, onClose }: Props) {
  const set = useWrite('setSubscriptionRatePlan');
  const form = useForm({ ratePlanId: subscription.ratePlanId ?? '' }, async ({ ratePlanId }) => {
    await set.mutateAsync({ params: { subscriptionId: subscription.id }, body: { ratePlanId: ratePlanId || null } });
    showDone('Rate plan changed.');
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <RatePlanField
        productId={subscription.productId}
        value={form.values.ratePlanId}
        onChange={(ratePlanId) => form.set('ratePlanId', ratePlanId)}
        error={form.errorAt('ratePlanId')}
      />
    </FormBody>
  );
}
