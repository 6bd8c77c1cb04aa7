import { X509Certificate } from 'node:crypto';
import { type AlertMetric, alertMetrics, type Labels } from '@millrace/alerting';
import { minorUnitOf } from '@millrace/pricing';
import { sql } from 'kysely';
import { isOfWholeHours, quotaOf, quotaWindow } from '../../consumers/subscriptions/rules.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { listGatewayNodes } from '../../delivery/gateway-nodes/store.ts';

/** What one of an organization's records says about a metric. */
export interface RecordValue {
  readonly labels: Labels;
  /** Null: unknown, such as the quota of a window that isn't counted. */
  readonly value: number | null;
}

export type RecordMetric = {
  [Metric in AlertMetric]: (typeof alertMetrics)[Metric]['source'] extends 'records' ? Metric : never;
}[AlertMetric];

export function isRecordMetric(metric: AlertMetric): metric is RecordMetric {
  return alertMetrics[metric].source === 'records';
}

/** The values of a metric that an organization's records have now. */
export function readRecords(
  transaction: TenantTransaction,
  metric: RecordMetric,
  at: Date,
): Promise<readonly RecordValue[]> {
  return readers[metric](transaction, at);
}

const readers: Readonly<
  Record<RecordMetric, (transaction: TenantTransaction, at: Date) => Promise<readonly RecordValue[]>>
> = {
  node_offline: (transaction) => readNodes(transaction, ({ health }) => (health === 'offline' ? 1 : 0)),
  node_degraded: (transaction) => readNodes(transaction, ({ health }) => (health === 'degraded' ? 1 : 0)),
  configuration_behind: readConfigurations,
  certificate_days_left: readCertificates,
  quota_used: readQuotas,
  prepaid_balance: readBalances,
  failed_deliveries: readDeliveries,
};

type Node = Awaited<ReturnType<typeof listGatewayNodes>>['gatewayNodes'][number];

/** Of the nodes that have registered. */
async function readNodes(transaction: TenantTransaction, valueOfNode: (node: Node) => number) {
  const { gatewayNodes } = await listGatewayNodes(transaction, { page: 1, pageSize: 1_000, sort: 'name' });
  return gatewayNodes
    .filter(({ registeredAt }) => registeredAt !== null)
    .map((node) => ({ labels: nodeLabels(node), value: valueOfNode(node) }));
}

function nodeLabels(node: Pick<Node, 'id' | 'name' | 'environmentId' | 'environmentName'>): Labels {
  const { id, name, environmentId, environmentName } = node;
  return { environmentId, environment: environmentName, gatewayNodeId: id, gatewayNode: name };
}

/** Since when something newer than a node's configuration exists, in seconds. */
async function readConfigurations(transaction: TenantTransaction): Promise<readonly RecordValue[]> {
  const { rows } = await sql<Node & { readonly seconds: number | null }>`
    select n.id, n.name, n.environment_id as "environmentId", e.name as "environmentName",
      (select extract(epoch from now() - min(s.created_at))::float8 from configuration_snapshots s
       where s.organization_id = n.organization_id and s.environment_id = n.environment_id
         and s.sequence > coalesce(n.held_sequence, 0)) as seconds
    from gateway_nodes n
    join environments e on e.organization_id = n.organization_id and e.id = n.environment_id
    where n.organization_id = ${transaction.tenantId} and n.registered_at is not null`.execute(transaction);
  return rows.map((node) => ({ labels: nodeLabels(node), value: node.seconds ?? 0 }));
}

const dayMs = 86_400_000;

/** Of the certificates that are stored with enabled target servers: the one of each that expires first. */
async function readCertificates(transaction: TenantTransaction, at: Date): Promise<readonly RecordValue[]> {
  const { rows } = await sql<{
    id: string;
    name: string;
    environmentId: string;
    environment: string;
    pem: string;
  }>`
    select t.id, t.name, t.environment_id as "environmentId", e.name as environment,
      concat_ws(E'\n', t.tls_client_certificate, t.tls_certificate_authorities) as pem
    from target_servers t join environments e on e.organization_id = t.organization_id and e.id = t.environment_id
    where t.organization_id = ${transaction.tenantId} and t.enabled
      and (t.tls_client_certificate is not null or t.tls_certificate_authorities is not null)`.execute(transaction);
  return rows.map(({ id, name, environmentId, environment, pem }) => ({
    labels: { environmentId, environment, targetServerId: id, targetServer: name },
    value: daysLeft(pem, at),
  }));
}

const expiries = new Map<string, number | null>();
const mostExpiries = 1_000;

