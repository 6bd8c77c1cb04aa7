import { lockDeveloper } from '../../consumers/developers/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { listHolders } from '../../identity/users/holders.ts';
import { findBillingSettings } from '../../money/billing-settings/store.ts';
import { noAccount } from '../../money/prepaid/rules.ts';
import { findAccount } from '../../money/prepaid/store.ts';
import { countRecentRequests, insertTopUpRequest, listTopUpRequests } from '../../money/top-up-requests/store.ts';
import { ownSubscription } from '../subscriptions/store.ts';
import type { portalBalanceOperations } from './contract.ts';
import { portalTopUpRequest, refuseTooManyRequests, topUpMail } from './rules.ts';
import { listAccounts, listMovements } from './store.ts';

/** The newest requests that the balance shows. */
const newest = { page: 1, pageSize: 20, sort: '-createdAt' };
/** At most so many of the organization's people get an e-mail, where it has no address for invoices. */
const mostReceivers = 5;

/** Prepaid balances of the caller's own developer account; another's are not found. */
export function portalBalanceHandlers({
  publicUrl,
}: Pick<Parts, 'publicUrl'>): Handlers<typeof portalBalanceOperations> {
  return {
    getPortalBalance: async ({ query }, { transaction, caller: { developerId } }) => {
      if (query.subscriptionId !== undefined) await ownSubscription(transaction, developerId, query.subscriptionId);
      const { topUpRequests } = await listTopUpRequests(transaction, { ...newest, developerId });
      return {
        ...(await listMovements(transaction, developerId, query)),
        accounts: await listAccounts(transaction, developerId),
        topUpRequests: topUpRequests.map(portalTopUpRequest),
      };
    },
    requestPortalTopUp: async ({ body }, { transaction, caller, mail }) => {
      const { developerId } = caller;
      // Locked until the commit, so that simultaneous requests count each other.
      const developer = found(await lockDeveloper(transaction, developerId));
      const subscription = await ownSubscription(transaction, developerId, body.subscriptionId);
      const account = await findAccount(transaction, subscription.id);
      if (account === null) throw noAccount();
      refuseTooManyRequests(await countRecentRequests(transaction, developerId));
      const { currency } = account;
      const requested = { ...body, currency, requestedByName: caller.name };
      const by = { developerId, requestedBy: caller.id };
      const after = portalTopUpRequest(await insertTopUpRequest(transaction, { ...requested, ...by }));
      const url = `${publicUrl()}/invoices/top-up-requests`;
      const { appName, productName } = subscription;
      for (const to of await listReceivers(transaction)) {
        await mail(topUpMail(to, { ...requested, appName, productName, url, developerName: developer.name }));
      }
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
  };
}

/** Where the organization reads about money: its address on invoices, or else who may record payments. */
async function listReceivers(transaction: TenantTransaction): Promise<readonly string[]> {
  const { seller } = await findBillingSettings(transaction);
  if (seller !== null) return [seller.email];
  const people = await listHolders(transaction, 'billing.write');
  return people.slice(0, mostReceivers).map(({ email }) => email);
}
