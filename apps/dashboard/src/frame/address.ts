/** Takes an address's query as texts; whatever else stands there is left to the service to refuse. */
export function textSearch(query: Record<string, unknown>): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== '' && value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
}
