/** Takes an address's query as texts; whatever else stands there is left to the service to refuse. */
export function textSearch(query: Record<string, unknown>): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== '' && value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
}

/** The token of a link in an e-mail. */
export function tokenSearch(query: Record<string, unknown>): { readonly token?: string } {
  return typeof query.token === 'string' ? { token: query.token } : {};
}

/** An address of the dashboard to go to after the sign-in; anything else in `next` leads home. */
export function signInSearch(query: Record<string, unknown>): { readonly next?: string } {
  return typeof query.next === 'string' && /^\/(?![/\\])/.test(query.next) ? { next: query.next } : {};
}
