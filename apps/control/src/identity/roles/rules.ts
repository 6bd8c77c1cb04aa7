import { operations } from '../../contracts.ts';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Listing } from '../../frame/listing.ts';
import {
  allPermissions,
  builtInRoles,
  isBuiltInRole,
  isPermission,
  type Permission,
  permissions,
} from '../../frame/permissions.ts';

/** A role as the rules see it. */
export interface Grant {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** What somebody may do. */
export type Rights = Pick<Caller, 'permissions' | 'superAdmin'>;

/** How many of a list a message names. */
const mostNamed = 5;

/**
 * Nobody gives what they do not hold themselves.
 *
 * @throws ApiError `forbidden` that names what is missing
 */
export function refuseBeyondCaller(caller: Rights, given: readonly string[]): void {
  const missing = missingOf(caller, given);
  if (missing !== null) {
    throw new ApiError('forbidden', { message: `Nobody gives what they do not hold themselves: ${missing}.` });
  }
}

/**
 * What stands above the caller stays as it is for them: a change of it, even a smaller one, would be a way up.
 *
 * @param subject what it is about, such as `user`
 */
export function refuseAboveCaller(caller: Rights, subject: string, held: readonly string[]): void {
  const missing = missingOf(caller, held);
  if (missing !== null) {
    throw new ApiError('forbidden', { message: `This ${subject} holds what you do not: ${missing}.` });
  }
}

/** Whether somebody holds all that the roles give. */
export function holdsAll(holder: Rights, roles: readonly Grant[]): boolean {
  const isSuperAdmin = roles.some(({ id }) => id === 'super_admin');
  return (holder.superAdmin || !isSuperAdmin) && missingOf(holder, permissionsIn(roles)) === null;
}

/** Like {@link refuseAboveCaller}, of somebody who has the roles. */
export function refuseHolderAboveCaller(caller: Rights, subject: string, roles: readonly Grant[]): void {
  if (holdsAll(caller, roles)) return;
  refuseAboveCaller(caller, subject, permissionsIn(roles));
  throw new ApiError('forbidden', { message: `This ${subject} has the role Super Admin, and you do not.` });
}

/**
 * Holds roles that somebody shall get against those of who gives them.
 *
 * @param wanted ids as they were asked for
 * @param known those of them that the organization has
 * @param organization which of all organizations it is: Super Admins belong to the platform's own
 */
export function refuseRoles(
  caller: Rights,
  wanted: readonly string[],
  known: readonly Grant[],
  organization: { readonly platform: boolean },
): void {
  const unknown = wanted.filter((id) => !known.some((role) => role.id === id));
  if (unknown.length > 0) throw fieldError('roleIds', `There is no role ${unknown.slice(0, mostNamed).join(', ')}.`);
  if (wanted.includes('super_admin')) {
    if (!caller.superAdmin) {
      throw new ApiError('forbidden', { message: 'Only a Super Admin gives the role Super Admin.' });
    }
    if (!organization.platform) {
      throw fieldError('roleIds', 'Super Admins belong to the platform’s own organization: add them there.');
    }
  }
  refuseBeyondCaller(caller, permissionsIn(known));
}

function permissionsIn(roles: readonly Grant[]): readonly string[] {
  return roles.flatMap((role) => role.permissions);
}

/** Names the first few permissions that the caller lacks; null where none is missing. A stored one of no worth is none. */
function missingOf(caller: Rights, needed: readonly string[]): string | null {
  const missing = [...new Set(needed)].filter(isPermission).filter((permission) => !caller.permissions.has(permission));
  if (missing.length === 0) return null;
  const rest = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : '';
  return `${missing.slice(0, mostNamed).join(', ')}${rest}`;
}

/** A built-in role is the same everywhere; and no custom one may pass for it. */
export function refuseBuiltIn(role: { readonly builtIn: boolean }): void {
  if (role.builtIn) {
    throw new ApiError('conflict', { message: 'A built-in role stays as it is. Make a custom role instead.' });
  }
}

export function refuseBuiltInName(name: string | undefined): void {
  const plain = name?.normalize('NFKC').toLowerCase();
  const taken = Object.entries(builtInRoles).some(([id, role]) => role.name.toLowerCase() === plain || id === plain);
  if (taken) throw fieldError('name', 'A built-in role has this name.');
}

/** Nobody changes what their own role lets them do. @param holds whether somebody behind the call has the role */
export function refuseChangeOfOwnRole(holds: boolean, change: { readonly permissions: boolean }): void {
  if (holds && change.permissions) {
    throw new ApiError('forbidden', { message: 'Nobody changes the permissions of a role that they have themselves.' });
  }
}

export function refuseDeletionOfUsed(use: { readonly users: number; readonly invitations: number }): void {
  if (use.users + use.invitations === 0) return;
  throw new ApiError('conflict', {
    message: `Only an unused role can be deleted: ${use.users} users and ${use.invitations} pending invitations have this one. Give them another first.`,
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

/** The permissions that some operation asks for; the others are of features to come. */
function checkedPermissions(): ReadonlySet<Permission> {
  // Once all contracts are loaded, which this file's is one of.
  checked ??= new Set(operations.flatMap(({ permissions: asked }): readonly Permission[] => asked));
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
