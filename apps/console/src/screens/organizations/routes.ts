import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { OrganizationList } from './list.tsx';
import { OrganizationScreen } from './organization.tsx';

export function organizationRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/organizations', component: OrganizationList, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/organizations/$organizationId', component: OrganizationScreen }),
  ] as const;
}
