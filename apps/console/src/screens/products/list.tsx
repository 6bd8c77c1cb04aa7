import { choiceOf, EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Lines } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { type DataOf, useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { QuotaText } from '../../frame/quota.tsx';
import { ProductForm } from './product-form.tsx';

const route = '/products/$productId';

/** Whether a product is published, and whether it is suspended. */
export function ProductMarks(props: { readonly product: Pick<DataOf<'getProduct'>, 'published' | 'state'> }) {
  const { published, state } = props.product;
  return (
    <>
      <Mark tone={published ? 'good' : 'neutral'}>{published ? 'Published' : 'Unpublished'}</Mark>{' '}
      {state === 'suspended' && <Mark tone="bad">Suspended</Mark>}
    </>
  );
}

/** The API products of the organization. */
export function ProductList() {
  const navigate = useNavigate();
  const open = ({ id }: { readonly id: string }) => navigate({ to: route, params: { productId: id } });
  return (
    <ListScreen
      title="API products"
      description="Bundles of API proxies with a quota, which apps subscribe to."
      noun="API products"
      list={useList('listProducts')}
      actions={[
        createAction({
          noun: 'API product',
          permission: 'product.write',
          body: (close) => <ProductForm onCancel={close} onSaved={open} />,
        }),
      ]}
      columns={[
        {
          title: 'Name',
          sort: 'displayName',
          cell: ({ id, displayName }) => (
            <TextLink to={route} params={{ productId: id }}>
              {displayName}
            </TextLink>
          ),
        },
        { title: 'Description', cell: ({ description }) => description },
        { title: 'State', cell: (product) => <ProductMarks product={product} /> },
        {
          title: 'API proxies',
          cell: ({ proxies }) => <Lines texts={proxies.map((proxy) => proxy.proxyDisplayName)} />,
        },
        { title: 'Quota', cell: ({ quota }) => <QuotaText quota={quota} absent="Per policy" /> },
        { title: 'Approval', cell: ({ autoApprove }) => (autoApprove ? 'Automatic' : 'Manual') },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      hiddenColumns={['Description']}
      filters={[
        choiceOf('published', 'Published', 'Published', 'Unpublished'),
        { name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) },
        choiceOf('public', 'Visible to', 'Everyone', 'Signed-in users'),
      ]}
      empty={
        <EmptyList>
          No API products yet. Create one, add an API proxy and publish it: then apps can subscribe.
        </EmptyList>
      }
    />
  );
}
