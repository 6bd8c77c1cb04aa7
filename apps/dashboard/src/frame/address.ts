/** The search parameters of an address as strings; the service rejects invalid ones. */
export function textSearch(query: Record<string, unknown>): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== '' && value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
}
