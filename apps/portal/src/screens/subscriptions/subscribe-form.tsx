import { Alert, Select } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { useEffect } from 'react';
import { useRead, useWrite } from '../../frame/api.ts';
import { texts } from '../../frame/texts.ts';
import { PlanChoice } from '../start/plan-choice.tsx';

const words = texts.subscriptions;

/** Subscribes an app to a product, under one of its plans. */
export function SubscribeForm(props: { readonly appId?: string; readonly onClose: () => void }) {
  const { onClose } = props;
  const apps = useRead('listPortalApps', { query: { pageSize: '100', state: 'active' } });
  const catalog = useRead('listCatalog', { query: { pageSize: '100' } });
  const subscribe = useWrite('subscribeInPortal');
  const initial = { appId: props.appId ?? '', productId: '', ratePlanId: '' };
  const form = useForm(initial, async ({ appId, productId, ratePlanId }) => {
    const { state } = await subscribe.mutateAsync({ body: { appId, productId, ratePlanId: ratePlanId || null } });
    showDone(state === 'pending' ? words.requested : words.subscribed);
    onClose();
  });
  const { appId, productId, ratePlanId } = form.values;
  const product = useRead('getCatalogProduct', { params: { productId } }, { enabled: productId !== '' });
  const plans = product.data?.plans;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another product has other plans.
  useEffect(() => {
    if (plans && !plans.some(({ id }) => id === ratePlanId)) form.set('ratePlanId', plans[0]?.id ?? '');
  }, [plans]);
  return (
    <FormBody
      form={form}
      submitLabel={words.subscribe}
      onCancel={onClose}
      disabled={appId === '' || plans === undefined}
    >
      <Select
        label={words.app}
        required
        data={(apps.data?.apps ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
        value={appId || null}
        onChange={(value) => form.set('appId', value ?? '')}
        error={form.errorAt('appId')}
      />
      <Select
        label={words.product}
        required
        searchable
        data={(catalog.data?.products ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
        value={productId || null}
        onChange={(value) => form.set('productId', value ?? '')}
        error={form.errorAt('productId')}
      />
      {product.data && (
        <>
          <PlanChoice
            plans={product.data.plans}
            billingPeriod={product.data.billingPeriod}
            chosen={ratePlanId}
            onChoose={(id) => form.set('ratePlanId', id)}
            error={form.errorAt('ratePlanId')}
          />
          {!product.data.autoApprove && <Alert color="blue">{texts.start.needsApproval}</Alert>}
        </>
      )}
    </FormBody>
  );
}
