import type { Caller } from '../../frame/caller.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Listing } from '../../frame/listing.ts';
import { declaredOperations } from '../../frame/operation.ts';
import {
  allPermissions,
  builtInRoles,
  isBuiltInRole,
  isPermission,
  type Permission,
  permissions,
} from '../../frame/permissions.ts';

/** A role, as the rules need it. */
export interface Grant {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** What a caller may do. */
export type Rights = Pick<Caller, 'permissions' | 'superAdmin'>;

/** How many items of a list a message includes. */
const mostNamed = 5;

/**
 * Nobody can grant permissions they don't have.
 *
 * @throws ApiError `forbidden` with the missing permissions
 */
export function refuseBeyondCaller(caller: Rights, given: readonly string[]): void {
  const missing = missingOf(caller, given);
  if (missing !== null) {
    throw new ApiError('forbidden', { message: `You can't grant permissions you don't have: ${missing}.` });
  }
}

/**
 * A caller can't change what is above them: any change, even a reduction, could be a way to more permissions.
 *
 * @param subject such as `user`
 */
export function refuseAboveCaller(caller: Rights, subject: string, held: readonly string[]): void {
  const missing = missingOf(caller, held);
  if (missing !== null) {
    throw new ApiError('forbidden', { message: `This ${subject} has permissions you don't have: ${missing}.` });
  }
}

/** Whether someone has all permissions of the roles. */
export function holdsAll(holder: Rights, roles: readonly Grant[]): boolean {
  const isSuperAdmin = roles.some(({ id }) => id === 'super_admin');
  return (holder.superAdmin || !isSuperAdmin) && missingOf(holder, permissionsIn(roles)) === null;
}

/** Like {@link refuseAboveCaller}, for someone with the roles. */
export function refuseHolderAboveCaller(caller: Rights, subject: string, roles: readonly Grant[]): void {
  if (holdsAll(caller, roles)) return;
  refuseAboveCaller(caller, subject, permissionsIn(roles));
  throw new ApiError('forbidden', { message: `This ${subject} has the role Super Admin, and you don’t.` });
}

/**
 * Checks the roles to be assigned against those of the caller.
 *
 * @param wanted ids as requested
 * @param known those that exist in the organization
 * @param organization its kind: Super Admins belong to the platform's own
 */
export function refuseRoles(
  caller: Rights,
  wanted: readonly string[],
  known: readonly Grant[],
  organization: { readonly platform: boolean },
): void {
  const unknown = wanted.filter((id) => !known.some((role) => role.id === id));
  if (unknown.length > 0) throw fieldError('roleIds', `Unknown role: ${unknown.slice(0, mostNamed).join(', ')}.`);
  if (wanted.includes('super_admin')) {
    if (!caller.superAdmin) {
      throw new ApiError('forbidden', { message: 'Only a Super Admin can assign the role Super Admin.' });
    }
    if (!organization.platform) {
      throw fieldError('roleIds', 'Super Admins belong to the platform’s own organization. Add them there.');
    }
  }
  refuseBeyondCaller(caller, permissionsIn(known));
}

function permissionsIn(roles: readonly Grant[]): readonly string[] {
  return roles.flatMap((role) => role.permissions);
}

/**
 * The first few permissions that the caller lacks; null if none is missing. Stored permissions that no longer exist
 * don't count.
 */
function missingOf(caller: Rights, needed: readonly string[]): string | null {
  const missing = [...new Set(needed)].filter(isPermission).filter((permission) => !caller.permissions.has(permission));
  if (missing.length === 0) return null;
  const rest = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : '';
  return `${missing.slice(0, mostNamed).join(', ')}${rest}`;
}

/** A built-in role is the same everywhere, and no custom role may have its name. */
export function refuseBuiltIn(role: { readonly builtIn: boolean }): void {
  if (role.builtIn) {
    throw new ApiError('conflict', { message: 'Built-in roles can’t be changed. Create a custom role instead.' });
  }
}

export function refuseBuiltInName(name: string | undefined): void {
  const plain = name?.normalize('NFKC').toLowerCase();
  const taken = Object.entries(builtInRoles).some(([id, role]) => role.name.toLowerCase() === plain || id === plain);
  if (taken) throw fieldError('name', 'A built-in role has this name.');
}

/** Nobody can change what their own role allows. @param holds whether a person behind the call has the role */
export function refuseChangeOfOwnRole(holds: boolean, change: { readonly permissions: boolean }): void {
  if (holds && change.permissions) {
    throw new ApiError('forbidden', { message: 'You can’t change the permissions of your own role.' });
  }
}

export function refuseDeletionOfUsed(use: { readonly users: number; readonly invitations: number }): void {
  if (use.users + use.invitations === 0) return;
  throw new ApiError('conflict', {
    message: `This role is still assigned to ${use.users} users and ${use.invitations} pending invitations. Assign them another role first.`,
  });
}

/** Permissions in the order of the catalogue, each once. */
export function inCatalogueOrder(names: readonly Permission[]): readonly Permission[] {
  return allPermissions.filter((permission) => names.includes(permission));
}

/** The built-in roles among the ids, as every organization has them. */
export function builtInGrants(ids: readonly string[]): readonly Grant[] {
  return ids.filter(isBuiltInRole).map((id) => ({ id, ...builtInRoles[id] }));
}

let checked: ReadonlySet<Permission> | null = null;

/** The permissions that an operation requires; the others are for future features. */
function checkedPermissions(): ReadonlySet<Permission> {
  // After all contracts are loaded, which include this file's.
  checked ??= new Set(declaredOperations.flatMap(({ permissions: asked }): readonly Permission[] => asked));
  return checked;
}

/** One page of the catalogue of permissions, as the caller sees it. */
export function pageOfCatalogue(
  caller: Caller,
  query: Listing & {
    readonly subject?: string | undefined;
    readonly held?: boolean | undefined;
    readonly checked?: boolean | undefined;
  },
) {
  const search = query.search?.toLowerCase() ?? '';
  const entries = allPermissions
    .map((name) => ({
      name,
      subject: name.slice(0, name.indexOf('.')),
      description: permissions[name],
      held: caller.permissions.has(name),
      checked: checkedPermissions().has(name),
    }))
    .filter((entry) => query.checked === undefined || entry.checked === query.checked)
    .filter((entry) => query.subject === undefined || entry.subject === query.subject)
    .filter((entry) => query.held === undefined || entry.held === query.held)
    .filter((entry) => `${entry.name} ${entry.description}`.toLowerCase().includes(search))
    .toSorted((first, second) => (first.name < second.name ? -1 : 1));
  if (query.sort === '-name') entries.reverse();
  const start = (query.page - 1) * query.pageSize;
  return { permissions: entries.slice(start, start + query.pageSize), total: entries.length };
}
