import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { DeploymentScreen } from './deployment.tsx';
import { DeploymentList } from './list.tsx';

export function deploymentRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/deployments', component: DeploymentList, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/deployments/$deploymentId', component: DeploymentScreen }),
  ] as const;
}
