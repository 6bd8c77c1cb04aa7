import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { openTestDatabase } from '@millrace/postgres/testing';
import { sql } from 'kysely';
import { migrations, schemaName } from '../apps/control/src/database/migrations.ts';
import type { ControlDatabase, Schema } from '../apps/control/src/database/schema.ts';
import { createLease } from '../apps/control/src/watch/evaluator/lease.ts';
import { slotRow } from '../apps/control/src/watch/evaluator/testing.ts';
import { evaluateAt } from '../apps/control/src/watch/evaluator/tick.ts';
import { mergeReports } from '../apps/control/src/watch/slots/merger.ts';
import { addReports } from '../apps/control/src/watch/slots/store.ts';
import { compareWithAlertmanager } from './alerting/alertmanager.ts';
import { addOrganization, evaluate, type States } from './alerting/evaluations.ts';
import { checkStates, prometheusVersion } from './alerting/prometheus.ts';
import { randomOf, reportsOf, visibleValue } from './alerting/series.ts';
import { median } from './statistics/quantile.ts';

const ticks = Number(process.env.TICKS ?? 180);
const proxiesOfRule = 20;
const steps = Number(process.env.STEPS ?? 60);
const loadRules = Number(process.env.RULES ?? 1_000);
const loadProxies = Number(process.env.PROXIES ?? 100);
const loadTicks = 5;
const tickMs = 10_000;
const times = [
  [0, 0],
  [10, 0],
  [30, 0],
  [60, 0],
  [0, 30],
  [0, 60],
  [30, 30],
  [60, 60],
  [20, 50],
  [120, 120],
] as const;

/** The comparison of alert rules with Prometheus and Alertmanager; see the report's own words for the method. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-alerting-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const opened = await openTestDatabase<Schema>(migrations, { schema: schemaName });
  stack.defer(() => opened.close());
  const { database } = opened;

  const random = randomOf(20_260_115);
  const rules = times.map(([durationSeconds, keepFiringSeconds], index) => ({
    name: `rule${index}`,
    durationSeconds,
    keepFiringSeconds,
    reports: Array.from({ length: proxiesOfRule }, () => reportsOf(random, ticks)),
  }));
  const seenAt = evaluationPlan(random);
  const states = await evaluate(database, rules, seenAt);
  const values = rules.map(({ reports }) =>
    reports.map((ofProxy) => seenAt.map((seen, tick) => visibleValue(ofProxy, tick, seen))),
  );
  const verdict = checkStates(folder, rules, values, states);
  if (!verdict.isEqual) throw new Error(verdict.output.slice(0, 5_000));
  const changed = structuredClone(states) as ('inactive' | 'pending' | 'firing')[][][];
  changed[3]![4]![ticks - 1] = changed[3]![4]![ticks - 1] === 'firing' ? 'pending' : 'firing';
  if (checkStates(folder, rules, values, changed).isEqual) throw new Error('a wrong state was not found');

  const compared = await compareWithAlertmanager(folder, steps);
  if (compared.differences.length > 0) throw new Error(compared.differences.slice(0, 20).join('\n'));
  const load = await measureLoad(database);
  const of = (state: string) =>
    states
      .flat(2)
      .filter((one) => one === state)
      .length.toLocaleString('en');
  return `The evaluator’s own process, tables and clock against Prometheus ${prometheusVersion()} and Alertmanager ${compared.version}, on the same series.

## Transitions

${rules.length * proxiesOfRule} series of ${ticks} evaluations, generated: error rates that rise and fall, gaps of up to 45 slots, 8 % of the reports up to
a minute late, 5 % in two parts as nodes send that restart, and ${seenAt.filter((seen, tick) => seen !== tick).length} evaluations that were missed and made up for by another process.
The series are reported to the control plane’s tables tick by tick, and each rule’s evaluations are read from
\`listAlertRuleEvaluations\`’ table. \`promtool test rules\` evaluates the same rules on what each evaluation could see, and
checks at every evaluation that exactly the same alerts are pending and firing. With one state changed on purpose it fails.

| | |
|---|---|
| Evaluations of an alert compared | ${(states.flat(2).length).toLocaleString('en')} |
| of them inactive, pending, firing | ${of('inactive')}, ${of('pending')}, ${of('firing')} |
| Transitions | ${transitionsOf(states).toLocaleString('en')} |
| Differences | 0 |

\`for\` and \`keep_firing_for\` in seconds: ${times.map(([duration, keep]) => `${duration}/${keep}`).join(', ')}.

## Grouping, inhibition, silences

${compared.steps} steps of random alerts and silences, sent to a real Alertmanager on loopback; after each, its API’s groups, and what
silenced and inhibited each alert, are compared.

| | |
|---|---|
| Alerts compared | ${compared.alerts.toLocaleString('en')} |
| Groups compared | ${compared.groups.toLocaleString('en')} |
| Silenced | ${compared.silenced.toLocaleString('en')} |
| Inhibited | ${compared.inhibited.toLocaleString('en')} |
| Differences | 0 |

## Different on purpose

| | Prometheus, Alertmanager | Here | Reason |
|---|---|---|---|
| A value’s age | up to 5 minutes, both ends included | slots of the last 5 minutes, only as many as reach \`minimumRequests\` | a slot is a span, not a moment |
| \`clearThreshold\` | none | a firing alert clears beyond it | values that swing around the threshold don’t flap |
| Missing data | an absent series never holds | \`noData\`: ok, alert or keep; ok is compared above | no traffic and no report differ |
| Missed evaluations | are lost, pending begins again or is restored after a grace time | are made up for from stored slots, up to 5 minutes | a restart changes no transition |
| Changed rule | alerts end with the old rule without notification | they are resolved, with the reason | nobody waits for the end of an incident |
| \`group_wait\`, \`group_interval\`, \`repeat_interval\` | delay and repeat notifications | one incident per rule and environment, notified at once; later members join it; escalation instead of repetition | everything of one evaluation arrives together |
| Recurring windows | mute times of a route | silences with a schedule | one place says why an alert was silent |

## Load

${loadRules.toLocaleString('en')} rules × ${loadProxies} proxies: ${load.series.toLocaleString('en')} alerts are evaluated in a tick, of a quarter of the rules each error rate, p95, request rate
and client error rate; every proxy reports 30 slots.

| | ms |
|---|---|
| A tick without alerts, median of ${loadTicks} | ${load.quietMs.toFixed(0)} |
| A tick in which ${load.firing.toLocaleString('en')} alerts fire | ${load.firingMs.toFixed(0)} |
`;
}

/** By tick, that in which it is evaluated: now and then some are missed. */
function evaluationPlan(random: () => number): readonly number[] {
  const plan: number[] = [];
  while (plan.length < ticks) {
    const missed = random() < 0.06 ? 1 + Math.floor(random() * 4) : 0;
    const seen = Math.min(plan.length + missed, ticks - 1);
    // An evaluator begins with the latest moment.
    if (plan.length === 0) plan.push(0);
    else for (let tick = plan.length; tick <= seen; tick++) plan.push(seen);
  }
  return plan;
}

