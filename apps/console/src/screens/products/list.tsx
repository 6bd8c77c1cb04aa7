import { Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Lines, Moment } from '@millrace/ui/values';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { QuotaText } from '../../frame/quota.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { ProductForm } from './product-form.tsx';

/** Whether consumers find a product and are let in by it. */
export function ProductMarks(props: { readonly product: Pick<DataOf<'getProduct'>, 'published' | 'state'> }) {
  const { published, state } = props.product;
  return (
    <>
      <Mark tone={published ? 'good' : 'neutral'}>{published ? 'Published' : 'Not published'}</Mark>{' '}
      {state === 'suspended' && <Mark tone="bad">Suspended</Mark>}
    </>
  );
}

/** The API products of the organization. */
export function ProductList() {
  const search = useSearch({ from: '/shell/products' });
  const list = useRead('listProducts', { query: listQueryOf(search) });
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="API products"
      description="What apps subscribe to: API proxies bundled with a quota."
      actions={
        <PermittedButton permission="product.write" onClick={() => setCreating(true)}>
          Create a product
        </PermittedButton>
      }
    >
      <ResourceList
        noun="API products"
        rows={list.data?.products}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={[
          {
            title: 'Name',
            sort: 'displayName',
            cell: ({ id, displayName, description }) => (
              <>
                <TextLink to="/products/$productId" params={{ productId: id }}>
                  {displayName}
                </TextLink>
                <Text size="xs" c="dimmed" lineClamp={2}>
                  {description}
                </Text>
              </>
            ),
          },
          { title: 'State', cell: (product) => <ProductMarks product={product} /> },
          {
            title: 'API proxies',
            cell: ({ proxies }) => <Lines texts={proxies.map((proxy) => proxy.proxyDisplayName)} />,
          },
          { title: 'Quota', cell: ({ quota }) => <QuotaText quota={quota} absent="Of each policy" /> },
          { title: 'Approval', cell: ({ autoApprove }) => (autoApprove ? 'By itself' : 'By somebody') },
          { title: 'Changed', sort: 'updatedAt', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
        ]}
        filters={[
          {
            name: 'published',
            label: 'Portal',
            options: [
              { value: 'true', label: 'Published' },
              { value: 'false', label: 'Not published' },
            ],
          },
          { name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) },
          {
            name: 'public',
            label: 'Audience',
            options: [
              { value: 'true', label: 'Everybody' },
              { value: 'false', label: 'Who is signed in' },
            ],
          },
        ]}
        empty={
          <Text c="dimmed" my="lg">
            There are no API products yet. Create one, bundle an API proxy, and publish it: then apps can subscribe.
          </Text>
        }
      />
      <FormDialog title="Create a product" opened={creating} onClose={() => setCreating(false)}>
        <ProductForm
          onCancel={() => setCreating(false)}
          onSaved={({ id }) => navigate({ to: '/products/$productId', params: { productId: id } })}
        />
      </FormDialog>
    </Page>
  );
}
