import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function ratePlanRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const plan = createRoute({
    getParentRoute,
    path: '/rate-plans/$ratePlanId',
    component: lazyRouteComponent(() => import('./rate-plan.tsx'), 'RatePlanScreen'),
  });
  const below = { getParentRoute: () => plan, validateSearch: listSearch };
  return [
    createRoute({
      getParentRoute,
      path: '/rate-plans',
      component: lazyRouteComponent(() => import('./list.tsx'), 'RatePlanList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/rate-plans/new',
      component: lazyRouteComponent(() => import('./editor.tsx'), 'NewRatePlan'),
      validateSearch: ({ productId }: Record<string, unknown>): { readonly productId?: string | undefined } =>
        typeof productId === 'string' ? { productId } : {},
    }),
    createRoute({
      getParentRoute,
      path: '/rate-plans/$ratePlanId/edit',
      component: lazyRouteComponent(() => import('./editor.tsx'), 'EditRatePlan'),
    }),
    plan.addChildren([
      createRoute({ ...below, path: '/', component: lazyRouteComponent(() => import('./terms.tsx'), 'RatePlanTerms') }),
      createRoute({
        ...below,
        path: '/versions',
        component: lazyRouteComponent(() => import('./versions.tsx'), 'RatePlanVersions'),
      }),
      createRoute({
        ...below,
        path: '/subscribers',
        component: lazyRouteComponent(() => import('./subscribers.tsx'), 'RatePlanSubscribers'),
      }),
    ]),
  ] as const;
}
