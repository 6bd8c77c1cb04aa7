import { conditionFields, type Labels } from '@millrace/alerting';
import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Alert, AlertRule, AlertRuleEvaluation } from './contract.ts';
import { evaluationMs, type RuleFields } from './rules.ts';

type Presented = z.infer<typeof AlertRule>;
type PresentedAlert = z.infer<typeof Alert>;
type Evaluation = z.infer<typeof AlertRuleEvaluation>;

interface Row extends Selectable<Schema['alert_rules']> {
  readonly evaluated_at: Date | null;
  readonly status: Schema['alert_rule_status']['state'] | null;
  readonly firing: number | null;
  readonly pending: number | null;
  readonly value: number | null;
  readonly error: string | null;
}

interface Filters extends Listing {
  readonly environmentId?: string | undefined;
  readonly proxyId?: string | undefined;
  readonly metric?: Presented['metric'] | undefined;
  readonly severity?: Presented['severity'] | undefined;
  readonly state?: Presented['state'] | undefined;
  readonly enabled?: boolean | undefined;
  readonly integrationId?: string | undefined;
}

const stateOfRow = sql<string>`case when not rule.enabled then 'disabled' else coalesce(status.state, 'unknown') end`;
const columns = {
  name: 'rule.name',
  createdAt: 'rule.created_at',
  updatedAt: 'rule.updated_at',
  severity: 'rule.severity',
};

function selectRules(transaction: TenantTransaction) {
  return transaction
    .selectFrom('alert_rules as rule')
    .leftJoin('alert_rule_status as status', (join) =>
      join.onRef('status.organization_id', '=', 'rule.organization_id').onRef('status.rule_id', '=', 'rule.id'),
    )
    .selectAll('rule')
    .select([
      'status.evaluated_at',
      'status.state as status',
      'status.firing',
      'status.pending',
      'status.value',
      'status.error',
    ])
    .where('rule.organization_id', '=', transaction.tenantId);
}

export async function listAlertRules(transaction: TenantTransaction, filters: Filters, now: Date) {
  let query = selectRules(transaction).where((builder) =>
    matches(builder, ['rule.name', 'rule.description'], filters.search),
  );
  const { environmentId, proxyId, metric, severity, state, enabled, integrationId } = filters;
  if (environmentId !== undefined) {
    query = query.where((is) =>
      is.or([is('rule.environment_id', '=', environmentId), is('rule.environment_id', 'is', null)]),
    );
  }
  if (proxyId !== undefined) {
    query = query.where((is) => is.or([is('rule.proxy_id', '=', proxyId), is('rule.proxy_id', 'is', null)]));
  }
  if (metric !== undefined) query = query.where(sql<boolean>`rule.condition ->> 'metric' = ${metric}`);
  if (severity !== undefined) query = query.where('rule.severity', '=', severity);
  if (state !== undefined) query = query.where(sql<boolean>`${stateOfRow} = ${state}`);
  if (enabled !== undefined) query = query.where('rule.enabled', '=', enabled);
  if (integrationId !== undefined) query = query.where(sql<boolean>`${integrationId} = any(rule.integration_ids)`);
  const { rows, total } = await readPage(query, filters, columns, 'rule.id');
  return { alertRules: rows.map((row) => present(row, now)), total };
}

/** @param lock blocks other writers until the commit */
export async function findAlertRule(
  transaction: TenantTransaction,
  id: string,
  now: Date,
  { lock = false } = {},
): Promise<Presented | null> {
  const query = selectRules(transaction).where('rule.id', '=', id);
  const row = await (lock ? query.forUpdate('rule') : query).executeTakeFirst();
  return row === undefined ? null : present(row, now);
}

export async function countAlertRules(transaction: TenantTransaction): Promise<number> {
  const { count } = await transaction
    .selectFrom('alert_rules')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Locks the organization's clock: an evaluation that read what is about to change begins again. */
export async function recordEdit(transaction: TenantTransaction): Promise<void> {
  await transaction
    .insertInto('alert_clocks')
    .values({ organization_id: transaction.tenantId, edits: 1 })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ edits: sql<number>`alert_clocks.edits + 1` }),
    )
    .execute();
}

export async function insertAlertRule(
  transaction: TenantTransaction,
  fields: RuleFields,
  now: Date,
): Promise<Presented> {
  const id = newId('alr');
  await recordEdit(transaction);
  await transaction
    .insertInto('alert_rules')
    .values({ id, organization_id: transaction.tenantId, ...columnsOf(fields) })
    .execute();
  return presentStored(transaction, id, now);
}

/**
 * @param begins whether evaluation begins again: alerts that are pending are forgotten, and those that fire are resolved
 */
