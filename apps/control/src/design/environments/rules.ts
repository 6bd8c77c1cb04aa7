import { maxSecretsSizeBytes } from '@millrace/gateway-configuration/manifest';
import { secretsSizeBytes } from '@millrace/gateway-configuration/sealing';
import type * as z from 'zod';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Environment } from './contract.ts';

/** Maximum variables per environment: all of them are part of its configuration. */
export const mostVariables = 500;

type Secrets = Readonly<Record<string, string>>;

/** Rejects making an environment's secrets larger than its gateway nodes accept. Making them smaller is allowed. */
export function refuseLargeSecrets(before: Secrets, after: Secrets): void {
  const sizeBytes = secretsSizeBytes(after);
  if (sizeBytes <= maxSecretsSizeBytes || sizeBytes <= secretsSizeBytes(before)) return;
  throw new ApiError('too_large', {
    message: `The secrets of an environment, including client keys of target servers, can total ${maxSecretsSizeBytes.toLocaleString('en')} bytes, as JSON with their names; with this value they would have ${sizeBytes.toLocaleString('en')}. Shorten one, or make a value that is not secret a plain variable.`,
  });
}

/** Rejects host names that belong to another environment. */
export function refuseTakenHostNames(taken: readonly string[]): void {
  if (taken.length > 0) throw fieldError('hostNames', `Already used by another environment: ${taken.join(', ')}.`);
}

/**
 * Rejects a change of the production flag that would put an unapproved revision into production, or take live
 * deployments out of it: anyone could then deploy something unapproved in their place.
 *
 * @param contents what is live here, and which of it has no approval, such as `orders revision 3`
 */
export function refuseProductionChange(
  before: Pick<z.infer<typeof Environment>, 'production'>,
  production: boolean | undefined,
  { serving, unapproved }: { readonly serving: number; readonly unapproved: readonly string[] },
): void {
  if (production === undefined || production === before.production) return;
  if (!production && serving > 0) {
    throw new ApiError('conflict', {
      message: `Callers rely on what is live here (${serving}). Undeploy it first.`,
    });
  }
  if (production && unapproved.length > 0) {
    throw new ApiError('conflict', {
      message: `Production only serves approved revisions. Undeploy these first, or deploy approved ones: ${unapproved.slice(0, 10).join(', ')}.`,
    });
  }
}

/** Rejects deleting an environment that is not empty. */
export function refuseNonEmpty(contents: {
  readonly targetServers: number;
  readonly gatewayNodes: number;
  readonly serving: number;
}): void {
  if (contents.serving > 0) {
    throw new ApiError('conflict', { message: `Undeploy what is live here first (${contents.serving}).` });
  }
  if (contents.gatewayNodes > 0) {
    throw new ApiError('conflict', { message: `Remove its gateway nodes first (${contents.gatewayNodes}).` });
  }
  if (contents.targetServers > 0) {
    throw new ApiError('conflict', { message: `Delete its target servers first (${contents.targetServers}).` });
  }
}
