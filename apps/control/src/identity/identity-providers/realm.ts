import type { Parts } from '../../frame/parts.ts';
import { clientOf } from './client.ts';
import { placeOf } from './place.ts';
import type { RealmProviders } from './realm-providers.ts';
import { findProvider, providerLinks } from './store.ts';

/** The providers of the console: one of each organization. */
export function consoleProviders(parts: Pick<Parts, 'sealer' | 'publicUrl'>): RealmProviders {
  return {
    links: providerLinks,
    find: async (database, { organizationId }) => {
      const provider = await findProvider(database, organizationId);
      return (
        provider && {
          client: clientOf(parts, provider),
          recheckSeconds: provider.recheck_seconds,
          signOutReturnUri: placeOf(parts.publicUrl(), organizationId, '').signOutReturnUri,
        }
      );
    },
  };
}
