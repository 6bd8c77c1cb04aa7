import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { AppScreen } from './app.tsx';
import { AppCredentials } from './credentials.tsx';
import { AppList } from './list.tsx';
import { AppSubscriptions } from './subscriptions.tsx';

export function appRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const app = createRoute({ getParentRoute, path: '/apps/$appId', component: AppScreen });
  const below = { getParentRoute: () => app, validateSearch: listSearch };
  return [
    createRoute({ getParentRoute, path: '/apps', component: AppList, validateSearch: listSearch }),
    app.addChildren([
      createRoute({ ...below, path: '/', component: AppCredentials }),
      createRoute({ ...below, path: '/subscriptions', component: AppSubscriptions }),
    ]),
  ] as const;
}
