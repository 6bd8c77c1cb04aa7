import { tenantTransaction } from '@millrace/postgres';
import { ProviderRefused } from '@millrace/sign-in/identity-provider';
import type { SessionKind } from '../../frame/credentials.ts';
import type { Parts } from '../../frame/parts.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { clientOf } from '../identity-providers/client.ts';
import { findProvider, providerLinks } from '../identity-providers/store.ts';

/**
 * Ends the sessions that a logout token names, with an audit row.
 *
 * @throws ProviderRefused if the organization has no provider, or if the token is invalid or was used before
 */
export async function endByLogoutToken(
  parts: Pick<Parts, 'database' | 'chain' | 'sealer' | 'identityProviders'>,
  realm: SessionKind,
  organizationId: string,
  token: string,
): Promise<void> {
  const provider = await tenantTransaction(
    parts.database,
    organizationId,
    (transaction) => findProvider(transaction, organizationId, realm),
    { access: 'read only' },
  );
  if (provider === null) throw new ProviderRefused('No identity provider is configured here.');
  const logout = await parts.identityProviders.readLogoutToken(clientOf(parts, provider), token);
  await writeAsSystem(parts, organizationId, async (transaction) => {
    const userIds = await providerLinks[realm].endByLogout(transaction, organizationId, logout);
    if (userIds === null) throw new ProviderRefused('This logout token was used before.');
    if (userIds.length === 0) return null;
    return {
      operation: 'endSessionsByProvider',
      entityType: 'user',
      entityId: userIds[0]!,
      note: `${provider.name} reported a logout; sessions of ${userIds.join(', ')} ended.`,
      before: null,
      after: null,
    };
  });
}
