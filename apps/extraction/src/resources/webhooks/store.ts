import type { Sealer } from '@millrace/encryption';
import { newSigningSecret } from '@millrace/webhooks';
import { sql, type Updateable } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { newId } from '../../identifiers.ts';
import { endpointLimit } from './dashboard-contract.ts';
import { checkOverlap, defaultOverlapMs, type NewEndpoint, WebhookError } from './rules.ts';
import { sealSecret } from './secrets.ts';

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly events: string[];
  readonly state: 'active' | 'paused';
  /** Who paused it: a person, or the service since nothing but failures came of it. Null while it is active. */
  readonly paused_by: 'person' | 'failures' | null;
  readonly paused_at: Date | null;
  /** The first failed attempt since the last success. */
  readonly failing_since: Date | null;
  readonly last_success_at: Date | null;
  readonly created_at: Date;
}

const endpointColumns = [
  'id',
  'url',
  'events',
  'state',
  'paused_by',
  'paused_at',
  'failing_since',
  'last_success_at',
  'created_at',
] as const;

/** Waiting events are counted up to this many. */
const countedWaiting = 10_000;

/** An endpoint with what waits for it, and with the end of its previous secret's overlap. */
export interface EndpointOverview extends Endpoint {
  readonly waiting_count: number;
  readonly previous_expires_at: Date | null;
}

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

/** The account's endpoints, oldest first, without removed ones; with an id, only that one. */
export function listEndpointOverviews(
  transaction: TenantTransaction,
  endpointId?: string,
): Promise<EndpointOverview[]> {
  return transaction
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .select([
      sql<number>`(select count(*) from (
        select from notifications
        where notifications.account_id = webhook_endpoints.account_id and lane = webhook_endpoints.id
          and notifications.state = 'pending'
        limit ${countedWaiting}) as waiting)::int`.as('waiting_count'),
      sql<Date | null>`(
        select max(expires_at) from webhook_secrets
        where webhook_secrets.account_id = webhook_endpoints.account_id and endpoint_id = webhook_endpoints.id
          and expires_at > now())`.as('previous_expires_at'),
    ])
    .where('account_id', '=', transaction.tenantId)
    .where('removed_at', 'is', null)
    .$if(endpointId !== undefined, (query) => query.where('id', '=', endpointId ?? ''))
    .orderBy('id')
    .execute();
}

/**
 * One endpoint.
 *
 * @throws WebhookError `not_found`
 */
export async function findEndpointOverview(
  transaction: TenantTransaction,
  endpointId: string,
): Promise<EndpointOverview> {
  const [endpoint] = await listEndpointOverviews(transaction, endpointId);
  if (!endpoint) throw noEndpoint(endpointId);
  return endpoint;
}

/** When the account's primary secret was made, and until when its predecessor is valid too; null where it has none. */
export async function findPrimarySecret(
  transaction: TenantTransaction,
): Promise<{ created_at: Date; previous_expires_at: Date | null } | null> {
  const secrets = await transaction
    .selectFrom('webhook_secrets')
    .select(['created_at', 'expires_at'])
    .where('account_id', '=', transaction.tenantId)
    .where('endpoint_id', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date())]))
    .orderBy('id', 'desc')
    .execute();
  const current = secrets.find(({ expires_at }) => expires_at === null);
  if (!current) return null;
  const previous = secrets.find(({ expires_at }) => expires_at !== null);
  return { created_at: current.created_at, previous_expires_at: previous?.expires_at ?? null };
}

/**
 * Changes where an endpoint's events go, including pending ones. A new URL resets its record of failures.
 *
 * @throws WebhookError `not_found`
 */
export async function changeEndpoint(
  transaction: TenantTransaction,
  endpointId: string,
  { url, events }: NewEndpoint,
): Promise<void> {
  const present = await requireEndpoint(transaction, endpointId);
  await transaction
    .updateTable('webhook_endpoints')
    .set({ url, events: [...events], ...(url === present.url ? {} : { failing_since: null, last_failure_at: null }) })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', endpointId)
    .execute();
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
 * Holds back an endpoint's events, also future ones, until it is resumed. An attempt in progress finishes.
 *
 * @throws WebhookError `not_found`
 */
export async function pauseEndpoint(
  transaction: TenantTransaction,
  endpointId: string,
  by: 'person' | 'failures' = 'person',
): Promise<void> {
  await setState(transaction, endpointId, { state: 'paused', paused_by: by, paused_at: new Date() });
  await transaction
    .updateTable('notifications')
    .set({ run_at: sql<Date>`'infinity'` })
    .where('account_id', '=', transaction.tenantId)
    .where('lane', '=', endpointId)
    .where('state', '=', 'pending')
    .execute();
}

/**
 * Sends what was held back, and future events. Resets the endpoint's record of failures.
 *
 * @returns the lane to wake the deliverer with after the commit
 * @throws WebhookError `not_found`
 */
export async function resumeEndpoint(transaction: TenantTransaction, endpointId: string): Promise<string> {
  await setState(transaction, endpointId, {
    state: 'active',
    paused_by: null,
    paused_at: null,
    failing_since: null,
    last_failure_at: null,
  });
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
  if (!endpoint) throw noEndpoint(endpointId);
  return endpoint;
}

function noEndpoint(endpointId: string): WebhookError {
  return new WebhookError('not_found', `There is no endpoint ${endpointId}.`);
}

async function setState(
  transaction: TenantTransaction,
  endpointId: string,
  state: Updateable<Schema['webhook_endpoints']>,
): Promise<void> {
  await requireEndpoint(transaction, endpointId);
  await transaction
    .updateTable('webhook_endpoints')
    .set(state)
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
