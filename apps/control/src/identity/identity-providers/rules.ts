import type { ProviderIdentity } from '@millrace/sign-in/identity-provider';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Outbound } from '../../frame/outbound.ts';
import { allPermissions } from '../../frame/permissions.ts';

/** Refuses an issuer that can’t be connected to, or that no token could name. */
export function refuseIssuer(issuer: string, outbound: Pick<Outbound, 'urlProblem'>): void {
  const problem = outbound.urlProblem(issuer);
  if (problem !== null) throw fieldError('issuer', problem);
  const { search, hash } = new URL(issuer);
  if (search !== '' || hash !== '') throw fieldError('issuer', 'An issuer has neither query nor fragment.');
}

/**
 * A provider can sign anybody of the organization in, so only who may do everything there decides which one it is.
 *
 * @throws ApiError `forbidden`
 */
export function refuseLesserCaller({ permissions }: Pick<Caller, 'permissions'>): void {
  const missing = allPermissions.find((permission) => !permissions.has(permission));
  if (missing === undefined) return;
  throw new ApiError('forbidden', {
    message: `Only somebody with every permission of the organization decides who signs in. You lack ${missing}.`,
  });
}

/** Nobody becomes a Super Admin by what a provider states. */
export function refuseSuperAdmin(roleIds: readonly string[], field: string): void {
  if (!roleIds.includes('super_admin')) return;
  throw fieldError(field, 'An identity provider can’t make anybody a Super Admin. Choose another role.');
}

/** The roles that members of a group have. */
export interface GroupMapping {
  readonly group: string;
  readonly roleIds: readonly string[];
}

/**
 * The roles that follow from a user’s groups: those of every group that is mapped, and the default ones.
 *
 * @param groups null if nothing is known about them
 * @returns null if roles don’t follow from groups
 */
export function rolesOfGroups(
  provider: { readonly group_roles: readonly GroupMapping[]; readonly default_role_ids: readonly string[] },
  groups: readonly string[] | null,
): readonly string[] | null {
  if (groups === null) return null;
  const mapped = provider.group_roles.filter(({ group }) => groups.includes(group)).flatMap(({ roleIds }) => roleIds);
  return [...new Set([...provider.default_role_ids, ...mapped])].sort();
}

/** The domain of an e-mail address, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/**
 * Refuses an address that the organization doesn’t accept from its provider.
 *
 * @throws ApiError `sign_in_failed`
 */
export function refuseForeignAddress(domains: readonly string[], { email }: Pick<ProviderIdentity, 'email'>): void {
  if (domains.length === 0) return;
  if (email !== null && domains.includes(domainOf(email))) return;
  throw new ApiError('sign_in_failed', {
    message:
      email === null
        ? 'The identity provider didn’t state an e-mail address. Ask your administrator to add the scope email.'
        : `Addresses at ${domainOf(email)} can’t sign in here. Ask your administrator to add the domain.`,
  });
}

/** What a member reads who tries a password although the organization enforces its provider. */
export function passwordRefused(providerName: string): ApiError {
  const message = `Your organization doesn’t allow passwords. Choose “Sign in with ${providerName}”.`;
  return new ApiError('sign_in_failed', { message });
}

/** What somebody reads whom the provider knows and the organization doesn’t. */
export function unknownUser(): ApiError {
  return new ApiError('sign_in_failed', {
    message: 'You have no account here. Ask your administrator to add you.',
  });
}

/** Only somebody who can sign in by the provider may make it the only way. */
export function refuseLockOut(hasSignedIn: boolean, providerName: string): void {
  if (hasSignedIn) return;
  throw new ApiError('conflict', {
    message: `Sign in with ${providerName} once before you enforce it, so that you don’t lock yourself out.`,
  });
}

/** A member of the organization, as far as a break-glass administrator is chosen. */
export interface Candidate {
  readonly active: boolean;
  readonly administrator: boolean;
  readonly mfa: boolean;
  readonly password: boolean;
}

/** Whoever signs in without the provider is an administrator with a password and one-time codes. */
export function refuseBreakGlassUser(candidate: Candidate): void {
  const fault = breakGlassFault(candidate);
  if (fault !== null) throw fieldError('breakGlassUserId', fault);
}

function breakGlassFault({ active, administrator, password, mfa }: Candidate): string | null {
  if (!active || !administrator) return 'Choose an active administrator.';
  if (!password) return 'This administrator has no password. Let them set one first.';
  return mfa ? null : 'This administrator has no one-time codes. Let them set up codes first.';
}

/**
 * The break-glass administrator stays able to sign in.
 *
 * @param change what can’t be done, such as `suspended`
 */
export function refuseLossOfBreakGlass(isBreakGlass: boolean, change: string): void {
  if (!isBreakGlass) return;
  throw new ApiError('conflict', {
    message: `The break-glass administrator can’t be ${change}. Choose another one under Settings → Sign-in first.`,
  });
}