function transitionsOf(states: States): number {
  return states
    .flat()
    .reduce(
      (sum, ofProxy) => sum + ofProxy.filter((state, tick) => state !== (ofProxy[tick - 1] ?? 'inactive')).length,
      0,
    );
}

async function measureLoad(database: ControlDatabase) {
  const { system } = database;
  for (const table of ['alert_rules', 'alerts', 'alert_rule_evaluations'])
    await sql`delete from ${sql.table(table)}`.execute(system);
  const organizationId = await addOrganization(database);
  const environmentId = newId('env');
  const metrics = ['error_rate', 'latency_p95', 'request_rate', 'client_error_rate'];
  const rows = Array.from({ length: loadRules }, (_, index) => ({
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
    integration_ids: [],
    enabled: true,
    version: 1,
  }));
  await sql`
    insert into alert_rules (id, organization_id, name, description, condition, severity, integration_ids, enabled)
    select id, organization_id, name, description, condition, severity, '{}', enabled
    from jsonb_populate_recordset(null::alert_rules, ${JSON.stringify(rows)}::jsonb)`.execute(system);
  const proxyIds = Array.from({ length: loadProxies }, () => newId('prx'));
  const lastMs = Math.floor(Date.now() / tickMs) * tickMs;
  for (let slot = 1; slot <= 30 + loadTicks + 1; slot++) {
    const reported = proxyIds.map((proxyId) => slotRow(lastMs - slot * tickMs, proxyId, 20, 1));
    await tenantTransaction(database, organizationId, (transaction) =>
      addReports(transaction, [{ environmentId, rows: reported }]),
    );
  }
  await mergeReports(database);
  const parts = {
    database,
    lease: createLease(database),
    incidents: { apply: async () => ({ notified: false }), end: async () => ({ notified: false }) },
    onError: (error: unknown) => {
      throw error;
    },
  };
  const tick = async (atMs: number) => {
    await parts.lease.take();
    const startMs = performance.now();
    const { series } = await evaluateAt(parts, new Date(atMs));
    return { series, ms: performance.now() - startMs };
  };
  const quiet = [];
  for (let index = loadTicks; index > 0; index--) quiet.push(await tick(lastMs - index * tickMs));
  await sql`
    update alert_rules set condition = condition || '{"threshold": 4}'
    where condition ->> 'metric' = 'error_rate'`.execute(system);
  const firing = await tick(lastMs);
  const { rows: counted } = await sql<{ count: number }>`select count(*)::int as count from alerts`.execute(system);
  return {
    series: quiet[0]!.series,
    quietMs: median(quiet.map(({ ms }) => ms)),
    firingMs: firing.ms,
    firing: counted[0]!.count,
  };
}
