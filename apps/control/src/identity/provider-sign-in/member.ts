import type { ProviderIdentity } from '@millrace/sign-in/identity-provider';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';
import type { Parts } from '../../frame/parts.ts';
import { addMakers } from '../../frame/persons.ts';
import { type SystemWrite, writeAsSystem } from '../../frame/system-write.ts';
import { domainOf, refuseForeignAddress, rolesOfGroups, unknownUser } from '../identity-providers/rules.ts';
import { findProvider, isBreakGlass, type ProviderRow, providerLinks } from '../identity-providers/store.ts';
import { findGrants, lockAccess } from '../roles/store.ts';
import { isTaken } from '../users/addresses.ts';
import { keptAdministratorRoles } from '../users/rules.ts';
import { scimStore } from '../users/scim-store.ts';
import {
  countOtherAdministrators,
  findUser,
  findUserIdByEmail,
  insertUser,
  replaceRoles,
  rotateSessions,
} from '../users/store.ts';

const links = providerLinks;

type Member = NonNullable<Awaited<ReturnType<typeof findUser>>>;
type Provider = ProviderRow & { readonly verified_domains: readonly string[] };

/**
 * The user of the organization who somebody is at its provider: linked before, linked now, or created now. Their roles
 * follow from the groups that the provider states. What this changes is committed with an audit row of its own.
 *
 * @param linkedUserId the signed-in user who asked to be linked; null: whoever it is signs in
 * @throws ApiError `sign_in_failed`
 */
export async function admitMember(
  parts: Pick<Parts, 'database' | 'chain'>,
  organizationId: string,
  identity: ProviderIdentity,
  linkedUserId: string | null,
): Promise<string> {
  let userId = '';
  await writeAsSystem(parts, organizationId, async (transaction) => {
    await lockAccess(transaction, organizationId);
    // Read again: what was configured when the sign-in began may have been changed since.
    const provider = await findProvider(transaction, organizationId);
    if (provider === null || provider.issuer !== identity.issuer) throw unknownUser();
    refuseForeignAddress(provider.email_domains, identity);
    const linked = await links.find(transaction, organizationId, identity);
    if (linkedUserId !== null && linked !== null && linked !== linkedUserId) {
      throw new ApiError('sign_in_failed', {
        message: `Another user here is linked to this account at ${provider.name}. Sign in there as yourself.`,
      });
    }
    const known = linkedUserId ?? linked ?? (await findUnlinked(transaction, provider, identity));
    if (known === null) {
      const created = await createMember(transaction, provider, identity);
      userId = created.id;
      return written(
        'createUserBySignIn',
        created.id,
        null,
        created,
        `Signed in by ${provider.name} for the first time.`,
      );
    }
    userId = known;
    if (linked === null) {
      await links.link(transaction, organizationId, known, identity);
      await addMakers(transaction, { organizationId, userId: known }, provider.configured_by);
    }
    const before = await findUser(transaction, known);
    if (before === null) throw unknownUser();
    const after = await assignRoles(transaction, provider, before, identity.groups);
    if (linked !== null && after === null) return null;
    const note =
      linked === null ? `Linked to ${identity.subject} at ${provider.name}.` : 'By the groups at the provider.';
    return written('linkUserBySignIn', known, before, after ?? before, note);
  });
  return userId;
}

const written = (
  operation: string,
  entityId: string,
  before: object | null,
  after: object,
  note: string,
): SystemWrite => ({
  operation,
  entityType: 'user',
  entityId,
  before,
  after,
  note,
});

/**
 * Someone whom the provider may speak for although it never signed them in: it provisioned them under this id, or their
 * address is the organization’s.
 */
async function findUnlinked(
  transaction: TenantTransaction,
  provider: Provider,
  identity: ProviderIdentity,
): Promise<string | null> {
  const provisioned = await scimStore.findUserId(transaction, [identity.subject, ...identity.otherIds]);
  if (provisioned !== null) return provisioned;
  const { email, emailVerified } = identity;
  if (email === null || !emailVerified || !provider.verified_domains.includes(domainOf(email))) return null;
  const userId = await findUserIdByEmail(transaction, email);
  const user = userId === null ? null : await findUser(transaction, userId);
  // A Super Admin links the account themselves: an organization’s provider speaks for nobody above the organization.
  return user === null || user.roles.some(({ id }) => id === 'super_admin') ? null : user.id;
}

async function createMember(
  transaction: TenantTransaction,
  provider: Provider,
  identity: ProviderIdentity,
): Promise<Member> {
  const { tenantId: organizationId } = transaction;
  const { email, emailVerified, name } = identity;
  if (!provider.creates_users || email === null) throw unknownUser();
  if (!emailVerified && !provider.verified_domains.includes(domainOf(email))) {
    throw new ApiError('sign_in_failed', {
      message: `Nobody has verified ${email}. Ask your administrator to verify its domain under Portal → Domains.`,
    });
  }
  const roleIds = rolesOfGroups(provider, identity.groups ?? []) ?? [];
  const roles = await findGrants(transaction, organizationId, roleIds);
  if (roles.length === 0) {
    throw new ApiError('sign_in_failed', {
      message: `None of your groups at ${provider.name} has a role here. Ask your administrator for one.`,
    });
  }
  const values = { email, name: (name ?? email).slice(0, 100), passwordHash: null };
  const created = await insertUser(transaction, organizationId, values, roles).catch((error: unknown) => {
    throw isTaken(error) ? addressTaken(email) : error;
  });
  await links.link(transaction, organizationId, created.id, identity);
  await addMakers(transaction, { organizationId, userId: created.id }, provider.configured_by);
  return created;
}

function addressTaken(email: string): ApiError {
  return new ApiError('sign_in_failed', {
    message: `${email} has an account already. Sign in with its password, and link it under Settings → Sign-in.`,
  });
}

/**
 * Gives a user the roles of their groups. The last administrator keeps that role, as do Super Admins and whoever breaks
 * the glass: a group that was renamed locks nobody out.
 *
 * @param groups null if the provider states none
 * @returns the user afterwards; null if nothing changed
 */
export async function assignRoles(
  transaction: TenantTransaction,
  provider: ProviderRow,
  user: Member,
  groups: readonly string[] | null,
): Promise<Member | null> {
  const { tenantId: organizationId } = transaction;
  const wanted = provider.group_roles.length === 0 ? null : rolesOfGroups(provider, groups);
  if (wanted === null || (await isBreakGlass(transaction, organizationId, user.id))) return null;
  const held = user.roles.map(({ id }) => id);
  const kept = keptAdministratorRoles(user, wanted, await countOtherAdministrators(transaction, user.id));
  const roles = await findGrants(transaction, organizationId, [...new Set([...wanted, ...kept])]);
  const next = roles.map(({ id }) => id);
  if (next.length === held.length && next.every((id) => held.includes(id))) return null;
  const after = await replaceRoles(transaction, user.id, roles);
  await rotateSessions(transaction, user.id);
  return after;
}
