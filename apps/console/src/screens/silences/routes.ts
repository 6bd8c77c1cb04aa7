import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function silenceRoutes(shell: ShellRoute) {
  return [
    createRoute({
      getParentRoute: () => shell,
      path: '/silences',
      component: lazyRouteComponent(() => import('./list.tsx'), 'SilenceList'),
      validateSearch: listSearch,
    }),
  ] as const;
}
