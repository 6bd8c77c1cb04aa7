import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { ServiceAccountList } from './list.tsx';
import { ServiceAccountScreen } from './service-account.tsx';

export function serviceAccountRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/service-accounts',
      component: ServiceAccountList,
      validateSearch: listSearch,
    }),
    createRoute({ getParentRoute, path: '/service-accounts/$serviceAccountId', component: ServiceAccountScreen }),
  ] as const;
}
