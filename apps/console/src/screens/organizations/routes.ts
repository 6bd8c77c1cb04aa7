import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function organizationRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/organizations',
      component: lazyRouteComponent(() => import('./list.tsx'), 'OrganizationList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/organizations/$organizationId',
      component: lazyRouteComponent(() => import('./organization.tsx'), 'OrganizationScreen'),
    }),
  ] as const;
}
