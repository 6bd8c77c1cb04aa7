import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { topUpRequestOperations } from './contract.ts';
import { refuseDecline } from './rules.ts';
import { declineTopUpRequest, listTopUpRequests, lockTopUpRequest } from './store.ts';

export function topUpRequestHandlers(): Handlers<typeof topUpRequestOperations> {
  return {
    listTopUpRequests: ({ query }, { transaction }) => listTopUpRequests(transaction, query),
    declineTopUpRequest: async ({ params: { topUpRequestId }, body: { reason } }, { transaction, caller, now }) => {
      const before = found(await lockTopUpRequest(transaction, topUpRequestId));
      refuseDecline(before);
      const after = await declineTopUpRequest(transaction, topUpRequestId, { by: caller, now, reason });
      return { data: after, change: { entityId: topUpRequestId, before, after, note: reason } };
    },
  };
}
