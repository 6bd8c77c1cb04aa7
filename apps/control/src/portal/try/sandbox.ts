import { setTimeout } from 'node:timers/promises';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { type CredentialRow, insertCredential, openKey } from '../../consumers/apps/credentials.ts';
import type { KeySealers } from '../../consumers/apps/key-sealers.ts';
import { insertApp } from '../../consumers/apps/store.ts';
import { insertDeveloper } from '../../consumers/developers/store.ts';
import { insertSubscription } from '../../consumers/subscriptions/store.ts';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import { type Append, type AuditChain, chainAudit, chained } from '../../frame/audit.ts';
import { ApiError } from '../../frame/errors.ts';
import { carryOutEvents, collectEvents, type Subscriber } from '../../frame/events.ts';

/*
 * Visitors try sandbox products with a key that the organization reserves for it: of the app `portal-sandbox` of a
 * developer account of its own, which has no portal users. They are made when they are first needed.
 */

const sandboxEmail = 'portal-sandbox@portal.invalid';
const sandboxName = 'portal-sandbox';
const title = 'Portal sandbox';
/** Within this time gateway nodes have what is new. */
const publishedMs = 1_500;

/** Keys for requests of visitors. */
export interface PortalSandbox {
  /**
   * The organization's key for a sandbox product.
   *
   * @throws ApiError `conflict` if operators took it away
   */
  keyFor(organizationId: string, productId: string): Promise<string>;
}

interface SandboxParts {
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  readonly subscribers: readonly Subscriber[];
  readonly keySealers: KeySealers;
}

export function createPortalSandbox(parts: SandboxParts): PortalSandbox {
  const keyOf = (organizationId: string, credential: CredentialRow) =>
    openKey(parts.keySealers(organizationId), credential);
  return {
    async keyFor(organizationId, productId) {
      const found = await tenantTransaction(
        parts.database,
        organizationId,
        (transaction) => findReserved(transaction, productId),
        { access: 'read only' },
      );
      if (found.isTakenAway) {
        throw new ApiError('conflict', {
          message: 'The organization doesn’t let visitors try this now. Sign in to try it.',
        });
      }
      if (found.credential !== null && found.subscribedAt !== null) {
        // Somebody else's request may have made it just now.
        const madeMs = Math.max(found.credential.created_at.getTime(), found.subscribedAt.getTime());
        const leftMs = Math.min(publishedMs, madeMs + publishedMs - Date.now());
        if (leftMs > 0) await setTimeout(leftMs);
        return keyOf(organizationId, found.credential);
      }
      const credential = await reserve(parts, organizationId, productId);
      await setTimeout(publishedMs);
      return keyOf(organizationId, credential);
    },
  };
}

interface Reserved {
  readonly appId: string | null;
  readonly credential: CredentialRow | null;
  /** Null: it isn't. */
  readonly subscribedAt: Date | null;
  /** It was made, and an operator suspended, revoked or rejected some of it. */
  readonly isTakenAway: boolean;
}

async function findReserved(transaction: TenantTransaction, productId: string): Promise<Reserved> {
  const { rows } = await sql<{ id: string; state: string; subscription: string | null; at: Date | null }>`
    select app.id, case when developer.state = 'active' then app.state else developer.state end as state,
      s.state as subscription, s.created_at as at
    from developers developer
    join apps app on app.organization_id = developer.organization_id and app.developer_id = developer.id
      and app.name = ${sandboxName}
    left join lateral (
      select state, created_at from subscriptions
      where organization_id = app.organization_id and app_id = app.id and product_id = ${productId}
      order by state in ('approved', 'pending') desc, created_at desc limit 1) s on true
    where developer.organization_id = ${transaction.tenantId} and developer.email = ${sandboxEmail}`.execute(
    transaction,
  );
  const [app] = rows;
  if (app === undefined) return { appId: null, credential: null, subscribedAt: null, isTakenAway: false };
  const credentials = await transaction
    .selectFrom('credentials')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('app_id', '=', app.id)
    .orderBy('created_at', 'desc')
    .execute();
  const credential = credentials.find(({ revoked_at }) => revoked_at === null) ?? null;
  return {
    appId: app.id,
    credential,
    subscribedAt: app.subscription === 'approved' ? app.at : null,
    isTakenAway:
      app.state !== 'active' ||
      (credential === null && credentials.length > 0) ||
      (app.subscription !== null && app.subscription !== 'approved'),
  };
}

/** Makes what is missing, in a transaction with its audit row; of several at once, one does. */
async function reserve(
  { database, chain, subscribers, keySealers }: SandboxParts,
  organizationId: string,
  productId: string,
): Promise<CredentialRow> {
  const { credential } = await chained(chain, (turn) =>
    tenantTransaction(
      database,
      organizationId,
      (transaction) =>
        collectEvents(
          transaction,
          async (): Promise<{ readonly credential: CredentialRow; readonly last: Append | null }> => {
            await sql`select from portal_settings where organization_id = ${organizationId} for update`.execute(
              transaction,
            );
            const before = await findReserved(transaction, productId);
            if (before.credential !== null && before.subscribedAt !== null) {
              return { credential: before.credential, last: null };
            }
            const appId = before.appId ?? (await addApp(transaction));
            const reserved = before.credential ?? (await addCredential(transaction, keySealers, appId));
            if (before.subscribedAt === null) await subscribe(transaction, appId, productId);
            await carryOutEvents(subscribers, transaction, null);
            const row = auditRow(organizationId, appId, productId);
            return { credential: reserved, last: await chainAudit(transaction, chain, row, turn) };
          },
        ),
      { last: ({ last }) => last },
    ),
  );
  return credential;
}

async function addApp(transaction: TenantTransaction): Promise<string> {
  const developer = await insertDeveloper(transaction, {
    email: sandboxEmail,
    name: title,
    company: '',
    billing: null,
  });
  const app = { name: sandboxName, displayName: title, callbackUrl: null };
  const description = 'Visitors of the developer portal try sandbox products with its key.';
  return (await insertApp(transaction, { ...app, description, developerId: developer.id })).id;
}

async function addCredential(
  transaction: TenantTransaction,
  keySealers: KeySealers,
  appId: string,
): Promise<CredentialRow> {
  const sealer = keySealers(transaction.tenantId);
  return (await insertCredential(transaction, sealer, { appId, name: title, expiresAt: null })).row;
}

async function subscribe(transaction: TenantTransaction, appId: string, productId: string): Promise<void> {
  await insertSubscription(transaction, {
    appId,
    productId,
    ratePlanId: null,
    requestedBy: 'system',
    requestedByName: 'Millrace',
    authorKeys: [],
    approvedAt: new Date(),
  });
}

function auditRow(organizationId: string, appId: string, productId: string) {
  return {
    organizationId,
    at: new Date(),
    actorKind: 'system',
    actorId: null,
    actorName: 'Millrace',
    operation: 'reservePortalSandbox',
    entityType: 'app',
    entityId: appId,
    category: 'security',
    severity: 'medium',
    outcome: 'done',
    note: `A key for visitors who try the sandbox product ${productId}.`,
    changes: [],
    origin: { ip: '', userAgent: '', requestId: '' },
  } as const;
}