function daysLeft(pem: string, at: Date): number | null {
  let expiresMs = expiries.get(pem);
  if (expiresMs === undefined) {
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    const times = blocks.map((block) => new X509Certificate(block).validToDate.getTime());
    expiresMs = times.length === 0 ? null : Math.min(...times);
    if (expiries.size >= mostExpiries) expiries.clear();
    expiries.set(pem, expiresMs);
  }
  return expiresMs === null ? null : (expiresMs - at.getTime()) / dayMs;
}

type Quota = NonNullable<Parameters<typeof quotaOf>[0]['quota']>;

/** Percent of each approved subscription's quota that is used of its current window, as reported by hour. */
async function readQuotas(transaction: TenantTransaction, at: Date): Promise<readonly RecordValue[]> {
  const { rows } = await sql<SubscriptionRow & { quota: Quota | null; productQuota: Quota | null }>`
    select ${subscriptionColumns}, s.quota, product.quota as "productQuota"
    from subscriptions s ${joinedSubscription}
    where s.organization_id = ${transaction.tenantId} and s.state = 'approved'
      and (s.quota is not null or product.quota is not null)`.execute(transaction);
  const windows = rows.map((row) => {
    const quota = quotaOf({ quota: row.quota }, { quota: row.productQuota })!;
    const window = quotaWindow(quota, at);
    return { row, quota, window: isOfWholeHours(window) ? window : null };
  });
  const used = new Map<string, number>();
  for (const start of new Set(windows.flatMap(({ window }) => (window === null ? [] : [window.start.getTime()])))) {
    const { rows: sums } = await sql<{ app_id: string; product_id: string; admitted: string }>`
      select app_id, product_id, sum(requests - limited) as admitted from traffic_aggregates
      where organization_id = ${transaction.tenantId} and hour >= ${new Date(start)} and app_id <> ''
      group by app_id, product_id`.execute(transaction);
    for (const sum of sums) used.set(`${start} ${sum.app_id} ${sum.product_id}`, Number(sum.admitted));
  }
  return windows.map(({ row, quota, window }) => {
    const admitted = window && (used.get(`${window.start.getTime()} ${row.appId} ${row.productId}`) ?? 0);
    const percent = admitted === null ? null : quota.limit === 0 ? 100 : (100 * admitted) / quota.limit;
    return { labels: subscriptionLabels(row), value: percent };
  });
}

const microsOfMinor = 1_000_000;

/** What is left of each prepaid balance, in major units of its currency. */
async function readBalances(transaction: TenantTransaction): Promise<readonly RecordValue[]> {
  const { rows } = await sql<SubscriptionRow & { currency: string; micro: string }>`
    select ${subscriptionColumns}, account.currency, (account.credit_micro - account.expired_micro - account.used_micro)::text as micro
    from prepaid_accounts account
    join subscriptions s on s.organization_id = account.organization_id and s.id = account.subscription_id
    ${joinedSubscription}
    where account.organization_id = ${transaction.tenantId} and s.state = 'approved'`.execute(transaction);
  return rows.map((row) => ({
    labels: { ...subscriptionLabels(row), currency: row.currency },
    value: Number(row.micro) / microsOfMinor / 10 ** minorUnitOf(row.currency),
  }));
}

interface SubscriptionRow {
  readonly id: string;
  readonly appId: string;
  readonly app: string;
  readonly productId: string;
  readonly product: string;
}

const subscriptionColumns = sql`s.id, s.app_id as "appId", app.name as app, s.product_id as "productId",
  product.name as product`;
const joinedSubscription = sql`
  join apps app on app.organization_id = s.organization_id and app.id = s.app_id
  join products product on product.organization_id = s.organization_id and product.id = s.product_id`;

function subscriptionLabels({ id, appId, app, productId, product }: SubscriptionRow): Labels {
  return { subscriptionId: id, appId, app, productId, product };
}

/** Of each enabled integration: notifications that failed for good in the last hour, and those that are tried again. */
async function readDeliveries(transaction: TenantTransaction): Promise<readonly RecordValue[]> {
  const { rows } = await sql<{ id: string; name: string; kind: string; failed: number }>`
    select i.id, i.name, i.kind, count(d.id)::int as failed
    from integrations i
    left join integration_deliveries d on d.organization_id = i.organization_id and d.integration_id = i.id
      and (d.state = 'failed' and d.created_at > now() - interval '1 hour' or d.state = 'queued' and d.attempt_count > 0)
    where i.organization_id = ${transaction.tenantId} and i.enabled
    group by i.id, i.name, i.kind`.execute(transaction);
  return rows.map(({ id, name, kind, failed }) => ({
    labels: { integrationId: id, integration: name, integrationKind: kind },
    value: failed,
  }));
}
