import { isIP } from 'node:net';
import { type Lookup, verificationProblem } from '@millrace/sign-in/domain-verification';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { PortalDomain } from './contract.ts';

const mostDomains = 20;
/** For how long a verified domain may lack its record. */
const missingMs = 7 * 86_400_000;

/** What a look-up makes of a domain. */
type Verification = Pick<PortalDomain, 'verifiedAt' | 'missingSince' | 'problem'>;

/**
 * What a look-up of the record makes of a domain: a verified one that lacks its record for a week is no longer verified, so
 * that whoever owns the name now can be. A look-up that the DNS servers didn't answer changes nothing.
 */
export function verifiedBy(
  domain: Pick<PortalDomain, 'verifiedAt' | 'missingSince' | 'recordName' | 'recordValue'>,
  lookup: Lookup,
  now: Date,
): Verification {
  const problem = verificationProblem(domain, lookup);
  const { verifiedAt, missingSince } = domain;
  if ('failure' in lookup) return { verifiedAt, missingSince, problem };
  if (problem === null) return { verifiedAt: verifiedAt ?? now.toISOString(), missingSince: null, problem };
  if (verifiedAt === null) return { verifiedAt, missingSince: null, problem };
  const since = missingSince ?? now.toISOString();
  return now.getTime() - Date.parse(since) < missingMs
    ? { verifiedAt, missingSince: since, problem }
    : { verifiedAt: null, missingSince: null, problem };
}

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
