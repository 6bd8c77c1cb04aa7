import type { Handlers } from '../../frame/handler.ts';
import type { navigationOperations } from './contract.ts';
import { navigationFor } from './rules.ts';
import { search } from './search.ts';
import { countUnread, listNotifications, markRead } from './store.ts';

export function navigationHandlers(): Handlers<typeof navigationOperations> {
  return {
    getNavigation: async (_input, { caller }) => ({ nodes: navigationFor(caller) }),
    search: ({ query }, { caller, transaction }) => search(transaction, caller, query),
    listNotifications: ({ query }, { caller, transaction }) => listNotifications(transaction, caller.id, query),
    readNotifications: async ({ body }, { caller, transaction, now }) => {
      const read = await markRead(transaction, caller.id, body.notificationIds ?? null, now);
      return {
        data: { unread: await countUnread(transaction, caller.id) },
        change: { entityId: null, before: null, after: null, note: `${read} notifications were marked read.` },
      };
    },
  };
}
