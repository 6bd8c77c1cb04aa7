import type { ConsumerChange, ConsumersPage } from '@millrace/gateway-configuration/consumers';
import type { TargetServer } from '@millrace/gateway-configuration/manifest';
import type { RevisionContent } from '@millrace/revision/content';
import { hashSecret } from '@millrace/sign-in/secrets';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { findEnvironment } from '../../design/environments/store.ts';
import { loadContent } from '../../design/proxies/content.ts';
import { findProxy } from '../../design/proxies/store.ts';
import { fieldError, found, foundAt } from '../../frame/errors.ts';
import type { SecretParts } from '../configuration/secrets.ts';
import { openSecrets } from '../configuration/secrets.ts';
import { findTargets, findVariables, presentTarget } from '../configuration/snapshot.ts';
import { usesOf } from '../deployments/rules.ts';

/** What a request is traced through. */
export interface Traced {
  readonly proxyId: string;
  readonly proxyName: string;
  readonly content: RevisionContent;
  /** Whether what is traced was approved; a working copy never is. */
  readonly approved: boolean;
  readonly environment: { readonly id: string; readonly name: string; readonly production: boolean };
  readonly targetServers: Readonly<Record<string, TargetServer>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: ReadonlyMap<string, string>;
  /** Whom the key is of, and nobody else. */
  readonly consumers: ConsumersPage;
}

interface Wanted {
  readonly proxyId: string;
  readonly environmentId: string;
  /** Null: the working copy. */
  readonly revision: number | null;
  readonly key: string | null;
}

/** @throws ApiError if the proxy, revision or environment doesn't exist */
export async function loadTraced(
  transaction: TenantTransaction,
  parts: SecretParts,
  { proxyId, environmentId, revision, key }: Wanted,
): Promise<Traced> {
  const proxy = found(await findProxy(transaction, proxyId));
  const environment = foundAt('environmentId', 'Environment', await findEnvironment(transaction, environmentId));
  const { content, approved } =
    revision === null
      ? { content: await loadContent(transaction, proxyId), approved: false }
      : await findContent(transaction, proxyId, revision);
  const uses = usesOf(content);
  const targets = await findTargets(transaction, environmentId, uses.target_servers);
  const variables = await findVariables(transaction, environmentId, uses.variables);
  const secrets = openSecrets(parts, { organizationId: transaction.tenantId, environmentId }, variables, targets);
  return {
    proxyId,
    proxyName: proxy.name,
    content,
    approved,
    environment: { id: environmentId, name: environment.name, production: environment.production },
    targetServers: Object.fromEntries(targets.map((target) => [target.name, presentTarget(target)])),
    variables: Object.fromEntries(
      variables.map(({ name, value }) => [name, value ?? secrets[`variable:${name}`] ?? '']),
    ),
    secrets: new Map(Object.entries(secrets)),
    consumers: {
      format: 1,
      organizationId: transaction.tenantId,
      after: 0,
      upTo: 1,
      more: false,
      changes: key === null ? [] : await consumersOf(transaction, key),
    },
  };
}

async function findContent(transaction: TenantTransaction, proxyId: string, revision: number) {
  const row = await transaction
    .selectFrom('revisions')
    .select(['content', 'approved_by'])
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (row === undefined) throw fieldError('revision', `Revision ${revision} not found.`);
  return { content: row.content, approved: row.approved_by !== null };
}

/** The credential of a key and everything that decides about it, as gateway nodes have them. */
async function consumersOf(transaction: TenantTransaction, key: string): Promise<ConsumerChange[]> {
  const hash = hashSecret(key);
  const { rows } = await sql<{ kind: ConsumerChange['kind']; id: string; value: ConsumerChange['value'] }>`
    with app as (
      select c.id as credential_id, a.id, a.developer_id from credentials c
      join apps a on a.organization_id = c.organization_id and a.id = c.app_id
      where c.organization_id = ${transaction.tenantId} and (c.key_hash = ${hash} or c.previous_key_hash = ${hash})
    ), subscription as (
      select s.id, s.product_id from subscriptions s join app on app.id = s.app_id
      where s.organization_id = ${transaction.tenantId} and s.state = 'approved'
    ), named as (
      select 'credential' as kind, credential_id as id from app
      union select 'app', id from app
      union select 'developer', developer_id from app
      union select 'subscription', id from subscription
      union select 'product', product_id from subscription
    )
    select c.kind, c.id, c.value from consumer_changes c
    join named on named.kind = c.kind and named.id = c.id
    where c.organization_id = ${transaction.tenantId}`.execute(transaction);
  // Rows contain what was published, each value with its own kind.
  return rows as ConsumerChange[];
}
