import { newId } from '@millrace/identifiers';
import { mostTokens, presentScimToken } from '@millrace/scim/tokens';
import { conflictsAt } from '../../frame/database-errors.ts';
import { ApiError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { refuseLesserCaller } from '../identity-providers/rules.ts';
import type { provisioningOperations } from './contract.ts';
import { findToken, listTokens, scimTokens } from './tokens.ts';

export function provisioningHandlers(): Handlers<typeof provisioningOperations> {
  return {
    listScimTokens: ({ query }, { transaction }) => listTokens(transaction, query),
    createScimToken: async ({ body: { name, lifetimeDays } }, { caller, transaction }) => {
      refuseLesserCaller(caller);
      if ((await scimTokens.count(transaction)) >= mostTokens) {
        throw new ApiError('conflict', { message: `There are ${mostTokens} tokens already. Delete one first.` });
      }
      const token = { id: newId('sct'), name, createdBy: caller.userIds, lifetimeDays };
      const { row, secret } = await conflictsAt(scimTokens.insert(transaction, token), {
        scim_token_names: ['name', 'Another token has this name.'],
      });
      const after = presentScimToken(row);
      return { data: { ...after, token: secret }, change: { entityId: after.id, before: null, after } };
    },
    deleteScimToken: async ({ params: { scimTokenId } }, { transaction }) => {
      const before = found(await findToken(transaction, scimTokenId));
      await scimTokens.delete(transaction, scimTokenId);
      return { data: {}, change: { entityId: scimTokenId, before, after: null } };
    },
  };
}
