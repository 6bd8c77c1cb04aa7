import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function specificationRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/specifications',
      component: lazyRouteComponent(() => import('./list.tsx'), 'SpecificationList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/specifications/$specificationId',
      component: lazyRouteComponent(() => import('./specification.tsx'), 'SpecificationScreen'),
      validateSearch: listSearch,
    }),
  ] as const;
}
