import type { ProviderClient } from '@millrace/sign-in/identity-provider';
import type { Parts } from '../../frame/parts.ts';
import { clientSecretContext, type ProviderRow } from './store.ts';

/** What Millrace is to a stored provider, its secret opened. */
export function clientOf({ sealer }: Pick<Parts, 'sealer'>, provider: ProviderRow): ProviderClient {
  const { sealed_client_secret: sealed, organization_id: organizationId, realm } = provider;
  return {
    issuer: provider.issuer,
    clientId: provider.client_id,
    clientSecret: sealed && sealer.open(sealed, clientSecretContext(organizationId, realm)).toString(),
  };
}
