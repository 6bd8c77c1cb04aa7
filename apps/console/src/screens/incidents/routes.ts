import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function incidentRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/incidents',
      component: lazyRouteComponent(() => import('./list.tsx'), 'IncidentList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/incidents/$incidentId',
      component: lazyRouteComponent(() => import('./incident.tsx'), 'IncidentScreen'),
    }),
  ] as const;
}
