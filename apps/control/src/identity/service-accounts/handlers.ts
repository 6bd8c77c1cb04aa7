import { newSecret } from '@millrace/sign-in/secrets';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import { inCatalogueOrder, refuseAboveCaller, refuseBeyondCaller } from '../roles/rules.ts';
import { lockAccess } from '../roles/store.ts';
import type { serviceAccountOperations } from './contract.ts';
import { expiryOf, refuseOwnAccount, refuseTooManyTokens, shownCharacters, tokenPrefix } from './rules.ts';
import {
  deleteServiceAccount,
  findServiceAccount,
  insertServiceAccount,
  insertToken,
  listServiceAccounts,
  revokeToken,
  updateServiceAccount,
} from './store.ts';

const nameTaken = {
  service_accounts_organization_id_name_key: ['name', 'Another service account has this name.'],
} as const;

export function serviceAccountHandlers(): Handlers<typeof serviceAccountOperations> {
  return {
    listServiceAccounts: ({ query }, { transaction }) => listServiceAccounts(transaction, query),

    createServiceAccount: async ({ body }, { caller, organizationId, transaction }) => {
      await lockAccess(transaction, organizationId);
      refuseBeyondCaller(caller, body.permissions);
      const account = { ...body, permissions: inCatalogueOrder(body.permissions), ownerIds: caller.userIds };
      const after = await conflictsAt(insertServiceAccount(transaction, account), nameTaken);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },

    getServiceAccount: async ({ params }, { transaction }) =>
      found(await findServiceAccount(transaction, params.serviceAccountId)),

    updateServiceAccount: async ({ params: { serviceAccountId: id }, body }, context) => {
      const { caller, organizationId, transaction } = context;
      await lockAccess(transaction, organizationId);
      const before = found(await findServiceAccount(transaction, id));
      refuseOwnAccount(caller, id);
      refuseAboveCaller(caller, 'service account', before.permissions);
      const { permissions: wanted, ...plain } = given(body);
      refuseBeyondCaller(caller, wanted ?? []);
      const changes = wanted === undefined ? plain : { ...plain, permissions: inCatalogueOrder(wanted) };
      const after = await conflictsAt(updateServiceAccount(transaction, id, changes), nameTaken);
      return { data: after, change: { entityId: id, before, after } };
    },

    deleteServiceAccount: async ({ params: { serviceAccountId: id } }, context) => {
      const { caller, organizationId, transaction } = context;
      await lockAccess(transaction, organizationId);
      const before = found(await findServiceAccount(transaction, id));
      refuseOwnAccount(caller, id);
      refuseAboveCaller(caller, 'service account', before.permissions);
      await deleteServiceAccount(transaction, id);
      return { data: {}, change: { entityId: id, before, after: null } };
    },

    issueServiceAccountToken: async ({ params: { serviceAccountId: id }, body }, context) => {
      const { caller, organizationId, transaction, now } = context;
      await lockAccess(transaction, organizationId);
      const account = found(await findServiceAccount(transaction, id));
      refuseAboveCaller(caller, 'service account', account.permissions);
      refuseTooManyTokens(account.tokens);
      const { secret, hash } = newSecret(tokenPrefix);
      const issued = await insertToken(transaction, id, {
        name: body.name,
        prefix: secret.slice(0, shownCharacters),
        tokenHash: hash,
        expiresAt: expiryOf(body.lifetimeDays, now),
      });
      const ownerIds = [...new Set([...account.owners.map((owner) => owner.id), ...caller.userIds])];
      await updateServiceAccount(transaction, id, { ownerIds });
      const note = `Of the service account ${account.name} (${id}).`;
      return {
        data: { ...issued, token: secret },
        change: { entityId: issued.id, before: null, after: issued, note },
      };
    },

    revokeServiceAccountToken: async ({ params: { serviceAccountId: id, tokenId } }, context) => {
      const { organizationId, transaction } = context;
      await lockAccess(transaction, organizationId);
      const account = found(await findServiceAccount(transaction, id));
      const before = found(account.tokens.find((token) => token.id === tokenId));
      await revokeToken(transaction, tokenId);
      await updateServiceAccount(transaction, id, {});
      const note = `Of the service account ${account.name} (${id}).`;
      return { data: {}, change: { entityId: tokenId, before, after: null, note } };
    },
  };
}
