import { Resolver } from 'node:dns/promises';

const timeoutMs = 3_000;
const attempts = 2;
/** Of all texts of a name together; more is no verification. */
const mostTexts = 50;

/** Looks up the TXT records of a name. */
export type LookUpTexts = (name: string) => Promise<Lookup>;

/** @param servers addresses of DNS servers, with ports if not 53; empty: those of the machine */
export function createTextLookup(servers: readonly string[]): LookUpTexts {
  return async (name) => {
    // A resolver of its own: what it asks is not shared with other look-ups.
    const resolver = new Resolver({ timeout: timeoutMs, tries: attempts });
    if (servers.length > 0) resolver.setServers([...servers]);
    try {
      const records = await resolver.resolveTxt(name);
      return { texts: records.slice(0, mostTexts).map((parts) => parts.join('')) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === 'ENOTFOUND' || code === 'ENODATA') return { texts: [] };
      return { failure: `The DNS servers didn’t answer for ${name} (${code || 'unknown error'}). Try again later.` };
    }
  };
}

/** What the TXT record has to contain. */
export function recordValueOf(token: string): string {
  return `millrace-verification=${token}`;
}

/** Name of the TXT record that proves who owns a domain. */
export function recordNameOf(hostName: string): string {
  return `_millrace.${hostName}`;
}

/** The result of a look-up of TXT records: their texts, or why there are none. */
export type Lookup = { readonly texts: readonly string[] } | { readonly failure: string };

/** Why the look-up doesn't verify a domain; null if it does. */
export function verificationProblem(
  { recordName, recordValue }: { readonly recordName: string; readonly recordValue: string },
  lookup: Lookup,
): string | null {
  if ('failure' in lookup) return lookup.failure;
  if (lookup.texts.some((text) => text.trim() === recordValue)) return null;
  return lookup.texts.length === 0
    ? `${recordName} has no TXT record. Add it, and try again once your DNS has it.`
    : `The TXT record of ${recordName} has another value. Correct it, and try again once your DNS has it.`;
}
