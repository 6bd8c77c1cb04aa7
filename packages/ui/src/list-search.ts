/** The part of a list that stands in the address: the same names as the API's own. */
export interface ListSearch {
  readonly search?: string;
  /** Of a list in numbered pages. */
  readonly page?: number;
  /** Where a list without numbered pages goes on. */
  readonly cursor?: string;
  readonly sort?: string;
  readonly [filter: string]: string | number | undefined;
}

/** Takes an address's query as a list's state; whatever else stands there is left to the API to refuse. */
export function listSearch(query: Record<string, unknown>): ListSearch {
  const kept = Object.entries(query)
    .filter(([, value]) => value !== '' && value !== undefined && value !== null)
    .map(([name, value]) => [name, name === 'page' ? Math.max(1, Number(value) || 1) : String(value)]);
  return Object.fromEntries(kept);
}
