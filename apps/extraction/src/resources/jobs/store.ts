import { currentTraceparent } from '@millrace/traces/context';
import { sql } from 'kysely';
import type { JobOptions, JobState, TenantTransaction } from '../../database/schema.ts';

/** Queues the extraction of a stored document. A worker claims it once the transaction has committed. */
export async function insertJob(
  transaction: TenantTransaction,
  job: { readonly id: string; readonly documentId: string; readonly options: JobOptions },
): Promise<void> {
  await transaction
    .insertInto('jobs')
    .values({
      id: job.id,
      account_id: transaction.tenantId,
      document_id: job.documentId,
      options: JSON.stringify(job.options),
      traceparent: currentTraceparent(),
      error_code: null,
      error_message: null,
    })
    .execute();
}

export interface StoredJob {
  readonly id: string;
  readonly document_id: string;
  readonly state: JobState;
  readonly error_code: string | null;
  readonly error_message: string | null;
}

/** Jobs by id. */
export async function findJobs(
  transaction: TenantTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredJob>> {
  const jobs = await transaction
    .selectFrom('jobs')
    .select(['id', 'document_id', 'state', 'error_code', 'error_message'])
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${ids.filter((id) => /^job_[0-9a-z]{26}$/.test(id))})`)
    .execute();
  return new Map(jobs.map((job) => [job.id, job]));
}
