/** The token of a link in an e-mail. */
export function tokenSearch(query: Record<string, unknown>): { readonly token?: string } {
  return typeof query.token === 'string' ? { token: query.token } : {};
}

/**
 * An address of these pages to go to after the sign-in, and the organization to sign in to; anything else in `next`
 * opens the first page.
 */
export function signInSearch(query: Record<string, unknown>): {
  readonly next?: string;
  readonly organization?: string;
} {
  const { next, organization } = query;
  return {
    ...(typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}),
    ...(typeof organization === 'string' && /^[a-z0-9][a-z0-9_-]{0,63}$/.test(organization) ? { organization } : {}),
  };
}
