import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { AuditEntryScreen } from './entry.tsx';
import { AuditExplorer } from './explorer.tsx';

export function auditRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/audit', component: AuditExplorer, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/audit/$entryId', component: AuditEntryScreen }),
  ] as const;
}
