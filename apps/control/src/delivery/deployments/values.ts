import { secretsSizeBytes } from '@millrace/gateway-configuration/sealing';
import { withoutControls } from '@millrace/policies/http';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { secretOfVariable } from '../../design/environments/store.ts';
import type { SecretParts } from '../configuration/secrets.ts';
import { openSecrets } from '../configuration/secrets.ts';
import { findTargets, findVariables } from '../configuration/snapshot.ts';
import type { Situation, usesOf, Wanted } from './rules.ts';

type Uses = Pick<ReturnType<typeof usesOf>, 'target_servers' | 'variables'>;
type Place = Pick<Wanted, 'strategy'> & { readonly environmentId: string; readonly proxyId: string };

/**
 * What the check of a deployment needs to know about the values it uses, and the secrets that nodes would get with it.
 */
export async function loadValues(
  transaction: TenantTransaction,
  parts: SecretParts,
  place: Place,
  uses: Uses,
): Promise<Pick<Situation, 'unwritable' | 'secretsSizeBytes'>> {
  const { environmentId } = place;
  const beside = await usedBeside(transaction, place);
  const variables = await findVariables(transaction, environmentId, [...beside.variables, ...uses.variables]);
  const targets = await findTargets(transaction, environmentId, [...beside.target_servers, ...uses.target_servers]);
  const secrets = openSecrets(parts, { organizationId: transaction.tenantId, environmentId }, variables, targets);
  const isUnwritable = (value: string) => withoutControls(value) !== value;
  const unwritable = variables.filter(({ name, value }) =>
    isUnwritable(value ?? secrets[secretOfVariable(name)] ?? ''),
  );
  return {
    unwritable: new Set(unwritable.map(({ name }) => name)),
    secretsSizeBytes: secretsSizeBytes(secrets),
  };
}

/** What the deployments next to it would use: all live ones, except those that a direct one replaces. */
async function usedBeside(transaction: TenantTransaction, { environmentId, proxyId, strategy }: Place): Promise<Uses> {
  const { rows } = await sql<Uses>`
    with beside as (
      select target_servers, variables from deployments
      where organization_id = ${transaction.tenantId} and environment_id = ${environmentId} and ended_at is null
        and (${strategy} = 'canary' or proxy_id <> ${proxyId}))
    select array(select distinct unnest(target_servers) from beside) as target_servers,
           array(select distinct unnest(variables) from beside) as variables`.execute(transaction);
  return rows[0]!;
}