export async function updateAlertRule(
  transaction: TenantTransaction,
  before: Presented,
  fields: RuleFields,
  now: Date,
  { begins }: { readonly begins: boolean },
): Promise<Presented> {
  await recordEdit(transaction);
  if (begins)
    await endAlerts(transaction, before.id, fields.enabled ? 'The rule was changed.' : 'The rule was disabled.');
  await transaction
    .updateTable('alert_rules')
    .set((builder) => ({
      ...columnsOf(fields),
      version: builder('version', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', before.id)
    .execute();
  return presentStored(transaction, before.id, now);
}

export async function deleteAlertRule(transaction: TenantTransaction, before: Presented): Promise<void> {
  await recordEdit(transaction);
  await endAlerts(transaction, before.id, 'The rule was deleted.');
  await transaction
    .deleteFrom('alert_rules')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', before.id)
    .execute();
}

/** Forgets what evaluations found of a rule, and leaves to the evaluator what fired. */
async function endAlerts(transaction: TenantTransaction, ruleId: string, reason: string): Promise<void> {
  const organizationId = transaction.tenantId;
  await sql`
    with ended as (delete from alerts where organization_id = ${organizationId} and rule_id = ${ruleId} returning state)
    insert into alert_endings (organization_id, rule_id, reason)
    select ${organizationId}, ${ruleId}, ${reason} where exists (select from ended where state = 'firing')`.execute(
    transaction,
  );
  await transaction
    .deleteFrom('alert_rule_status')
    .where('organization_id', '=', organizationId)
    .where('rule_id', '=', ruleId)
    .execute();
}

/** Pending and firing alerts of a rule, the worst first; at most 100. */
export async function listAlerts(transaction: TenantTransaction, ruleId: string): Promise<PresentedAlert[]> {
  const rows = await transaction
    .selectFrom('alerts')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('rule_id', '=', ruleId)
    .orderBy('state')
    .orderBy('active_since')
    .orderBy('fingerprint')
    .limit(100)
    .execute();
  return rows.map(presentAlert);
}

interface EvaluationFilters extends Listing {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly outcome?: Evaluation['outcome'] | undefined;
}

export async function listEvaluations(transaction: TenantTransaction, ruleId: string, filters: EvaluationFilters) {
  let query = transaction
    .selectFrom('alert_rule_evaluations')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('rule_id', '=', ruleId)
    .where((builder) => matches(builder, ['error'], filters.search));
  const { from, to, outcome } = filters;
  if (from !== undefined) query = query.where('at', '>=', new Date(from));
  if (to !== undefined) query = query.where('at', '<', new Date(to));
  if (outcome !== undefined) query = query.where('error', outcome === 'failed' ? 'is not' : 'is', null);
  const { rows, total } = await readPage(query, filters, { at: 'at' }, 'at');
  const evaluations = rows.map(
    (row): Evaluation => ({
      at: row.at.toISOString(),
      evaluatedAt: row.evaluated_at.toISOString(),
      outcome: row.error === null ? 'evaluated' : 'failed',
      error: row.error,
      series: row.series,
      withoutData: row.without_data,
      pending: row.pending,
      firing: row.firing,
      value: row.value,
      requests: Number(row.requests),
      alerts: row.alerts as unknown as PresentedAlert[],
    }),
  );
  return { evaluations, total };
}

/** A stored alert as the API presents it. */
function presentAlert(row: Selectable<Schema['alerts']>): PresentedAlert {
  return {
    fingerprint: row.fingerprint,
    labels: { ...(row.labels as Labels) },
    state: row.state,
    noData: row.no_data,
    value: row.value,
    requests: Number(row.requests),
    activeSince: row.active_since.toISOString(),
    firingSince: row.firing_since?.toISOString() ?? null,
    suppressedBy: row.suppressed_by,
    inhibitedBy: row.inhibited_by,
  };
}

async function presentStored(transaction: TenantTransaction, id: string, now: Date): Promise<Presented> {
  const row = await selectRules(transaction).where('rule.id', '=', id).executeTakeFirstOrThrow();
  return present(row, now);
}

const conditionNames = Object.keys(conditionFields) as (keyof typeof conditionFields)[];

function columnsOf(fields: RuleFields) {
  return {
    name: fields.name,
    description: fields.description,
    environment_id: fields.environmentId,
    proxy_id: fields.proxyId,
    app_id: fields.appId,
    product_id: fields.productId,
    condition: JSON.stringify(Object.fromEntries(conditionNames.map((name) => [name, fields[name]]))),
    severity: fields.severity,
    integration_ids: [...fields.integrationIds],
    escalate_after_minutes: fields.escalateAfterMinutes,
    enabled: fields.enabled,
  };
}

/** A stored rule, without what evaluations found. */
export function fieldsOf(row: Selectable<Schema['alert_rules']>): RuleFields {
  return {
    name: row.name,
    description: row.description,
    environmentId: row.environment_id,
    proxyId: row.proxy_id,
    appId: row.app_id,
    productId: row.product_id,
    ...row.condition,
    severity: row.severity,
    integrationIds: row.integration_ids,
    escalateAfterMinutes: row.escalate_after_minutes,
    enabled: row.enabled,
  };
}

function present(row: Row, now: Date): Presented {
  const nextMs = (Math.floor(now.getTime() / evaluationMs) + 1) * evaluationMs;
  return {
    id: row.id,
    ...fieldsOf(row),
    state: row.enabled ? (row.status ?? 'unknown') : 'disabled',
    firing: row.firing ?? 0,
    pending: row.pending ?? 0,
    lastEvaluatedAt: row.evaluated_at?.toISOString() ?? null,
    nextEvaluationAt: row.enabled ? new Date(nextMs).toISOString() : null,
    lastValue: row.value,
    lastError: row.error,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
