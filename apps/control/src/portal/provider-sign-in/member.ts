import type { ProviderIdentity } from '@millrace/sign-in/identity-provider';
import { findDeveloperIdByEmail, lockDeveloper } from '../../consumers/developers/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import type { PortalRole } from '../../frame/operation.ts';
import type { Parts } from '../../frame/parts.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { findAccountByEmail, type PortalUserRow, updateUser } from '../auth/store.ts';
import { refuseForeignAddress, refuseNewcomer, roleOf, signInRefused } from '../identity-providers/rules.ts';
import { findProvider, portalProviderLinks as links, type PortalProviderRow } from '../identity-providers/store.ts';
import { awaitsApproval } from '../registrations/store.ts';
import { countOtherOwners, findMember, insertUser, presentUser, rotateSessions } from '../users/store.ts';

/** A sign-in by the provider of a developer account. */
export interface PortalSignIn {
  readonly organizationId: string;
  readonly developerId: string;
  /** The signed-in portal user who asked to be linked; null: whoever it is signs in. */
  readonly linkedUserId: string | null;
}

/**
 * The portal user of the provider’s developer account who somebody is there: linked before, linked now, or created now.
 * Nobody is found by their address: whoever has an account proves by its password that it is theirs, then links it.
 * What this changes is committed with an audit row of its own.
 *
 * @throws ApiError `sign_in_failed`
 */
export async function admitPortalUser(
  parts: Pick<Parts, 'database' | 'chain'>,
  { organizationId, developerId, linkedUserId }: PortalSignIn,
  identity: ProviderIdentity,
): Promise<string> {
  let userId = '';
  await writeAsSystem(parts, organizationId, async (transaction) => {
    const developer = await lockDeveloper(transaction, developerId);
    // Read again: what was configured when the sign-in began may have been changed since.
    const provider = await findProvider(transaction, organizationId, developerId);
    if (developer?.state !== 'active' || provider?.issuer !== identity.issuer) throw suspended();
    refuseForeignAddress(provider.email_domains, identity);
    const linked = await links.find(transaction, organizationId, identity);
    if (linkedUserId !== null && linked !== null && linked !== linkedUserId) {
      throw signInRefused(`Another user is linked to this account at ${provider.name}. Sign in there as yourself.`);
    }
    const known = linkedUserId ?? linked;
    if (known === null) {
      const after = await createUser(transaction, provider, identity);
      userId = after.id;
      const note = `Signed in by ${provider.name} for the first time, for the developer ${developerId}.`;
      return { ...written('createPortalUserBySignIn', userId), before: null, after: presentUser(after), note };
    }
    userId = known;
    const before = await findMember(transaction, developerId, known);
    // The provider speaks for its own developer account alone.
    if (before === null) throw suspended();
    if (linked === null) await links.link(transaction, organizationId, known, identity);
    const after = await assignRole(transaction, before, roleOf(provider, identity));
    if (linked !== null && after === before) return null;
    const note =
      linked === null ? `Linked to ${identity.subject} at ${provider.name}.` : 'By the groups at the provider.';
    return {
      ...written('linkPortalUserBySignIn', known),
      before: presentUser(before),
      after: presentUser(after),
      note,
    };
  });
  return userId;
}

const written = (operation: string, entityId: string) => ({ operation, entityType: 'portal_user', entityId });

/** The one response to somebody who is signed in nowhere, whatever the reason. */
export function suspended() {
  return signInRefused('Your account here is suspended or was removed. Ask your administrator.');
}

async function createUser(
  transaction: TenantTransaction,
  provider: PortalProviderRow,
  identity: ProviderIdentity,
): Promise<PortalUserRow> {
  const { tenantId: organizationId } = transaction;
  const { developer_id: developerId } = provider;
  const { name } = identity;
  const email = identity.email ?? '';
  if ((await findAccountByEmail(transaction, organizationId, email)) !== null) {
    throw signInRefused(`${email} has an account already. Sign in with its password, and link it under Security.`);
  }
  refuseNewcomer(provider, identity, {
    awaitsApproval: await awaitsApproval(transaction, email),
    developerId: await findDeveloperIdByEmail(transaction, email),
  });
  const created = await insertUser(transaction, {
    developerId,
    email,
    name: (name ?? email).slice(0, 100),
    role: roleOf(provider, identity) ?? provider.role,
    locale: null,
    passwordHash: null,
  });
  await links.link(transaction, organizationId, created.id, identity);
  return created;
}

/**
 * Gives a portal user the role of their groups. The last active owner keeps theirs: a group that was renamed leaves no
 * account without an owner.
 *
 * @param role null: it doesn’t follow from groups
 */
async function assignRole(
  transaction: TenantTransaction,
  user: PortalUserRow,
  role: PortalRole | null,
): Promise<PortalUserRow> {
  if (role === null || role === user.role) return user;
  const isLastOwner = user.role === 'owner' && (await countOtherOwners(transaction, user.developer_id, user.id)) === 0;
  if (isLastOwner) return user;
  const after = await updateUser(transaction, { organizationId: transaction.tenantId, userId: user.id }, { role });
  await rotateSessions(transaction, user.id);
  return after;
}
