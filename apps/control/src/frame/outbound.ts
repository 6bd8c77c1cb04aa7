import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isListed } from '@millrace/settings';
import type { Settings } from '@millrace/settings/control';
import type { Sender } from '@millrace/webhooks';
import { addressProblem, type DestinationPolicy, isLoopbackAddress, servingProblem } from '@millrace/webhooks/address';
import type { BoundedRequest } from '@millrace/webhooks/bounded-send';
import { checkDestination } from '@millrace/webhooks/destination';

/** How the management API connects to hosts that tenants configure. */
export interface Outbound {
  /**
   * Addresses of a host, resolved by the machine, all of which may be connected to, IPv4 first. Connecting to one of
   * these without resolving again reaches what was checked.
   *
   * @param host a name or an address; IPv6 with or without brackets
   * @throws OutboundRefused, Error of the look-up
   */
  addressesOf(host: string): Promise<readonly string[]>;
  /**
   * Why nobody has a target server at a host that is an address, however it is written; null where somebody may, and for
   * names, which gateway nodes check when they connect.
   */
  targetProblem(host: string): string | null;
  /** Gets a JSON document, such as the keys of an issuer: bounded in time and size, and from no other address than this. */
  fetchJson(url: string): Promise<unknown>;
  /**
   * Sends a request, such as to an identity provider: bounded in time and size, and to no other addresses than these.
   * Redirects are not followed.
   *
   * @throws SendRefused for a URL that {@link urlProblem} rejects
   */
  send(url: string, init: BoundedRequest): Promise<Response>;
  /** Why nothing is posted to a URL as it is written; null if it may be. `http://` is for loopback and private networks. */
  urlProblem(url: string): string | null;
  /**
   * Opens a sender that posts to no other addresses than these; close it after use.
   *
   * @param timeoutMs for each whole attempt
   */
  openSender(timeoutMs: number): Promise<Sender>;
  /** Whether an address may be sent something unencrypted: it is this machine, or the settings list it. */
  mayBePlain(address: string): boolean;
}

/** A host resolves to an address that the management API doesn't connect to. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
}

const longestMs = 5_000;
const mostBytes = 262_144;

/** Checks addresses against the settings. */
export function createOutbound({ reachPrivate, reachAlso }: Pick<Settings, 'reachPrivate' | 'reachAlso'>): Outbound {
  const policy: DestinationPolicy = {
    allowLoopback: reachPrivate,
    allowPrivate: reachPrivate,
    isAllowed: (address) => isListed(reachAlso, address),
  };
  const resolve = async (host: string): Promise<readonly string[]> => {
    const found = await lookup(host, { all: true, order: 'ipv4first' });
    return found.map(({ address }) => address);
  };
  return {
    async addressesOf(given) {
      const host = withoutBrackets(given);
      const addresses = isIP(host) === 0 ? await resolve(host) : [host];
      for (const address of addresses) {
        const problem = addressProblem(address, policy);
        if (problem !== null) throw new OutboundRefused(`${host} can’t be connected to from here: ${problem}.`);
      }
      return addresses;
    },
    targetProblem(host) {
      // A URL's host is written one way: `0xa9fea9fe` and `2852039166` are 169.254.169.254 to whoever connects.
      const address = withoutBrackets(URL.parse(`http://${host}`)?.hostname ?? '');
      return isIP(address) === 0 || isListed(reachAlso, address) ? null : servingProblem(address);
    },
    urlProblem(url) {
      const destination = checkDestination(url, policy);
      return destination.ok ? null : destination.reason;
    },
    async openSender(timeoutMs) {
      const { openSender } = await import('@millrace/webhooks');
      return openSender({ ...policy, timeoutMs, resolve });
    },
    mayBePlain: (address) => isLoopbackAddress(address) || isListed(reachAlso, address),
    async fetchJson(url) {
      // The HTTP client takes long to load: who first fetches waits for it, no start does.
      const { openGuardedFetch } = await import('@millrace/webhooks');
      const guarded = openGuardedFetch({ reach: policy, connectTimeoutMs: longestMs, resolve });
      try {
        return await readJson(await guarded.fetch(url, { signal: AbortSignal.timeout(longestMs) }));
      } catch (error) {
        // What the client wraps says why.
        throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
      } finally {
        await guarded.close();
      }
    },
    async send(url, init) {
      const { boundedSend } = await import('@millrace/webhooks/bounded-send');
      return boundedSend(url, init, { policy, resolve });
    },
  };
}

/** Brackets belong to an address of IPv6 in a URL, not to the address. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.ok || response.body === null) throw new Error(`The server returned ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > mostBytes) throw new Error(`The document is longer than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
