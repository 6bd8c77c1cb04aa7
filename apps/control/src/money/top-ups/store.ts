import { newId } from '@millrace/identifiers';
import type { CreditExpiry } from '@millrace/pricing';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { TopUp } from './contract.ts';

type Row = Selectable<Schema['top_ups']> & {
  readonly app_name: string;
  readonly product_name: string;
  readonly developer_name: string;
};

const columns = { createdAt: 'created_at', amountMinor: 'amount_minor' };

/** Names for the statement that reads top-ups. Those of the term outlive the subscription. */
const names = [
  sql<string>`(select term.app_name from subscription_terms term
    where term.organization_id = top_ups.organization_id and term.subscription_id = top_ups.subscription_id
    order by term.starts_at desc limit 1)`.as('app_name'),
  sql<string>`(select product.display_name from subscription_terms term
    join products product on product.organization_id = term.organization_id and product.id = term.product_id
    where term.organization_id = top_ups.organization_id and term.subscription_id = top_ups.subscription_id
    order by term.starts_at desc limit 1)`.as('product_name'),
  sql<string>`(select developer.name from developers developer
    where developer.organization_id = top_ups.organization_id and developer.id = top_ups.developer_id)`.as(
    'developer_name',
  ),
] as const;

export async function listTopUps(
  transaction: TenantTransaction,
  filters: Listing & { readonly [Name in 'state' | 'developerId' | 'subscriptionId']?: TopUp[Name] | undefined },
) {
  const { state, developerId, subscriptionId, search } = filters;
  let query = topUps(transaction).where((builder) => matches(builder, ['note', 'requested_by_name'], search));
  if (state !== undefined) query = query.where('state', '=', state);
  if (developerId !== undefined) query = query.where('developer_id', '=', developerId);
  if (subscriptionId !== undefined) query = query.where('subscription_id', '=', subscriptionId);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { topUps: rows.map(present), total };
}

export async function findTopUp(transaction: TenantTransaction, id: string): Promise<TopUp | null> {
  const row = await topUps(transaction).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** A top-up, locked until the commit, with the keys of its authors. */
export async function lockTopUp(
  transaction: TenantTransaction,
  id: string,
): Promise<{ readonly topUp: TopUp; readonly authorKeys: readonly string[] } | null> {
  const row = await topUps(transaction).where('id', '=', id).forUpdate().executeTakeFirst();
  return row === undefined ? null : { topUp: present(row), authorKeys: row.author_keys };
}

/** A top-up to be added. */
export interface NewTopUp
  extends Pick<
    TopUp,
    | 'subscriptionId'
    | 'developerId'
    | 'currency'
    | 'amountMinor'
    | 'source'
    | 'requestId'
    | 'creditExpiry'
    | 'note'
    | 'requestedBy'
    | 'requestedByName'
  > {
  readonly state: 'pending' | 'credited';
  /** Of one that is credited. */
  readonly expiry: Expiry | null;
  readonly authorKeys: readonly string[];
}

/** When credit is no longer good, and when that is announced. */
export interface Expiry {
  readonly expiresAt: string;
  readonly noticeAt: string;
}

const expiryColumns = (expiry: Expiry | null) => ({
  expires_at: expiry === null ? null : new Date(expiry.expiresAt),
  expiry_notice_at: expiry === null ? null : new Date(expiry.noticeAt),
});

export async function insertTopUp(transaction: TenantTransaction, values: NewTopUp): Promise<TopUp> {
  const id = newId('tup');
  await transaction
    .insertInto('top_ups')
    .values({
      id,
      organization_id: transaction.tenantId,
      subscription_id: values.subscriptionId,
      developer_id: values.developerId,
      currency: values.currency,
      amount_minor: values.amountMinor,
      source: values.source,
      request_id: values.requestId,
      credit_expiry: values.creditExpiry === null ? null : JSON.stringify(values.creditExpiry),
      ...expiryColumns(values.expiry),
      note: values.note,
      state: values.state,
      requested_by: values.requestedBy,
      requested_by_name: values.requestedByName,
      author_keys: [...values.authorKeys],
    })
    .execute();
  return (await findTopUp(transaction, id))!;
}

export async function decideTopUp(
  transaction: TenantTransaction,
  id: string,
  decision: {
    readonly state: 'credited' | 'rejected';
    readonly by: { readonly id: string; readonly name: string };
    readonly now: Date;
    readonly reason?: string;
    readonly expiry?: Expiry | null;
  },
): Promise<TopUp> {
  await transaction
    .updateTable('top_ups')
    .set({
      state: decision.state,
      decided_by: decision.by.id,
      decided_by_name: decision.by.name,
      decided_at: decision.now,
      decision_reason: decision.reason ?? null,
      ...expiryColumns(decision.expiry ?? null),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  return (await findTopUp(transaction, id))!;
}

function topUps(transaction: TenantTransaction) {
  return transaction
    .selectFrom('top_ups')
    .selectAll()
    .select(names)
    .where('organization_id', '=', transaction.tenantId);
}

function present(row: Row): TopUp {
  return {
    id: row.id,
    state: row.state,
    subscriptionId: row.subscription_id,
    appName: row.app_name,
    productName: row.product_name,
    developerId: row.developer_id,
    developerName: row.developer_name,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    source: row.source,
    requestId: row.request_id,
    creditExpiry: row.credit_expiry,
    expiresAt: row.expires_at?.toISOString() ?? null,
    expiredMinor: row.expired_minor === null ? null : Number(row.expired_minor),
    note: row.note,
    requestedBy: row.requested_by,
    requestedByName: row.requested_by_name,
    decidedByName: row.decided_by_name,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionReason: row.decision_reason,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** How long credit is good for by the version of the rate plan that a subscription is on, or was last; null: forever. */
export async function findPlanExpiry(
  transaction: TenantTransaction,
  subscriptionId: string,
): Promise<CreditExpiry | null> {
  const { rows } = await sql<{ readonly expiry: CreditExpiry | null }>`
    select version.terms -> 'creditExpiry' as expiry from subscription_terms term
    join rate_plan_versions version on version.organization_id = term.organization_id
      and version.rate_plan_id = term.rate_plan_id and version.plan_version = term.plan_version
    where term.organization_id = ${transaction.tenantId} and term.subscription_id = ${subscriptionId}
      and term.prepaid is not null
    order by term.starts_at desc, term.id desc limit 1`.execute(transaction);
  return rows[0]?.expiry ?? null;
}
