import { hash } from 'node:crypto';
import type { ProviderLogout } from '@millrace/sign-in/identity-provider';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { SessionKind } from '../../frame/credentials.ts';
import type { IdentityProvider } from './contract.ts';
import type { Candidate, GroupMapping } from './rules.ts';

export type ProviderRow = Selectable<Schema['identity_providers']>;

/** A provider with what its e-mail domains are worth. */
type ProviderWithDomains = ProviderRow & { readonly verified_domains: readonly string[] };

/** Where a realm keeps its links, and what its sessions began with. */
const tables = {
  console: { links: 'provider_links', providerSessions: 'provider_sessions', sessions: 'sessions' },
  portal: { links: 'portal_provider_links', providerSessions: 'portal_provider_sessions', sessions: 'portal_sessions' },
} as const;

/** The context that a client secret is sealed with: a copy at another organization can’t be opened. */
export function clientSecretContext(organizationId: string, realm: SessionKind): string {
  return `identity provider ${realm} ${organizationId}`;
}

/** The context that a session’s tokens of the provider are sealed with. */
export function tokenContext(sessionId: string): string {
  return `identity provider token ${sessionId}`;
}

/** Host names that the organization has proved to own; an address at one is an address of the organization. */
const verifiedDomains = sql<readonly string[]>`(
  select coalesce(array_agg(d.host_name order by d.host_name), '{}') from portal_domains d
  where d.organization_id = identity_providers.organization_id and d.verified_at is not null
    and d.host_name = any(identity_providers.email_domains))`;

/** @param lock keeps other writers off until the commit */
export async function findProvider(
  database: Kysely<Schema>,
  organizationId: string,
  realm: SessionKind,
  { lock = false } = {},
): Promise<ProviderWithDomains | null> {
  const query = database
    .selectFrom('identity_providers')
    .selectAll()
    .select(verifiedDomains.as('verified_domains'))
    .where('organization_id', '=', organizationId)
    .where('realm', '=', realm);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null;
}

/** The active organization that people with the name, or with addresses at the verified domain, sign in to. */
export async function findChoice(
  system: Kysely<Schema>,
  realm: SessionKind,
  named: { readonly organization: string } | { readonly domain: string },
): Promise<{ readonly organizationId: string; readonly organization: string; readonly provider: ProviderRow } | null> {
  const row = await system
    .selectFrom('identity_providers')
    .innerJoin('organizations', 'organizations.id', 'identity_providers.organization_id')
    .selectAll('identity_providers')
    .select('organizations.name as organization_name')
    .where('identity_providers.realm', '=', realm)
    .where('organizations.state', '=', 'active')
    .where(
      'organization' in named
        ? sql<boolean>`organizations.name = ${named.organization}`
        : sql<boolean>`identity_providers.email_domains @> array[${named.domain}]::text[] and exists (
            select from portal_domains d where d.organization_id = organizations.id
              and d.host_name = ${named.domain} and d.verified_at is not null)`,
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  const { organization_name: organization, ...provider } = row;
  return { organizationId: provider.organization_id, organization, provider };
}

/** What is written of a provider; the rest stays. */
interface Values {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly sealedClientSecret: Buffer | null;
  readonly scopes: readonly string[];
  readonly groupsClaim: string | null;
  readonly groupRoles: readonly GroupMapping[];
  readonly defaultRoleIds: readonly string[];
  readonly emailDomains: readonly string[];
  readonly createsUsers: boolean;
  readonly recheckSeconds: number;
  readonly configuredBy: readonly string[];
  /** Whether enforcement ends, since the issuer is another one. */
  readonly restarts: boolean;
}

/** Creates the provider of a realm, or replaces what is configured of it. */
export async function upsertProvider(
  transaction: TenantTransaction,
  realm: SessionKind,
  values: Values,
): Promise<ProviderWithDomains> {
  const columns = {
    name: values.name,
    issuer: values.issuer,
    client_id: values.clientId,
    sealed_client_secret: values.sealedClientSecret,
    scopes: [...values.scopes],
    groups_claim: values.groupsClaim,
    group_roles: JSON.stringify(values.groupRoles),
    default_role_ids: [...values.defaultRoleIds],
    email_domains: [...values.emailDomains],
    creates_users: values.createsUsers,
    recheck_seconds: values.recheckSeconds,
    configured_by: [...values.configuredBy],
  };
  return transaction
    .insertInto('identity_providers')
    .values({ ...columns, organization_id: transaction.tenantId, realm })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'realm']).doUpdateSet({
        ...columns,
        ...(values.restarts ? { enforced: false, break_glass_user_id: null } : {}),
        version: sql<number>`identity_providers.version + 1`,
        updated_at: sql<Date>`now()`,
      }),
    )
    .returningAll()
    .returning(verifiedDomains.as('verified_domains'))
    .executeTakeFirstOrThrow();
}

