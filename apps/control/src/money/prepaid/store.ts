import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import { publishSubscriptions } from '../../consumers/subscriptions/store.ts';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { listHolders } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import type { PrepaidAccount, PrepaidMovement } from './contract.ts';

type Account = z.infer<typeof PrepaidAccount>;
type Movement = z.infer<typeof PrepaidMovement>;

interface Row extends Selectable<Schema['prepaid_accounts']> {
  readonly balance_minor: string;
  readonly used_minor: string;
}

const minors = [
  sql<string>`trim_scale(round((credit_micro - expired_micro - used_micro) / 1000000, 6))::text`.as('balance_minor'),
  sql<string>`trim_scale(round(used_micro / 1000000, 6))::text`.as('used_minor'),
] as const;

/** @param lock blocks other writers until the commit */
export async function findAccount(
  transaction: TenantTransaction,
  subscriptionId: string,
  { lock = false } = {},
): Promise<Account | null> {
  const query = transaction
    .selectFrom('prepaid_accounts')
    .selectAll()
    .select(minors)
    .where('organization_id', '=', transaction.tenantId)
    .where('subscription_id', '=', subscriptionId);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : present(row);
}

export async function listMovements(
  transaction: TenantTransaction,
  subscriptionId: string,
  filters: Listing & { readonly kind?: Movement['kind'] | undefined },
) {
  let query = transaction
    .selectFrom('prepaid_movements')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('subscription_id', '=', subscriptionId)
    .where((builder) => matches(builder, ['note', 'created_by_name'], filters.search));
  if (filters.kind !== undefined) query = query.where('kind', '=', filters.kind);
  const { rows, total } = await readPage(query, filters, { createdAt: 'created_at' }, 'id');
  return { movements: rows.map((row) => ({ ...presentMovement(row), subscriptionId })), total };
}

/** Accounts of one page. */
const mostUsed = 1_000;

/** What is used of the balances after a subscription, in millionths of a minor unit, rounded down. */
export async function listUsed(transaction: TenantTransaction, after: string) {
  const rows = await transaction
    .selectFrom('prepaid_accounts')
    .select(['subscription_id as subscriptionId', sql<number>`floor(used_micro)::float8`.as('usedMicro')])
    .where('organization_id', '=', transaction.tenantId)
    .where('subscription_id', '>', after)
    .orderBy('subscription_id')
    .limit(mostUsed + 1)
    .execute();
  return { balances: rows.slice(0, mostUsed), more: rows.length > mostUsed };
}

