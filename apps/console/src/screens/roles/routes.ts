import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { RoleList } from './list.tsx';
import { RoleScreen } from './role.tsx';

export function roleRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/roles', component: RoleList, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/roles/$roleId', component: RoleScreen }),
  ] as const;
}
