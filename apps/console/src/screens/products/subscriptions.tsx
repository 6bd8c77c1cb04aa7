import { EmptyList } from '@millrace/ui/list';
import { useParams } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { useList, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { subscriptionColumns, subscriptionFilters } from '../subscriptions/columns.tsx';
import { subscribeAction } from '../subscriptions/subscribe-form.tsx';

/** Which apps are subscribed to a product. */
export function ProductSubscriptions() {
  const { productId } = useParams({ from: '/shell/products/$productId/subscriptions' });
  const product = useRead('getProduct', { params: { productId } });
  const subscribe = subscribeAction({
    label: 'Subscribe app',
    productId,
    blocked: product.data?.published === false && 'Publish the API product first.',
  });
  return (
    <ResourceList
      {...useList('listProductSubscriptions', { productId })}
      noun="subscriptions"
      columns={subscriptionColumns.filter(({ title }) => title !== 'API product')}
      filters={subscriptionFilters}
      actions={<PermittedActions actions={[subscribe]} />}
      empty={<EmptyList>No subscriptions yet.</EmptyList>}
    />
  );
}
