import { createHash } from 'node:crypto';
import type { Manifest, ServingDeployment, TargetServer } from '@millrace/gateway-configuration/manifest';
import { hashSecrets } from '@millrace/gateway-configuration/sealing';
import { canonicalJson } from '@millrace/revision/hash';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';
import { emit } from '../../frame/events.ts';
import { withoutBrackets } from '../../frame/outbound.ts';
import { snapshotAdded } from '../events.ts';
import type { SecretParts } from './secrets.ts';
import { openSecrets } from './secrets.ts';

/** Number of snapshots kept per environment, for nodes that report which one they have. */
const keptSnapshots = 20;

/**
 * Compiles what gateway nodes of an environment load: every deployment that serves with the hash of its content and its
 * weight, the target servers and variables that they use, the host names. Stored as canonical JSON with its SHA-256 and
 * an Ed25519 signature of its text under the next sequence number, which is part of the text, so that an older one cannot
 * be passed off as newer. Where nothing changed, the newest stays. The environment's row is locked until the commit.
 *
 * @param always makes one even where nothing has ever served in the environment
 * @throws ApiError `conflict` where something that serves needs what is not there: no node could load that
 */
export async function compileSnapshot(
  transaction: TenantTransaction,
  parts: SecretParts,
  environmentId: string,
  { always = false } = {},
): Promise<void> {
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
    .select(['sequence', 'hash'])
    .where('organization_id', '=', key.organization_id)
    .where('environment_id', '=', environmentId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  const deployments = await servingDeployments(transaction, environmentId);
  if (newest === undefined && deployments.length === 0 && !always) return;

  const targets = await usedTargets(transaction, environmentId, environment.name);
  const variables = await usedVariables(transaction, environmentId, environment.name);
  const secrets = openSecrets(parts, { organizationId: key.organization_id, environmentId }, variables, targets);
  const manifest = {
    format: 2,
    organizationId: key.organization_id,
    environment: { id: environmentId, name: environment.name, production: environment.production },
    hostNames: environment.host_names,
    deployments,
    targetServers: Object.fromEntries(targets.map((target) => [target.name, presentTarget(target)])),
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    secretsHash: hashSecrets(secrets),
  } satisfies Omit<Manifest, 'sequence'>;
  const write = manifestWriter(manifest);
  if (newest !== undefined && write(newest.sequence).hash === newest.hash) return;
  const sequence = (newest?.sequence ?? 0) + 1;
  const { content, hash } = write(sequence);
  await transaction
    .insertInto('configuration_snapshots')
    .values({
      ...key,
      sequence,
      content,
      hash,
      signature: parts.signer.sign(Buffer.from(content)),
      secret_names: Object.keys(secrets),
      secrets_hash: manifest.secretsHash,
    })
    .execute();
  await transaction
    .deleteFrom('configuration_snapshots')
    .where('organization_id', '=', key.organization_id)
    .where('environment_id', '=', environmentId)
    .where('sequence', '<=', sequence - keptSnapshots)
    .execute();
  emit(transaction, snapshotAdded, { environmentId, sequence });
}

/** Writes the canonical JSON of a manifest with any sequence number, the only part that is written again. */
function manifestWriter({ targetServers, variables, ...others }: Omit<Manifest, 'sequence'>) {
  // Names of members ascend, and `sequence` stands between these two parts.
  const before = canonicalJson(others).slice(0, -1);
  const after = canonicalJson({ targetServers, variables }).slice(1);
  return (sequence: number) => {
    const content = `${before},"sequence":${sequence},${after}`;
    return { content, hash: createHash('sha256').update(content).digest('hex') };
  };
}

async function servingDeployments(transaction: TenantTransaction, environmentId: string): Promise<ServingDeployment[]> {
  const rows = await transaction
    .selectFrom('deployments')
    .select(['id as deploymentId', 'proxy_id as proxyId', 'revision', 'weight', 'split', 'content_hash as contentHash'])
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('ended_at', 'is', null)
    .orderBy('proxy_id')
    .orderBy('id')
    .execute();
  // Left out where it says nothing, so that what serves alone stays the same configuration.
  return rows.map(({ split, ...row }) => (split === 'requests' && row.weight < 100 ? { ...row, split } : row));
}

interface UsedTarget {
  readonly id: string;
  readonly name: string;
  readonly scheme: 'http' | 'https';
  readonly protocol: 'http1' | 'http2' | 'auto';
  readonly host: string;
  readonly port: number;
  readonly weight: number;
  readonly enabled: boolean;
  readonly health_path: string | null;
  readonly endpoints: readonly { readonly host: string; readonly port: number; readonly weight: number }[];
  readonly tls_server_name: string | null;
  readonly tls_certificate_authorities: string | null;
  readonly tls_client_certificate: string | null;
  readonly sealed_tls_client_key: Buffer | null;
}

/** The target servers that live deployments use. */
async function usedTargets(
  transaction: TenantTransaction,
  environmentId: string,
  environmentName: string,
): Promise<readonly UsedTarget[]> {
  const { rows } = await sql<UsedTarget & { readonly used: string; readonly id: string | null }>`
    select used.name as used, t.id, t.name, t.scheme, t.protocol, t.host, t.port, t.weight, t.enabled, t.health_path, t.endpoints,
           t.tls_server_name, t.tls_certificate_authorities, t.tls_client_certificate, t.sealed_tls_client_key
    from (${namesUsed(transaction, environmentId, 'target_servers')}) used
    left join target_servers t on t.organization_id = ${transaction.tenantId} and t.environment_id = ${environmentId}
      and t.name = used.name
    order by used.name`.execute(transaction);
  const missing = rows.find(({ id }) => id === null);
  if (missing !== undefined) {
    const user = await firstUser(transaction, environmentId, 'target_servers', missing.used);
    throw new ApiError('conflict', {
      message: `${user} is live in ${environmentName} and uses the target server ${missing.used}, which doesn’t exist there. Register it first.`,
    });
  }
  return rows;
}

/** Target servers of an environment by their names; one that is not there is left out. */
export async function findTargets(
  transaction: TenantTransaction,
  environmentId: string,
  names: readonly string[],
): Promise<readonly UsedTarget[]> {
  if (names.length === 0) return [];
  return transaction
    .selectFrom('target_servers')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('name', 'in', [...names])
    .execute();
}

/** Variables of an environment by their names; one that is not there is left out. */
export async function findVariables(
  transaction: TenantTransaction,
  environmentId: string,
  names: readonly string[],
): Promise<readonly UsedVariable[]> {
  if (names.length === 0) return [];
  return transaction
    .selectFrom('environment_variables')
    .select(['name', 'value', 'sealed_value'])
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('name', 'in', [...names])
    .execute();
}

interface UsedVariable {
  readonly name: string;
  /** Null where it is secret. */
  readonly value: string | null;
  readonly sealed_value: Buffer | null;
}

/** The variables that live deployments use. */
async function usedVariables(
  transaction: TenantTransaction,
  environmentId: string,
  environmentName: string,
): Promise<readonly UsedVariable[]> {
  const { rows } = await sql<UsedVariable & { readonly used: string; readonly name: string | null }>`
    select used.name as used, v.name, v.value, v.sealed_value
    from (${namesUsed(transaction, environmentId, 'variables')}) used
    left join environment_variables v on v.organization_id = ${transaction.tenantId}
      and v.environment_id = ${environmentId} and v.name = used.name
    order by used.name`.execute(transaction);
  const missing = rows.find(({ name }) => name === null);
  if (missing !== undefined) {
    const user = await firstUser(transaction, environmentId, 'variables', missing.used);
    throw new ApiError('conflict', {
      message: `${user} is live in ${environmentName} and uses the variable ${missing.used}. Set the variable first, or undeploy what uses it.`,
    });
  }
  return rows;
}

type Used = 'target_servers' | 'variables';

function namesUsed(transaction: TenantTransaction, environmentId: string, column: Used) {
  return sql`
    select distinct unnest(${sql.ref(column)}) as name from deployments
    where organization_id = ${transaction.tenantId} and environment_id = ${environmentId} and ended_at is null`;
}

/** What uses the name, such as `Revision 3 of orders`. */
async function firstUser(
  transaction: TenantTransaction,
  environmentId: string,
  column: Used,
  name: string,
): Promise<string> {
  const { rows } = await sql<{ revision: number; name: string }>`
    select d.revision, p.name from deployments d
    join proxies p on p.organization_id = d.organization_id and p.id = d.proxy_id
    where d.organization_id = ${transaction.tenantId} and d.environment_id = ${environmentId} and d.ended_at is null
      and ${name} = any(${sql.ref(`d.${column}`)})
    order by p.name limit 1`.execute(transaction);
  const [user] = rows;
  return user === undefined ? 'What' : `Revision ${user.revision} of ${user.name}`;
}

/** A target server in the form of a manifest. */
export function presentTarget(row: UsedTarget): TargetServer {
  const { port, weight } = row;
  return {
    id: row.id,
    scheme: row.scheme,
    enabled: row.enabled,
    // Left out where it says nothing, so that older nodes load all configurations that they can serve.
    ...(row.protocol === 'http1' ? {} : { protocol: row.protocol }),
    healthPath: row.health_path,
    endpoints: [{ host: row.host, port, weight }, ...row.endpoints].map((endpoint) => ({
      ...endpoint,
      host: withoutBrackets(endpoint.host),
    })),
    tls: {
      serverName: row.tls_server_name,
      certificateAuthorities: row.tls_certificate_authorities,
      clientCertificate: row.tls_client_certificate,
    },
  };
}
