import { tenantTransaction } from '@millrace/postgres';
import { type ProviderClient, ProviderRefused } from '@millrace/sign-in/identity-provider';
import type { ProviderLinks } from '@millrace/sign-in/provider-links';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Parts } from '../../frame/parts.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { clientOf } from '../identity-providers/client.ts';
import { findProvider, providerLinks } from '../identity-providers/store.ts';

/** What reports logouts: a provider of an organization, and the links that its users have. */
export interface LogoutSource {
  readonly organizationId: string;
  readonly links: Pick<ProviderLinks, 'endByLogout'>;
  /** As the audit trail names those whose sessions end. */
  readonly entityType: 'user' | 'portal_user';
  findProvider(
    transaction: TenantTransaction,
  ): Promise<{ readonly name: string; readonly client: ProviderClient } | null>;
}

/**
 * Ends the sessions that a logout token names, with an audit row.
 *
 * @throws ProviderRefused if there is no such provider, or if the token is invalid or was used before
 */
export async function endByLogoutToken(
  parts: Pick<Parts, 'database' | 'chain' | 'identityProviders'>,
  { organizationId, links, entityType, findProvider }: LogoutSource,
  token: string,
): Promise<void> {
  const provider = await tenantTransaction(parts.database, organizationId, findProvider, { access: 'read only' });
  if (provider === null) throw new ProviderRefused('No identity provider is configured here.');
  const logout = await parts.identityProviders.readLogoutToken(provider.client, token);
  await writeAsSystem(parts, organizationId, async (transaction) => {
    const userIds = await links.endByLogout(transaction, organizationId, logout);
    if (userIds === null) throw new ProviderRefused('This logout token was used before.');
    if (userIds.length === 0) return null;
    return {
      operation: 'endSessionsByProvider',
      entityType,
      entityId: userIds[0]!,
      note: `${provider.name} reported a logout; sessions of ${userIds.join(', ')} ended.`,
      before: null,
      after: null,
    };
  });
}

/** The provider of an organization’s console, which reports logouts. */
export function consoleLogoutSource(parts: Pick<Parts, 'sealer'>, organizationId: string): LogoutSource {
  return {
    organizationId,
    links: providerLinks,
    entityType: 'user',
    findProvider: async (transaction) => {
      const provider = await findProvider(transaction, organizationId);
      return provider && { name: provider.name, client: clientOf(parts, provider) };
    },
  };
}
