import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { refuseForeignOrganization } from '../../identity/organizations/rules.ts';
import { findOrganization } from '../../identity/organizations/store.ts';
import type { overviewOperations } from './contract.ts';
import { readOverview } from './store.ts';

export function overviewHandlers(): Handlers<typeof overviewOperations> {
  return {
    getOrganizationOverview: async ({ params: { organizationId } }, { caller, transaction }) => {
      refuseForeignOrganization(caller, organizationId);
      found(await findOrganization(transaction, organizationId));
      return readOverview(transaction, organizationId);
    },
  };
}
