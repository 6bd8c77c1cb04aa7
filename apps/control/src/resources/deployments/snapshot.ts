import { createHash } from 'node:crypto';
import { canonicalJson } from '@millrace/revision/hash';
import type { TenantTransaction } from '../../database/schema.ts';
import type { ControlParts } from '../../parts.ts';
import { variablesOf } from './rules.ts';

/** A configuration that gateway nodes of an environment can load. */
interface Snapshot {
  readonly sequence: number;
  /** SHA-256 of its text, as hex digits. */
  readonly hash: string;
}

/** So many are kept of each environment, for nodes that report which one they have. */
const keptSnapshots = 20;

/**
 * Compiles what gateway nodes of an environment load: every deployment that serves with its content and weight, the
 * target servers and variables that they use, the host names. Stored as canonical JSON with its SHA-256 and an Ed25519
 * signature of its text under the next sequence number, which is part of the text, so that an older one cannot be passed
 * off as newer. Where nothing changed, the newest stays. To be called in the transaction of every write that a
 * configuration follows from; it locks the environment's row until the commit.
 *
 * @returns null where nothing has ever served in the environment
 */
export async function compileSnapshot(
  transaction: TenantTransaction,
  { signer }: Pick<ControlParts, 'signer'>,
  environmentId: string,
): Promise<Snapshot | null> {
  const key = { organization_id: transaction.tenantId, environment_id: environmentId };
  const environment = await transaction
    .selectFrom('environments')
    .select(['name', 'production', 'host_names'])
    .where('organization_id', '=', key.organization_id)
    .where('id', '=', environmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const newest = await transaction
    .selectFrom('configuration_snapshots')
    .select(['sequence', 'hash', 'content'])
    .where('organization_id', '=', key.organization_id)
    .where('environment_id', '=', environmentId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  const deployments = await servingContents(transaction, environmentId);
  if (newest === undefined && deployments.length === 0) return null;

  const configuration = {
    format: 1,
    organizationId: key.organization_id,
    environment: { id: environmentId, name: environment.name, production: environment.production },
    hostNames: environment.host_names,
    deployments,
    targetServers: await usedTargets(transaction, environmentId, deployments),
    variables: await usedVariables(transaction, environmentId, deployments),
  };
  if (newest !== undefined && canonicalJson({ ...configuration, sequence: newest.sequence }) === newest.content) {
    return { sequence: newest.sequence, hash: newest.hash };
  }
  const sequence = (newest?.sequence ?? 0) + 1;
  const content = canonicalJson({ ...configuration, sequence });
  const hash = createHash('sha256').update(content).digest('hex');
  await transaction
    .insertInto('configuration_snapshots')
    .values({ ...key, sequence, content, hash, signature: signer.sign(Buffer.from(content)) })
    .execute();
  await transaction
    .deleteFrom('configuration_snapshots')
    .where('organization_id', '=', key.organization_id)
    .where('environment_id', '=', environmentId)
    .where('sequence', '<=', sequence - keptSnapshots)
    .execute();
  return { sequence, hash };
}

type ServingContent = Awaited<ReturnType<typeof servingContents>>[number];

async function servingContents(transaction: TenantTransaction, environmentId: string) {
  const rows = await transaction
    .selectFrom('deployments as d')
    .innerJoin('revisions as r', (join) =>
      join
        .onRef('r.organization_id', '=', 'd.organization_id')
        .onRef('r.proxy_id', '=', 'd.proxy_id')
        .onRef('r.revision', '=', 'd.revision'),
    )
    .select(['d.id', 'd.proxy_id', 'd.revision', 'd.weight', 'd.content_hash', 'r.content'])
    .where('d.organization_id', '=', transaction.tenantId)
    .where('d.environment_id', '=', environmentId)
    .where('d.ended_at', 'is', null)
    .orderBy('d.proxy_id')
    .orderBy('d.id')
    .execute();
  return rows.map((row) => ({
    deploymentId: row.id,
    proxyId: row.proxy_id,
    revision: row.revision,
    weight: row.weight,
    contentHash: row.content_hash,
    content: row.content,
  }));
}

async function usedTargets(
  transaction: TenantTransaction,
  environmentId: string,
  deployments: readonly ServingContent[],
) {
  const names = new Set(deployments.flatMap(({ content }) => content.routes.map(({ targetServer }) => targetServer)));
  if (names.size === 0) return {};
  const rows = await transaction
    .selectFrom('target_servers')
    .select(['name', 'scheme', 'host', 'port', 'enabled', 'health_path'])
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('name', 'in', [...names])
    .execute();
  return Object.fromEntries(
    rows.map(({ name, health_path, ...target }) => [name, { ...target, healthPath: health_path }]),
  );
}

/** Values as they are stored: a secret one sealed, in Base64, for holders of the encryption key alone. */
async function usedVariables(
  transaction: TenantTransaction,
  environmentId: string,
  deployments: readonly ServingContent[],
) {
  const names = new Set(deployments.flatMap(({ content }) => variablesOf(content)));
  if (names.size === 0) return {};
  const rows = await transaction
    .selectFrom('environment_variables')
    .select(['name', 'value', 'sealed_value'])
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('name', 'in', [...names])
    .execute();
  return Object.fromEntries(
    rows.map(({ name, value, sealed_value }) => [
      name,
      sealed_value === null ? { value } : { sealedValue: sealed_value.toString('base64') },
    ]),
  );
}
