import { sql } from 'kysely';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { AuditChain } from '../../frame/audit.ts';
import { carryOutEvents, collectEvents, type Subscriber } from '../../frame/events.ts';
import { type Outbox, putMailOf } from '../../frame/outbox.ts';
import { type Rounds, startRounds } from '../../frame/rounds.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { listHolders } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import { findBillingSettings } from '../billing-settings/store.ts';
import { enteredText, type Lot, listLots, settleExpiries } from './expiry.ts';
import { expiryMail, expiryTitle } from './mails.ts';
import { findAccount } from './store.ts';

export interface ExpirerParts {
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  readonly outbox: Outbox;
  readonly subscribers: readonly Subscriber[];
}

const intervalMs = 5_000;

/**
 * Takes expired credit off prepaid balances every five seconds, and announces what is about to expire. Several processes can
 * do so concurrently.
 *
 * @param parts.onError called where a balance failed; it is repeated later
 */
export function startCreditExpirer(parts: ExpirerParts & { readonly onError: (error: unknown) => void }): Rounds {
  const { onError } = parts;
  return startRounds((isStopped) => expireDue(parts, { isStopped, onError }), { intervalMs, onError });
}

/** A balance of which something expired that isn't entered as it is, or is about to expire and not announced. */
interface DueBalance {
  readonly organizationId: string;
  readonly subscriptionId: string;
}

/**
 * Settles every balance of which something is due. One that fails holds up no other.
 *
 * @param options.now for tests; by default the present
 */
export async function expireDue(
  parts: ExpirerParts,
  {
    isStopped = () => false,
    onError = (error) => {
      throw error;
    },
    now = () => new Date(),
  }: { isStopped?: () => boolean; onError?: (error: unknown) => void; now?: () => Date } = {},
): Promise<void> {
  for (const due of await listDue(parts.database, now())) {
    if (isStopped()) return;
    await settle(parts, due, now()).catch(onError);
  }
}

/**
 * Balances with top-ups that have expired and whose credit nodes still have, those whose usage is all reported by now, and
 * those with a correction to enter or a notice to send. The longest due first; those that wait for reports are left out.
 */
async function listDue({ system }: ControlDatabase, now: Date): Promise<readonly DueBalance[]> {
  const { rows } = await sql<DueBalance>`
    select organization_id as "organizationId", subscription_id as "subscriptionId" from (
      select lot.organization_id, lot.subscription_id, lot.expires_at as due_at from top_ups lot
      left join billing_settings s on s.organization_id = lot.organization_id
      where lot.state = 'credited' and lot.expires_at <= ${now} and lot.expired_minor is null
        and (lot.used_before_micro is null
          or lot.expires_at + coalesce((s.settings ->> 'graceHours')::int, 1) * interval '1 hour' <= ${now}
          or not exists (select from gateway_nodes node
            where node.organization_id = lot.organization_id and node.registered_at < lot.expires_at
              and (node.usage_complete_until is null or node.usage_complete_until < lot.expires_at)))
      union all
      select organization_id, subscription_id, expires_at from top_ups where correction_due
      union all
      select organization_id, subscription_id, expiry_notice_at from top_ups
      where state = 'credited' and expiry_notice_at <= ${now}
    ) due
    group by organization_id, subscription_id order by min(due_at), subscription_id limit 1000`.execute(system);
  return rows;
}

async function settle(parts: ExpirerParts, { organizationId, subscriptionId }: DueBalance, now: Date): Promise<void> {
  await writeAsSystem(parts, organizationId, (transaction) =>
    collectEvents(transaction, async () => {
      if ((await findAccount(transaction, subscriptionId, { lock: true })) === null) return null;
      const entered = await settleExpiries(transaction, subscriptionId, now);
      await announce(parts.outbox, transaction, subscriptionId, now);
      await carryOutEvents(parts.subscribers, transaction, null);
      if (entered.length === 0) return null;
      return {
        operation: 'expireCredit',
        entityType: 'subscription',
        entityId: subscriptionId,
        note: enteredText(entered),
        before: null,
        after: null,
      };
    }),
  );
  parts.outbox.wake();
}

/** Sends the notices that are due of a locked balance, each once. What is used up is not announced. */
async function announce(
  outbox: Outbox,
  transaction: TenantTransaction,
  subscriptionId: string,
  now: Date,
): Promise<void> {
  const due = (await listLots(transaction, subscriptionId)).filter(
    ({ noticeAt }) => noticeAt !== null && noticeAt <= now,
  );
  if (due.length === 0) return;
  await clearNotices(transaction, due);
  const expiring = due.filter((lot) => lot.usedBeforeMicro === null && lot.leftMicro >= microOfMinor);
  if (expiring.length === 0) return;
  const holder = await findHolder(transaction, subscriptionId);
  if (holder === null) return;
  const { timeZone } = await findBillingSettings(transaction);
  const people = await listHolders(transaction, 'billing.read');
  for (const { leftMicro, currency, expiresAt } of expiring) {
    const expiry = { amountMinor: Number(leftMicro / microOfMinor), currency, expiresAt: expiresAt!, timeZone };
    const notice = {
      userIds: people.map(({ id }) => id),
      kind: 'credit_expiry',
      title: expiryTitle({ ...expiry, appName: holder.appName }),
      link: `/subscriptions/${subscriptionId}`,
    };
    await notify(transaction, notice, now);
    await putMailOf(outbox, transaction, transaction.tenantId, expiryMail(holder, expiry));
  }
}

const microOfMinor = 1_000_000n;

async function clearNotices(transaction: TenantTransaction, lots: readonly Lot[]): Promise<void> {
  await transaction
    .updateTable('top_ups')
    .set({ expiry_notice_at: null })
    .where('organization_id', '=', transaction.tenantId)
    .where(
      'id',
      'in',
      lots.map(({ id }) => id),
    )
    .execute();
}

/** Whose balance it is; null: the subscription is deleted. */
async function findHolder(transaction: TenantTransaction, subscriptionId: string) {
  const { rows } = await sql<{
    readonly appName: string;
    readonly productName: string;
    readonly name: string;
    readonly email: string;
    readonly language: 'en' | 'de';
  }>`
    select app.display_name as "appName", product.display_name as "productName", developer.name, developer.email,
      coalesce(developer.billing ->> 'language', 'en') as language
    from subscriptions s
    join apps app on app.organization_id = s.organization_id and app.id = s.app_id
    join products product on product.organization_id = s.organization_id and product.id = s.product_id
    join developers developer on developer.organization_id = app.organization_id and developer.id = app.developer_id
    where s.organization_id = ${transaction.tenantId} and s.id = ${subscriptionId}`.execute(transaction);
  return rows[0] ?? null;
}
