import { type CreditLot, consumeOldestFirst, formatMinor } from '@millrace/pricing';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { findBillingSettings } from '../billing-settings/store.ts';
import { nodesBehind } from '../metering/store.ts';
import { insertMovement, setExpired } from './store.ts';

/** A credited top-up of a prepaid balance. */
export interface Lot extends CreditLot {
  readonly id: string;
  readonly developerId: string;
  readonly currency: string;
  readonly expiresAt: string | null;
  /** When a notice of the expiry is due; null once it was sent. */
  readonly noticeAt: Date | null;
  /** What of it is in the movements as expired; null: it hasn't expired, or usage of before may still be reported. */
  readonly enteredMinor: number | null;
  readonly expiredMinor: number;
  readonly leftMicro: bigint;
}

/** What expired of one top-up, as it was entered now. */
export interface EnteredExpiry {
  readonly topUpId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

const service = { createdBy: null, createdByName: 'Millrace' } as const;

/** The credited top-ups of a balance, the oldest first, with what is left of each. */
export async function listLots(transaction: TenantTransaction, subscriptionId: string): Promise<readonly Lot[]> {
  const { rows } = await sql<{
    readonly id: string;
    readonly developer_id: string;
    readonly currency: string;
    readonly amount_minor: string;
    readonly expires_at: Date | null;
    readonly expiry_notice_at: Date | null;
    readonly used_before_micro: string | null;
    readonly expired_minor: string | null;
    readonly used_micro: string;
    readonly credit_micro: string;
  }>`
    select lot.id, lot.developer_id, lot.currency, lot.amount_minor, lot.expires_at, lot.expiry_notice_at,
      ceil(lot.used_before_micro)::text as used_before_micro, lot.expired_minor,
      ceil(account.used_micro)::text as used_micro, account.credit_micro::text as credit_micro
    from top_ups lot
    join prepaid_accounts account on account.organization_id = lot.organization_id
      and account.subscription_id = lot.subscription_id
    where lot.organization_id = ${transaction.tenantId} and lot.subscription_id = ${subscriptionId}
      and lot.state = 'credited'
    order by coalesce(lot.decided_at, lot.created_at), lot.id`.execute(transaction);
  const [first] = rows;
  if (first === undefined) return [];
  const lots = rows.map((row) => ({
    id: row.id,
    developerId: row.developer_id,
    currency: row.currency,
    amountMinor: Number(row.amount_minor),
    expiresAt: row.expires_at?.toISOString() ?? null,
    noticeAt: row.expiry_notice_at,
    usedBeforeMicro: row.used_before_micro === null ? null : BigInt(row.used_before_micro),
    enteredMinor: row.expired_minor === null ? null : Number(row.expired_minor),
  }));
  // Balances may have other credit, of before top-ups were kept.
  const inLotsMicro = lots.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor) * 1_000_000n, 0n);
  const states = consumeOldestFirst(lots, {
    usedMicro: BigInt(first.used_micro),
    baseMicro: BigInt(first.credit_micro) - inLotsMicro,
  });
  return lots.map((lot, index) => ({ ...lot, ...states[index]! }));
}

/**
 * Takes what has expired by now off a balance that is locked until the commit, and lets gateway nodes know. It is entered
 * as a movement once all usage of before is reported, or the grace time for late usage has passed; usage that was reported
 * later still corrects what was entered.
 *
 * @returns what was entered now
 */
export async function settleExpiries(
  transaction: TenantTransaction,
  subscriptionId: string,
  now: Date,
): Promise<readonly EnteredExpiry[]> {
  await countUsedBefore(transaction, subscriptionId, now);
  const due = await publishExpired(transaction, subscriptionId);
  const entered: EnteredExpiry[] = [];
  const isComplete = completeness(transaction, now);
  for (const lot of due) {
    const { id: topUpId, expiresAt, expiredMinor, enteredMinor, developerId, currency } = lot;
    if (enteredMinor === expiredMinor) continue;
    if (enteredMinor === null && !(await isComplete(new Date(expiresAt!)))) continue;
    const amountMinor = (enteredMinor ?? 0) - expiredMinor;
    const kind = enteredMinor === null ? 'expiry' : 'correction';
    const note = enteredMinor === null ? '' : 'Usage of before an expiry, reported after it.';
    if (amountMinor !== 0) {
      const movement = { subscriptionId, developerId, currency, amountMinor, kind, note, topUpId, ...service } as const;
      await insertMovement(transaction, movement);
      entered.push({ topUpId, amountMinor, currency });
    }
    await setEntered(transaction, topUpId, expiredMinor);
  }
  await clearCorrections(transaction, subscriptionId);
  return entered;
}

/**
 * Counts again what has expired of a locked balance, and lets gateway nodes know.
 *
 * @returns the top-ups that have expired
 */
