import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function auditRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/audit',
      component: lazyRouteComponent(() => import('./explorer.tsx'), 'AuditExplorer'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/audit/$entryId',
      component: lazyRouteComponent(() => import('./entry.tsx'), 'AuditEntryScreen'),
    }),
  ] as const;
}
