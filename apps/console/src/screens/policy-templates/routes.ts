import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { PolicyTemplateList } from './list.tsx';
import { PolicyTemplateScreen } from './template.tsx';

export function policyTemplateRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/policy-templates',
      component: PolicyTemplateList,
      validateSearch: listSearch,
    }),
    createRoute({ getParentRoute, path: '/policy-templates/$templateId', component: PolicyTemplateScreen }),
  ] as const;
}
