import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { EnvironmentScreen } from './environment.tsx';
import { EnvironmentList } from './list.tsx';

export function environmentRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/environments', component: EnvironmentList, validateSearch: listSearch }),
    createRoute({
      getParentRoute,
      path: '/environments/$environmentId',
      component: EnvironmentScreen,
      validateSearch: listSearch,
    }),
  ] as const;
}
