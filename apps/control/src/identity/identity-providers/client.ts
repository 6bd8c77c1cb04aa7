import { type IdentityProviders, type ProviderClient, ProviderRefused } from '@millrace/sign-in/identity-provider';
import { providerClient, registrationOf } from '@millrace/sign-in/provider-configuration';
import type { Parts } from '../../frame/parts.ts';
import { clientSecretContext, type ProviderRow } from './store.ts';

/** What Millrace is to a stored provider, its secret opened. */
export function clientOf({ sealer }: Pick<Parts, 'sealer'>, provider: ProviderRow): ProviderClient {
  const context = clientSecretContext(provider.organization_id);
  return providerClient(registrationOf(provider), (sealed) => sealer.open(sealed, context));
}

/** Tests the connection to a provider; what is wrong with it is a result as well. */
export async function testProvider(identityProviders: Pick<IdentityProviders, 'test'>, client: ProviderClient) {
  try {
    return { problem: null, ...(await identityProviders.test(client)) };
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return { problem: error.message, ...noFacts };
  }
}

const noFacts = {
  authorizationEndpoint: null,
  keys: 0,
  refreshTokens: false,
  backChannelLogout: false,
  frontChannelSignOut: false,
};
