import { Messages } from '@millrace/ui/messages';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';

function Root() {
  return (
    <>
      <Messages />
      <Outlet />
    </>
  );
}

export const rootRoute = createRootRouteWithContext<{ cache: QueryClient }>()({ component: Root });

/** Everything behind the sign-in, within the navigation. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: lazyRouteComponent(() => import('./frame/shell.tsx'), 'Shell'),
});

/** The parent of every screen's route. */
export type ShellRoute = typeof shellRoute;
