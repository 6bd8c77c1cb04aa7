import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { FindingList } from './findings.tsx';
import { StandardScreen } from './standard.tsx';
import { StandardList } from './standards.tsx';
import { GovernanceSummary } from './summary.tsx';
import { WaiverList } from './waivers.tsx';

export function governanceRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const validateSearch = listSearch;
  return [
    createRoute({ getParentRoute, path: '/governance', component: GovernanceSummary, validateSearch }),
    createRoute({ getParentRoute, path: '/governance/findings', component: FindingList, validateSearch }),
    createRoute({ getParentRoute, path: '/governance/standards', component: StandardList, validateSearch }),
    createRoute({ getParentRoute, path: '/governance/standards/$code', component: StandardScreen }),
    createRoute({ getParentRoute, path: '/governance/waivers', component: WaiverList, validateSearch }),
  ] as const;
}
