import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function governanceRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const validateSearch = listSearch;
  return [
    createRoute({
      getParentRoute,
      path: '/governance',
      component: lazyRouteComponent(() => import('./summary.tsx'), 'GovernanceSummary'),
      validateSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/governance/findings',
      component: lazyRouteComponent(() => import('./findings.tsx'), 'FindingList'),
      validateSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/governance/standards',
      component: lazyRouteComponent(() => import('./standards.tsx'), 'StandardList'),
      validateSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/governance/standards/$code',
      component: lazyRouteComponent(() => import('./standard.tsx'), 'StandardScreen'),
    }),
    createRoute({
      getParentRoute,
      path: '/governance/waivers',
      component: lazyRouteComponent(() => import('./waivers.tsx'), 'WaiverList'),
      validateSearch,
    }),
  ] as const;
}
