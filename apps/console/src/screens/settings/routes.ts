import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { Settings } from './settings.tsx';

export function settingsRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [createRoute({ getParentRoute, path: '/settings', component: Settings })] as const;
}
