import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function alertRuleRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const rule = createRoute({
    getParentRoute,
    path: '/alert-rules/$alertRuleId',
    component: lazyRouteComponent(() => import('./alert-rule.tsx'), 'AlertRuleScreen'),
  });
  const below = { getParentRoute: () => rule, validateSearch: listSearch };
  return [
    createRoute({
      getParentRoute,
      path: '/alert-rules',
      component: lazyRouteComponent(() => import('./list.tsx'), 'AlertRuleList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/alert-rules/new',
      component: lazyRouteComponent(() => import('./editor.tsx'), 'NewAlertRule'),
    }),
    createRoute({
      getParentRoute,
      path: '/alert-rules/$alertRuleId/edit',
      component: lazyRouteComponent(() => import('./editor.tsx'), 'EditAlertRule'),
    }),
    rule.addChildren([
      createRoute({
        ...below,
        path: '/',
        component: lazyRouteComponent(() => import('./overview.tsx'), 'AlertRuleOverview'),
      }),
      createRoute({
        ...below,
        path: '/test',
        component: lazyRouteComponent(() => import('./past-test.tsx'), 'AlertRulePast'),
      }),
      createRoute({
        ...below,
        path: '/evaluations',
        component: lazyRouteComponent(() => import('./evaluations.tsx'), 'AlertRuleEvaluations'),
      }),
    ]),
  ] as const;
}
