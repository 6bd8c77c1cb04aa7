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

export async function findJob(transaction: TenantTransaction, id: string): Promise<StoredJob | null> {
  if (!/^job_[0-9a-z]{26}$/.test(id)) return null;
  const job = await transaction
    .selectFrom('jobs')
    .select(['id', 'document_id', 'state', 'error_code', 'error_message'])
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return job ?? null;
}
