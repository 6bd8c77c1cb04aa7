import { buildPages } from '@millrace/interface/build';

/** Builds the operators' console into `apps/console/dist`, where a source is newer than the last build. */
export function buildConsole(): Promise<void> {
  return buildPages({
    name: 'console',
    folder: import.meta.dirname,
    contracts: [
      'apps/control/src/contracts.ts',
      'apps/control/src/frame/*.ts',
      'apps/control/src/resources/**/contract.ts',
      'packages/{configuration,histograms,policies,revision}/src/**/*.ts',
    ],
  });
}
