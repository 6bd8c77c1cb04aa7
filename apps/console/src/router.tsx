import { signInSearch, tokenSearch } from '@millrace/ui/entrance-search';
import { NotFound, ScreenFailure } from '@millrace/ui/error-screens';
import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { screens } from './screens/screens.tsx';
import { rootRoute, shellRoute } from './shell-route.tsx';

const getParentRoute = () => rootRoute;

/** Pages for visitors who aren't signed in. */
const entrances = [
  createRoute({
    getParentRoute,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('./screens/access/sign-in.tsx'), 'SignIn'),
    validateSearch: signInSearch,
  }),
  createRoute({
    getParentRoute,
    path: '/sign-in/callback',
    component: lazyRouteComponent(() => import('./screens/access/provider-callback.tsx'), 'ProviderCallback'),
  }),
  createRoute({
    getParentRoute,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./screens/access/forgot-password.tsx'), 'ForgotPassword'),
  }),
  createRoute({
    getParentRoute,
    path: '/accept-invitation',
    component: lazyRouteComponent(() => import('./screens/access/accept-invitation.tsx'), 'AcceptInvitation'),
    validateSearch: tokenSearch,
  }),
  createRoute({
    getParentRoute,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('./screens/access/reset-password.tsx'), 'ResetPassword'),
    validateSearch: tokenSearch,
  }),
] as const;

/** Any other address, within the navigation. */
const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFound });

/** @param organizationId named by the address; every link within the screens stays in it */
export function createConsoleRouter(cache: QueryClient, organizationId: string | null) {
  const routeTree = rootRoute.addChildren([
    ...entrances,
    shellRoute.addChildren([...screens(shellRoute), unknownRoute]),
  ]);
  return createRouter({
    routeTree,
    basepath: organizationId === null ? '/' : `/o/${organizationId}`,
    context: { cache },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ScreenFailure,
    // Another entity's screen is a new one, with that entity's fields.
    defaultRemountDeps: ({ params }) => params,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
