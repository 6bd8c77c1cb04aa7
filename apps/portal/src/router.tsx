import { signInSearch, tokenSearch } from '@millrace/ui/entrance-search';
import { ScreenFailure } from '@millrace/ui/error-screens';
import { listSearch } from '@millrace/ui/list-search';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { NotFound } from './frame/not-found.tsx';
import { place } from './frame/place.ts';
import { startSearch } from './screens/start/search.ts';

/** Not part of the first load: nothing is shown before the user does something. */
const Messages = lazy(async () => ({ default: (await import('@millrace/ui/messages')).Messages }));

/** Messages link to screens, so they are inside the router. */
function Root() {
  return (
    <>
      <Suspense>
        <Messages />
      </Suspense>
      <Outlet />
    </>
  );
}

const rootRoute = createRootRoute({ component: Root });
const atRoot = () => rootRoute;

const accountRoute = createRoute({
  getParentRoute: atRoot,
  id: 'in',
  component: lazyRouteComponent(() => import('./frame/account.tsx'), 'Account'),
});
const inAccount = () => accountRoute;

/** Pages that need no session. Each is loaded when it is opened. */
const entrances = [
  createRoute({
    getParentRoute: atRoot,
    path: '/register',
    validateSearch: startSearch,
    component: lazyRouteComponent(() => import('./screens/access/register.tsx'), 'Register'),
  }),
  createRoute({
    getParentRoute: atRoot,
    path: '/confirm',
    validateSearch: tokenSearch,
    component: lazyRouteComponent(() => import('./screens/access/confirm.tsx'), 'Confirm'),
  }),
  createRoute({
    getParentRoute: atRoot,
    path: '/sign-in',
    validateSearch: signInSearch,
    component: lazyRouteComponent(() => import('./screens/access/sign-in.tsx'), 'SignIn'),
  }),
  createRoute({
    getParentRoute: atRoot,
    path: '/sign-in/callback',
    component: lazyRouteComponent(() => import('./screens/access/provider-callback.tsx'), 'ProviderCallback'),
  }),
  createRoute({
    getParentRoute: atRoot,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./screens/access/forgot-password.tsx'), 'ForgotPassword'),
  }),
  createRoute({
    getParentRoute: atRoot,
    path: '/reset-password',
    validateSearch: tokenSearch,
    component: lazyRouteComponent(() => import('./screens/access/reset-password.tsx'), 'ResetPassword'),
  }),
  createRoute({
    getParentRoute: atRoot,
    path: '/accept-invitation',
    validateSearch: tokenSearch,
    component: lazyRouteComponent(() => import('./screens/access/accept-invitation.tsx'), 'AcceptInvitation'),
  }),
] as const;

const screens = [
  createRoute({
    getParentRoute: inAccount,
    path: '/account',
    component: lazyRouteComponent(() => import('./screens/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/start',
    validateSearch: startSearch,
    component: lazyRouteComponent(() => import('./screens/start/start.tsx'), 'Start'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/apps',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./screens/apps/list.tsx'), 'AppList'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/apps/$appId',
    component: lazyRouteComponent(() => import('./screens/apps/app.tsx'), 'AppScreen'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/subscriptions',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./screens/subscriptions/list.tsx'), 'SubscriptionList'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/subscriptions/$subscriptionId',
    component: lazyRouteComponent(() => import('./screens/subscriptions/subscription.tsx'), 'SubscriptionScreen'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/usage',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./screens/usage/usage.tsx'), 'UsageScreen'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/usage/requests',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./screens/usage/requests.tsx'), 'RequestList'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/invoices',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./screens/invoices/list.tsx'), 'InvoiceList'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/invoices/$invoiceId',
    component: lazyRouteComponent(() => import('./screens/invoices/invoice.tsx'), 'InvoiceScreen'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/balance',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./screens/balance/balance.tsx'), 'BalanceScreen'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/team',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./screens/team/team.tsx'), 'Team'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/settings',
    component: lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'Settings'),
  }),
  createRoute({
    getParentRoute: inAccount,
    path: '/account/security',
    component: lazyRouteComponent(() => import('./screens/security/security.tsx'), 'Security'),
  }),
  createRoute({ getParentRoute: inAccount, path: '$', component: NotFound }),
] as const;

export function createPortalRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([...entrances, accountRoute.addChildren(screens)]),
    basepath: place.basePath || '/',
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ScreenFailure,
    // Another object's screen starts fresh, with that object's fields.
    defaultRemountDeps: ({ params }) => params,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
