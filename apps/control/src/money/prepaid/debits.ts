import type { MeteredRow } from '@millrace/gateway-configuration/reports';
import { sql } from 'kysely';
import { publishSubscriptions } from '../../consumers/subscriptions/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { addUsedBefore } from './expiry.ts';
import { notifyLow } from './store.ts';

/**
 * What of the credit may be used until nodes are sent how much it is, which they only need after they and their store
 * have lost their counts: the smaller, the more often all of them are woken.
 */
const sentShare = 20;

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
  const { rows: costs } = await sql<Debit>`
    with quarters as (select term.subscription_id, given.quarter, sum((charge ->> 'price')::numeric * case charge ->> 'meter'
        when 'requests' then given.requests when 'request_bytes' then given.request_bytes
        when 'response_bytes' then given.response_bytes else given.units end) as cost
    from unnest(
      ${column('quarter')}::timestamptz[], ${column('termId')}::text[], ${column('proxyId')}::text[], ${column('statusClass')}::int[],
      ${column('requests')}::numeric[], ${column('requestBytes')}::numeric[], ${column('responseBytes')}::numeric[],
      ${column('units')}::numeric[]
    ) as given (quarter, term_id, proxy_id, status_class, requests, request_bytes, response_bytes, units)
    join subscription_terms term on term.organization_id = ${transaction.tenantId} and term.id = given.term_id
    join proxies on proxies.organization_id = term.organization_id and proxies.id = given.proxy_id
    cross join jsonb_array_elements(term.prepaid) charge
    where charge -> 'statusClasses' @> to_jsonb(given.status_class)
      and (charge -> 'proxyIds' = 'null' or charge -> 'proxyIds' @> to_jsonb(given.proxy_id))
    group by term.subscription_id, given.quarter)
    select subscription_id, sum(cost)::text as cost, array_agg(quarter) as quarters, array_agg(cost)::text[] as costs
    from quarters group by subscription_id order by subscription_id`.execute(transaction);
  for (const debit of costs) await debitAccount(transaction, debit);
}

/** The price of a subscription's usage, in all and by quarter of an hour. */
interface Debit {
  readonly subscription_id: string;
  readonly cost: string;
  readonly quarters: readonly Date[];
  readonly costs: readonly string[];
}

async function debitAccount(transaction: TenantTransaction, debit: Debit): Promise<void> {
  const { subscription_id: subscriptionId, cost: costMicro, quarters } = debit;
  const { rows } = await sql<{ is_new: boolean; is_due: boolean; expired_until: Date | null }>`
    update prepaid_accounts a set
      used_micro = after.used,
      sent_micro = case when after.is_due then after.used else a.sent_micro end,
      is_low = after.is_low
    from (
      select before.is_low as was_low, before.used_micro + ${costMicro}::numeric as used,
        before.used_micro + ${costMicro}::numeric - before.sent_micro > before.credit_micro / ${sentShare}::int as is_due,
        before.credit_micro - before.expired_micro - before.used_micro - ${costMicro}::numeric
          < coalesce(before.low_balance_minor, before.last_top_up_minor::numeric / 10) * 1000000 as is_low
      from prepaid_accounts before
      where before.organization_id = ${transaction.tenantId} and before.subscription_id = ${subscriptionId}
      for update
    ) after
    where a.organization_id = ${transaction.tenantId} and a.subscription_id = ${subscriptionId}
    returning after.is_low and not after.was_low as is_new, after.is_due, a.expired_until`.execute(transaction);
  const [account] = rows;
  if (account === undefined) return;
  if (account.is_new) await notifyLow(transaction, subscriptionId);
  if (account.is_due) await publishSubscriptions(transaction, [subscriptionId]);
  const { expired_until: expiredUntil } = account;
  if (expiredUntil === null || quarters.every((quarter) => quarter >= expiredUntil)) return;
  // What was used before an expiry consumed credit that has expired since.
  await addUsedBefore(transaction, subscriptionId, debit);
}
