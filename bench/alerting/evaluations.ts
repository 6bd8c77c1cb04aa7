import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { ControlDatabase } from '../../apps/control/src/database/schema.ts';
import { reportingDelayMs, startEvaluator } from '../../apps/control/src/watch/evaluator/evaluator.ts';
import { slotRow } from '../../apps/control/src/watch/evaluator/testing.ts';
import { addReports } from '../../apps/control/src/watch/slots/store.ts';
import type { Report } from './series.ts';

const tickMs = 10_000;

export interface EvaluatedRule {
  readonly name: string;
  readonly durationSeconds: number;
  readonly keepFiringSeconds: number;
  /** Of each of its proxies, in order. */
  readonly reports: readonly (readonly Report[])[];
}

/** By rule and proxy, both as indices, the state at each tick. */
export type States = readonly (readonly (readonly ('inactive' | 'pending' | 'firing')[])[])[];

/**
 * Reports traffic tick by tick to the tables of the control plane, and lets its evaluator look; whoever evaluates is
 * replaced as often as the plan says, some ticks late.
 *
 * @param seenAt by tick, that in which it is evaluated
 */
export async function evaluate(
  database: ControlDatabase,
  rules: readonly EvaluatedRule[],
  seenAt: readonly number[],
): Promise<States> {
  const organizationId = await addOrganization(database);
  const ids: RuleIds[] = [];
  for (const rule of rules) ids.push(await addRule(database, organizationId, rule));
  const firstMs = Math.floor(Date.now() / tickMs) * tickMs - seenAt.length * tickMs - 60_000;
  let nowMs = firstMs;
  const start = () =>
    startEvaluator({
      database,
      clock: () => nowMs + reportingDelayMs,
      pollMs: null,
      incidents: { apply: async () => ({ notified: false }), end: async () => ({ notified: false }) },
      wakeDeliveries: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
  let evaluator = start();
  for (const [tick, seen] of seenAt.entries()) {
    nowMs = firstMs + tick * tickMs;
    const rows = rules.map(({ reports }, index) => ({
      environmentId: ids[index]!.environmentId,
      rows: reports.flatMap((ofProxy, proxy) =>
        ofProxy
          .filter(({ arrives }) => arrives === tick)
          .map((report) =>
            slotRow(
              firstMs + report.tick * tickMs - tickMs,
              ids[index]!.proxyIds[proxy]!,
              report.requests,
              report.errors,
            ),
          ),
      ),
    }));
    const sent = rows.filter((one) => one.rows.length > 0);
    if (sent.length > 0) {
      await tenantTransaction(database, organizationId, (transaction) => addReports(transaction, sent));
    }
    if (seen !== tick) continue;
    if (seenAt[tick - 1] === tick) {
      await evaluator.stop();
      evaluator = start();
    }
    if (!(await evaluator.run())) throw new Error('the evaluator did not get its lease');
  }
  await evaluator.stop();
  return readStates(database, ids, firstMs, seenAt.length);
}

interface RuleIds {
  readonly ruleId: string;
  readonly environmentId: string;
  readonly proxyIds: readonly string[];
}

export async function addOrganization({ system }: ControlDatabase): Promise<string> {
  const id = newId('org');
  await system
    .insertInto('organizations')
    .values({ id, name: id.slice(4), display_name: 'Bench' })
    .execute();
  return id;
}

async function addRule({ system }: ControlDatabase, organizationId: string, rule: EvaluatedRule): Promise<RuleIds> {
  const ids = {
    ruleId: newId('alr'),
    environmentId: newId('env'),
    proxyIds: rule.reports.map(() => newId('prx')),
  };
  const condition = {
    metric: 'error_rate',
    latencyPart: 'total',
    operator: '>',
    threshold: 50,
    clearThreshold: null,
    durationSeconds: rule.durationSeconds,
    keepFiringSeconds: rule.keepFiringSeconds,
    minimumRequests: 1,
    noData: 'ok',
  };
  await sql`
    insert into alert_rules (id, organization_id, name, description, environment_id, condition, severity,
      integration_ids, enabled)
    values (${ids.ruleId}, ${organizationId}, ${rule.name}, '', ${ids.environmentId}, ${JSON.stringify(condition)}::jsonb,
      'warning', '{}', true)`.execute(system);
  return ids;
}

async function readStates(
  { system }: ControlDatabase,
  ids: readonly RuleIds[],
  firstMs: number,
  ticks: number,
): Promise<States> {
  const states: ('inactive' | 'pending' | 'firing')[][][] = ids.map(({ proxyIds }) =>
    proxyIds.map(() => Array.from({ length: ticks }, () => 'inactive')),
  );
  const { rows } = await sql<{
    rule_id: string;
    at: Date;
    error: string | null;
    alerts: readonly { state: 'inactive' | 'pending' | 'firing'; labels: { proxyId: string } }[];
  }>`select rule_id, at, error, alerts from alert_rule_evaluations order by at`.execute(system);
  if (rows.length !== ids.length * ticks) throw new Error(`${rows.length} evaluations, not ${ids.length * ticks}`);
  for (const { rule_id: ruleId, at, error, alerts } of rows) {
    if (error !== null) throw new Error(error);
    const rule = ids.findIndex((one) => one.ruleId === ruleId);
    for (const { state, labels } of alerts) {
      states[rule]![ids[rule]!.proxyIds.indexOf(labels.proxyId)]![(at.getTime() - firstMs) / tickMs] = state;
    }
  }
  return states;
}
