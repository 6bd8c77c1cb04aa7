import { buildPages } from '@millrace/ui/build';

/** Builds the developer portal's app and scripts into `apps/portal/dist`, where a source is newer than the last build. */
export function buildPortal(): Promise<void> {
  return buildPages({
    name: 'developer portal',
    folder: import.meta.dirname,
    contracts: [
      'apps/control/src/portal-contracts.ts',
      'apps/control/src/frame/*.ts',
      'apps/control/src/{consumers,identity,money,portal}/*/**/contract.ts',
      'packages/{openapi/src/snippets,portal-pages/src,pricing/src}/**/*.ts',
    ],
  });
}