export async function updateAccount(
  transaction: TenantTransaction,
  { subscriptionId }: Account,
  changes: Partial<Pick<Account, 'counting' | 'lowBalanceMinor'>>,
): Promise<Account> {
  const { counting, lowBalanceMinor } = changes;
  const row = await transaction
    .updateTable('prepaid_accounts')
    .set({
      ...(counting === undefined ? {} : { counting }),
      ...(lowBalanceMinor === undefined ? {} : { low_balance_minor: lowBalanceMinor }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('subscription_id', '=', subscriptionId)
    .returningAll()
    .returning(minors)
    .executeTakeFirstOrThrow();
  if (counting !== undefined) await publishSubscriptions(transaction, [subscriptionId]);
  return present(row);
}

/** Money for a subscription's balance. */
interface Credit extends Pick<Movement, 'amountMinor' | 'note' | 'createdBy' | 'createdByName'> {
  readonly subscriptionId: string;
  readonly developerId: string;
  readonly currency: string;
  /** unassigned: taken from what was paid in for the developer. */
  readonly source: 'payment' | 'unassigned';
}

/** Adds money to a balance, and lets gateway nodes know. */
export async function creditAccount(transaction: TenantTransaction, credit: Credit): Promise<Account> {
  const { subscriptionId, amountMinor, source } = credit;
  const kind = source === 'payment' ? 'top_up' : 'assignment';
  if (source === 'unassigned') {
    await insertMovement(transaction, { ...credit, kind, subscriptionId: null, amountMinor: -amountMinor });
  }
  await insertMovement(transaction, { ...credit, kind });
  const account = await transaction
    .updateTable('prepaid_accounts')
    .set({
      credit_micro: sql<string>`credit_micro + ${amountMinor}::numeric * 1000000`,
      sent_micro: sql<string>`used_micro`,
      last_top_up_minor: amountMinor,
      is_low: sql<boolean>`is_low and credit_micro + ${amountMinor}::numeric * 1000000 - expired_micro - used_micro
        < coalesce(low_balance_minor, ${amountMinor}::numeric / 10) * 1000000`,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('subscription_id', '=', subscriptionId)
    .returningAll()
    .returning(minors)
    .executeTakeFirstOrThrow();
  await publishSubscriptions(transaction, [subscriptionId]);
  return present(account);
}

/** Adds a movement to the ledger; the balance is the caller's. */
export async function insertMovement(
  transaction: TenantTransaction,
  values: Pick<Movement, 'kind' | 'amountMinor' | 'note' | 'createdBy' | 'createdByName'> & {
    readonly developerId: string;
    readonly currency: string;
    readonly subscriptionId: string | null;
    readonly topUpId?: string;
  },
): Promise<void> {
  await transaction
    .insertInto('prepaid_movements')
    .values({
      id: newId('pmv'),
      organization_id: transaction.tenantId,
      developer_id: values.developerId,
      subscription_id: values.subscriptionId,
      kind: values.kind,
      amount_minor: values.amountMinor,
      currency: values.currency,
      note: values.note,
      top_up_id: values.topUpId ?? null,
      created_by: values.createdBy,
      created_by_name: values.createdByName,
    })
    .execute();
}

/**
 * Sets what has expired of a balance that is locked until the commit; if it changed, gateway nodes are sent what credit is
 * left, and a balance that became low is reported.
 */
export async function setExpired(
  transaction: TenantTransaction,
  subscriptionId: string,
  { totalMinor, until }: { readonly totalMinor: number; readonly until: string | null },
): Promise<void> {
  const { rows } = await sql<{ readonly has_changed: boolean; readonly is_new_low: boolean }>`
    update prepaid_accounts a set expired_micro = after.expired, expired_until = ${until},
      sent_micro = case when after.has_changed then a.used_micro else a.sent_micro end, is_low = after.is_low
    from (
      select before.is_low as was_low, before.expired_micro <> given.micro as has_changed, given.micro as expired,
        before.credit_micro - given.micro - before.used_micro
          < coalesce(before.low_balance_minor, before.last_top_up_minor::numeric / 10) * 1000000 as is_low
      from prepaid_accounts before
      cross join (select ${totalMinor}::numeric * 1000000 as micro) given
      where before.organization_id = ${transaction.tenantId} and before.subscription_id = ${subscriptionId}
    ) after
    where a.organization_id = ${transaction.tenantId} and a.subscription_id = ${subscriptionId}
    returning after.has_changed, after.has_changed and after.is_low and not after.was_low as is_new_low`.execute(
    transaction,
  );
  const [account] = rows;
  if (account === undefined) return;
  if (account.is_new_low) await notifyLow(transaction, subscriptionId);
  if (account.has_changed) await publishSubscriptions(transaction, [subscriptionId]);
}

/** Notifies those who see balances that one is low. */
export async function notifyLow(transaction: TenantTransaction, subscriptionId: string): Promise<void> {
  const people = await listHolders(transaction, 'billing.read');
  const { rows } = await sql<{ app: string }>`
    select app.display_name as app from subscriptions s
    join apps app on app.organization_id = s.organization_id and app.id = s.app_id
    where s.organization_id = ${transaction.tenantId} and s.id = ${subscriptionId}`.execute(transaction);
  if (rows[0] === undefined) return;
  const notice = {
    userIds: people.map(({ id }) => id),
    kind: 'low_balance',
    title: `The prepaid balance of ${rows[0].app} is low`,
    link: `/subscriptions/${subscriptionId}`,
  };
  await notify(transaction, notice, new Date());
}

function present(row: Row): Account {
  return {
    subscriptionId: row.subscription_id,
    currency: row.currency,
    balanceMinor: row.balance_minor,
    paidInMinor: Number(row.credit_micro) / 1_000_000,
    expiredMinor: Number(row.expired_micro) / 1_000_000,
    usedMinor: row.used_minor,
    counting: row.counting,
    lowBalanceMinor: row.low_balance_minor === null ? null : Number(row.low_balance_minor),
    isLow: row.is_low,
  };
}

/** A movement without whose it is. */
export function presentMovement(
  row: Omit<Selectable<Schema['prepaid_movements']>, 'subscription_id'>,
): Omit<Movement, 'subscriptionId'> {
  return {
    id: row.id,
    kind: row.kind,
    amountMinor: Number(row.amount_minor),
    note: row.note,
    topUpId: row.top_up_id,
    createdBy: row.created_by,
    createdByName: row.created_by_name,
    createdAt: row.created_at.toISOString(),
  };
}
