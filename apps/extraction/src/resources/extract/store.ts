import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';

/** A request's claim on its `Idempotency-Key`. */
export interface IdempotencyClaim {
  readonly apiKeyId: string;
  readonly key: string;
  /** SHA-256 of what is asked. */
  readonly requestHash: Buffer;
  /** UUID of this one request: another with the same key and content may take the key over if this one's process dies. */
  readonly holder: string;
}

/** What became of the request that holds the key: its document, or the job it queued. */
export type Recorded =
  | { readonly kind: 'document'; readonly documentId: string }
  | { readonly kind: 'job'; readonly jobId: string };

export type ClaimResult =
  /** The key is this request's now. */
  | { readonly kind: 'claimed' }
  /** The same request was answered before. */
  | { readonly kind: 'recorded'; readonly recorded: Recorded }
  /** Another request has used the key. */
  | { readonly kind: 'conflict' }
  /** The same request is in progress. */
  | { readonly kind: 'in_progress' };

/** How long an answer is kept. */
const keptHours = 24;
/**
 * For how long an unfinished request holds its key unless it renews its claim: a caller's retries reach beyond it. It
 * spans some missed renewals, since a process may be busy.
 */
const heldSeconds = 6;
/** How often a request renews its claim. */
export const renewEveryMs = 1_500;
/** For how long a request of a version that doesn't renew its claims holds its key. */
const heldUnrenewedMinutes = 10;

const heldUntil = sql<Date>`now() + ${heldSeconds} * interval '1 second'`;

/** Claims a key for a request, or returns the state of the request that has it. */
export async function claimIdempotencyKey(
  transaction: TenantTransaction,
  { apiKeyId, key, requestHash, holder }: IdempotencyClaim,
): Promise<ClaimResult> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('idempotency_keys')
    .values({
      account_id: transaction.tenantId,
      api_key_id: apiKeyId,
      key,
      request_hash: requestHash,
      document_id: null,
      job_id: null,
      state: 'started',
      status: null,
      holder,
      held_until: heldUntil,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['api_key_id', 'key'])
        .doUpdateSet({
          request_hash: requestHash,
          document_id: null,
          job_id: null,
          state: 'started',
          status: null,
          holder,
          held_until: heldUntil,
          created_at: sql`now()`,
        })
        .where(sql<boolean>`idempotency_keys.created_at < now() - ${keptHours} * interval '1 hour'
          or (idempotency_keys.state = 'started' and idempotency_keys.request_hash = excluded.request_hash
            and coalesce(idempotency_keys.held_until,
              idempotency_keys.created_at + ${heldUnrenewedMinutes} * interval '1 minute') < now())`),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return { kind: 'claimed' };
  const present = await transaction
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'state', 'document_id', 'job_id'])
    .where('account_id', '=', transaction.tenantId)
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', key)
    .executeTakeFirst();
  // The holder may have let go of the key in between.
  if (!present) return { kind: 'in_progress' };
  if (!present.request_hash.equals(requestHash)) return { kind: 'conflict' };
  if (present.job_id !== null) return { kind: 'recorded', recorded: { kind: 'job', jobId: present.job_id } };
  if (present.document_id !== null) {
    return { kind: 'recorded', recorded: { kind: 'document', documentId: present.document_id } };
  }
  return { kind: 'in_progress' };
}

/** Whether a row is the key of a request that is still in progress and still holds it. */
function isHeld({ tenantId }: TenantTransaction, { apiKeyId, key, holder }: IdempotencyClaim) {
  return ({ and }: ExpressionBuilder<Schema, 'idempotency_keys'>) =>
    and({ account_id: tenantId, api_key_id: apiKeyId, key, holder, state: 'started' });
}

/** Holds on to the key of a request that is still in progress. */
export async function renewIdempotencyClaim(transaction: TenantTransaction, claim: IdempotencyClaim): Promise<void> {
  await transaction
    .updateTable('idempotency_keys')
    .set({ held_until: heldUntil })
    .where(isHeld(transaction, claim))
    .execute();
}

/**
 * Records what the same request is answered with from now on; in the transaction that stores it.
 *
 * @returns false if another request took the key over, since this one's claim was not renewed in time: then nothing of
 *   this one may be stored
 */
export async function recordIdempotentAnswer(
  transaction: TenantTransaction,
  claim: IdempotencyClaim,
  recorded: Recorded,
  status: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('idempotency_keys')
    .set({
      state: 'finished',
      status,
      ...(recorded.kind === 'job' ? { job_id: recorded.jobId } : { document_id: recorded.documentId }),
    })
    .where(isHeld(transaction, claim))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Lets go of a key whose request left nothing behind, so that it may be sent again. */
export async function releaseIdempotencyKey(transaction: TenantTransaction, claim: IdempotencyClaim): Promise<void> {
  await transaction.deleteFrom('idempotency_keys').where(isHeld(transaction, claim)).execute();
}
