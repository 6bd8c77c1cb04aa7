import { isIP } from 'node:net';
import type { HeaderList } from '@millrace/policies/headers';
import type { Front } from './front.ts';

/**
 * Address of the client behind a trusted proxy, as the trusted proxies report it; empty if it can't be parsed, so that it
 * is on no list.
 *
 * @param connected of the connection's other end
 */
export function addressBehind(connected: string, headers: HeaderList, front: Pick<Front, 'isTrustedProxy'>): string {
  const hops = headers.getAll('x-forwarded-for').flatMap((value) => value.split(','));
  let address = connected;
  for (const hop of hops.reverse()) {
    const written = hop.trim();
    if (written === '') continue;
    address = plainAddress(withoutPort(written));
    if (isIP(address) === 0) return '';
    if (!front.isTrustedProxy(address)) break;
  }
  return address;
}

/** Some proxies include the port: `192.0.2.1:80`, `[2001:db8::1]:80`. */
function withoutPort(written: string): string {
  return (
    /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/
      .exec(written)
      ?.slice(1)
      .find((address) => address) ?? written
  );
}

/** An IPv4 address in its own form if a dual-stack socket reports it as IPv6. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
