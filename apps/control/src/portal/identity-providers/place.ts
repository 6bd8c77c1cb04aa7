import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { findPortalPlace } from '../../frame/portals.ts';

/** Path of the service where providers of developer accounts report logouts. */
export const backChannelLogoutPath = '/api/portal/back-channel-logout/:account';

/** The organization and the developer account that a path names; null if it names none. */
export function accountOf(text: string): { readonly organizationId: string; readonly developerId: string } | null {
  const [organizationId = '', developerId = '', ...rest] = text.split('.');
  const isId = (id: string) => /^[a-z]{3}_[0-9a-z]{1,40}$/.test(id);
  return rest.length === 0 && isId(organizationId) && isId(developerId) ? { organizationId, developerId } : null;
}

/**
 * The addresses of a developer account’s sign-in by its provider, as they are registered there.
 *
 * @param publicUrl of the service, without a slash at the end
 */
export async function findProviderPlace(
  database: Kysely<Schema>,
  organizationId: string,
  developerId: string,
  publicUrl: string,
) {
  const { url } = await findPortalPlace(database, organizationId, publicUrl);
  const account = `${organizationId}.${developerId}`;
  return {
    redirectUri: `${url}/sign-in/callback`,
    backChannelLogoutUri: `${publicUrl}${backChannelLogoutPath.replace(':account', account)}`,
    signOutReturnUri: `${url}/sign-in`,
    signInUrl: `${url}/sign-in?organization=${developerId}`,
  };
}
