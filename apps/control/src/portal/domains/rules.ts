import { isIP } from 'node:net';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { PortalDomain } from './contract.ts';

const mostDomains = 20;

/** Rejects a host name that is this service's own, or that of a machine. */
export function refuseHostName(hostName: string, publicUrl: string): void {
  const own = new URL(publicUrl).hostname.toLowerCase();
  if (hostName === own) {
    throw fieldError('hostName', 'This is the address of the console. Enter a host name of your own.');
  }
  if (isIP(hostName) !== 0) throw fieldError('hostName', 'Enter a host name, not an address.');
}

export function refuseTooManyDomains(count: number): void {
  if (count < mostDomains) return;
  throw new ApiError('conflict', { message: `A portal can have at most ${mostDomains} domains. Remove one first.` });
}

export function refusePrimary({ state, hostName }: PortalDomain, primary: boolean): void {
  if (!primary || state === 'verified') return;
  throw new ApiError('conflict', { message: `${hostName} is not verified yet. Verify it first.` });
}

/** What the TXT record has to contain. */
export function recordValueOf(token: string): string {
  return `millrace-verification=${token}`;
}

export function recordNameOf(hostName: string): string {
  return `_millrace.${hostName}`;
}

/** The result of a look-up of TXT records: their texts, or why there are none. */
export type Lookup = { readonly texts: readonly string[] } | { readonly failure: string };

/** Why the look-up doesn't verify a domain; null if it does. */
export function verificationProblem({ recordName, recordValue }: PortalDomain, lookup: Lookup): string | null {
  if ('failure' in lookup) return lookup.failure;
  if (lookup.texts.some((text) => text.trim() === recordValue)) return null;
  return lookup.texts.length === 0
    ? `${recordName} has no TXT record. Add it, and try again once your DNS has it.`
    : `The TXT record of ${recordName} has another value. Correct it, and try again once your DNS has it.`;
}
