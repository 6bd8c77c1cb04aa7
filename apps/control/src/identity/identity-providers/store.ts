import { providerLinksIn } from '@millrace/sign-in/provider-links';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { IdentityProvider } from './contract.ts';
import type { Candidate, GroupMapping } from './rules.ts';

export type ProviderRow = Selectable<Schema['identity_providers']>;

/** A provider with what its e-mail domains are worth. */
type ProviderWithDomains = ProviderRow & { readonly verified_domains: readonly string[] };

/** Where it signs people in, in a table that names it. */
const realm = 'console';

/** Which users are a provider’s. */
export const providerLinks = providerLinksIn({
  tenantColumn: 'organization_id',
  endColumn: 'absolute_expires_at',
  realm,
  links: 'provider_links',
  providerSessions: 'provider_sessions',
  sessions: 'sessions',
});

/** The context that a client secret is sealed with: a copy at another organization can’t be opened. */
export function clientSecretContext(organizationId: string): string {
  return `identity provider ${realm} ${organizationId}`;
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
export async function upsertProvider(transaction: TenantTransaction, values: Values): Promise<ProviderWithDomains> {
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
export async function deleteProvider(transaction: TenantTransaction): Promise<void> {
  await providerLinks.deleteAll(transaction, transaction.tenantId);
  await transaction
    .deleteFrom('identity_providers')
    .where('organization_id', '=', transaction.tenantId)
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
export async function isBreakGlass(database: Kysely<Schema>, organizationId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from identity_providers where organization_id = ${organizationId} and realm = ${realm}
      and break_glass_user_id = ${userId}`.execute(database);
  return rows.length > 0;
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
