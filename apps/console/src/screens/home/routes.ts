import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function homeRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/', component: lazyRouteComponent(() => import('./home.tsx'), 'Home') }),
  ] as const;
}
