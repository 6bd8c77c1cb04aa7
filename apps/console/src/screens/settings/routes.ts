import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function settingsRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/settings',
      component: lazyRouteComponent(() => import('./settings.tsx'), 'Settings'),
    }),
  ] as const;
}
