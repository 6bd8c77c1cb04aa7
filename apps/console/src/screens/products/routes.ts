import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { ProductList } from './list.tsx';
import { ProductOverview } from './overview.tsx';
import { ProductScreen } from './product.tsx';
import { ProductRatePlans } from './rate-plans.tsx';
import { ProductSubscriptions } from './subscriptions.tsx';

export function productRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const product = createRoute({ getParentRoute, path: '/products/$productId', component: ProductScreen });
  const below = { getParentRoute: () => product, validateSearch: listSearch };
  return [
    createRoute({ getParentRoute, path: '/products', component: ProductList, validateSearch: listSearch }),
    product.addChildren([
      createRoute({ ...below, path: '/', component: ProductOverview }),
      createRoute({ ...below, path: '/subscriptions', component: ProductSubscriptions }),
      createRoute({ ...below, path: '/rate-plans', component: ProductRatePlans }),
    ]),
  ] as const;
}
