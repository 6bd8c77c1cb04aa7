import { createHmac, hkdfSync } from 'node:crypto';
import { createSealer, type Sealer } from '@millrace/encryption';
import type { FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { ApiError } from './errors.ts';
import type { Call } from './execute.ts';

/** How long a response is kept for its key. */
const idempotencyHours = 24;

/** Stores responses encrypted, since some contain a secret that is shown once. */
export interface IdempotencyKeys {
  readonly sealer: Sealer;
  /** Key of the MAC that identifies a repeat: a request may contain a password, which a plain hash would allow guessing. */
  readonly hashKey: Uint8Array;
}

/** @param encryptionKey the service's, 32 bytes */
export function createIdempotencyKeys(encryptionKey: Uint8Array): IdempotencyKeys {
  return {
    sealer: createSealer([encryptionKey], 'control idempotency'),
    hashKey: new Uint8Array(hkdfSync('sha256', encryptionKey, '', 'millrace idempotency', 32)),
  };
}

interface KeptAnswer {
  readonly data: unknown;
  /** Whether it is a change that was held for approval. */
  readonly held: boolean;
}

interface ClaimedKey {
  /** The first call's response, if there was one. */
  readonly answer: KeptAnswer | null;
  keep(answer: KeptAnswer): Promise<void>;
}

/**
 * Takes the `Idempotency-Key` of a POST for this transaction. A second call with the key waits for the first to end: it
 * gets its answer where that committed, and is carried out itself where it did not.
 *
 * @returns null where the request has no key
 * @throws ApiError `unprocessable` where the key came with another request before
 */
export async function claimIdempotencyKey(
  keys: IdempotencyKeys,
  transaction: Kysely<Schema>,
  call: Call,
  request: FastifyRequest,
  input: object,
): Promise<ClaimedKey | null> {
  const key = request.headers['idempotency-key'];
  const { operation, caller } = call;
  if (
    operation.method !== 'POST' ||
    operation.auth === 'public' ||
    operation.auth === 'portal_visitor' ||
    key === undefined ||
    caller === null
  )
    return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError('invalid_request', {
      message: 'Use an Idempotency-Key of 1 to 255 printable characters without white space.',
    });
  }
  const organizationId = call.organizationId;
  const requestHash = createHmac('sha256', keys.hashKey)
    .update(JSON.stringify([operation.id, organizationId, input]))
    .digest();
  const id = { organization_id: organizationId, caller_id: caller.id };
  const { rows } = await sql<{ request_hash: Buffer; sealed_answer: Buffer | null }>`
      insert into idempotency_keys (organization_id, caller_id, key, operation, request_hash)
      values (${id.organization_id}, ${id.caller_id}, ${key}, ${operation.id}, ${requestHash})
      on conflict (organization_id, caller_id, key) do update
        set request_hash = case when idempotency_keys.created_at < now() - ${idempotencyHours} * interval '1 hour'
                                then excluded.request_hash else idempotency_keys.request_hash end,
            sealed_answer = case when idempotency_keys.created_at < now() - ${idempotencyHours} * interval '1 hour'
                                 then null else idempotency_keys.sealed_answer end,
            created_at = case when idempotency_keys.created_at < now() - ${idempotencyHours} * interval '1 hour'
                              then now() else idempotency_keys.created_at end
      returning request_hash, sealed_answer`.execute(transaction);
  const row = rows[0]!;
  if (!row.request_hash.equals(requestHash)) {
    throw new ApiError('unprocessable', {
      message: 'This Idempotency-Key was used with a different request. Use a new key for a new request.',
    });
  }
  const name = `${id.organization_id} ${id.caller_id} ${key}`;
  return {
    answer: row.sealed_answer === null ? null : JSON.parse(keys.sealer.open(row.sealed_answer, name).toString()),
    keep: async (answer) => {
      await transaction
        .updateTable('idempotency_keys')
        .set({ sealed_answer: keys.sealer.seal(Buffer.from(JSON.stringify(answer)), name) })
        .where('organization_id', '=', id.organization_id)
        .where('caller_id', '=', id.caller_id)
        .where('key', '=', key)
        .execute();
    },
  };
}
