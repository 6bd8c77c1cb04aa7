import type { Caller } from '../../frame/caller.ts';
import { ApiError } from '../../frame/errors.ts';
import { builtInRoles } from '../../frame/permissions.ts';

/** Roles that must keep at least one active holder in an organization that has one. */
export const administratorRoles = ['super_admin', 'organization_administrator'] as const;

/** Active users with the role, besides the one being changed. */
export type OtherAdministrators = Readonly<Record<(typeof administratorRoles)[number], number>>;

interface Member {
  readonly id: string;
  readonly state: 'active' | 'suspended';
  readonly roles: readonly { readonly id: string }[];
}

/**
 * Nobody can do this to themselves, neither signed in nor through a service account of theirs.
 *
 * @param change such as `changes their own roles`
 */
export function refuseSelf(caller: Caller, userId: string, change: string): void {
  if (caller.userIds.includes(userId)) {
    throw new ApiError('forbidden', { message: `Nobody ${change}. Ask another administrator.` });
  }
}

/**
 * An organization keeps an active administrator.
 *
 * @param kept roles that the user has afterwards, as an active user
 * @param change what can't be done, such as `suspended`
 */
export function refuseLossOfAdministrator(
  user: Member,
  kept: readonly string[],
  others: OtherAdministrators,
  change: string,
): void {
  if (user.state !== 'active') return;
  for (const roleId of administratorRoles) {
    const loses = user.roles.some(({ id }) => id === roleId) && !kept.includes(roleId);
    if (loses && others[roleId] === 0) {
      throw new ApiError('conflict', {
        message: `The last active ${builtInRoles[roleId].name} of an organization can't be ${change}. Assign the role to someone else first.`,
      });
    }
  }
}

/**
 * Administrator roles that a user keeps although they don’t follow from their groups: Super Admin always, and that of the
 * organization’s last administrator.
 *
 * @param wanted roles that follow from the groups
 */
export function keptAdministratorRoles(
  user: Member,
  wanted: readonly string[],
  others: OtherAdministrators,
): readonly string[] {
  return administratorRoles.filter((roleId) => {
    const isLost = user.roles.some(({ id }) => id === roleId) && !wanted.includes(roleId);
    return isLost && (roleId === 'super_admin' || (user.state === 'active' && others[roleId] === 0));
  });
}

export function refuseState(user: Member, wanted: 'active' | 'suspended'): void {
  if (user.state !== wanted) return;
  const other = wanted === 'active' ? 'suspend' : 'activate';
  throw new ApiError('conflict', { message: `The user is already ${user.state}. Next: ${other} them.` });
}
