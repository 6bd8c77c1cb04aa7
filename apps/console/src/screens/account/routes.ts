import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { Account } from './account.tsx';

export function accountRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [createRoute({ getParentRoute, path: '/account', component: Account })] as const;
}
