/** Directives of a `Cache-Control` field (RFC 9111, section 5.2), names in lower case; the first of a name counts. */
export function parseCacheControl(values: readonly string[]): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const [, name, quoted, plain] of values.join(',').matchAll(/([\w-]+)(?:=(?:"([^"]*)"|([^\s,;]*)))?/g)) {
    const key = name!.toLowerCase();
    if (!directives.has(key)) directives.set(key, quoted ?? plain ?? '');
  }
  return directives;
}

/** A number of seconds, or null where the text is none. */
export function deltaSeconds(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : null;
}
