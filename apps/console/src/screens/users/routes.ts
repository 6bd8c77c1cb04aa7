import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { InvitationList } from './invitations.tsx';
import { UserList } from './list.tsx';
import { UserScreen } from './user.tsx';

export function userRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/users', component: UserList, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/users/invitations', component: InvitationList, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/users/$userId', component: UserScreen }),
  ] as const;
}
