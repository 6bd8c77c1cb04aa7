import { createRoute } from '@tanstack/react-router';
import { listSearch } from '../../frame/resource-list.tsx';
import type { ShellRoute } from '../screens.tsx';
import { CreateProxy } from './create-proxy.tsx';
import { HistoryTab } from './history-tab.tsx';
import { ImportProxy } from './import-proxy.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PoliciesTab } from './policies/policies-tab.tsx';
import { ProxyList } from './proxy-list.tsx';
import { ProxyPage } from './proxy-page.tsx';
import { RoutesTab } from './routes-tab.tsx';

export function proxyRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const page = createRoute({ getParentRoute, path: '/proxies/$proxyId', component: ProxyPage });
  const onPage = { getParentRoute: () => page, validateSearch: listSearch };
  return [
    createRoute({ getParentRoute, path: '/proxies', component: ProxyList, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/proxies/new', component: CreateProxy }),
    createRoute({ getParentRoute, path: '/proxies/import', component: ImportProxy }),
    page.addChildren([
      createRoute({ ...onPage, path: '/', component: OverviewTab }),
      createRoute({ ...onPage, path: '/routes', component: RoutesTab }),
      createRoute({ ...onPage, path: '/policies', component: PoliciesTab }),
      createRoute({ ...onPage, path: '/history', component: HistoryTab }),
    ]),
  ] as const;
}
