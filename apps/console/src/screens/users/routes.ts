import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function userRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/users',
      component: lazyRouteComponent(() => import('./list.tsx'), 'UserList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/users/invitations',
      component: lazyRouteComponent(() => import('./invitations.tsx'), 'InvitationList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/users/$userId',
      component: lazyRouteComponent(() => import('./user.tsx'), 'UserScreen'),
    }),
  ] as const;
}
