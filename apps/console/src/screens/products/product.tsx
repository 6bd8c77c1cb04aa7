import { Page } from '@millrace/ui/page';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, editAction, PermittedActions, suspendAction } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { ProductMarks } from './list.tsx';
import { ProductForm } from './product-form.tsx';

type Product = DataOf<'getProduct'>;

const sections = [
  { to: '/products/$productId', label: 'Overview', permission: 'product.read' },
  { to: '/products/$productId/subscriptions', label: 'Subscriptions', permission: 'subscription.read' },
  { to: '/products/$productId/pricing', label: 'Pricing', permission: 'rate-plan.read' },
] as const satisfies readonly PermittedSection[];

/** One API product: its header and its sections. */
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
          tabs={<PermittedSections label="Sections of the product" sections={sections} params={{ productId }} />}
        >
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ product }: { readonly product: Product }) {
  const { id, name, displayName, published, proxies, state, version } = product;
  const params = { productId: id };
  const navigate = useNavigate();
  const publish = useWrite('publishProduct');
  const unpublish = useWrite('unpublishProduct');
  const suspend = useWrite('suspendProduct');
  const activate = useWrite('activateProduct');
  const remove = useWrite('deleteProduct');
  return (
    <PermittedActions
      actions={[
        published
          ? {
              label: 'Unpublish',
              permission: 'product.publish',
              run: () => unpublish.mutateAsync({ params }),
              done: `${displayName} unpublished.`,
              confirm: {
                title: `Unpublish ${displayName}?`,
                text: 'The portal hides it, and it can’t be subscribed to. Existing subscriptions continue.',
              },
            }
          : {
              label: 'Publish',
              primary: true,
              permission: 'product.publish',
              blocked: proxies.length === 0 && 'Add an API proxy first.',
              run: () => publish.mutateAsync({ params }),
              done: `${displayName} published. Apps can subscribe to it.`,
            },
        editAction({
          noun: 'API product',
          permission: 'product.write',
          body: (close) => <ProductForm product={product} onCancel={close} onSaved={close} />,
        }),
        suspendAction({
          name: displayName,
          state,
          permission: 'product.write',
          text: 'All its subscribers lose access through it within a second, until it is activated again.',
          suspend: () => suspend.mutateAsync({ params }),
          activate: () => activate.mutateAsync({ params }),
        }),
        deleteAction({
          name: displayName,
          permission: 'product.delete',
          typed: name,
          text: 'Possible only if it never had a subscription, ended ones included. Otherwise unpublish or suspend it.',
          run: () => remove.mutateAsync({ params, version }),
          onDone: () => navigate({ to: '/products' }),
        }),
      ]}
    />
  );
}
