import type { ProviderClient } from '@millrace/sign-in/identity-provider';
import { providerClient, registrationOf } from '@millrace/sign-in/provider-configuration';
import type { Parts } from '../../frame/parts.ts';
import type { RealmProviders } from '../../identity/identity-providers/realm-providers.ts';
import { findProviderPlace } from './place.ts';
import { clientSecretContext, findProviderOfUser, type PortalProviderRow, portalProviderLinks } from './store.ts';

/** What Millrace is to a stored provider, its secret opened. */
export function clientOf({ sealer }: Pick<Parts, 'sealer'>, provider: PortalProviderRow): ProviderClient {
  const context = clientSecretContext(provider.organization_id, provider.developer_id);
  return providerClient(registrationOf(provider), (sealed) => sealer.open(sealed, context));
}

/** The providers of developer portals: one of each developer account. */
export function portalProviders(parts: Pick<Parts, 'sealer' | 'publicUrl'>): RealmProviders {
  return {
    links: portalProviderLinks,
    find: async (database, user) => {
      const provider = await findProviderOfUser(database, user);
      if (provider === null) return null;
      const { organization_id: organizationId, developer_id: developerId } = provider;
      const place = await findProviderPlace(database, organizationId, developerId, parts.publicUrl());
      return {
        client: clientOf(parts, provider),
        recheckSeconds: provider.recheck_seconds,
        signOutReturnUri: place.signOutReturnUri,
      };
    },
  };
}
