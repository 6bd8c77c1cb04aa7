import type { TenantTransaction } from '../../database/schema.ts';
import { listPeopleBehind } from '../../design/lifecycle/store.ts';
import type { Mail } from '../../frame/handler.ts';
import { listHolders, type Person } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import { enqueueEvent } from '../../watch/deliveries/enqueue.ts';
import type { PresentedChange } from './store.ts';

/** What a notice is sent with. */
interface Sending {
  readonly transaction: TenantTransaction;
  readonly now: Date;
  /** Of the console. */
  readonly publicUrl: string;
  mail(message: Mail): Promise<void>;
}

/** Asks those who may approve the change to look at it. */
export async function notifyApprovers(sending: Sending, change: PresentedChange): Promise<void> {
  await announce(sending.transaction, 'approval.requested', change, sending.now);
  const people = await listHolders(sending.transaction, 'deployment.prod', change.authorIds);
  const title = `A change to production waits for your approval: ${describe(change)}`;
  await notifyAll(sending, change, people, title, [`${change.requestedByName} requests: ${describe(change)}.`]);
}

/** Informs the requester of the decision, where somebody else made it. */
export async function notifyRequester(sending: Sending, change: PresentedChange): Promise<void> {
  await announce(sending.transaction, 'approval.decided', change, sending.now);
  const people = (await listPeopleBehind(sending.transaction, [change.requestedBy])).filter(
    ({ id }) => id !== change.decidedBy,
  );
  const outcome = change.state === 'void' ? 'no longer has anything to change' : `was ${change.state}`;
  const title = `Your change to production ${outcome}: ${describe(change)}`;
  await notifyAll(sending, change, people, title, [
    `${change.decidedByName}: ${change.state}.`,
    ...(change.reason ? [change.reason] : []),
  ]);
}

async function announce(
  transaction: TenantTransaction,
  kind: 'approval.requested' | 'approval.decided',
  change: PresentedChange,
  now: Date,
): Promise<void> {
  const { id, state } = change;
  await enqueueEvent(transaction, {
    notificationId: `${id}:${kind}`,
    kind,
    subject: { type: 'production_change', id },
    data: {
      approvalId: id,
      of: 'production_change',
      summary: describe(change),
      proxyId: null,
      proxyName: null,
      requestedBy: change.requestedByName,
      decision: state === 'pending' ? null : state,
      decidedBy: change.decidedByName,
      reason: change.reason,
    },
    at: now,
  });
}

function describe({ summary, entityName }: PresentedChange): string {
  return entityName === '' ? summary : `${summary} (${entityName})`;
}

async function notifyAll(
  { transaction, now, publicUrl, mail }: Sending,
  change: PresentedChange,
  people: readonly Person[],
  title: string,
  lines: readonly string[],
): Promise<void> {
  const link = `/production-changes/${change.id}`;
  await notify(transaction, { userIds: people.map(({ id }) => id), kind: 'production_change', title, link }, now);
  const text = [...lines, `${publicUrl}${link}`].join('\n\n');
  for (const { email } of people) await mail({ to: email, subject: title, text });
}
