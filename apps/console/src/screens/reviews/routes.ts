import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function reviewRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/review-queue',
      component: lazyRouteComponent(() => import('./review-list.tsx'), 'ReviewList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/review-queue/$requestId',
      component: lazyRouteComponent(() => import('./review-page.tsx'), 'ReviewPage'),
    }),
  ] as const;
}
