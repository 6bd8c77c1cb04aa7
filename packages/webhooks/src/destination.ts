import { isIP } from 'node:net';
import { addressProblem, type DestinationPolicy, isLoopbackAddress, isPrivateAddress } from './address.ts';

/** A checked, normalised address, or the problem with it, worded for the person who entered it. */
export type Destination = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly reason: string };

const lengthLimit = 2048;

/** Top-level names that never leave a private network (RFC 6761, 6762, 7686, 8375, 9476 and common practice). */
const privateSuffixes = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'arpa',
  'onion',
  'alt',
];

/** Ports above 1023 that the fetch standard blocks: servers of other protocols use them. */
const refusedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Checks a webhook's address before it is stored and again before each delivery: HTTPS, no credentials, a port for web
 * servers, and a host that is a public name or a public IP address in any notation (the URL parser normalises decimal,
 * octal, hexadecimal and shortened IPv4). With `allowLoopback`, loopback addresses and `localhost` are allowed too,
 * over http or https, and with `allowPrivate` private addresses and names. The addresses that a name resolves to are
 * checked when connecting.
 */
export function checkDestination(address: string, policy: DestinationPolicy): Destination {
  if (address.length > lengthLimit) return refuse(`The URL has more than ${lengthLimit} characters.`);
  const url = URL.parse(address);
  if (!url) return refuse('The URL is invalid. Enter an absolute HTTPS URL.');
  const host = hostOf(url);
  const isInside =
    (isLoopbackHost(host) && policy.allowLoopback) || (isPrivateHost(host) && policy.allowPrivate === true);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isInside)) {
    return refuse('The URL must start with https://.');
  }
  if (url.username !== '' || url.password !== '') return refuse('The URL must not contain a user name or password.');
  const hostReason = hostProblem(host, policy);
  if (hostReason) return refuse(hostReason);
  if (!isWebPort(url)) return refuse(`Port ${url.port} is not allowed. Use 443 or a port above 1023.`);
  url.hash = '';
  return { ok: true, url };
}

/** The host without the brackets of IPv6 and without the final dot of a fully qualified name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether the host is this machine, as `localhost` or a loopback address. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);
}

function hostProblem(host: string, policy: DestinationPolicy): string | null {
  if (isLoopbackHost(host) && policy.allowLoopback) return null;
  if (isIP(host) !== 0) {
    const problem = addressProblem(host, policy);
    return problem && `The address is not allowed: ${problem}.`;
  }
  const labels = host.split('.');
  if (labels.length < 2 && !policy.allowPrivate) return `The host "${host}" is not a public name.`;
  if (host.length > 253 || labels.some((label) => label.length === 0 || label.length > 63)) {
    return `The host "${host}" is not a valid name.`;
  }
  return isPrivateHost(host) && !policy.allowPrivate ? `The host "${host}" is a private name.` : null;
}

/** Whether the host is a private address, or a name that never leaves a private network. */
function isPrivateHost(host: string): boolean {
  if (isIP(host) !== 0) return isPrivateAddress(host);
  const labels = host.split('.');
  return labels.length < 2 || privateSuffixes.includes(labels.at(-1)!);
}

function isWebPort(url: URL): boolean {
  if (url.port === '' || url.port === '443') return true;
  const port = Number(url.port);
  return port > 1023 && !refusedPorts.has(port);
}

function refuse(reason: string): Destination {
  return { ok: false, reason };
}
