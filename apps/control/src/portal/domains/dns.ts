import { Resolver } from 'node:dns/promises';
import type { Lookup } from './rules.ts';

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
