import type { ProviderIdentity } from '@millrace/sign-in/identity-provider';
import type { UserRole } from '../../database/schema.ts';
import { ApiError, fieldError } from '../../http/errors.ts';
import type { StoredProvider, StoredUser } from './store.ts';

/** The addresses of an account’s sign-in by its provider, as they are registered there. */
export function placeOf(dashboardUrl: string, accountId: string) {
  return {
    redirectUri: `${dashboardUrl}/sign-in/callback`,
    backChannelLogoutUri: `${dashboardUrl}/api/auth/back-channel-logout/${accountId}`,
    signOutReturnUri: `${dashboardUrl}/sign-in`,
    signInUrl: `${dashboardUrl}/sign-in?organization=${accountId}`,
  };
}

/** `sign_in_failed` with a sentence for whoever tried. */
export function signInRefused(message: string, cause?: unknown): ApiError {
  return new ApiError('sign_in_failed', { message, cause });
}

/** What a member reads who tries a password although the account enforces its provider. */
export function passwordRefused(providerName: string): ApiError {
  return signInRefused(`Your account doesn’t allow passwords. Choose “Sign in with ${providerName}”.`);
}

/**
 * The role that follows from a user’s groups, as the provider states or provisions them; whoever is in none of them is
 * a member.
 *
 * @returns null if it doesn’t follow from them
 */
export function roleOfGroups(provider: StoredProvider, groups: readonly string[]): UserRole | null {
  const { administrator_groups: administrators, member_groups: members } = provider;
  if (administrators.length + members.length === 0) return null;
  return administrators.some((name) => groups.includes(name)) ? 'administrator' : 'member';
}

/**
 * The role that follows from the groups that a provider states.
 *
 * @returns null if it doesn’t follow from them
 * @throws ApiError `sign_in_failed` for members of none of the groups
 */
export function roleOf(provider: StoredProvider, { groups }: Pick<ProviderIdentity, 'groups'>): UserRole | null {
  const role = provider.groups_claim === null ? null : roleOfGroups(provider, groups ?? []);
  const { member_groups: members } = provider;
  const isIn = role !== 'member' || members.length === 0 || members.some((name) => groups?.includes(name) ?? false);
  if (isIn) return role;
  throw signInRefused(`None of your groups at ${provider.name} may sign in here. Ask an administrator.`);
}

/** The domain of an e-mail address, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Refuses an address that the account doesn’t accept from its provider. */
export function refuseForeignAddress(domains: readonly string[], { email }: Pick<ProviderIdentity, 'email'>): void {
  const domain = domainOf(email ?? '');
  if (domains.length === 0 || domains.includes(domain)) return;
  throw signInRefused(
    email === null
      ? 'The identity provider didn’t state an e-mail address. Ask an administrator to add the scope email.'
      : `Addresses at ${domain} can’t sign in here. Ask an administrator to add the domain.`,
  );
}

/** Refuses to enforce a provider that could lock everybody out. */
export function refuseLockOut(provider: StoredProvider, hasSignedIn: boolean, user: StoredUser | null): void {
  if (!hasSignedIn) {
    throw new ApiError('conflict', {
      message: `Sign in with ${provider.name} once before you enforce it, so that you don’t lock yourself out.`,
    });
  }
  const fault =
    user === null || !user.active || user.role !== 'administrator'
      ? 'Choose the administrator who may still sign in with a password.'
      : !user.password
        ? 'This administrator has no password. Let them set one first.'
        : user.mfa
          ? null
          : 'This administrator has no one-time codes. Let them set up codes first.';
  if (fault !== null) throw fieldError('breakGlassUserId', fault);
}

/** The break-glass administrator stays able to sign in. */
export function refuseLossOfBreakGlass(isBreakGlass: boolean): void {
  if (!isBreakGlass) return;
  throw new ApiError('conflict', {
    message: 'This is the break-glass administrator. Choose another one under Settings › Sign-in first.',
  });
}
