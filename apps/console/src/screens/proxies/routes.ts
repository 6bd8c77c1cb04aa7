import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function proxyRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const page = createRoute({
    getParentRoute,
    path: '/proxies/$proxyId',
    component: lazyRouteComponent(() => import('./proxy-page.tsx'), 'ProxyPage'),
  });
  const onPage = { getParentRoute: () => page, validateSearch: listSearch };
  return [
    createRoute({
      getParentRoute,
      path: '/proxies',
      component: lazyRouteComponent(() => import('./proxy-list.tsx'), 'ProxyList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/proxies/import',
      component: lazyRouteComponent(() => import('./import-proxy.tsx'), 'ImportProxy'),
    }),
    page.addChildren([
      createRoute({
        ...onPage,
        path: '/',
        component: lazyRouteComponent(() => import('./overview-tab.tsx'), 'OverviewTab'),
      }),
      createRoute({
        ...onPage,
        path: '/routes',
        component: lazyRouteComponent(() => import('./routes-tab.tsx'), 'RoutesTab'),
      }),
      createRoute({
        ...onPage,
        path: '/policies',
        component: lazyRouteComponent(() => import('./policies/policies-tab.tsx'), 'PoliciesTab'),
      }),
      createRoute({
        ...onPage,
        path: '/targets',
        component: lazyRouteComponent(() => import('./targets-tab.tsx'), 'TargetsTab'),
      }),
      createRoute({
        ...onPage,
        path: '/trace',
        component: lazyRouteComponent(() => import('./trace/trace-tab.tsx'), 'TraceTab'),
      }),
      createRoute({
        ...onPage,
        path: '/specification',
        component: lazyRouteComponent(() => import('./specification/specification-tab.tsx'), 'SpecificationTab'),
      }),
      createRoute({
        ...onPage,
        path: '/governance',
        component: lazyRouteComponent(() => import('./governance-tab.tsx'), 'GovernanceTab'),
      }),
      createRoute({
        ...onPage,
        path: '/revisions',
        component: lazyRouteComponent(() => import('./revisions-tab.tsx'), 'RevisionsTab'),
      }),
      createRoute({
        ...onPage,
        path: '/deployments',
        component: lazyRouteComponent(() => import('./deployments-tab.tsx'), 'DeploymentsTab'),
      }),
      createRoute({
        ...onPage,
        path: '/history',
        component: lazyRouteComponent(() => import('./history-tab.tsx'), 'HistoryTab'),
      }),
    ]),
  ] as const;
}
