import { Resolver } from 'node:dns/promises';

/** Looks up every address of a host name. Rejects if it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

// Queries the name servers directly: `dns.lookup` would read the machine's hosts file, try its search domains, and
// block one of the few pool threads for as long as a dead name server takes.
const resolver = new Resolver({ timeout: 2000, tries: 2 });

/** The public DNS's A and AAAA records of a host name. */
export const resolvePublicly: Resolve = async (hostname) => {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw four.status === 'rejected' ? four.reason : new Error('no address');
  return addresses;
};
