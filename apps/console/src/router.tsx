import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { Shell } from './frame/shell.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { screens } from './screens/screens.tsx';

const rootRoute = createRootRouteWithContext<{ cache: QueryClient }>()({ component: Outlet });

/** Pages of who is not signed in. */
const signInRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sign-in', component: SignIn });

/** Everything behind the sign-in, within the navigation. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });

export function createConsoleRouter(cache: QueryClient) {
  const routeTree = rootRoute.addChildren([signInRoute, shellRoute.addChildren(screens(shellRoute))]);
  return createRouter({ routeTree, context: { cache }, defaultPreload: 'intent', scrollRestoration: true });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
