import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

// Not `/portal`, where the portals themselves are.
const path = '/developer-portal';

export function portalRoutes(shell: ShellRoute) {
  const portal = createRoute({
    getParentRoute: () => shell,
    path,
    component: lazyRouteComponent(() => import('./portal.tsx'), 'PortalScreen'),
  });
  const guide = createRoute({
    getParentRoute: () => shell,
    path: `${path}/guides/$guideId`,
    component: lazyRouteComponent(() => import('./guide.tsx'), 'GuideScreen'),
  });
  const below = { getParentRoute: () => portal };
  const belowGuide = { getParentRoute: () => guide };
  return [
    portal.addChildren([
      createRoute({
        ...below,
        path: '/',
        component: lazyRouteComponent(() => import('./settings.tsx'), 'PortalSettings'),
      }),
      createRoute({ ...below, path: '/look', component: lazyRouteComponent(() => import('./look.tsx'), 'PortalLook') }),
      createRoute({
        ...below,
        path: '/catalog',
        component: lazyRouteComponent(() => import('./catalog.tsx'), 'PortalCatalog'),
      }),
      createRoute({
        ...below,
        path: '/guides',
        component: lazyRouteComponent(() => import('./guides.tsx'), 'GuideList'),
        validateSearch: listSearch,
      }),
      createRoute({
        ...below,
        path: '/registrations',
        component: lazyRouteComponent(() => import('./registrations.tsx'), 'RegistrationList'),
        validateSearch: listSearch,
      }),
      createRoute({
        ...below,
        path: '/domains',
        component: lazyRouteComponent(() => import('./domains.tsx'), 'DomainList'),
        validateSearch: listSearch,
      }),
    ]),
    guide.addChildren([
      createRoute({
        ...belowGuide,
        path: '/',
        component: lazyRouteComponent(() => import('./guide-text.tsx'), 'GuideText'),
      }),
      createRoute({
        ...belowGuide,
        path: '/versions',
        component: lazyRouteComponent(() => import('./guide-versions.tsx'), 'GuideVersions'),
        validateSearch: listSearch,
      }),
    ]),
  ] as const;
}
