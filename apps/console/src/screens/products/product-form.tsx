import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { quotaField } from '../../frame/quota.tsx';

type Product = DataOf<'getProduct'>;

/** Creates a product, or edits the given one. */
export function ProductForm(props: {
  readonly product?: Product;
  readonly onCancel: () => void;
  readonly onSaved: (product: Product) => void;
}) {
  const { product, onCancel, onSaved } = props;
  const create = useWrite('createProduct');
  const update = useWrite('updateProduct');
  return (
    <SchemaForm
      schema={bodyOf('createProduct')}
      initial={product}
      order={['displayName', 'name', 'description', 'quota', 'autoApprove', 'public', 'unitsHeader', 'passUnitsHeader']}
      fields={{
        displayName: { placeholder: 'Orders' },
        name: {
          help: 'Lower-case letters, digits and hyphens, for pipelines and the audit trail',
          nameOf: 'displayName',
        },
        description: { help: null },
        quota: quotaField,
        autoApprove: { label: 'Auto-approve subscriptions', help: 'Otherwise each waits for approval' },
        unitsHeader: {
          label: 'Header with units',
          placeholder: 'x-pages',
          help: 'Response header in which the target states what a call used, such as pages',
        },
        passUnitsHeader: { label: 'Pass the header with units to callers', help: null },
        public: { help: 'Visible in the portal without signing in' },
      }}
      submitLabel={product ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const { id, version } = product ?? {};
        const saved = id
          ? await update.mutateAsync({ params: { productId: id }, body, version })
          : await create.mutateAsync({ body });
        showDone(id ? 'API product saved.' : `${saved.displayName} created. Add API proxies next.`);
        onSaved(saved);
      }}
    />
  );
}
