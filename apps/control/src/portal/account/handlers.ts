import { findDeveloper } from '../../consumers/developers/store.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { portalAccountOperations } from './contract.ts';
import { presentAccount } from './rules.ts';

export function portalAccountHandlers(): Handlers<typeof portalAccountOperations> {
  return {
    getPortalAccount: async (_input, { caller, transaction }) =>
      presentAccount(found(await findDeveloper(transaction, caller.developerId))),
  };
}