export async function setEnforcement(
  transaction: TenantTransaction,
  realm: SessionKind,
  { enforced, breakGlassUserId }: { readonly enforced: boolean; readonly breakGlassUserId: string | null },
): Promise<ProviderWithDomains> {
  return transaction
    .updateTable('identity_providers')
    .set({
      enforced,
      break_glass_user_id: breakGlassUserId,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('realm', '=', realm)
    .returningAll()
    .returning(verifiedDomains.as('verified_domains'))
    .executeTakeFirstOrThrow();
}

/** Removes the provider, with its links. */
export async function deleteProvider(transaction: TenantTransaction, realm: SessionKind): Promise<void> {
  const { tenantId } = transaction;
  await sql`delete from ${sql.table(tables[realm].links)} where organization_id = ${tenantId}`.execute(transaction);
  await transaction
    .deleteFrom('identity_providers')
    .where('organization_id', '=', tenantId)
    .where('realm', '=', realm)
    .execute();
}

export async function findOrganizationName(database: Kysely<Schema>, organizationId: string): Promise<string> {
  const { name } = await database
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return name;
}

/** A user of the organization, as far as they may be its break-glass administrator. */
export async function findMember(transaction: TenantTransaction, userId: string): Promise<Candidate | null> {
  const { rows } = await sql<Candidate>`
    select state = 'active' as active, mfa_secret is not null as mfa, password_hash is not null as password,
           exists (select from user_roles held where held.organization_id = users.organization_id
                     and held.user_id = users.id
                     and held.role_id in ('organization_administrator', 'super_admin')) as administrator
    from users where organization_id = ${transaction.tenantId} and id = ${userId}`.execute(transaction);
  return rows[0] ?? null;
}

/** Whether the user is the one who still signs in with a password. */
export async function isBreakGlass(
  database: Kysely<Schema>,
  organizationId: string,
  userId: string,
  realm: SessionKind = 'console',
): Promise<boolean> {
  const { rows } = await sql`
    select from identity_providers where organization_id = ${organizationId} and realm = ${realm}
      and break_glass_user_id = ${userId}`.execute(database);
  return rows.length > 0;
}

/** The user whom the organization’s provider provisioned under one of its own ids. */
export async function findProvisionedUserId(
  transaction: TenantTransaction,
  externalIds: readonly string[],
): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from scim_users where organization_id = ${transaction.tenantId}
      and external_id = any(${[...externalIds]}::text[])
      and not exists (select from user_roles held where held.organization_id = scim_users.organization_id
                        and held.user_id = scim_users.user_id and held.role_id = 'super_admin')
    limit 2`.execute(transaction);
  return rows.length === 1 ? rows[0]!.user_id : null;
}

/** The user whom a provider’s user is; null if nobody is linked. */
export async function findLinkedUser(
  database: Kysely<Schema>,
  realm: SessionKind,
  organizationId: string,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from ${sql.table(tables[realm].links)}
    where organization_id = ${organizationId} and issuer = ${issuer} and subject = ${subject}`.execute(database);
  return rows[0]?.user_id ?? null;
}

/** Links a provider’s user; a user has one link at each issuer. */
export async function linkUser(
  transaction: TenantTransaction,
  realm: SessionKind,
  userId: string,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<void> {
  const links = sql.table(tables[realm].links);
  await sql`delete from ${links} where organization_id = ${transaction.tenantId} and user_id = ${userId}
    and issuer = ${issuer}`.execute(transaction);
  await sql`insert into ${links} (organization_id, issuer, subject, user_id)
    values (${transaction.tenantId}, ${issuer}, ${subject}, ${userId})`.execute(transaction);
}

/** Notes that a linked user signed in. */
export async function recordLinkUse(
  database: Kysely<Schema>,
  realm: SessionKind,
  organizationId: string,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
  now: Date,
): Promise<void> {
  await sql`update ${sql.table(tables[realm].links)} set last_sign_in_at = ${now}
    where organization_id = ${organizationId} and issuer = ${issuer} and subject = ${subject}`.execute(database);
}

/**
 * Whether the user has signed in by the issuer at least once.
 *
 * @param userId null: anybody
 */
export async function hasSignedInBy(
  database: Kysely<Schema>,
  realm: SessionKind,
  organizationId: string,
  userId: string | null,
  issuer: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(tables[realm].links)} where organization_id = ${organizationId}
      and (${userId}::text is null or user_id = ${userId}) and issuer = ${issuer} and last_sign_in_at is not null
    limit 1`.execute(database);
  return rows.length > 0;
}

/** Notes of a session what ends it at the provider, and by what the provider is asked about it. */
export async function insertProviderSession(
  database: Kysely<Schema>,
  realm: SessionKind,
  session: {
    readonly organizationId: string;
    readonly sessionId: string;
    readonly userId: string;
    readonly issuer: string;
    readonly subject: string;
    readonly providerSessionId: string | null;
    readonly sealedIdToken: Buffer;
    readonly sealedRefreshToken: Buffer | null;
    readonly recheckSeconds: number;
    /** Of a session that the provider can’t be asked about. */
    readonly longestMinutes: number;
  },
): Promise<void> {
  const { providerSessions, sessions } = tables[realm];
  const asks = session.sealedRefreshToken !== null;
  await sql`
    insert into ${sql.table(providerSessions)} (organization_id, session_id, user_id, issuer, subject,
      provider_session_id, sealed_id_token, sealed_refresh_token, check_at)
    values (${session.organizationId}, ${session.sessionId}, ${session.userId}, ${session.issuer}, ${session.subject},
      ${session.providerSessionId}, ${session.sealedIdToken}, ${session.sealedRefreshToken},
      case when ${asks} then now() + ${session.recheckSeconds} * interval '1 second' end)`.execute(database);
  if (asks) return;
  await sql`
    update ${sql.table(sessions)} set absolute_expires_at = now() + ${session.longestMinutes} * interval '1 minute'
    where organization_id = ${session.organizationId} and id = ${session.sessionId}`.execute(database);
}

/** The ID token that a session began with, to sign out at the provider; null for a session by password. */
export async function findIdToken(
  database: Kysely<Schema>,
  realm: SessionKind,
  organizationId: string,
  sessionId: string,
): Promise<{ readonly issuer: string; readonly sealed: Buffer } | null> {
  const { rows } = await sql<{ issuer: string; sealed_id_token: Buffer }>`
    select issuer, sealed_id_token from ${sql.table(tables[realm].providerSessions)}
    where organization_id = ${organizationId} and session_id = ${sessionId}`.execute(database);
  const row = rows[0];
  return row === undefined ? null : { issuer: row.issuer, sealed: row.sealed_id_token };
}

/** Ends sessions that didn’t begin at the provider. */
export async function endPasswordSessions(
  transaction: TenantTransaction,
  realm: SessionKind,
  except: { readonly userId: string | null; readonly sessionId: string | null },
): Promise<number> {
  const { providerSessions, sessions } = tables[realm];
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(sessions)} ended where organization_id = ${transaction.tenantId}
      and id is distinct from ${except.sessionId} and user_id is distinct from ${except.userId}
      and not exists (select from ${sql.table(providerSessions)} began
                      where began.organization_id = ended.organization_id and began.session_id = ended.id)`.execute(
    transaction,
  );
  return Number(numAffectedRows);
}

/** Ends every session that began at the provider. */
export async function endProviderSessions(transaction: TenantTransaction, realm: SessionKind): Promise<number> {
  const { providerSessions, sessions } = tables[realm];
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(sessions)} ended using ${sql.table(providerSessions)} began
    where ended.organization_id = ${transaction.tenantId} and began.organization_id = ended.organization_id
      and began.session_id = ended.id`.execute(transaction);
  return Number(numAffectedRows);
}

/**
 * Uses up a logout token and ends the sessions that it names.
 *
 * @returns the users whose sessions ended; null if the token was used before
 */
export async function endByLogout(
  transaction: TenantTransaction,
  realm: SessionKind,
  logout: ProviderLogout,
): Promise<readonly string[] | null> {
  const { tenantId } = transaction;
  const tokenHash = hash('sha256', `${logout.issuer} ${logout.tokenId}`, 'buffer');
  const { numAffectedRows = 0n } = await sql`
    insert into provider_logouts (organization_id, realm, token_hash, expires_at)
    values (${tenantId}, ${realm}, ${tokenHash}, ${new Date(logout.expiresAt.getTime() + 3_600_000)})
    on conflict do nothing`.execute(transaction);
  if (numAffectedRows === 0n) return null;
  const { providerSessions, sessions } = tables[realm];
  const { rows } = await sql<{ user_id: string }>`
    delete from ${sql.table(sessions)} ended using ${sql.table(providerSessions)} began
    where ended.organization_id = ${tenantId} and began.organization_id = ended.organization_id
      and began.session_id = ended.id and began.issuer = ${logout.issuer}
      and (${logout.subject}::text is null or began.subject = ${logout.subject})
      and (${logout.providerSessionId}::text is null or began.provider_session_id = ${logout.providerSessionId})
    returning ended.user_id`.execute(transaction);
  return [...new Set(rows.map(({ user_id: userId }) => userId))];
}

/** A session that the provider is to be asked about. */
export interface DueSession {
  readonly organization_id: string;
  readonly session_id: string;
  readonly user_id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly sealed_refresh_token: Buffer;
  readonly failing_since: Date | null;
}

/** Claims sessions whose check is due: no other process gets them before the lease is over. */
export async function claimDue(
  system: Kysely<Schema>,
  realm: SessionKind,
  { most, leaseSeconds }: { readonly most: number; readonly leaseSeconds: number },
): Promise<readonly DueSession[]> {
  const table = sql.table(tables[realm].providerSessions);
  const { rows } = await sql<DueSession>`
    update ${table} set check_at = now() + ${leaseSeconds} * interval '1 second' where ctid = any(array(
      select ctid from ${table} where check_at <= now() order by check_at limit ${most} for update skip locked))
    returning organization_id, session_id, user_id, issuer, subject, sealed_refresh_token, failing_since`.execute(
    system,
  );
  return rows;
}

/** Notes that the provider still lets the user be signed in, and when to ask again. */
export async function keepSession(
  system: Kysely<Schema>,
  realm: SessionKind,
  session: DueSession,
  next: { readonly sealedRefreshToken: Buffer; readonly recheckSeconds: number },
): Promise<void> {
  await sql`update ${sql.table(tables[realm].providerSessions)}
    set sealed_refresh_token = ${next.sealedRefreshToken}, failing_since = null,
        check_at = now() + ${next.recheckSeconds} * interval '1 second'
    where organization_id = ${session.organization_id} and session_id = ${session.session_id}`.execute(system);
}

/** Notes that the provider didn’t answer. */
export async function noteFailure(system: Kysely<Schema>, realm: SessionKind, session: DueSession): Promise<void> {
  await sql`update ${sql.table(tables[realm].providerSessions)} set failing_since = coalesce(failing_since, now())
    where organization_id = ${session.organization_id} and session_id = ${session.session_id}`.execute(system);
}

export function presentProvider(row: ProviderWithDomains): IdentityProvider {
  return {
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    scopes: row.scopes,
    groupsClaim: row.groups_claim,
    groupRoles: row.group_roles.map(({ group, roleIds }) => ({ group, roleIds: [...roleIds] })),
    defaultRoleIds: row.default_role_ids,
    emailDomains: row.email_domains,
    createsUsers: row.creates_users,
    recheckSeconds: row.recheck_seconds,
    hasClientSecret: row.sealed_client_secret !== null,
    verifiedDomains: [...row.verified_domains],
    enforced: row.enforced,
    breakGlassUserId: row.break_glass_user_id,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
