import { tenantTransaction } from '@millrace/postgres';
import { addBackChannelLogout as addEndpoint } from '@millrace/sign-in/back-channel-logout';
import { ProviderRefused } from '@millrace/sign-in/identity-provider';
import type { FastifyInstance } from 'fastify';
import type { IdentityProviderParts } from './handlers.ts';
import { clientOf, findProvider, links } from './store.ts';

/** Where accounts’ identity providers report logouts. */
export function addBackChannelLogout(
  server: FastifyInstance,
  parts: Pick<IdentityProviderParts, 'database' | 'identityProviders' | 'identityProviderSecrets' | 'log'>,
): void {
  const { database, identityProviders, identityProviderSecrets: sealer, log } = parts;
  addEndpoint(server, '/api/auth/back-channel-logout/:accountId', async ({ accountId }, token) => {
    const provider = await tenantTransaction(
      database,
      accountId,
      (transaction) => findProvider(transaction, accountId),
      { access: 'read only' },
    );
    if (provider === null) throw new ProviderRefused('No identity provider is configured here.');
    const logout = await identityProviders.readLogoutToken(clientOf(sealer, provider), token);
    const userIds = await tenantTransaction(database, accountId, (transaction) =>
      links.endByLogout(transaction, accountId, logout),
    );
    if (userIds === null) throw new ProviderRefused('This logout token was used before.');
    log.info({ users: userIds }, 'an identity provider reported a logout');
  });
}
