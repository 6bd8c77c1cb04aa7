import type { Handlers } from '../../frame/handler.ts';
import type { revenueOperations } from './contract.ts';
import { readRevenue } from './store.ts';

export function revenueHandlers(): Handlers<typeof revenueOperations> {
  return {
    getRevenue: async ({ query }, { transaction }) => ({ revenue: await readRevenue(transaction, query) }),
  };
}
