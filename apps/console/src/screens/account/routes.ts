import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function accountRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/account',
      component: lazyRouteComponent(() => import('./account.tsx'), 'Account'),
    }),
  ] as const;
}
