import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { parseAddress } from './address.ts';
import type { CountedPer } from './counting.ts';
import type { Exchange, PolicyParts, PolicyToCompile } from './run.ts';

/** The key prefix of a policy's own counts: environment (which implies the organization), proxy and policy. */
export function policyScope(policy: PolicyToCompile, { environment, proxy }: PolicyParts): string {
  return `${environment.id}/${proxy.id}/${policy.id}`;
}

/**
 * Whose requests this one is counted with, as the end of a key. For a caller by token, who has neither app nor key, the
 * subject is used instead. A request without a caller, which only passes if the proxy needs no authentication, is
 * counted by its network address.
 *
 * @param identifierHeader Values of this header are counted separately; null: all together.
 * @throws Error if a token's request is to be counted per product
 */
export function countedWith(
  exchange: Exchange,
  per: z.output<typeof CountedPer>,
  identifierHeader: string | null,
): string {
  const identity = identityOf(exchange, per);
  if (identifierHeader === null) return identity;
  return `${identity}/header:${bounded(exchange.request.headers.getAll(identifierHeader).join(','))}`;
}

function identityOf({ caller, route, forwardedAddress }: Exchange, per: z.output<typeof CountedPer>): string {
  if (per === 'route') return `route:${route.id}`;
  if (per === 'ip' || caller === null) return `ip:${networkOf(forwardedAddress)}`;
  if (caller.kind === 'token') {
    if (per === 'product') throw new Error('A token identifies no product: count per app, key, route or address.');
    return `subject:${bounded(`${caller.issuer} ${caller.subject}`)}`;
  }
  if (per === 'key') return `key:${caller.credentialId}`;
  return per === 'product' ? `product:${caller.product.id}` : `app:${caller.app.id}`;
}

/** An IPv4 address, or the first 64 bits of an IPv6 address, which one subscriber has (RFC 6177). */
function networkOf(address: string): string {
  if (!address.includes(':')) return bounded(address);
  const parsed = parseAddress(address);
  if (parsed === null) return bounded(address);
  return parsed.family === 4 ? String(parsed.value) : `${(parsed.value >> 64n).toString(16)}/64`;
}

/** A text as part of a key: itself if it is short and plain, otherwise 128 bits of its SHA-256. */
function bounded(text: string): string {
  if (/^[\w.-]{0,40}$/.test(text)) return text;
  return `sha256:${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}
