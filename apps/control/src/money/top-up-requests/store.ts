import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { TopUpRequest } from './contract.ts';

const columns = { createdAt: 'request.created_at', amountMinor: 'request.amount_minor' };

const state = sql<TopUpRequest['state']>`case when request.declined_at is not null then 'declined'
  when top_up.state = 'credited' then 'credited' else 'open' end`;

/** Names for the statement that reads requests. Those of the term outlive the subscription. */
const names = [
  sql<string>`(select term.app_name from subscription_terms term
    where term.organization_id = request.organization_id and term.subscription_id = request.subscription_id
    order by term.starts_at desc limit 1)`.as('app_name'),
  sql<string>`(select product.display_name from subscription_terms term
    join products product on product.organization_id = term.organization_id and product.id = term.product_id
    where term.organization_id = request.organization_id and term.subscription_id = request.subscription_id
    order by term.starts_at desc limit 1)`.as('product_name'),
] as const;

export async function listTopUpRequests(
  transaction: TenantTransaction,
  filters: Listing & {
    readonly [Name in 'state' | 'developerId' | 'subscriptionId']?: TopUpRequest[Name] | undefined;
  },
): Promise<{ readonly topUpRequests: TopUpRequest[]; readonly total: number }> {
  const { developerId, subscriptionId, search } = filters;
  let query = requests(transaction).where((builder) =>
    matches(builder, ['request.note', 'request.requested_by_name', 'developer.name'], search),
  );
  if (filters.state !== undefined) query = query.where(state, '=', filters.state);
  if (developerId !== undefined) query = query.where('request.developer_id', '=', developerId);
  if (subscriptionId !== undefined) query = query.where('request.subscription_id', '=', subscriptionId);
  const { rows, total } = await readPage(query, filters, columns, 'request.id');
  return { topUpRequests: rows.map(present), total };
}

/** A request, locked until the commit. */
export async function lockTopUpRequest(transaction: TenantTransaction, id: string): Promise<TopUpRequest | null> {
  await transaction
    .selectFrom('top_up_requests')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
  // A statement of its own, which sees the top-ups that were added while this one waited for the lock.
  return findTopUpRequest(transaction, id);
}

/** A request to be added. */
export type NewTopUpRequest = Pick<
  TopUpRequest,
  'developerId' | 'subscriptionId' | 'amountMinor' | 'currency' | 'note' | 'requestedByName'
> & { readonly requestedBy: string };

export async function insertTopUpRequest(
  transaction: TenantTransaction,
  values: NewTopUpRequest,
): Promise<TopUpRequest> {
  const id = newId('tur');
  await transaction
    .insertInto('top_up_requests')
    .values({
      id,
      organization_id: transaction.tenantId,
      developer_id: values.developerId,
      subscription_id: values.subscriptionId,
      amount_minor: values.amountMinor,
      currency: values.currency,
      note: values.note,
      requested_by: values.requestedBy,
      requested_by_name: values.requestedByName,
    })
    .execute();
  return (await findTopUpRequest(transaction, id))!;
}

/** Declines a locked request. */
export async function declineTopUpRequest(
  transaction: TenantTransaction,
  id: string,
  decision: {
    readonly by: { readonly id: string; readonly name: string };
    readonly now: Date;
    readonly reason: string;
  },
): Promise<TopUpRequest> {
  await transaction
    .updateTable('top_up_requests')
    .set({
      declined_by: decision.by.id,
      declined_by_name: decision.by.name,
      declined_at: decision.now,
      decline_reason: decision.reason,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  return (await findTopUpRequest(transaction, id))!;
}

/** A developer's requests of the last 24 hours. */
export async function countRecentRequests(transaction: TenantTransaction, developerId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('top_up_requests')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('created_at', '>', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirstOrThrow();
  return count;
}

async function findTopUpRequest(transaction: TenantTransaction, id: string): Promise<TopUpRequest | null> {
  const row = await requests(transaction).where('request.id', '=', id).executeTakeFirst();
  return row === undefined ? null : present(row);
}

function requests(transaction: TenantTransaction) {
  return transaction
    .selectFrom('top_up_requests as request')
    .innerJoin('developers as developer', (join) =>
      join
        .onRef('developer.organization_id', '=', 'request.organization_id')
        .onRef('developer.id', '=', 'request.developer_id'),
    )
    .leftJoin('top_ups as top_up', (join) =>
      join
        .onRef('top_up.organization_id', '=', 'request.organization_id')
        .onRef('top_up.request_id', '=', 'request.id')
        .on('top_up.state', '<>', 'rejected'),
    )
    .selectAll('request')
    .select(['developer.name as developer_name', 'top_up.id as top_up_id', 'top_up.amount_minor as top_up_minor'])
    .select(['top_up.created_at as top_up_at', 'top_up.requested_by_name as top_up_by'])
    .select(['top_up.decided_at', 'top_up.decided_by_name', state.as('state'), ...names])
    .where('request.organization_id', '=', transaction.tenantId);
}

type Row = Awaited<ReturnType<ReturnType<typeof requests>['executeTakeFirstOrThrow']>>;

function present(row: Row): TopUpRequest {
  const isCredited = row.state === 'credited';
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
    note: row.note,
    requestedByName: row.requested_by_name,
    topUpId: row.top_up_id,
    creditedMinor: isCredited ? Number(row.top_up_minor) : null,
    declineReason: row.decline_reason,
    answeredByName: isCredited ? (row.decided_by_name ?? row.top_up_by) : row.declined_by_name,
    answeredAt: (isCredited ? (row.decided_at ?? row.top_up_at) : row.declined_at)?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
