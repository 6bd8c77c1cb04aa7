import { findSubscription } from '../../consumers/subscriptions/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { prepaidOperations } from './contract.ts';
import { noAccount, refuseTooMuch } from './rules.ts';
import { findAccount, listMovements, topUp, updateAccount } from './store.ts';

export function prepaidHandlers(): Handlers<typeof prepaidOperations> {
  return {
    getSubscriptionBalance: async ({ params: { subscriptionId }, query }, { transaction }) => {
      const account = await requireAccount(transaction, subscriptionId, { lock: false });
      return { ...account, ...(await listMovements(transaction, subscriptionId, query)) };
    },
    updateSubscriptionBalance: async ({ params: { subscriptionId }, body }, { transaction }) => {
      const before = await requireAccount(transaction, subscriptionId, { lock: true });
      const after = await updateAccount(transaction, before, given(body));
      return { data: after, change: { entityId: subscriptionId, before, after } };
    },
    topUpSubscription: async ({ params: { subscriptionId }, body }, { transaction, caller }) => {
      const before = await requireAccount(transaction, subscriptionId, { lock: true });
      refuseTooMuch(before.paidInMinor, body.amountMinor);
      const { movement, account } = await topUp(transaction, {
        ...body,
        subscriptionId,
        createdBy: caller.id,
        createdByName: caller.name,
      });
      return {
        data: { ...movement, balanceMinor: account.balanceMinor },
        change: { entityId: subscriptionId, before, after: account },
      };
    },
  };
}

async function requireAccount(transaction: TenantTransaction, subscriptionId: string, options: { lock: boolean }) {
  found(await findSubscription(transaction, subscriptionId, options));
  const account = await findAccount(transaction, subscriptionId, options);
  if (account === null) throw noAccount();
  return account;
}
