import { findDeveloper } from '../../consumers/developers/store.ts';
import { findSubscription } from '../../consumers/subscriptions/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { gatewayBalanceOperations, prepaidOperations } from './contract.ts';
import { listAccounts, listDeveloperMovements, sumBalances } from './developers.ts';
import { listLots } from './expiry.ts';
import { expiringOf, noAccount } from './rules.ts';
import { findAccount, listMovements, listUsed, updateAccount } from './store.ts';

export function prepaidHandlers(): Handlers<typeof prepaidOperations> {
  return {
    getSubscriptionBalance: async ({ params: { subscriptionId }, query }, { transaction }) => {
      const account = await requireAccount(transaction, subscriptionId, { lock: false });
      const { movements, total } = await listMovements(transaction, subscriptionId, query);
      return { ...account, movements, total, expiring: expiringOf(await listLots(transaction, subscriptionId)) };
    },
    updateSubscriptionBalance: async ({ params: { subscriptionId }, body }, { transaction }) => {
      const before = await requireAccount(transaction, subscriptionId, { lock: true });
      const after = await updateAccount(transaction, before, given(body));
      return { data: after, change: { entityId: subscriptionId, before, after } };
    },
    getDeveloperBalance: async ({ params: { developerId }, query }, { transaction }) => {
      found(await findDeveloper(transaction, developerId));
      return {
        ...(await listDeveloperMovements(transaction, developerId, query)),
        balances: await sumBalances(transaction, developerId),
        accounts: await listAccounts(transaction, developerId),
      };
    },
  };
}

export function gatewayBalanceHandlers(): Handlers<typeof gatewayBalanceOperations> {
  return { listGatewayBalances: ({ query }, { transaction }) => listUsed(transaction, query.after ?? '') };
}

async function requireAccount(transaction: TenantTransaction, subscriptionId: string, options: { lock: boolean }) {
  found(await findSubscription(transaction, subscriptionId, options));
  const account = await findAccount(transaction, subscriptionId, options);
  if (account === null) throw noAccount();
  return account;
}
