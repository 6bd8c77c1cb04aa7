import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { DeveloperApps } from './apps.tsx';
import { DeveloperBalance } from './balance.tsx';
import { DeveloperScreen } from './developer.tsx';
import { DeveloperList } from './list.tsx';
import { DeveloperUsage } from './usage.tsx';

export function developerRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const developer = createRoute({ getParentRoute, path: '/developers/$developerId', component: DeveloperScreen });
  const below = { getParentRoute: () => developer, validateSearch: listSearch };
  return [
    createRoute({ getParentRoute, path: '/developers', component: DeveloperList, validateSearch: listSearch }),
    developer.addChildren([
      createRoute({ ...below, path: '/', component: DeveloperApps }),
      createRoute({ ...below, path: '/usage', component: DeveloperUsage }),
      createRoute({ ...below, path: '/balance', component: DeveloperBalance }),
    ]),
  ] as const;
}
