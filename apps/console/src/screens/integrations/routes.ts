import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function integrationRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const integration = createRoute({
    getParentRoute,
    path: '/integrations/$integrationId',
    component: lazyRouteComponent(() => import('./integration.tsx'), 'IntegrationScreen'),
  });
  const below = { getParentRoute: () => integration, validateSearch: listSearch };
  return [
    createRoute({
      getParentRoute,
      path: '/integrations',
      component: lazyRouteComponent(() => import('./list.tsx'), 'IntegrationList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/integrations/events',
      component: lazyRouteComponent(() => import('./events.tsx'), 'EventList'),
      validateSearch: listSearch,
    }),
    integration.addChildren([
      createRoute({
        ...below,
        path: '/',
        component: lazyRouteComponent(() => import('./overview.tsx'), 'IntegrationOverview'),
      }),
      createRoute({
        ...below,
        path: '/deliveries',
        component: lazyRouteComponent(() => import('./deliveries.tsx'), 'IntegrationDeliveries'),
      }),
    ]),
  ] as const;
}
