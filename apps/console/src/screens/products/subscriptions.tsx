import { FormDialog } from '@millrace/ui/form-dialog';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { subscriptionColumns, subscriptionFilters } from '../subscriptions/columns.tsx';
import { SubscribeForm } from '../subscriptions/subscribe-form.tsx';

/** Which apps are subscribed to a product. */
export function ProductSubscriptions() {
  const { productId } = useParams({ from: '/shell/products/$productId/subscriptions' });
  const search = useSearch({ from: '/shell/products/$productId/subscriptions' });
  const list = useRead('listProductSubscriptions', { params: { productId }, query: listQueryOf(search) });
  const product = useRead('getProduct', { params: { productId } });
  const [subscribing, setSubscribing] = useState(false);
  const close = () => setSubscribing(false);
  return (
    <>
      <ResourceList
        noun="subscriptions"
        rows={list.data?.subscriptions}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={subscriptionColumns.filter(({ title }) => title !== 'API product')}
        filters={subscriptionFilters}
        actions={
          <PermittedButton
            permission="subscription.write"
            blocked={product.data?.published === false && 'Publish the product first: it takes no subscription.'}
            onClick={() => setSubscribing(true)}
          >
            Subscribe an app
          </PermittedButton>
        }
      />
      <FormDialog title="Subscribe an app" opened={subscribing} onClose={close}>
        <SubscribeForm productId={productId} onClose={close} />
      </FormDialog>
    </>
  );
}
