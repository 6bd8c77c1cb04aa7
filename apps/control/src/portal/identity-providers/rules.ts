import type { ProviderIdentity } from '@millrace/sign-in/identity-provider';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { PortalRole } from '../../frame/operation.ts';
import { domainOf } from '../../identity/identity-providers/rules.ts';
import type { PortalProviderRow } from './store.ts';

/** @param taken those that another developer’s provider has */
export function refuseTakenDomains(taken: readonly string[]): void {
  if (taken.length === 0) return;
  throw fieldError(
    'emailDomains',
    `Another developer’s identity provider has ${taken.join(', ')}. Remove it there first.`,
  );
}

/** `sign_in_failed` with a sentence for whoever tried. */
export function signInRefused(message: string): ApiError {
  return new ApiError('sign_in_failed', { message });
}

/** What a portal user reads who tries a password although their company’s provider is enforced. */
export function passwordRefused(providerName: string): ApiError {
  return signInRefused(`Your company doesn’t allow passwords here. Choose “Sign in with ${providerName}”.`);
}

/** Refuses an address that the developer account doesn’t accept from its provider. */
export function refuseForeignAddress(domains: readonly string[], { email }: Pick<ProviderIdentity, 'email'>): void {
  if (email !== null && domains.includes(domainOf(email))) return;
  throw signInRefused(
    email === null
      ? 'Your identity provider didn’t state an e-mail address. Ask your administrator to add the scope email.'
      : 'Your e-mail address isn’t one of your company’s. Ask your administrator.',
  );
}

/**
 * The role that follows from a user’s groups.
 *
 * @returns null if it doesn’t follow from them
 */
export function roleOf(
  provider: Pick<PortalProviderRow, 'groups_claim' | 'group_roles' | 'role'>,
  { groups }: Pick<ProviderIdentity, 'groups'>,
): PortalRole | null {
  if (provider.groups_claim === null || provider.group_roles.length === 0) return null;
  return provider.group_roles.find(({ group }) => groups?.includes(group) ?? false)?.role ?? provider.role;
}

/** What an e-mail address is to the portal before a provider makes it a user’s. */
export interface Newcomer {
  /** Whether a registration of it waits for approval: a provider doesn’t decide it. */
  readonly awaitsApproval: boolean;
  /** The developer account that has it; null: none. */
  readonly developerId: string | null;
}

/**
 * Refuses to create a user whom the provider doesn’t speak for.
 *
 * @throws ApiError `sign_in_failed`
 */
export function refuseNewcomer(
  provider: Pick<PortalProviderRow, 'creates_users' | 'developer_id'>,
  { emailVerified }: Pick<ProviderIdentity, 'emailVerified'>,
  { awaitsApproval, developerId }: Newcomer,
): void {
  if (!provider.creates_users)
    throw signInRefused('You have no account here. Ask your company’s owner for an invitation.');
  if (!emailVerified)
    throw signInRefused('Your identity provider hasn’t verified your e-mail address. Ask your administrator.');
  if (awaitsApproval) throw signInRefused('Your registration awaits approval. You will get an e-mail.');
  if (developerId !== null && developerId !== provider.developer_id) {
    throw signInRefused('Your e-mail address belongs to another developer account. Ask its owner for an invitation.');
  }
}
