import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { SpecificationList } from './list.tsx';
import { SpecificationScreen } from './specification.tsx';

export function specificationRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/specifications', component: SpecificationList, validateSearch: listSearch }),
    createRoute({
      getParentRoute,
      path: '/specifications/$specificationId',
      component: SpecificationScreen,
      validateSearch: listSearch,
    }),
  ] as const;
}
