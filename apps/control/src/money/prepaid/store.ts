import type { MeteredRow } from '@millrace/gateway-configuration/reports';
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

/**
 * What of the credit may be used until nodes are sent how much it is, which they only need after they and their store
 * have lost their counts: the smaller, the more often all of them are woken.
 */
const sentShare = 20;

const minors = [
  sql<string>`trim_scale(round((credit_micro - used_micro) / 1000000, 6))::text`.as('balance_minor'),
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
interface Credit extends Pick<Movement, 'subscriptionId' | 'amountMinor' | 'note' | 'createdBy' | 'createdByName'> {
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
      is_low: sql<boolean>`is_low and credit_micro + ${amountMinor}::numeric * 1000000 - used_micro
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

async function insertMovement(
  transaction: TenantTransaction,
  values: Omit<Credit, 'subscriptionId'> & {
    readonly subscriptionId: string | null;
    readonly kind: Movement['kind'];
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
      created_by: values.createdBy,
      created_by_name: values.createdByName,
    })
    .execute();
}

/**
 * Takes the price of metered calls off prepaid balances, in the transaction that stores them. Notifies those who see balances
 * once when one becomes low, and gateway nodes when much was used since they were sent how much.
 */
export async function debitUsage(
  transaction: TenantTransaction,
  batches: readonly { readonly rows: readonly MeteredRow[] }[],
): Promise<void> {
  const rows = batches.flatMap((batch) => batch.rows);
  const column = <Name extends keyof MeteredRow>(name: Name) => rows.map((row) => row[name]);
  const { rows: costs } = await sql<{ subscription_id: string; cost: string }>`
    select term.subscription_id, sum((charge ->> 'price')::numeric * case charge ->> 'meter'
        when 'requests' then given.requests when 'request_bytes' then given.request_bytes
        when 'response_bytes' then given.response_bytes else given.units end)::text as cost
    from unnest(
      ${column('termId')}::text[], ${column('proxyId')}::text[], ${column('statusClass')}::int[],
      ${column('requests')}::numeric[], ${column('requestBytes')}::numeric[], ${column('responseBytes')}::numeric[],
      ${column('units')}::numeric[]
    ) as given (term_id, proxy_id, status_class, requests, request_bytes, response_bytes, units)
    join subscription_terms term on term.organization_id = ${transaction.tenantId} and term.id = given.term_id
    join proxies on proxies.organization_id = term.organization_id and proxies.id = given.proxy_id
    cross join jsonb_array_elements(term.prepaid) charge
    where charge -> 'statusClasses' @> to_jsonb(given.status_class)
      and (charge -> 'proxyIds' = 'null' or charge -> 'proxyIds' @> to_jsonb(given.proxy_id))
    group by term.subscription_id
    order by term.subscription_id`.execute(transaction);
  for (const { subscription_id: subscriptionId, cost } of costs) await debitAccount(transaction, subscriptionId, cost);
}

async function debitAccount(transaction: TenantTransaction, subscriptionId: string, costMicro: string): Promise<void> {
  const { rows } = await sql<{ is_new: boolean; is_due: boolean }>`
    update prepaid_accounts a set
      used_micro = after.used,
      sent_micro = case when after.is_due then after.used else a.sent_micro end,
      is_low = after.is_low
    from (
      select before.is_low as was_low, before.used_micro + ${costMicro}::numeric as used,
        before.used_micro + ${costMicro}::numeric - before.sent_micro > before.credit_micro / ${sentShare}::int as is_due,
        before.credit_micro - before.used_micro - ${costMicro}::numeric
          < coalesce(before.low_balance_minor, before.last_top_up_minor::numeric / 10) * 1000000 as is_low
      from prepaid_accounts before
      where before.organization_id = ${transaction.tenantId} and before.subscription_id = ${subscriptionId}
      for update
    ) after
    where a.organization_id = ${transaction.tenantId} and a.subscription_id = ${subscriptionId}
    returning after.is_low and not after.was_low as is_new, after.is_due`.execute(transaction);
  const [account] = rows;
  if (account === undefined) return;
  if (account.is_new) await notifyLow(transaction, subscriptionId);
  if (account.is_due) await publishSubscriptions(transaction, [subscriptionId]);
}

async function notifyLow(transaction: TenantTransaction, subscriptionId: string): Promise<void> {
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
    createdBy: row.created_by,
    createdByName: row.created_by_name,
    createdAt: row.created_at.toISOString(),
  };
}
