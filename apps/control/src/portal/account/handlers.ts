import { findDeveloper, lockDeveloper, updateDeveloper } from '../../consumers/developers/store.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { portalAccountOperations } from './contract.ts';
import { billingOf, presentAccount } from './rules.ts';

export function portalAccountHandlers(): Handlers<typeof portalAccountOperations> {
  return {
    getPortalAccount: async (_input, { caller, transaction }) =>
      presentAccount(found(await findDeveloper(transaction, caller.developerId))),

    updatePortalAccount: async ({ body: { billing, ...changes } }, { caller, transaction }) => {
      const before = found(await lockDeveloper(transaction, caller.developerId));
      const after = await updateDeveloper(transaction, before, {
        ...given(changes),
        ...(billing === undefined ? {} : { billing: billingOf(billing, before.billing) }),
      });
      return { data: presentAccount(after), change: { entityId: after.id, before, after } };
    },
  };
}
