import { providerLinksIn } from '@millrace/sign-in/provider-links';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { PortalIdentityProvider } from './contract.ts';

export type PortalProviderRow = Selectable<Schema['portal_identity_providers']>;

/** Which portal users are which provider’s. */
export const portalProviderLinks = providerLinksIn({
  tenantColumn: 'organization_id',
  endColumn: 'absolute_expires_at',
  realm: 'portal',
  links: 'portal_provider_links',
  providerSessions: 'portal_provider_sessions',
  sessions: 'portal_sessions',
});

/** The context that a client secret is sealed with: a copy at another developer account can’t be opened. */
export function clientSecretContext(organizationId: string, developerId: string): string {
  return `identity provider portal ${organizationId} ${developerId}`;
}

function selectProviders(database: Kysely<Schema>, organizationId: string) {
  return database
    .selectFrom('portal_identity_providers')
    .selectAll('portal_identity_providers')
    .where('portal_identity_providers.organization_id', '=', organizationId);
}

/** @param options.lock keeps other writers off until the commit */
export async function findProvider(
  database: Kysely<Schema>,
  organizationId: string,
  developerId: string,
  { lock = false } = {},
): Promise<PortalProviderRow | null> {
  const query = selectProviders(database, organizationId).where('developer_id', '=', developerId);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null;
}

/** The provider of a portal user’s developer account. */
export async function findProviderOfUser(
  database: Kysely<Schema>,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<PortalProviderRow | null> {
  const row = await selectProviders(database, organizationId)
    .innerJoin('portal_users', (join) =>
      join
        .onRef('portal_users.organization_id', '=', 'portal_identity_providers.organization_id')
        .onRef('portal_users.developer_id', '=', 'portal_identity_providers.developer_id'),
    )
    .where('portal_users.id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** The provider of an active developer account, by the account or by a domain of its addresses. */
export async function findChoice(
  transaction: Kysely<Schema>,
  organizationId: string,
  named: { readonly developerId: string } | { readonly domain: string },
): Promise<PortalProviderRow | null> {
  const row = await selectProviders(transaction, organizationId)
    .innerJoin('developers', (join) =>
      join
        .onRef('developers.organization_id', '=', 'portal_identity_providers.organization_id')
        .onRef('developers.id', '=', 'portal_identity_providers.developer_id'),
    )
    .where('developers.state', '=', 'active')
    .where(
      'developerId' in named
        ? sql<boolean>`developers.id = ${named.developerId}`
        : sql<boolean>`portal_identity_providers.email_domains @> array[${named.domain}]::text[]`,
    )
    .executeTakeFirst();
  return row ?? null;
}

/** Those of some domains that the provider of another developer account has. */
export async function listTakenDomains(
  transaction: TenantTransaction,
  developerId: string,
  domains: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ domain: string }>`
    select distinct domain from portal_identity_providers, unnest(email_domains) domain
    where organization_id = ${transaction.tenantId} and developer_id <> ${developerId}
      and domain = any(${[...domains]}::text[]) order by domain`.execute(transaction);
  return rows.map(({ domain }) => domain);
}

/** What is written of a provider. */
type Values = Omit<PortalIdentityProvider, 'hasClientSecret' | 'version' | 'createdAt' | 'updatedAt'> & {
  readonly sealedClientSecret: Buffer | null;
};

/** Creates the provider of a developer account, or replaces what is configured of it. */
export async function upsertProvider(
  transaction: TenantTransaction,
  developerId: string,
  values: Values,
): Promise<PortalProviderRow> {
  const columns = {
    name: values.name,
    issuer: values.issuer,
    client_id: values.clientId,
    sealed_client_secret: values.sealedClientSecret,
    scopes: values.scopes,
    groups_claim: values.groupsClaim,
    group_roles: JSON.stringify(values.groupRoles),
    role: values.role,
    email_domains: values.emailDomains,
    creates_users: values.createsUsers,
    enforced: values.enforced,
    recheck_seconds: values.recheckSeconds,
  };
  return transaction
    .insertInto('portal_identity_providers')
    .values({ ...columns, organization_id: transaction.tenantId, developer_id: developerId })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'developer_id']).doUpdateSet({
        ...columns,
        version: sql<number>`portal_identity_providers.version + 1`,
        updated_at: sql<Date>`now()`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Removes the provider of a developer account, with its users’ links. */
export async function deleteProvider(
  transaction: TenantTransaction,
  developerId: string,
  userIds: readonly string[],
): Promise<void> {
  await portalProviderLinks.deleteAll(transaction, transaction.tenantId, userIds);
  await transaction
    .deleteFrom('portal_identity_providers')
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .execute();
}

/** The portal users of a developer account. */
export async function listUserIds(transaction: TenantTransaction, developerId: string): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom('portal_users')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .execute();
  return rows.map(({ id }) => id);
}

export function presentProvider(row: PortalProviderRow): PortalIdentityProvider {
  return {
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    scopes: row.scopes,
    groupsClaim: row.groups_claim,
    groupRoles: row.group_roles.map(({ group, role }) => ({ group, role })),
    role: row.role,
    emailDomains: row.email_domains,
    createsUsers: row.creates_users,
    enforced: row.enforced,
    recheckSeconds: row.recheck_seconds,
    hasClientSecret: row.sealed_client_secret !== null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
