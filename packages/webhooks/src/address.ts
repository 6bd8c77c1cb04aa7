import ipaddr from 'ipaddr.js';

/** What a webhook may reach beyond the public internet. */
export interface DestinationPolicy {
  /** Lets loopback addresses through, over http or https. For development only. */
  readonly allowLoopback: boolean;
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Addresses of a public range behind which a cloud's own control service answers its machines: Azure's WireServer.
 * The other clouds' metadata services live in link-local, unique-local or shared ranges.
 */
const cloudControlAddresses = new Set(['168.63.129.16']);

/**
 * Why an IP address must not be connected to, or null when it may. Only global unicast addresses pass; an IPv4 address
 * inside an IPv6 one (mapped, or behind NAT64) is judged as itself. The ranges are those of the IANA special-purpose
 * address registries (RFC 6890), as `ipaddr.js` lists them.
 */
export function addressProblem(address: string, policy: DestinationPolicy): string | null {
  if (!ipaddr.isValid(address)) return `${address} is not an IP address`;
  const parsed = withoutWrapping(ipaddr.parse(address));
  const range = parsed.range();
  if (range === 'loopback' && policy.allowLoopback) return null;
  if (range !== 'unicast') return `${address} is in a range that is not public (${range})`;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast))
    return `${address} is not a global unicast address`;
  if (cloudControlAddresses.has(parsed.toString())) return `${address} belongs to a cloud's control service`;
  return null;
}

/** Whether the text is a loopback address, also one that is mapped into IPv6. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && withoutWrapping(ipaddr.parse(address)).range() === 'loopback';
}

function withoutWrapping(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(nat64)) return ipaddr.fromByteArray(address.toByteArray().slice(12));
  return address;
}
