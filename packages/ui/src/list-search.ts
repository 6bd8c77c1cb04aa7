/** The part of a list's state that is in the address, with the API's names. */
export interface ListSearch {
  readonly search?: string;
  /** Of a list in numbered pages. */
  readonly page?: number;
  /** Where a list without numbered pages goes on. */
  readonly cursor?: string;
  readonly sort?: string;
  readonly [filter: string]: string | number | undefined;
}

/** Reads a list's state from an address; anything else in it is left to the API to reject. */
export function listSearch(query: Record<string, unknown>): ListSearch {
  const kept = Object.entries(query)
    .filter(([, value]) => value !== '' && value !== undefined && value !== null)
    .map(([name, value]) => [name, name === 'page' ? Math.max(1, Number(value) || 1) : String(value)]);
  return Object.fromEntries(kept);
}
