import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { GatewayNodeList } from './list.tsx';
import { GatewayNodeScreen } from './node.tsx';

export function gatewayNodeRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/gateway-nodes', component: GatewayNodeList, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/gateway-nodes/$nodeId', component: GatewayNodeScreen }),
  ] as const;
}
