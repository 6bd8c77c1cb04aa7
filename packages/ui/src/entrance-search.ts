/** The token of a link in an e-mail. */
export function tokenSearch(query: Record<string, unknown>): { readonly token?: string } {
  return typeof query.token === 'string' ? { token: query.token } : {};
}

/** An address of these pages to go to after the sign-in; anything else in `next` opens the first page. */
export function signInSearch(query: Record<string, unknown>): { readonly next?: string } {
  return typeof query.next === 'string' && /^\/(?![/\\])/.test(query.next) ? { next: query.next } : {};
}