async function publishExpired(transaction: TenantTransaction, subscriptionId: string): Promise<readonly Lot[]> {
  const lots = await listLots(transaction, subscriptionId);
  const expired = lots.filter(({ usedBeforeMicro }) => usedBeforeMicro !== null);
  const totalMinor = expired.reduce((sum, { expiredMinor }) => sum + expiredMinor, 0);
  const until = expired.reduce<string | null>((latest, { expiresAt }) => laterOf(latest, expiresAt), null);
  await setExpired(transaction, subscriptionId, { totalMinor, until });
  return expired;
}

/** What an audit entry says of what was entered. */
export function enteredText(entered: readonly EnteredExpiry[]): string {
  const list = (amounts: readonly EnteredExpiry[]) =>
    amounts
      .map(({ topUpId, amountMinor, currency }) => {
        return `${formatMinor(Math.abs(amountMinor), currency, 'en')} of ${topUpId}`;
      })
      .join(', ');
  const expired = entered.filter(({ amountMinor }) => amountMinor < 0);
  const corrected = entered.filter(({ amountMinor }) => amountMinor > 0);
  return [
    ...(expired.length === 0 ? [] : [`Expired: ${list(expired)}`]),
    ...(corrected.length === 0 ? [] : [`Given back, for usage that was reported later: ${list(corrected)}`]),
  ].join('. ');
}

const laterOf = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;

/** Notes for top-ups that have expired by now how much was used before: all that is used, without what came since. */
async function countUsedBefore(transaction: TenantTransaction, subscriptionId: string, now: Date): Promise<void> {
  await sql`
    update top_ups set used_before_micro = account.used_micro - coalesce((
      select sum((charge ->> 'price')::numeric * case charge ->> 'meter'
          when 'requests' then metered.requests when 'request_bytes' then metered.request_bytes
          when 'response_bytes' then metered.response_bytes else metered.units end)
      from subscription_terms term
      join metered_usage metered on metered.organization_id = term.organization_id and metered.term_id = term.id
        and metered.quarter >= top_ups.expires_at
      cross join jsonb_array_elements(term.prepaid) charge
      where term.organization_id = top_ups.organization_id and term.subscription_id = top_ups.subscription_id
        and charge -> 'statusClasses' @> to_jsonb(metered.status_class)
        and (charge -> 'proxyIds' = 'null' or charge -> 'proxyIds' @> to_jsonb(metered.proxy_id))), 0)
    from prepaid_accounts account
    where top_ups.organization_id = ${transaction.tenantId} and top_ups.subscription_id = ${subscriptionId}
      and top_ups.state = 'credited' and top_ups.expires_at <= ${now} and top_ups.used_before_micro is null
      and account.organization_id = top_ups.organization_id
      and account.subscription_id = top_ups.subscription_id`.execute(transaction);
}

/**
 * Adds usage that was reported after expiries to what was used before them, and lets gateway nodes know what is left. What
 * was entered of them waits for {@link settleExpiries}.
 */
export async function addUsedBefore(
  transaction: TenantTransaction,
  subscriptionId: string,
  usage: { readonly quarters: readonly Date[]; readonly costs: readonly string[] },
): Promise<void> {
  await sql`
    update top_ups set used_before_micro = used_before_micro + late.cost, correction_due = expired_minor is not null
    from (
      select lot.id, sum(given.cost) as cost from top_ups lot
      join unnest(${usage.quarters}::timestamptz[], ${usage.costs}::numeric[]) as given (quarter, cost)
        on given.quarter < lot.expires_at
      where lot.organization_id = ${transaction.tenantId} and lot.subscription_id = ${subscriptionId}
        and lot.used_before_micro is not null
      group by lot.id
    ) late
    where top_ups.organization_id = ${transaction.tenantId} and top_ups.id = late.id`.execute(transaction);
  await publishExpired(transaction, subscriptionId);
}

async function clearCorrections(transaction: TenantTransaction, subscriptionId: string): Promise<void> {
  await transaction
    .updateTable('top_ups')
    .set({ correction_due: false })
    .where('organization_id', '=', transaction.tenantId)
    .where('subscription_id', '=', subscriptionId)
    .where('correction_due', '=', true)
    .execute();
}

async function setEntered(transaction: TenantTransaction, topUpId: string, expiredMinor: number): Promise<void> {
  await transaction
    .updateTable('top_ups')
    .set({ expired_minor: expiredMinor })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', topUpId)
    .execute();
}

/** Whether all usage of before a moment is reported, or nobody waits for it any longer. */
function completeness(transaction: TenantTransaction, now: Date): (moment: Date) => Promise<boolean> {
  let graceHours: number | null = null;
  return async (moment) => {
    graceHours ??= (await findBillingSettings(transaction)).graceHours;
    if (now.getTime() >= moment.getTime() + graceHours * hourMs) return true;
    return (await nodesBehind(transaction, moment)).length === 0;
  };
}

const hourMs = 3_600_000;
