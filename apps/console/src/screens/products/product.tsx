import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure } from '@millrace/ui/form';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { ProductMarks } from './list.tsx';
import { ProductForm } from './product-form.tsx';

type Product = DataOf<'getProduct'>;

const sections = [
  { to: '/products/$productId', label: 'Overview', permission: 'product.read' },
  { to: '/products/$productId/subscriptions', label: 'Subscriptions', permission: 'subscription.read' },
  { to: '/products/$productId/rate-plans', label: 'Rate plans', permission: 'rate-plan.read' },
] as const satisfies readonly PermittedSection[];

/** One API product: its head and its sections. */
export function ProductScreen() {
  const { productId } = useParams({ from: '/shell/products/$productId' });
  const read = useRead('getProduct', { params: { productId } });
  return (
    <EntityScreen read={read}>
      {(product) => (
        <Page
          title={product.displayName}
          mark={<ProductMarks product={product} />}
          description={product.description}
          crumbs={[{ label: 'API products', to: '/products' }]}
          actions={<Actions product={product} />}
        >
          <PermittedSections label="Sections of the product" sections={sections} params={{ productId }} />
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ product }: { readonly product: Product }) {
  const { id, displayName, published, state, version } = product;
  const params = { productId: id };
  const navigate = useNavigate();
  const publish = useWrite('publishProduct');
  const unpublish = useWrite('unpublishProduct');
  const suspend = useWrite('suspendProduct');
  const activate = useWrite('activateProduct');
  const remove = useWrite('deleteProduct');
  const [dialog, setDialog] = useState<'change' | 'unpublish' | 'suspend' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const publishNow = () =>
    publish
      .mutateAsync({ params })
      .then(() => showDone(`${displayName} is published, and takes subscriptions.`))
      .catch(showFailure);
  const activateNow = () =>
    activate
      .mutateAsync({ params })
      .then(() => showDone(`${displayName} is active again.`))
      .catch(showFailure);
  return (
    <>
      {published ? (
        <PermittedButton variant="default" permission="product.publish" onClick={() => setDialog('unpublish')}>
          Unpublish
        </PermittedButton>
      ) : (
        <PermittedButton
          permission="product.publish"
          loading={publish.isPending}
          blocked={product.proxies.length === 0 && 'Bundle an API proxy first: it would let nobody call anything.'}
          onClick={publishNow}
        >
          Publish
        </PermittedButton>
      )}
      <PermittedButton variant="default" permission="product.write" onClick={() => setDialog('change')}>
        Change
      </PermittedButton>
      {state === 'active' ? (
        <PermittedButton variant="default" permission="product.write" onClick={() => setDialog('suspend')}>
          Suspend
        </PermittedButton>
      ) : (
        <PermittedButton permission="product.write" loading={activate.isPending} onClick={activateNow}>
          Activate
        </PermittedButton>
      )}
      <PermittedButton
        variant="default"
        c="var(--mantine-color-error)"
        permission="product.delete"
        onClick={() => setDialog('delete')}
      >
        Delete
      </PermittedButton>
      <FormDialog title={`Change ${displayName}`} opened={dialog === 'change'} onClose={close}>
        <ProductForm product={product} onCancel={close} onSaved={close} />
      </FormDialog>
      {dialog === 'unpublish' && (
        <Confirm
          title={`Unpublish ${displayName}`}
          action="Unpublish"
          done={`${displayName} is no longer published.`}
          onConfirm={() => unpublish.mutateAsync({ params })}
          onClose={close}
        >
          The portal shows it no more, and it takes no subscription until it is published again. The subscriptions that
          it has hold on.
        </Confirm>
      )}
      {dialog === 'suspend' && (
        <Confirm
          title={`Suspend ${displayName}`}
          action="Suspend"
          done={`${displayName} is suspended.`}
          onConfirm={() => suspend.mutateAsync({ params })}
          onClose={close}
        >
          Within a second no gateway node lets any of its subscribers in by it, until it is activated again.
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${displayName}`}
          action="Delete"
          typed={product.name}
          done={`${displayName} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params, version })}
          onDone={() => navigate({ to: '/products' })}
          onClose={close}
        >
          A product that has subscriptions, ended ones included, cannot be deleted: unpublish or suspend it.
        </Confirm>
      )}
    </>
  );
}
