import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import { RevisionsTab } from '../revisions/revisions-tab.tsx';
import type { ShellRoute } from '../screens.tsx';
import { CreateProxy } from './create-proxy.tsx';
import { DeploymentsTab } from './deployments-tab.tsx';
import { GovernanceTab } from './governance/governance-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { ImportProxy } from './import-proxy.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PoliciesTab } from './policies/policies-tab.tsx';
import { ProxyList } from './proxy-list.tsx';
import { ProxyPage } from './proxy-page.tsx';
import { RoutesTab } from './routes-tab.tsx';
import { SpecificationTab } from './specification/specification-tab.tsx';
import { TargetsTab } from './targets-tab.tsx';
import { TraceTab } from './trace/trace-tab.tsx';

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
      createRoute({ ...onPage, path: '/targets', component: TargetsTab }),
      createRoute({ ...onPage, path: '/trace', component: TraceTab }),
      createRoute({ ...onPage, path: '/specification', component: SpecificationTab }),
      createRoute({ ...onPage, path: '/governance', component: GovernanceTab }),
      createRoute({ ...onPage, path: '/revisions', component: RevisionsTab }),
      createRoute({ ...onPage, path: '/deployments', component: DeploymentsTab }),
      createRoute({ ...onPage, path: '/history', component: HistoryTab }),
    ]),
  ] as const;
}
