import ipaddr from 'ipaddr.js';

/**
 * What one client usually has to itself: an IPv4 address, or the /64 network of an IPv6 address (RFC 6177) as its first
 * four groups. An IPv4 address written as IPv6 is IPv4; a text that is no address stays as it is.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return network.join(':');
}
