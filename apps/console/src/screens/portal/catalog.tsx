import { showDone } from '@millrace/ui/form';
import { Loaded } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { Writable } from '../settings/writable.tsx';
import { ProductOrder } from './product-order.tsx';
import { useProductOptions } from './products.ts';

/** Which API products the developer portal shows, in which order, and which anybody may try. */
export function PortalCatalog() {
  const settings = useRead('getPortalSettings');
  return (
    <Loaded read={settings}>
      {(data) => (
        <Writable permission="portal.write">
          <CatalogForm key={data.version} settings={data} />
        </Writable>
      )}
    </Loaded>
  );
}

function CatalogForm({ settings }: { readonly settings: DataOf<'getPortalSettings'> }) {
  const { catalog, sandboxProductIds, version } = settings;
  const update = useWrite('updatePortalSettings');
  const options = useProductOptions([...catalog.order, ...catalog.featured, ...catalog.hidden, ...sandboxProductIds]);
  return (
    <SchemaForm
      schema={bodyOf('updatePortalSettings').pick({ catalog: true, sandboxProductIds: true })}
      initial={settings}
      fields={{
        catalog: {
          label: 'Published API products',
          fields: {
            featured: { label: 'On the home page', options, help: null },
            order: { render: (field) => <ProductOrder field={field} options={options} /> },
            hidden: { label: 'Not in the catalog', options, help: 'Their pages stay reachable' },
          },
        },
        sandboxProductIds: {
          label: 'Sandbox products',
          options,
          help: 'Anybody may try these without an account, a few times a minute from each address',
        },
      }}
      submitLabel="Save"
      send={async (body) => {
        await update.mutateAsync({ body, version });
        showDone('Catalog saved.');
      }}
    />
  );
}
