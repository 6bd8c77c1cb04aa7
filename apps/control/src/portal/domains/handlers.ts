import { tenantTransaction } from '@millrace/postgres';
import { createTextLookup } from '@millrace/sign-in/domain-verification';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import type { portalDomainOperations } from './contract.ts';
import { refuseHostName, refusePrimary, refuseTooManyDomains } from './rules.ts';
import {
  countDomains,
  deleteDomain,
  findDomain,
  insertDomain,
  listDomains,
  lockDomain,
  noteLookup,
  setPrimary,
} from './store.ts';

export function portalDomainHandlers({
  database,
  publicUrl,
  dnsServers,
}: Pick<Parts, 'database' | 'publicUrl' | 'dnsServers'>): Handlers<typeof portalDomainOperations> {
  const lookUp = createTextLookup(dnsServers);
  return {
    listPortalDomains: ({ query }, { transaction }) => listDomains(transaction, query),
    createPortalDomain: async ({ body: { hostName } }, { transaction }) => {
      refuseHostName(hostName, publicUrl());
      refuseTooManyDomains(await countDomains(transaction));
      const after = await insertDomain(transaction, hostName);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    getPortalDomain: async ({ params }, { transaction }) => found(await findDomain(transaction, params.domainId)),
    updatePortalDomain: async ({ params: { domainId }, body: { primary } }, { transaction }) => {
      const before = found(await lockDomain(transaction, domainId));
      refusePrimary(before, primary);
      const after = await setPrimary(transaction, domainId, primary);
      return { data: after, change: { entityId: domainId, before, after } };
    },
    deletePortalDomain: async ({ params: { domainId } }, { transaction }) => {
      const before = found(await lockDomain(transaction, domainId));
      await deleteDomain(transaction, domainId);
      return { data: {}, change: { entityId: domainId, before, after: null } };
    },
    verifyPortalDomain: {
      // DNS can take seconds, and no transaction waits for it.
      prepare: async ({ params: { domainId } }, { organizationId }) => {
        const domain = await tenantTransaction(
          database,
          organizationId,
          async (transaction) => found(await findDomain(transaction, domainId)),
          { access: 'read only' },
        );
        const lookup = await lookUp(domain.recordName);
        return async ({ transaction, now }) => {
          const before = found(await lockDomain(transaction, domainId));
          const after = await noteLookup(transaction, before, lookup, now);
          return { data: after, change: { entityId: domainId, before, after } };
        };
      },
    },
  };
}
