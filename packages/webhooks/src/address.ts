import ipaddr from 'ipaddr.js';

/** What may be reached besides the public internet. */
export interface DestinationPolicy {
  /** Allows loopback addresses, over http or https. For development only. */
  readonly allowLoopback: boolean;
  /** Allows loopback and private networks, except cloud control services. */
  readonly allowPrivate?: boolean;
  /** Allows these unconditionally. IPv4 is not wrapped in IPv6. */
  isAllowed?(address: string): boolean;
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Addresses outside of link-local ranges at which a cloud's control service serves its machines: Azure's WireServer,
 * and the metadata services of Alibaba, Amazon and Google.
 */
const cloudControlAddresses = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Why an IP address must not be connected to, or null if it may. Only global unicast addresses are allowed, and what
 * the policy adds; an IPv4 address inside an IPv6 one (mapped, or behind NAT64) is checked as IPv4. The ranges are
 * those of the IANA special-purpose address registries (RFC 6890), as listed by `ipaddr.js`.
 */
export function addressProblem(address: string, policy: DestinationPolicy): string | null {
  if (!ipaddr.isValid(address)) return `${address} is not an IP address`;
  const parsed = withoutWrapping(ipaddr.parse(address));
  const range = parsed.range();
  if (policy.isAllowed?.(parsed.toString())) return null;
  if (cloudControlAddresses.has(parsed.toString())) return `${address} belongs to a cloud's control service`;
  if (range === 'loopback' && policy.allowLoopback) return null;
  if (policy.allowPrivate && privateRanges.has(range)) return null;
  if (range !== 'unicast') return `${address} is in a range that is not public (${range})`;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast))
    return `${address} is not a global unicast address`;
  return null;
}

const neverServing: ReadonlySet<string> = new Set(['linkLocal', 'multicast', 'broadcast', 'unspecified']);

/**
 * Why no one can have their own server at an IP address, or null if they can: it is link-local, like cloud metadata
 * services, or belongs to another cloud control service, to many hosts, or to none. Checked like {@link
 * addressProblem}.
 */
export function servingProblem(address: string): string | null {
  if (!ipaddr.isValid(address)) return `${address} is not an IP address`;
  const parsed = withoutWrapping(ipaddr.parse(address));
  if (cloudControlAddresses.has(parsed.toString())) return `${address} belongs to a cloud's control service`;
  const range = parsed.range();
  return neverServing.has(range) ? `${address} is in a range without servers (${range})` : null;
}

/** Whether the text is a loopback address, including one mapped into IPv6. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && withoutWrapping(ipaddr.parse(address)).range() === 'loopback';
}

/** Whether the text is an address of loopback or a private network. */
export function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && privateRanges.has(withoutWrapping(ipaddr.parse(address)).range());
}

function withoutWrapping(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(nat64)) return ipaddr.fromByteArray(address.toByteArray().slice(12));
  return address;
}
