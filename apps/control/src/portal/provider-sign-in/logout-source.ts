import { ProviderRefused } from '@millrace/sign-in/identity-provider';
import type { Parts } from '../../frame/parts.ts';
import type { LogoutSource } from '../../identity/provider-sign-in/back-channel-logout.ts';
import { clientOf } from '../identity-providers/client.ts';
import { accountOf } from '../identity-providers/place.ts';
import { findProvider, portalProviderLinks } from '../identity-providers/store.ts';

/**
 * The provider of a developer account, which reports logouts.
 *
 * @param account names organization and developer account, as the path does
 * @throws ProviderRefused if it names none
 */
export function portalLogoutSource(parts: Pick<Parts, 'sealer'>, account: string): LogoutSource {
  const named = accountOf(account);
  if (named === null) throw new ProviderRefused('No identity provider is configured here.');
  const { organizationId, developerId } = named;
  return {
    organizationId,
    links: portalProviderLinks,
    entityType: 'portal_user',
    findProvider: async (transaction) => {
      const provider = await findProvider(transaction, organizationId, developerId);
      return provider && { name: provider.name, client: clientOf(parts, provider) };
    },
  };
}
