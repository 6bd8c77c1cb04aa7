import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Mail } from '../../frame/handler.ts';
import { listHolders } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import { findDeveloper } from '../developers/store.ts';
import type { Subscription } from './contract.ts';

const portalUserPrefix = 'pus_';

type Presented = z.infer<typeof Subscription>;

/** Asks those who may approve a pending subscription to look at it. */
export async function askApprovers(transaction: TenantTransaction, subscription: Presented, now: Date): Promise<void> {
  const people = await listHolders(transaction, 'subscription.approve');
  const userIds = people.map(({ id }) => id);
  const title = `${subscription.appName} asks to use ${subscription.productName}`;
  await notify(transaction, { userIds, kind: 'subscription', title, link: linkOf(subscription) }, now);
}

/**
 * Notifies the requester of a subscription about another person's decision: a user of the console there, and a portal
 * user by an e-mail to the developer account.
 */
export async function notifyRequester(
  transaction: TenantTransaction,
  subscription: Presented,
  now: Date,
  mail: (message: Mail) => Promise<void>,
): Promise<void> {
  const { appName, productName, requestedBy, decidedBy, state, developerId, reason } = subscription;
  if (requestedBy === decidedBy) return;
  const title = `The subscription of ${appName} to ${productName} was ${state}`;
  if (requestedBy.startsWith(portalUserPrefix)) {
    const developer = await findDeveloper(transaction, developerId);
    if (developer === null) return;
    const text = [`Hello ${developer.name},`, `${title}.`, ...(reason === null ? [] : [`Reason: ${reason}`])];
    await mail({ to: developer.email, subject: title, text: text.join('\n\n') });
    return;
  }
  await notify(
    transaction,
    { userIds: [requestedBy], kind: 'subscription_decision', title, link: linkOf(subscription) },
    now,
  );
}

function linkOf({ id }: Presented): string {
  return `/subscriptions/${id}`;
}
