import { buildPages } from '@millrace/ui/build';

/** Builds the dashboard into `apps/dashboard/dist`, where a source is newer than the last build. */
export function buildDashboard(): Promise<void> {
  return buildPages({
    name: 'dashboard',
    folder: import.meta.dirname,
    contracts: [
      'apps/extraction/src/dashboard-contracts.ts',
      'apps/extraction/src/http/*.ts',
      'apps/extraction/src/resources/**/*contract.ts',
    ],
  });
}
