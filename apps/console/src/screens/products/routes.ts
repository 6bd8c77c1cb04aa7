import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function productRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const product = createRoute({
    getParentRoute,
    path: '/products/$productId',
    component: lazyRouteComponent(() => import('./product.tsx'), 'ProductScreen'),
  });
  const below = { getParentRoute: () => product, validateSearch: listSearch };
  return [
    createRoute({
      getParentRoute,
      path: '/products',
      component: lazyRouteComponent(() => import('./list.tsx'), 'ProductList'),
      validateSearch: listSearch,
    }),
    product.addChildren([
      createRoute({
        ...below,
        path: '/',
        component: lazyRouteComponent(() => import('./overview.tsx'), 'ProductOverview'),
      }),
      createRoute({
        ...below,
        path: '/subscriptions',
        component: lazyRouteComponent(() => import('./subscriptions.tsx'), 'ProductSubscriptions'),
      }),
      createRoute({
        ...below,
        path: '/pricing',
        component: lazyRouteComponent(() => import('./pricing.tsx'), 'ProductPricing'),
      }),
    ]),
  ] as const;
}
