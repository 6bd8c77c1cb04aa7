import { maxSecretsSizeBytes } from '@millrace/gateway-configuration/manifest';
import { secretsSizeBytes } from '@millrace/gateway-configuration/sealing';
import type * as z from 'zod';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Environment } from './contract.ts';

/** Variables that one environment holds at most: every one of them travels in its configuration snapshot. */
export const mostVariables = 500;

type Secrets = Readonly<Record<string, string>>;

/** Refuses to make an environment's secrets more than its gateway nodes take at once. What makes them less is taken. */
export function refuseLargeSecrets(before: Secrets, after: Secrets): void {
  const sizeBytes = secretsSizeBytes(after);
  if (sizeBytes <= maxSecretsSizeBytes || sizeBytes <= secretsSizeBytes(before)) return;
  throw new ApiError('too_large', {
    message: `The secrets of an environment, client keys of target servers among them, may have ${maxSecretsSizeBytes.toLocaleString('en')} bytes together, as JSON with their names; with this value they have ${sizeBytes.toLocaleString('en')}. Shorten one, or set what is no secret as a plain variable.`,
  });
}

/** Refuses host names that lead to another environment already. */
export function refuseTakenHostNames(taken: readonly string[]): void {
  if (taken.length > 0) throw fieldError('hostNames', `Another environment has ${taken.join(', ')}.`);
}

/**
 * Refuses a change of the production flag that would make an unapproved revision serve in production, or take what serves
 * there out of it: anybody could deploy in its place what nobody has approved.
 *
 * @param contents what serves here, of it without an approval such as `orders revision 3`
 */
export function refuseProductionChange(
  before: Pick<z.infer<typeof Environment>, 'production'>,
  production: boolean | undefined,
  { serving, unapproved }: { readonly serving: number; readonly unapproved: readonly string[] },
): void {
  if (production === undefined || production === before.production) return;
  if (!production && serving > 0) {
    throw new ApiError('conflict', {
      message: `Callers rely on what serves here (${serving}): it stays production. Undeploy it first.`,
    });
  }
  if (production && unapproved.length > 0) {
    throw new ApiError('conflict', {
      message: `Production serves approved revisions alone. Undeploy these or deploy an approved one first: ${unapproved.slice(0, 10).join(', ')}.`,
    });
  }
}

/** Refuses to delete an environment that holds something. */
export function refuseNonEmpty(contents: {
  readonly targetServers: number;
  readonly gatewayNodes: number;
  readonly serving: number;
}): void {
  if (contents.serving > 0) {
    throw new ApiError('conflict', { message: `Undeploy what serves here first (${contents.serving}).` });
  }
  if (contents.gatewayNodes > 0) {
    throw new ApiError('conflict', { message: `Remove its gateway nodes first (${contents.gatewayNodes}).` });
  }
  if (contents.targetServers > 0) {
    throw new ApiError('conflict', { message: `Delete its target servers first (${contents.targetServers}).` });
  }
}
