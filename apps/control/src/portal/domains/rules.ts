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
