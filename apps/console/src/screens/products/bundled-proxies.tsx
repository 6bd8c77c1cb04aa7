import { IconPlus } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { PermittedActions, RowActions } from '../../frame/actions.tsx';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { BundleForm } from './bundle-form.tsx';

type Product = DataOf<'getProduct'>;

/** The API proxies of a product, each with all or some of its routes. */
export function BundledProxies({ product }: { readonly product: Product }) {
  const remove = useWrite('removeProductProxy');
  const permission = 'product.write';
  const addAction = {
    label: 'Add API proxy',
    icon: IconPlus,
    permission,
    form: {
      title: 'Add API proxy',
      body: (close: () => void) => <BundleForm product={product} bundled={null} onClose={close} />,
    },
  };
  const rowActions = (bundled: Product['proxies'][number]) => {
    const { proxyId, proxyDisplayName } = bundled;
    return [
      {
        label: 'Choose routes',
        name: `Choose routes of ${proxyDisplayName}`,
        permission,
        form: {
          title: `Routes of ${proxyDisplayName}`,
          body: (close: () => void) => <BundleForm product={product} bundled={bundled} onClose={close} />,
        },
      },
      {
        label: 'Remove',
        name: `Remove ${proxyDisplayName}`,
        danger: true,
        permission,
        run: () => remove.mutateAsync({ params: { productId: product.id, proxyId } }),
        done: `${proxyDisplayName} removed.`,
        confirm: {
          title: `Remove ${proxyDisplayName}?`,
          text: `Within a second, subscribers of ${product.displayName} can’t call it through this API product.`,
        },
      },
    ];
  };
  return (
    <Section title="API proxies" actions={<PermittedActions actions={[addAction]} />}>
      {product.proxies.length === 0 ? (
        <EmptyList>No API proxies yet. Add one so that subscribers have something to call.</EmptyList>
      ) : (
        <RecordTable
          label="Table of API proxies"
          rows={product.proxies.map((bundled) => ({ ...bundled, id: bundled.proxyId }))}
          columns={[
            {
              title: 'API proxy',
              cell: ({ proxyId, proxyDisplayName }) => (
                <TextLink to="/proxies/$proxyId" params={{ proxyId }}>
                  {proxyDisplayName}
                </TextLink>
              ),
            },
            { title: 'Base path', cell: ({ basePath }) => <code>{basePath}</code> },
            { title: 'Routes', cell: ({ routeIds }) => (routeIds === null ? 'All' : `${routeIds.length} selected`) },
            { title: 'Actions', cell: (bundled) => <RowActions actions={rowActions(bundled)} /> },
          ]}
        />
      )}
    </Section>
  );
}
