import { Checkbox, Textarea } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { NameFields } from '../../frame/name-fields.tsx';
import { type Quota, QuotaField } from '../../frame/quota.tsx';

type Product = DataOf<'getProduct'>;

interface Values {
  readonly displayName: string;
  readonly name: string;
  readonly description: string;
  readonly public: boolean;
  readonly autoApprove: boolean;
  readonly quota: Quota | null;
}

const emptyProduct: Values = {
  displayName: '',
  name: '',
  description: '',
  public: false,
  autoApprove: false,
  quota: null,
};

/** Creates a product, or edits the given one. */
export function ProductForm(props: {
  readonly product?: Product;
  readonly onCancel: () => void;
  readonly onSaved: (product: Product) => void;
}) {
  const { product } = props;
  const create = useWrite('createProduct');
  const update = useWrite('updateProduct');
  const form = useForm<Values>(product ? valuesOf(product) : emptyProduct, async (body) => {
    const saved = product
      ? await update.mutateAsync({ params: { productId: product.id }, body, version: product.version })
      : await create.mutateAsync({ body });
    showDone(product ? 'API product saved.' : `${saved.displayName} created. Add API proxies next.`);
    props.onSaved(saved);
  });
  return (
    <FormBody form={form} submitLabel={product ? 'Save' : 'Create'} onCancel={props.onCancel}>
      <NameFields form={form} placeholder="Orders" named={product !== undefined} />
      <Textarea label="Description" autosize minRows={2} maxRows={10} {...form.text('description')} />
      <QuotaField form={form} whenOff="Off: each proxy’s Quota policy applies, if it has one" />
      <Checkbox
        label="Auto-approve subscriptions"
        description="Otherwise each waits for a decision in the queue"
        checked={form.values.autoApprove}
        onChange={(event) => form.set('autoApprove', event.currentTarget.checked)}
        error={form.errorAt('autoApprove')}
      />
      <Checkbox
        label="Public"
        description="Visible in the portal without signing in"
        checked={form.values.public}
        onChange={(event) => form.set('public', event.currentTarget.checked)}
        error={form.errorAt('public')}
      />
    </FormBody>
  );
}

function valuesOf({ displayName, name, description, autoApprove, quota, ...product }: Product): Values {
  return { displayName, name, description, autoApprove, quota, public: product.public };
}
