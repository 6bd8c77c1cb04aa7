import type * as z from 'zod';
import { findDeveloper, lockDeveloper, sumUnassigned } from '../../consumers/developers/store.ts';
import type { Subscription } from '../../consumers/subscriptions/contract.ts';
import { findSubscription } from '../../consumers/subscriptions/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { fieldError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { loadPersons, refuseSamePerson } from '../../frame/persons.ts';
import { findOrganization } from '../../identity/organizations/store.ts';
import { listHolders } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import { needsApproval } from '../billing-settings/rules.ts';
import { findBillingSettings } from '../billing-settings/store.ts';
import { noAccount } from '../prepaid/rules.ts';
import { creditAccount, findAccount } from '../prepaid/store.ts';
import { requireCreditable } from '../top-up-requests/rules.ts';
import { lockTopUpRequest } from '../top-up-requests/store.ts';
import type { TopUp, topUpOperations } from './contract.ts';
import { expiryOf, refuseDecision, refuseTooMuch, refuseUnassigned, subscriptionGone } from './rules.ts';
import { decideTopUp, findPlanExpiry, findTopUp, insertTopUp, listTopUps, lockTopUp } from './store.ts';

export function topUpHandlers(): Handlers<typeof topUpOperations> {
  return {
    topUpSubscription: async ({ params: { subscriptionId }, body }, { transaction, caller, now }) => {
      const subscription = found(await findSubscription(transaction, subscriptionId, { lock: true }));
      return request(transaction, { ...body, subscription, caller, now });
    },
    topUpDeveloperBalance: async ({ params: { developerId }, body }, { transaction, caller, now }) => {
      found(await findDeveloper(transaction, developerId));
      const subscription = await findSubscription(transaction, body.subscriptionId, { lock: true });
      if (subscription?.developerId !== developerId) {
        throw fieldError('subscriptionId', 'The developer has no such subscription.');
      }
      return request(transaction, { ...body, subscription, caller, now });
    },
    listTopUps: ({ query }, { transaction }) => listTopUps(transaction, query),
    getTopUp: async ({ params: { topUpId } }, { transaction }) => found(await findTopUp(transaction, topUpId)),
    approveTopUp: async ({ params: { topUpId } }, { transaction, caller, now }) => {
      const { topUp: before, authorKeys } = found(await lockTopUp(transaction, topUpId));
      refuseDecision(before);
      const own = 'You requested this top-up. Ask someone else to approve it.';
      refuseSamePerson(await loadPersons(transaction, caller), authorKeys, own);
      if ((await findSubscription(transaction, before.subscriptionId, { lock: true })) === null) {
        throw subscriptionGone();
      }
      await credit(transaction, before);
      const { timeZone } = await findBillingSettings(transaction);
      const expiry = expiryOf(before, now, timeZone);
      const after = await decideTopUp(transaction, topUpId, { state: 'credited', by: caller, now, expiry });
      return { data: after, change: { entityId: topUpId, before, after } };
    },
    rejectTopUp: async ({ params: { topUpId }, body: { reason } }, { transaction, caller, now }) => {
      const { topUp: before } = found(await lockTopUp(transaction, topUpId));
      refuseDecision(before);
      const after = await decideTopUp(transaction, topUpId, { state: 'rejected', by: caller, now, reason });
      return { data: after, change: { entityId: topUpId, before, after, note: reason } };
    },
  };
}

/** A top-up of a subscription that is locked until the commit. */
interface Requested extends Pick<TopUp, 'amountMinor' | 'source' | 'note'> {
  readonly requestId?: string | undefined;
  /** Undefined: as the rate plan says. */
  readonly creditExpiry?: TopUp['creditExpiry'] | undefined;
  readonly subscription: Pick<z.infer<typeof Subscription>, 'id' | 'developerId' | 'appName'>;
  readonly caller: Caller;
  readonly now: Date;
}

/** Credits a top-up, or lets it wait for another person's approval. */
async function request(transaction: TenantTransaction, { subscription, caller, now, ...given }: Requested) {
  const { id: subscriptionId, developerId, appName } = subscription;
  const { currency, balanceMinor } = await requireAccount(transaction, subscriptionId);
  const { requestId = null } = given;
  if (requestId !== null) {
    const answered = await lockTopUpRequest(transaction, requestId);
    requireCreditable(answered, { developerId, subscriptionId, currency });
  }
  const { settings: organization } = found(await findOrganization(transaction, transaction.tenantId));
  const settings = await findBillingSettings(transaction);
  const waits = needsApproval({ amountMinor: given.amountMinor, currency }, settings, organization);
  const { authorKeys } = await loadPersons(transaction, caller);
  const by = { requestedBy: caller.id, requestedByName: caller.name, authorKeys };
  const { creditExpiry = await findPlanExpiry(transaction, subscriptionId) } = given;
  const topUp = { ...given, ...by, requestId, subscriptionId, developerId, currency, creditExpiry };
  const after = waits
    ? await insertTopUp(transaction, { ...topUp, state: 'pending', expiry: null })
    : await insertTopUp(transaction, { ...topUp, state: 'credited', expiry: expiryOf(topUp, now, settings.timeZone) });
  if (waits) {
    await refuseUncovered(transaction, after);
    const approvers = await listHolders(transaction, 'billing.write', caller.userIds);
    const title = `A top-up for ${appName} by ${caller.name} waits for approval`;
    const userIds = approvers.map((approver) => approver.id);
    await notify(transaction, { userIds, kind: 'top_up', title, link: `/invoices/top-ups/${after.id}` }, now);
  }
  const account = waits ? { balanceMinor } : await credit(transaction, after);
  return {
    data: { ...after, balanceMinor: account.balanceMinor },
    change: { entityId: after.id, before: null, after, note: given.note },
  };
}

/** Adds a top-up to the balance, once it is covered. */
async function credit(transaction: TenantTransaction, topUp: TopUp) {
  await refuseUncovered(transaction, topUp);
  const { requestedBy: createdBy, requestedByName: createdByName } = topUp;
  return creditAccount(transaction, { ...topUp, createdBy, createdByName });
}

/** Rejects what the balance or the unassigned money doesn't admit. Both stay locked until the commit. */
async function refuseUncovered(transaction: TenantTransaction, topUp: TopUp): Promise<void> {
  const { subscriptionId, developerId, source } = topUp;
  refuseTooMuch((await requireAccount(transaction, subscriptionId)).paidInMinor, topUp);
  if (source === 'payment') return;
  await lockDeveloper(transaction, developerId);
  refuseUnassigned(await sumUnassigned(transaction, developerId), topUp);
}

async function requireAccount(transaction: TenantTransaction, subscriptionId: string) {
  const account = await findAccount(transaction, subscriptionId, { lock: true });
  if (account === null) throw noAccount();
  return account;
}
