import type { Sealer } from '@millrace/blobs';
import { newSigningSecret } from '@millrace/webhooks';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { newId } from '../../identifiers.ts';
import { endpointLimit } from './dashboard-contract.ts';
import { checkOverlap, defaultOverlapMs, type NewEndpoint, WebhookError } from './rules.ts';
import { sealSecret } from './secrets.ts';

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly events: string[];
  readonly state: 'active' | 'paused';
  readonly created_at: Date;
}

const endpointColumns = ['id', 'url', 'events', 'state', 'created_at'] as const;

/**
 * Adds an endpoint with a signing secret of its own, which is returned this once and stored encrypted.
 *
 * @throws WebhookError `too_many_endpoints`
 */
export async function createEndpoint(
  transaction: TenantTransaction,
  sealer: Sealer,
  endpoint: NewEndpoint,
): Promise<{ endpoint: Endpoint; secret: string }> {
  if ((await listEndpoints(transaction)).length >= endpointLimit) {
    throw new WebhookError(
      'too_many_endpoints',
      `An account has at most ${endpointLimit} endpoints. Remove one first.`,
    );
  }
  const created = await transaction
    .insertInto('webhook_endpoints')
    .values({ id: newId('whe'), account_id: transaction.tenantId, url: endpoint.url, events: [...endpoint.events] })
    .returning(endpointColumns)
    .executeTakeFirstOrThrow();
  const secret = await addSecret(transaction, sealer, created.id);
  return { endpoint: created, secret };
}

/** The account's endpoints, oldest first, without the removed ones. */
export function listEndpoints(transaction: TenantTransaction): Promise<Endpoint[]> {
  return transaction
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('account_id', '=', transaction.tenantId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}

/**
 * Creates the account's primary secret, which signs what goes to a `callback_url`. Part of creating an account; the
 * secret is returned this once and stored encrypted.
 */
export function createPrimarySecret(transaction: TenantTransaction, sealer: Sealer): Promise<string> {
  return addSecret(transaction, sealer, null);
}

/**
 * Gives an endpoint, or with null the account's callbacks, a new signing secret, returned this once. For the time of
 * the overlap every delivery is signed with the old secret too, so that the receiver can be switched without a gap.
 * An earlier rotation's overlap ends with this one at the latest.
 *
 * @throws WebhookError `not_found` or `invalid_overlap`
 */
export async function rotateSecret(
  transaction: TenantTransaction,
  sealer: Sealer,
  endpointId: string | null,
  overlapMs: number = defaultOverlapMs,
): Promise<{ secret: string; previousExpiresAt: Date }> {
  const overlap = checkOverlap(overlapMs);
  if (endpointId !== null) await requireEndpoint(transaction, endpointId);
  const previousExpiresAt = new Date(Date.now() + overlap);
  await transaction
    .updateTable('webhook_secrets')
    .set({ expires_at: previousExpiresAt })
    .where('account_id', '=', transaction.tenantId)
    .where('endpoint_id', 'is not distinct from', endpointId)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', previousExpiresAt)]))
    .execute();
  return { secret: await addSecret(transaction, sealer, endpointId), previousExpiresAt };
}

/**
 * Holds back what an endpoint would be sent, events to come included, until it is resumed. An attempt under way ends.
 *
 * @throws WebhookError `not_found`
 */
export async function pauseEndpoint(transaction: TenantTransaction, endpointId: string): Promise<void> {
  await setState(transaction, endpointId, 'paused');
  await transaction
    .updateTable('notifications')
    .set({ run_at: sql<Date>`'infinity'` })
    .where('account_id', '=', transaction.tenantId)
    .where('lane', '=', endpointId)
    .where('state', '=', 'pending')
    .execute();
}

/**
 * Sends what was held back, and what comes.
 *
 * @returns the lane to wake the deliverer with after the commit
 * @throws WebhookError `not_found`
 */
export async function resumeEndpoint(transaction: TenantTransaction, endpointId: string): Promise<string> {
  await setState(transaction, endpointId, 'active');
  await transaction
    .updateTable('notifications')
    .set({ run_at: sql<Date>`now()` })
    .where('account_id', '=', transaction.tenantId)
    .where('lane', '=', endpointId)
    .where('state', '=', 'pending')
    .where('run_at', '=', sql<Date>`'infinity'`)
    .execute();
  return endpointId;
}

/**
 * Removes an endpoint: nothing more is sent to it, and its secrets are destroyed. Its deliveries stay listed.
 *
 * @throws WebhookError `not_found`
 */
export async function removeEndpoint(transaction: TenantTransaction, endpointId: string): Promise<void> {
  await requireEndpoint(transaction, endpointId);
  await transaction
    .updateTable('webhook_endpoints')
    .set({ removed_at: new Date() })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', endpointId)
    .execute();
  await transaction
    .deleteFrom('webhook_secrets')
    .where('account_id', '=', transaction.tenantId)
    .where('endpoint_id', '=', endpointId)
    .execute();
  await transaction
    .updateTable('notifications')
    .set({ state: 'failed', finished_at: new Date() })
    .where('account_id', '=', transaction.tenantId)
    .where('lane', '=', endpointId)
    .where('state', '=', 'pending')
    .execute();
}

/**
 * The endpoint, locked until the transaction ends.
 *
 * @throws WebhookError `not_found`
 */
export async function requireEndpoint(transaction: TenantTransaction, endpointId: string): Promise<Endpoint> {
  const endpoint = await transaction
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', endpointId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!endpoint) throw new WebhookError('not_found', `There is no endpoint ${endpointId}.`);
  return endpoint;
}

async function setState(transaction: TenantTransaction, endpointId: string, state: Endpoint['state']): Promise<void> {
  await requireEndpoint(transaction, endpointId);
  await transaction
    .updateTable('webhook_endpoints')
    .set({ state })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', endpointId)
    .execute();
}

async function addSecret(transaction: TenantTransaction, sealer: Sealer, endpointId: string | null): Promise<string> {
  const id = newId('sec');
  const secret = newSigningSecret();
  await transaction
    .insertInto('webhook_secrets')
    .values({
      id,
      account_id: transaction.tenantId,
      endpoint_id: endpointId,
      secret_encrypted: sealSecret(sealer, id, secret),
    })
    .execute();
  return secret;
}
