import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function policyTemplateRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/policy-templates',
      component: lazyRouteComponent(() => import('./list.tsx'), 'PolicyTemplateList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/policy-templates/$templateId',
      component: lazyRouteComponent(() => import('./template.tsx'), 'PolicyTemplateScreen'),
    }),
  ] as const;
}
