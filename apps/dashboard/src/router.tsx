import { signInSearch, tokenSearch } from '@millrace/ui/entrance-search';
import { NotFound, ScreenFailure } from '@millrace/ui/error-screens';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { textSearch } from './frame/address.ts';

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

/** Every screen that requires a session, inside the shell. */
const shellRoute = createRoute({
  getParentRoute: atRoot,
  id: 'shell',
  component: lazyRouteComponent(() => import('./frame/shell.tsx'), 'Shell'),
});
const inShell = () => shellRoute;

/** Pages that need no session. Each is loaded when it is opened. */
const entrances = [
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
    path: '/accept-invitation',
    validateSearch: tokenSearch,
    component: lazyRouteComponent(() => import('./screens/access/accept-invitation.tsx'), 'AcceptInvitation'),
  }),
  createRoute({
    getParentRoute: atRoot,
    path: '/reset-password',
    validateSearch: tokenSearch,
    component: lazyRouteComponent(() => import('./screens/access/reset-password.tsx'), 'ResetPassword'),
  }),
] as const;

const screens = [
  createRoute({
    getParentRoute: inShell,
    path: '/',
    component: lazyRouteComponent(() => import('./screens/home/home.tsx'), 'HomeScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/documents',
    validateSearch: textSearch,
    component: lazyRouteComponent(() => import('./screens/documents/documents.tsx'), 'DocumentsScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/documents/$documentId',
    validateSearch: textSearch,
    component: lazyRouteComponent(() => import('./screens/document/document.tsx'), 'DocumentScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/review',
    validateSearch: textSearch,
    component: lazyRouteComponent(() => import('./screens/review/review.tsx'), 'ReviewScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/review/$documentId',
    component: lazyRouteComponent(() => import('./screens/review/review-document.tsx'), 'ReviewDocumentScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/types',
    component: lazyRouteComponent(() => import('./screens/types/types.tsx'), 'TypesScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/types/new',
    component: lazyRouteComponent(() => import('./screens/types/type-editor.tsx'), 'NewTypeScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/types/$typeName',
    component: lazyRouteComponent(() => import('./screens/types/type.tsx'), 'TypeScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/types/$typeName/edit',
    component: lazyRouteComponent(() => import('./screens/types/type-editor.tsx'), 'EditTypeScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/developer/keys',
    validateSearch: textSearch,
    component: lazyRouteComponent(() => import('./screens/keys/keys.tsx'), 'KeysScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/developer/webhooks',
    component: lazyRouteComponent(() => import('./screens/webhooks/webhooks.tsx'), 'WebhooksScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/developer/webhooks/$webhookId',
    validateSearch: textSearch,
    component: lazyRouteComponent(() => import('./screens/webhooks/webhook.tsx'), 'WebhookScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/developer/deliveries/$deliveryId',
    component: lazyRouteComponent(() => import('./screens/deliveries/delivery.tsx'), 'DeliveryScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/developer/logs',
    validateSearch: textSearch,
    component: lazyRouteComponent(() => import('./screens/logs/logs.tsx'), 'LogsScreen'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/settings/{-$section}',
    component: lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'SettingsScreen'),
  }),
  createRoute({ getParentRoute: inShell, path: '$', component: NotFound }),
] as const;

export function createDashboardRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([...entrances, shellRoute.addChildren(screens)]),
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ScreenFailure,
    // Another document's screen starts fresh, with that document's fields.
    defaultRemountDeps: ({ params }) => params,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
