/** What decides where a client’s secret is sent. */
interface Registration {
  readonly issuer: string;
  readonly clientId: string;
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
  before: (Registration & { readonly sealedClientSecret: Buffer | null }) | null,
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
