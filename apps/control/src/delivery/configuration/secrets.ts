import type { Sealer } from '@millrace/encryption';
import type { TenantTransaction } from '../../database/schema.ts';
import { secretOfVariable, variableContext } from '../../design/environments/store.ts';
import { clientKeyContext } from '../../design/target-servers/store.ts';
import type { SnapshotSigner } from './signing.ts';

/** The name by which a gateway node gets the client key of a target server. */
const clientKeyName = (target: string) => `target:${target}:clientKey`;
/**
 * Always included, so that their hash, which is signed and visible to all, reveals nothing about a short secret next to
 * it.
 */
const maskingKeyName = 'maskingKey';

/** What opening secrets and deriving the masking key needs. */
export interface SecretParts {
  readonly sealer: Sealer;
  readonly signer: SnapshotSigner;
}

interface Variable {
  readonly name: string;
  readonly sealed_value: Buffer | null;
}

interface Target {
  readonly id: string;
  readonly name: string;
  readonly sealed_tls_client_key: Buffer | null;
}

/** The secrets of a manifest by their names: the masking key, and those among these variables and target servers. */
export function openSecrets(
  { sealer, signer }: SecretParts,
  { organizationId, environmentId }: { readonly organizationId: string; readonly environmentId: string },
  variables: readonly Variable[],
  targets: readonly Target[],
): Readonly<Record<string, string>> {
  const secrets: Record<string, string> = { [maskingKeyName]: signer.maskingKeyOf(organizationId) };
  for (const { name, sealed_value: sealed } of variables) {
    if (sealed === null) continue;
    secrets[secretOfVariable(name)] = sealer.open(sealed, variableContext({ environmentId, name })).toString();
  }
  for (const { id, name, sealed_tls_client_key: sealed } of targets) {
    if (sealed === null) continue;
    secrets[clientKeyName(name)] = sealer.open(sealed, clientKeyContext(id)).toString();
  }
  return secrets;
}

/** The current secrets with these names, by default all of the environment; missing ones are left out. */
export async function findSecrets(
  transaction: TenantTransaction,
  parts: SecretParts,
  environmentId: string,
  names: readonly string[] | null = null,
): Promise<Readonly<Record<string, string>>> {
  const wanted = names === null ? null : new Set(names);
  const isWanted = (name: string) => wanted === null || wanted.has(name);
  const variables = await transaction
    .selectFrom('environment_variables')
    .select(['name', 'sealed_value'])
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('secret', '=', true)
    .execute();
  const targets = await transaction
    .selectFrom('target_servers')
    .select(['id', 'name', 'sealed_tls_client_key'])
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('sealed_tls_client_key', 'is not', null)
    .execute();
  return openSecrets(
    parts,
    { organizationId: transaction.tenantId, environmentId },
    variables.filter(({ name }) => isWanted(secretOfVariable(name))),
    targets.filter(({ name }) => isWanted(clientKeyName(name))),
  );
}
