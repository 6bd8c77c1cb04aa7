import type { ProviderClient } from './identity-provider.ts';

/** What decides where a client’s secret is sent. */
interface Registration {
  readonly issuer: string;
  readonly clientId: string;
}

/** A provider as it is stored. */
interface StoredRegistration extends Registration {
  readonly sealedClientSecret: Buffer | null;
}

/** What decides where a stored secret is sent, of a row. */
export function registrationOf(row: {
  readonly issuer: string;
  readonly client_id: string;
  readonly sealed_client_secret: Buffer | null;
}): StoredRegistration {
  return { issuer: row.issuer, clientId: row.client_id, sealedClientSecret: row.sealed_client_secret };
}

/** What Millrace is to a stored provider, its secret opened. */
export function providerClient(
  { issuer, clientId, sealedClientSecret }: StoredRegistration,
  open: (sealed: Buffer) => Buffer,
): ProviderClient {
  return { issuer, clientId, clientSecret: sealedClientSecret && open(sealedClientSecret).toString() };
}

/**
 * The sealed secret of a provider after a change: the one that is given, or the stored one if it isn’t sent
 * anywhere else.
 *
 * @param before null: none was configured
 * @param next.clientSecret undefined: the stored one stays; null: there is none
 * @returns `missing` if the stored one would be sent elsewhere
 */
export function nextSecret(
  before: StoredRegistration | null,
  next: Registration & { readonly clientSecret?: string | null | undefined },
  seal: (secret: Buffer) => Buffer,
): Buffer | null | 'missing' {
  const { clientSecret } = next;
  if (clientSecret !== undefined) return clientSecret === null ? null : seal(Buffer.from(clientSecret));
  const stored = before?.sealedClientSecret ?? null;
  const isElsewhere = before !== null && (before.issuer !== next.issuer || before.clientId !== next.clientId);
  return isElsewhere && stored !== null ? 'missing' : stored;
}

/** What somebody reads who would send a stored secret elsewhere. */
export const secretMissing = 'Enter the client secret again: it would be sent somewhere else.';
