import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function revenueRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/revenue',
      component: lazyRouteComponent(() => import('./revenue.tsx'), 'Revenue'),
      validateSearch: listSearch,
    }),
  ] as const;
}
