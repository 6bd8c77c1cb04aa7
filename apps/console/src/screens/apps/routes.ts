import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function appRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const app = createRoute({
    getParentRoute,
    path: '/apps/$appId',
    component: lazyRouteComponent(() => import('./app.tsx'), 'AppScreen'),
  });
  const below = { getParentRoute: () => app, validateSearch: listSearch };
  return [
    createRoute({
      getParentRoute,
      path: '/apps',
      component: lazyRouteComponent(() => import('./list.tsx'), 'AppList'),
      validateSearch: listSearch,
    }),
    app.addChildren([
      createRoute({
        ...below,
        path: '/',
        component: lazyRouteComponent(() => import('./credentials.tsx'), 'AppCredentials'),
      }),
      createRoute({
        ...below,
        path: '/subscriptions',
        component: lazyRouteComponent(() => import('./subscriptions.tsx'), 'AppSubscriptions'),
      }),
    ]),
  ] as const;
}
