import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '@millrace/postgres/testing';
import { migrations, schemaName } from '../apps/control/src/database/migrations.ts';
import type { Schema } from '../apps/control/src/database/schema.ts';
import { compareWithAlertmanager } from './alerting/alertmanager.ts';
import { evaluate, type States } from './alerting/evaluations.ts';
import { measuredTicks, measureLoad } from './alerting/load.ts';
import { checkStates, prometheusVersion } from './alerting/prometheus.ts';
import { randomOf, reportsOf, visibleValue } from './alerting/series.ts';

const ticks = Number(process.env.TICKS ?? 180);
const proxiesOfRule = 20;
const steps = Number(process.env.STEPS ?? 60);
const loadRules = Number(process.env.RULES ?? 1_000);
const loadProxies = Number(process.env.PROXIES ?? 100);
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
  const load = await measureLoad(database, { rules: loadRules, proxies: loadProxies });
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

An organization with ${loadRules.toLocaleString('en')} rules × ${loadProxies} proxies: ${load.series.toLocaleString('en')} alerts are evaluated in a tick, of a quarter of the rules each error rate, p95,
request rate and client error rate. Every rule notifies a webhook. The error rates begin to fire all at once, are other ones at every tick, and
recover; each rule is an incident of ${loadProxies} alerts. Another organization has one rule, which fires at the same moments. Incidents are written as the
management API does; a tick has ten seconds.

| Tick | ms | Until the other organization is evaluated, ms |
|---|---|---|
| without alerts, median of ${measuredTicks} | ${load.quiet.ms.toFixed(0)} | ${load.quiet.otherMs.toFixed(0)} |
| in which ${load.firing.toLocaleString('en')} alerts of ${load.incidents} incidents begin to fire | ${load.opening.ms.toFixed(0)} | ${load.opening.otherMs.toFixed(0)} |
| in which they fire with other values, median of ${measuredTicks} | ${load.changing.ms.toFixed(0)} | ${load.changing.otherMs.toFixed(0)} |
| – longest | ${load.longestChanging.ms.toFixed(0)} | ${load.longestChanging.otherMs.toFixed(0)} |
| in which all recover | ${load.recovering.ms.toFixed(0)} | ${load.recovering.otherMs.toFixed(0)} |
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
