import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { Home } from './home.tsx';

export function homeRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [createRoute({ getParentRoute, path: '/', component: Home })] as const;
}
