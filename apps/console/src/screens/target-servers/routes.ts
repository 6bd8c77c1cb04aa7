import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { TargetServerList } from './list.tsx';
import { TargetServerScreen } from './target-server.tsx';

export function targetServerRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/target-servers', component: TargetServerList, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/target-servers/$targetServerId', component: TargetServerScreen }),
  ] as const;
}
