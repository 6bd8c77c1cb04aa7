import type { PreparedStatement } from '@millrace/postgres';
import { type Selectable, sql } from 'kysely';
import type { ExtractionDatabase, Schema, TenantTransaction } from '../../database/schema.ts';
import { newId } from '../../identifiers.ts';
import { callDays } from './rules.ts';

/** A call that was answered. */
export interface FinishedCall {
  readonly accountId: string;
  readonly keyId: string;
  /** When it came, in Unix milliseconds. */
  readonly atMs: number;
  readonly method: string;
  /** The path with parameters such as `:name`. */
  readonly route: string;
  readonly status: number;
  readonly latencyMs: number;
  readonly errorCode: string | null;
  readonly documentId: string | null;
  /** Of a call that queued its document, instead of the document's id. */
  readonly jobId: string | null;
}

/** The commit does not wait for the disk: what a crash of the database takes back are lines of a log. */
const insertStatement: PreparedStatement<object> = {
  name: 'log calls',
  text: `
    insert into api_calls (id, account_id, api_key_id, at, method, route, status, latency_ms, error_code, document_id)
    select call.id, call.account_id, api_key_id, at, method, route, status, latency_ms, call.error_code,
      coalesce(call.document_id, jobs.document_id)
    from (select set_config('synchronous_commit', 'off', true)) as relaxed,
      unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::int[], $8::int[],
        $9::text[], $10::text[], $11::text[])
      as call (id, account_id, api_key_id, at, method, route, status, latency_ms, error_code, document_id, job_id)
    left join jobs on jobs.account_id = call.account_id and jobs.id = call.job_id`,
};

/** Logs calls of any accounts. They are listed by when they came in, which is the time that a list shows. */
export async function insertCalls(database: ExtractionDatabase, calls: readonly FinishedCall[]): Promise<void> {
  const column = <Value>(of: (call: FinishedCall) => Value) => calls.map(of);
  await database.prepared(insertStatement, [
    column(({ atMs }) => newId('call', atMs)),
    column(({ accountId }) => accountId),
    column(({ keyId }) => keyId),
    column(({ atMs }) => new Date(atMs).toISOString()),
    column(({ method }) => method),
    column(({ route }) => route),
    column(({ status }) => status),
    column(({ latencyMs }) => latencyMs),
    column(({ errorCode }) => errorCode),
    column(({ documentId }) => documentId),
    column(({ jobId }) => jobId),
  ]);
}

/** Removes the oldest calls of an account beyond a number of them. */
export async function trimCalls({ system }: ExtractionDatabase, accountId: string, kept: number): Promise<void> {
  await sql`
    delete from api_calls where account_id = ${accountId} and id <= (
      select id from api_calls where account_id = ${accountId} order by id desc offset ${kept} limit 1)`.execute(
    system,
  );
}

/** Which calls are looked for. */
export interface CallFilter {
  readonly keyId: string | null;
  /** First and last of the statuses. */
  readonly statuses: readonly [first: number, last: number] | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

export type StoredCall = Omit<Selectable<Schema['api_calls']>, 'account_id'> & {
  readonly key_name: string;
  readonly key_prefix: string;
};

/**
 * A page of the calls of the last days, the newest first.
 *
 * @param page.before id of the last call of the page before
 */
export function listCalls(
  transaction: TenantTransaction,
  filter: CallFilter,
  page: { readonly before: string | null; readonly limit: number },
): Promise<readonly StoredCall[]> {
  let query = transaction
    .selectFrom('api_calls as call')
    .innerJoin('api_keys as key', (join) =>
      join.onRef('key.account_id', '=', 'call.account_id').onRef('key.id', '=', 'call.api_key_id'),
    )
    .select(['call.id', 'api_key_id', 'at', 'method', 'route', 'status', 'latency_ms', 'error_code', 'document_id'])
    .select(['key.name as key_name', 'key.prefix as key_prefix'])
    .where('call.account_id', '=', transaction.tenantId)
    .where('at', '>', sql<Date>`now() - ${callDays} * interval '1 day'`)
    .orderBy('call.id', 'desc')
    .limit(page.limit);
  if (page.before !== null) query = query.where('call.id', '<', page.before);
  if (filter.keyId !== null) query = query.where('api_key_id', '=', filter.keyId);
  if (filter.statuses !== null) {
    const [first, last] = filter.statuses;
    query = query.where('status', '>=', first).where('status', '<=', last);
  }
  if (filter.from !== null) query = query.where('at', '>=', filter.from);
  if (filter.to !== null) query = query.where('at', '<', filter.to);
  return query.execute();
}
