import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function roleRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/roles',
      component: lazyRouteComponent(() => import('./list.tsx'), 'RoleList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/roles/$roleId',
      component: lazyRouteComponent(() => import('./role.tsx'), 'RoleScreen'),
    }),
  ] as const;
}
