import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function settingsRoutes(shell: ShellRoute) {
  const settings = createRoute({
    getParentRoute: () => shell,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings.tsx'), 'SettingsScreen'),
  });
  const getParentRoute = () => settings;
  return [
    settings.addChildren([
      createRoute({
        getParentRoute,
        path: '/',
        component: lazyRouteComponent(() => import('./general.tsx'), 'GeneralSettings'),
      }),
      createRoute({
        getParentRoute,
        path: '/billing',
        component: lazyRouteComponent(() => import('./billing.tsx'), 'BillingSettings'),
      }),
      createRoute({
        getParentRoute,
        path: '/sign-in',
        component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignInSettings'),
      }),
    ]),
  ] as const;
}
