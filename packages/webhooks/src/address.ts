import ipaddr from 'ipaddr.js';

/** What may be reached beyond the public internet. */
export interface DestinationPolicy {
  /** Lets loopback addresses through, over http or https. For development only. */
  readonly allowLoopback: boolean;
  /** Lets loopback and private networks through, apart from clouds' control services. */
  readonly allowPrivate?: boolean;
  /** Lets these through, whatever they are. IPv4 is not wrapped in IPv6. */
  isAllowed?(address: string): boolean;
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Addresses outside of link-local ranges behind which a cloud's own control service answers its machines: Azure's
 * WireServer, and the metadata services of Alibaba, Amazon and Google.
 */
const cloudControlAddresses = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Why an IP address must not be connected to, or null when it may. Only global unicast addresses pass, and what the policy
 * adds; an IPv4 address inside an IPv6 one (mapped, or behind NAT64) is judged as itself. The ranges are those of the IANA
 * special-purpose address registries (RFC 6890), as `ipaddr.js` lists them.
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
 * Why nobody has a server of their own at an IP address, or null where somebody may: it is link-local, as the metadata
 * services of clouds are, or belongs to another of their control services, to many, or to nobody. Judged as
 * {@link addressProblem} judges.
 */
export function servingProblem(address: string): string | null {
  if (!ipaddr.isValid(address)) return `${address} is not an IP address`;
  const parsed = withoutWrapping(ipaddr.parse(address));
  if (cloudControlAddresses.has(parsed.toString())) return `${address} belongs to a cloud's control service`;
  const range = parsed.range();
  return neverServing.has(range) ? `${address} is in a range without servers (${range})` : null;
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
