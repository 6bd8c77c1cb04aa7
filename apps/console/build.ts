import { buildPages } from '@millrace/ui/build';

/** Builds the operators' console into `apps/console/dist`, where a source is newer than the last build. */
export function buildConsole(): Promise<void> {
  return buildPages({
    name: 'console',
    folder: import.meta.dirname,
    contracts: [
      'apps/control/src/contracts.ts',
      'apps/control/src/frame/*.ts',
      'apps/control/src/*/*/**/contract.ts',
      'packages/{gateway-configuration,histograms,policies,pricing,revision}/src/**/*.ts',
    ],
  });
}
