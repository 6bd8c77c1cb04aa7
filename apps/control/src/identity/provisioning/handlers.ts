import { newSecret } from '@millrace/sign-in/secrets';
import { conflictsAt } from '../../frame/database-errors.ts';
import { ApiError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { refuseLesserCaller } from '../identity-providers/rules.ts';
import type { provisioningOperations } from './contract.ts';
import { countTokens, deleteToken, findToken, insertToken, listTokens } from './tokens.ts';

const mostTokens = 10;

/** Distinguishes a provisioning token from others. */
const tokenPrefix = 'mrc_';

export function provisioningHandlers(): Handlers<typeof provisioningOperations> {
  return {
    listScimTokens: ({ query }, { transaction }) => listTokens(transaction, query),
    createScimToken: async ({ body: { name, lifetimeDays } }, { caller, transaction, now }) => {
      refuseLesserCaller(caller);
      if ((await countTokens(transaction)) >= mostTokens) {
        throw new ApiError('conflict', { message: `There are ${mostTokens} tokens already. Delete one first.` });
      }
      const { secret, hash } = newSecret(tokenPrefix);
      const expiresAt = lifetimeDays === null ? null : new Date(now.getTime() + lifetimeDays * 86_400_000);
      const values = { name, prefix: secret.slice(0, 10), hash, createdBy: caller.userIds, expiresAt };
      const after = await conflictsAt(insertToken(transaction, values), {
        scim_token_names: ['name', 'Another token has this name.'],
      });
      return { data: { ...after, token: secret }, change: { entityId: after.id, before: null, after } };
    },
    deleteScimToken: async ({ params: { scimTokenId } }, { transaction }) => {
      const before = found(await findToken(transaction, scimTokenId));
      await deleteToken(transaction, scimTokenId);
      return { data: {}, change: { entityId: scimTokenId, before, after: null } };
    },
  };
}
