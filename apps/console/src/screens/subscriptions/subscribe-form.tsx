import { Select } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { IconPlus } from '@millrace/ui/icons';
import { useNavigate } from '@tanstack/react-router';
import type { PermittedAction } from '../../frame/actions.tsx';
import { useRead, useWrite } from '../../frame/api.ts';
import { AppField, ProductField } from '../../frame/entity-fields.tsx';
import { useSession } from '../../frame/session.tsx';

/** Subscribes an app to a product; the form doesn't ask for the one that is given. */
export function subscribeAction(options: {
  readonly label: string;
  readonly appId?: string;
  readonly productId?: string;
  readonly blocked?: string | false;
}): PermittedAction {
  const { label, blocked, ...given } = options;
  return {
    label,
    icon: IconPlus,
    primary: true,
    permission: 'subscription.write',
    blocked,
    form: { title: label, body: (close) => <SubscribeForm {...given} onClose={close} /> },
  };
}

function SubscribeForm(props: { readonly appId?: string; readonly productId?: string; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const create = useWrite('createSubscription');
  const form = useForm(
    { appId: props.appId ?? '', productId: props.productId ?? '', ratePlanId: '' },
    async ({ ratePlanId, ...body }) => {
      const { id, state } = await create.mutateAsync({ body: { ...body, ratePlanId: ratePlanId || null } });
      showDone(state === 'approved' ? 'App subscribed.' : 'Subscription requested. It waits for approval.');
      props.onClose();
      await navigate({ to: '/subscriptions/$subscriptionId', params: { subscriptionId: id } });
    },
  );
  const { appId, productId, ratePlanId } = form.values;
  return (
    <FormBody form={form} submitLabel="Subscribe" onCancel={props.onClose} disabled={appId === '' || productId === ''}>
      {props.appId === undefined && (
        <AppField value={appId} onChange={(id) => form.set('appId', id)} error={form.errorAt('appId')} />
      )}
      {props.productId === undefined && (
        <ProductField
          value={productId}
          onChange={(id) => {
            form.set('productId', id);
            form.set('ratePlanId', '');
          }}
          error={form.errorAt('productId')}
        />
      )}
      <RatePlanField
        productId={productId}
        value={ratePlanId}
        onChange={(id) => form.set('ratePlanId', id)}
        error={form.errorAt('ratePlanId')}
      />
    </FormBody>
  );
}

/** Chooses one of a product's published rate plans, or none. */
export function RatePlanField(props: {
  readonly productId: string;
  /** Empty for none. */
  readonly value: string;
  readonly onChange: (ratePlanId: string) => void;
  readonly error: string | undefined;
}) {
  const { productId, value, onChange, error } = props;
  const { can } = useSession();
  const plans = useRead(
    'listProductRatePlans',
    { params: { productId }, query: { state: 'published', pageSize: 100 } },
    { enabled: productId !== '' && can('rate-plan.read') },
  );
  const choices = (plans.data?.ratePlans ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }));
  return (
    <Select
      label="Rate plan"
      description={productId !== '' && choices.length === 0 ? 'The API product has no published rate plan' : undefined}
      data={[{ value: '', label: 'None' }, ...choices]}
      value={value}
      onChange={(id) => onChange(id ?? '')}
      error={error}
      allowDeselect={false}
    />
  );
}
