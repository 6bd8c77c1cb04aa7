import { createHash } from 'node:crypto';
import type { ConsumerChange, ConsumersPage } from '@millrace/gateway-configuration/consumers';
import type { SealedSecrets, Signed } from '@millrace/gateway-configuration/manifest';
import { hashSecrets, sealSecrets } from '@millrace/gateway-configuration/sealing';
import type { PreparedStatement } from '@millrace/postgres';
import type { RevisionContent } from '@millrace/revision/content';
import { canonicalJson } from '@millrace/revision/hash';
import { sql } from 'kysely';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { NodeCaller } from '../../frame/caller.ts';
import { ApiError } from '../../frame/errors.ts';
import type { SecretParts } from '../configuration/secrets.ts';
import { findSecrets } from '../configuration/secrets.ts';
import type { SnapshotSigner } from '../configuration/signing.ts';

/** What is available for a node. */
export interface NodeState {
  /** Increases with everything that one of the organization's nodes has to know. */
  readonly head: string;
  /** Sequence number of the newest manifest of the node's environment; 0 without one. */
  readonly manifest: number;
  /** Of the newest change of a consumer. */
  readonly consumers: number;
  readonly drain: 'none' | 'draining';
}

interface StateRow {
  head: string;
  manifest: number;
  consumers: string;
  drain: 'none' | 'draining' | 'drained';
}

const stateOfNode: PreparedStatement<StateRow> = {
  name: 'state for gateway node',
  text: `
    select n.drain,
           coalesce((select h.sequence from gateway_heads h where h.organization_id = n.organization_id), 0) as head,
           coalesce((select max(s.sequence) from configuration_snapshots s
             where s.organization_id = n.organization_id and s.environment_id = n.environment_id), 0) as manifest,
           coalesce((select max(c.sequence) from consumer_changes c where c.organization_id = n.organization_id), 0)
             as consumers
    from gateway_nodes n where n.organization_id = $1 and n.id = $2 and n.token_hash = $3`,
};

/** @throws ApiError `not_signed_in` if the node was removed, or its token revoked or replaced, since it was authenticated */
export async function readNodeState(database: ControlDatabase, node: NodeCaller): Promise<NodeState> {
  const [row] = await database.prepared(stateOfNode, [node.homeOrganizationId, node.id, node.tokenHash]);
  if (row === undefined) throw new ApiError('not_signed_in');
  return {
    head: row.head,
    manifest: row.manifest,
    consumers: Number(row.consumers),
    drain: row.drain === 'none' ? 'none' : 'draining',
  };
}

/** How often the read is retried: a write between two statements makes its result differ from what was signed. */
const mostReads = 5;

/** The newest manifest of the node's environment with the secrets that it needs, sealed for the node. */
export async function newestConfiguration(
  transaction: TenantTransaction,
  { sealer, signer }: SecretParts,
  node: NodeCaller,
): Promise<{ readonly manifest: Signed; readonly hash: string; readonly secrets: SealedSecrets } | null> {
  for (let read = 0; read < mostReads; read++) {
    const snapshot = await transaction
      .selectFrom('configuration_snapshots')
      .select(['content', 'hash', 'signature', 'secret_names', 'secrets_hash'])
      .where('organization_id', '=', transaction.tenantId)
      .where('environment_id', '=', node.environmentId)
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (snapshot === undefined) return null;
    const manifest = { text: snapshot.content, signature: snapshot.signature.toString('base64') };
    const secrets = await findSecrets(transaction, { sealer, signer }, node.environmentId, snapshot.secret_names);
    if (hashSecrets(secrets) !== snapshot.secrets_hash) continue;
    const { public_key: publicKey } = await transaction
      .selectFrom('gateway_nodes')
      .select('public_key')
      .where('organization_id', '=', transaction.tenantId)
      .where('id', '=', node.id)
      .executeTakeFirstOrThrow();
    if (publicKey === null) throw new ApiError('not_signed_in');
    return { manifest, hash: snapshot.hash, secrets: sealSecrets(secrets, publicKey) };
  }
  throw new ApiError('unavailable');
}

/** Changes of one page. */
const mostChanges = 1_000;

/** The signed changes of consumers after those that the node has, oldest first. */
export async function nextConsumers(
  transaction: TenantTransaction,
  signer: SnapshotSigner,
  after: number,
): Promise<Signed> {
  // Read first: a transaction with a later number has committed everything up to this one.
  const head = await transaction
    .selectFrom('gateway_heads')
    .select('sequence')
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirst();
  const upTo = Number(head?.sequence ?? 0);
  // A node that has more than exists got it from a database that was replaced, and starts over.
  const from = after > upTo ? 0 : after;
  const rows = await transaction
    .selectFrom('consumer_changes')
    .select(['kind', 'id', 'value', 'sequence'])
    .where('organization_id', '=', transaction.tenantId)
    .where('sequence', '>', String(from))
    .where('sequence', '<=', String(upTo))
    .orderBy('sequence')
    .limit(mostChanges)
    .execute();
  const more = rows.length === mostChanges;
  const page: ConsumersPage = {
    format: 1,
    organizationId: transaction.tenantId,
    after: from,
    upTo: more ? Number(rows.at(-1)!.sequence) : upTo,
    more,
    // Rows contain what was published, each value with its own kind.
    changes: rows.map(({ kind, id, value }) => ({ kind, id, value }) as ConsumerChange),
  };
  const text = canonicalJson(page);
  return { text, signature: signer.sign(Buffer.from(text)).toString('base64') };
}

/** Of the contents in one response, as stored in the database, which is several times smaller. */
const maxStoredBytes = 4_000_000;

/** The contents of these hashes that serve in the environment now: the first at least, and more while they are not large. */
export async function servingContents(
  transaction: TenantTransaction,
  environmentId: string,
  hashes: readonly string[],
): Promise<{ readonly hash: string; readonly content: RevisionContent }[]> {
  const { rows } = await sql<{ readonly hash: string; readonly content: RevisionContent }>`
    with found as (
      select distinct on (d.content_hash) d.content_hash as hash, r.content, pg_column_size(r.content) as bytes
      from deployments d
      join revisions r on r.organization_id = d.organization_id and r.proxy_id = d.proxy_id and r.revision = d.revision
      where d.organization_id = ${transaction.tenantId} and d.environment_id = ${environmentId} and d.ended_at is null
        and d.content_hash = any(${[...hashes]})
    ), summed as (select hash, content, bytes, sum(bytes) over (order by hash) as up_to from found)
    select hash, content from summed where up_to - bytes < ${maxStoredBytes}`.execute(transaction);
  return rows;
}

/** The state that a node was sent, as an entity tag. */
export function tagOf(state: Pick<NodeState, 'manifest' | 'consumers' | 'drain'>): string {
  const text = `${state.manifest} ${state.consumers} ${state.drain}`;
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}
