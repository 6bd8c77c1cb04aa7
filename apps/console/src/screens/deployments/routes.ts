import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function deploymentRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/deployments',
      component: lazyRouteComponent(() => import('./list.tsx'), 'DeploymentList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/deployments/$deploymentId',
      component: lazyRouteComponent(() => import('./deployment.tsx'), 'DeploymentScreen'),
    }),
  ] as const;
}
