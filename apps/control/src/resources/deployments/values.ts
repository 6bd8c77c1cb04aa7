import { withoutControls } from '@millrace/policies/http';
import type { TenantTransaction } from '../../database/schema.ts';
import type { ControlParts } from '../../parts.ts';
import type { Situation } from './rules.ts';
import { openSecrets, secretOfVariable } from './secrets.ts';
import { findVariables } from './snapshot.ts';

/** What a deployment is judged by of the values that it uses. */
export async function loadValues(
  transaction: TenantTransaction,
  parts: Pick<ControlParts, 'sealer' | 'signer'>,
  environmentId: string,
  names: readonly string[],
): Promise<Pick<Situation, 'unwritable'>> {
  const variables = await findVariables(transaction, environmentId, names);
  const secrets = openSecrets(parts, { organizationId: transaction.tenantId, environmentId }, variables, []);
  const isUnwritable = (value: string) => withoutControls(value) !== value;
  const unwritable = variables.filter(({ name, value }) =>
    isUnwritable(value ?? secrets[secretOfVariable(name)] ?? ''),
  );
  return { unwritable: new Set(unwritable.map(({ name }) => name)) };
}
