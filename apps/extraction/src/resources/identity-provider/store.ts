import { createSealer, type Sealer } from '@millrace/encryption';
import type { ProviderClient } from '@millrace/sign-in/identity-provider';
import { providerClient } from '@millrace/sign-in/provider-configuration';
import { providerLinksIn } from '@millrace/sign-in/provider-links';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction, UserRole } from '../../database/schema.ts';
import type { IdentityProviderAnswer, IdentityProviderChoice } from './contract.ts';

export type StoredProvider = Selectable<Schema['identity_providers']>;

/** Which users are a provider’s, and what their sessions depend on there. */
export const links = providerLinksIn({
  tenantColumn: 'account_id',
  endColumn: 'expires_at',
  realm: 'dashboard',
  links: 'provider_links',
  providerSessions: 'provider_sessions',
  sessions: 'sessions',
});

/** Encrypts client secrets and the tokens of sessions, each bound to what it belongs to. */
export function identityProviderSealer(encryptionKeys: readonly Uint8Array[]): Sealer {
  return createSealer(encryptionKeys, 'identity providers');
}

/** The context that a client secret is sealed with. */
export const secretContext = (accountId: string) => `client secret ${accountId}`;

/** @param options.lock keeps other writers off until the commit */
export async function findProvider(
  database: Kysely<Schema>,
  accountId: string,
  { lock = false } = {},
): Promise<StoredProvider | null> {
  const query = database.selectFrom('identity_providers').selectAll().where('account_id', '=', accountId);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null;
}

/** The provider of an installation’s only account; null if there are several accounts. */
export async function findOnlyProvider(system: Kysely<Schema>): Promise<StoredProvider | null> {
  const accounts = await system.selectFrom('accounts').select('id').limit(2).execute();
  return accounts.length === 1 ? findProvider(system, accounts[0]!.id) : null;
}

/** What decides where a stored secret is sent. */
export function registrationOf({ issuer, client_id: clientId, client_secret_encrypted }: StoredProvider) {
  return { issuer, clientId, sealedClientSecret: client_secret_encrypted };
}

/** What Millrace is to a stored provider, its secret decrypted. */
export function clientOf(sealer: Sealer, provider: StoredProvider): ProviderClient {
  const context = secretContext(provider.account_id);
  return providerClient(registrationOf(provider), (sealed) => sealer.open(sealed, context));
}

/**
 * Configures the account’s provider.
 *
 * @param options.secret encrypted; null: a public client
 * @param options.restarts whether enforcement ends, since the issuer is another one
 */
export async function saveProvider(
  transaction: TenantTransaction,
  choice: IdentityProviderChoice,
  { secret, restarts }: { readonly secret: Buffer | null; readonly restarts: boolean },
): Promise<void> {
  const { tenantId } = transaction;
  const values = {
    name: choice.name,
    issuer: choice.issuer,
    client_id: choice.clientId,
    client_secret_encrypted: secret,
    scopes: choice.scopes,
    groups_claim: choice.groupsClaim,
    administrator_groups: choice.administratorGroups,
    member_groups: choice.memberGroups,
    email_domains: choice.emailDomains,
    creates_users: choice.createsUsers,
    recheck_seconds: choice.recheckSeconds,
    ...(restarts ? { enforced: false, break_glass_user_id: null } : {}),
  };
  await transaction
    .insertInto('identity_providers')
    .values({ account_id: tenantId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

export async function setEnforcement(
  transaction: TenantTransaction,
  { enforced, breakGlassUserId }: { readonly enforced: boolean; readonly breakGlassUserId: string | null },
): Promise<void> {
  await transaction
    .updateTable('identity_providers')
    .set({ enforced, break_glass_user_id: breakGlassUserId })
    .where('account_id', '=', transaction.tenantId)
    .execute();
}

export async function removeProvider(transaction: TenantTransaction): Promise<void> {
  await links.deleteAll(transaction, transaction.tenantId);
  await transaction.deleteFrom('identity_providers').where('account_id', '=', transaction.tenantId).execute();
}

/** A user of the account, as far as their sign-in is concerned. */
export interface StoredUser {
  readonly id: string;
  readonly email: string;
  readonly role: UserRole;
  readonly active: boolean;
  readonly password: boolean;
  readonly mfa: boolean;
}

export async function findUser(transaction: TenantTransaction, id: string): Promise<StoredUser | null> {
  const { rows } = await sql<StoredUser>`
    select id, email, role, disabled_at is null as active, password_hash is not null as password,
           mfa_secret is not null as mfa
    from users where account_id = ${transaction.tenantId} and id = ${id} and removed_at is null for update`.execute(
    transaction,
  );
  return rows[0] ?? null;
}

/** The user of the account with an e-mail address. */
export async function findUserIdByEmail(transaction: TenantTransaction, email: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from users where account_id = ${transaction.tenantId} and email = ${email} and removed_at is null`.execute(
    transaction,
  );
  return rows[0]?.id ?? null;
}

/** Gives a user another role; their sessions get new tokens with their next calls. */
export async function setRole(transaction: TenantTransaction, userId: string, role: UserRole): Promise<void> {
  const { tenantId } = transaction;
  await sql`update users set role = ${role} where account_id = ${tenantId} and id = ${userId}`.execute(transaction);
  await sql`update sessions set rotated_at = to_timestamp(0)
    where account_id = ${tenantId} and user_id = ${userId}`.execute(transaction);
}

/** Administrators who can sign in, besides a user. */
export async function countOtherAdministrators(transaction: TenantTransaction, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users where account_id = ${transaction.tenantId} and id <> ${userId}
      and role = 'administrator' and disabled_at is null and removed_at is null`.execute(transaction);
  return rows[0]?.count ?? 0;
}

/** The addresses of the administrators who can sign in. */
export async function listAdministrators(transaction: TenantTransaction): Promise<readonly string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from users where account_id = ${transaction.tenantId} and role = 'administrator'
      and disabled_at is null and removed_at is null order by created_at limit 100`.execute(transaction);
  return rows.map(({ email }) => email);
}

/** Notes a sign-in by the provider; false if the user can’t sign in. */
export async function recordSignIn(transaction: TenantTransaction, userId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update users set last_sign_in_at = now() where account_id = ${transaction.tenantId} and id = ${userId}
      and disabled_at is null and removed_at is null`.execute(transaction);
  return numAffectedRows === 1n;
}

/** Whether the user is the one who still signs in with a password. */
export async function isBreakGlass(transaction: TenantTransaction, userId: string): Promise<boolean> {
  const provider = await findProvider(transaction, transaction.tenantId);
  return provider?.break_glass_user_id === userId;
}

export function presentProvider(row: StoredProvider): IdentityProviderAnswer {
  return {
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    scopes: row.scopes,
    groupsClaim: row.groups_claim,
    administratorGroups: row.administrator_groups,
    memberGroups: row.member_groups,
    emailDomains: row.email_domains,
    createsUsers: row.creates_users,
    recheckSeconds: row.recheck_seconds,
    hasClientSecret: row.client_secret_encrypted !== null,
    enforced: row.enforced,
    breakGlassUserId: row.break_glass_user_id,
  };
}
