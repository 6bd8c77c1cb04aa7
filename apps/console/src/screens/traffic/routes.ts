import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function trafficRoutes(shell: ShellRoute) {
  const traffic = createRoute({
    getParentRoute: () => shell,
    path: '/traffic',
    component: lazyRouteComponent(() => import('./traffic.tsx'), 'Traffic'),
    validateSearch: listSearch,
  });
  const getParentRoute = () => traffic;
  return [
    traffic.addChildren([
      createRoute({
        getParentRoute,
        path: '/',
        component: lazyRouteComponent(() => import('./overview.tsx'), 'TrafficOverview'),
      }),
      createRoute({
        getParentRoute,
        path: '/errors',
        component: lazyRouteComponent(() => import('./errors.tsx'), 'TrafficErrors'),
      }),
      createRoute({
        getParentRoute,
        path: '/latency',
        component: lazyRouteComponent(() => import('./latency.tsx'), 'TrafficLatency'),
      }),
      createRoute({
        getParentRoute,
        path: '/countries',
        component: lazyRouteComponent(() => import('./countries.tsx'), 'TrafficCountries'),
      }),
    ]),
  ] as const;
}
