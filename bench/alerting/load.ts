import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { ControlDatabase } from '../../apps/control/src/database/schema.ts';
import { createLease } from '../../apps/control/src/watch/evaluator/lease.ts';
import { slotRow } from '../../apps/control/src/watch/evaluator/testing.ts';
import { evaluateAt } from '../../apps/control/src/watch/evaluator/tick.ts';
import { applyAlerts, endAlertsOfRule } from '../../apps/control/src/watch/incidents/transitions.ts';
import { IntegrationSettings } from '../../apps/control/src/watch/integrations/contract.ts';
import { insertIntegration, newIntegrationId } from '../../apps/control/src/watch/integrations/store.ts';
import { mergeReports } from '../../apps/control/src/watch/slots/merger.ts';
import { addReports } from '../../apps/control/src/watch/slots/store.ts';
import { median } from '../statistics/quantile.ts';
import { addOrganization } from './evaluations.ts';

/** Ticks of each kind whose median counts. */
export const measuredTicks = 5;

const tickMs = 10_000;
/** All ticks, and the slots that the first of them reads. */
const slots = 2 * measuredTicks + 2 + 30;
const requestsOfSlot = 20;
const metrics = ['error_rate', 'latency_p95', 'request_rate', 'client_error_rate'] as const;

interface TickTimes {
  readonly ms: number;
  /** From the tick's beginning until the other organization is evaluated. */
  readonly otherMs: number;
}

/** How long ticks take in which a quarter of an organization's rules fire for all of its proxies. */
export async function measureLoad(
  database: ControlDatabase,
  size: { readonly rules: number; readonly proxies: number },
) {
  const { system } = database;
  for (const table of ['alert_rules', 'alerts', 'alert_rule_evaluations', 'alert_rule_status'])
    await sql`delete from ${sql.table(table)}`.execute(system);
  const lastMs = Math.floor(Date.now() / tickMs) * tickMs;
  await addLoad(database, size, lastMs);
  // Organizations are read in the order of their ids: the small one comes last.
  const otherId = await addLoad(database, { rules: 1, proxies: 1 }, lastMs);
  await mergeReports(database);
  await sql`analyze`.execute(system);
  const parts = {
    database,
    lease: createLease(database),
    incidents: { apply: applyAlerts, end: endAlertsOfRule },
    onError: (error: unknown) => {
      throw error;
    },
  };
  let atMs = lastMs - (slots - 30) * tickMs;
  const tick = async (): Promise<TickTimes & { readonly series: number }> => {
    atMs += tickMs;
    await parts.lease.take();
    const startedMs = Date.now();
    const startMs = performance.now();
    const { series } = await evaluateAt(parts, new Date(atMs));
    const ms = performance.now() - startMs;
    const { rows } = await sql<{ at: Date }>`
      select evaluated_at as at from alert_rule_evaluations
      where organization_id = ${otherId} and at = ${new Date(atMs)}`.execute(system);
    return { series, ms, otherMs: rows[0]!.at.getTime() - startedMs };
  };
  const several = async () => {
    const ticks = [];
    for (let index = 0; index < measuredTicks; index++) ticks.push(await tick());
    return ticks;
  };
  const setThreshold = (percent: number) =>
    sql`update alert_rules set condition = condition || ${JSON.stringify({ threshold: percent })}::jsonb
      where condition ->> 'metric' = 'error_rate'`.execute(system);
  const count = async (table: string) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
      system,
    );
    return rows[0]!.count;
  };
  const quiet = await several();
  await setThreshold(1);
  const opening = await tick();
  const [firing, incidents] = [await count('alerts'), await count('incidents')];
  const changing = await several();
  await setThreshold(1_000);
  const recovering = await tick();
  if ((await count('alerts')) !== 0) throw new Error('alerts are left');
  return {
    series: quiet[0]!.series,
    quiet: medianOf(quiet),
    opening,
    firing,
    incidents,
    changing: medianOf(changing),
    longestChanging: {
      ms: Math.max(...changing.map(({ ms }) => ms)),
      otherMs: Math.max(...changing.map(({ otherMs }) => otherMs)),
    },
    recovering,
  };
}

function medianOf(ticks: readonly TickTimes[]): TickTimes {
  return { ms: median(ticks.map(({ ms }) => ms)), otherMs: median(ticks.map(({ otherMs }) => otherMs)) };
}

/** An organization with rules over all of its proxies, and their traffic; its id. */
async function addLoad(
  database: ControlDatabase,
  { rules, proxies }: { readonly rules: number; readonly proxies: number },
  lastMs: number,
): Promise<string> {
  const { system } = database;
  const organizationId = await addOrganization(database);
  const environmentId = newId('env');
  const integrationId = newIntegrationId();
  await tenantTransaction(database, organizationId, (transaction) =>
    insertIntegration(transaction, {
      id: integrationId,
      name: 'webhook',
      settings: IntegrationSettings.parse({ kind: 'webhook', url: 'http://127.0.0.1:1/', events: [] }),
      sealedSecret: null,
      enabled: true,
    }),
  );
  const rows = Array.from({ length: rules }, (_, index) => ({
    id: newId('alr'),
    organization_id: organizationId,
    name: `rule ${index}`,
    description: '',
    condition: {
      metric: metrics[index % metrics.length],
      latencyPart: 'total',
      operator: '>',
      threshold: 1_000,
      clearThreshold: null,
      durationSeconds: 0,
      keepFiringSeconds: 0,
      minimumRequests: 50,
      noData: 'ok',
    },
    severity: 'warning',
    integration_ids: [integrationId],
    enabled: true,
  }));
  await sql`
    insert into alert_rules (id, organization_id, name, description, condition, severity, integration_ids, enabled)
    select id, organization_id, name, description, condition, severity, integration_ids, enabled
    from jsonb_populate_recordset(null::alert_rules, ${JSON.stringify(rows)}::jsonb)`.execute(system);
  const proxyIds = Array.from({ length: proxies }, () => newId('prx'));
  for (let slot = 1; slot <= slots; slot++) {
    const reported = proxyIds.map((proxyId, index) =>
      slotRow(lastMs - slot * tickMs, proxyId, requestsOfSlot, 1 + ((slot * 7 + index) % 5)),
    );
    await tenantTransaction(database, organizationId, (transaction) =>
      addReports(transaction, [{ environmentId, rows: reported }]),
    );
  }
  return organizationId;
}
