import type { ProviderClient } from '@millrace/sign-in/identity-provider';
import type { ProviderLinks } from '@millrace/sign-in/provider-links';
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';

/** A provider as a signed-in user’s sessions depend on it. */
interface UserProvider {
  readonly client: ProviderClient;
  readonly recheckSeconds: number;
  readonly signOutReturnUri: string;
}

/** The identity providers of a realm. */
export interface RealmProviders {
  readonly links: ProviderLinks;
  /** The provider that a user signs in by; null if there is none. */
  find(
    database: Kysely<Schema>,
    user: { readonly organizationId: string; readonly userId: string },
  ): Promise<UserProvider | null>;
}
