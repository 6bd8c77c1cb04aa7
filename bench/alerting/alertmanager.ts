import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  fingerprintOf,
  groupByEnvironment,
  inhibited,
  inhibitRules,
  type Labels,
  type Matcher,
  silencesInForce,
  suppressorOf,
} from '@millrace/alerting';
import { randomOf } from './series.ts';

/** What was compared, and where the two differ, each in a line. */
export interface Comparison {
  readonly version: string;
  readonly steps: number;
  readonly alerts: number;
  readonly groups: number;
  readonly silenced: number;
  readonly inhibited: number;
  readonly differences: readonly string[];
}

const binary = 'prometheus-alertmanager';
const environments = ['env_1', 'env_2', 'env_3'];
const metrics = [
  'error_rate',
  'latency_p95',
  'traffic_absent',
  'node_offline',
  'node_degraded',
  'configuration_behind',
];
/** How long Alertmanager takes to see what it was sent. */
const settledMs = 150;

interface Status {
  readonly state: 'active' | 'suppressed' | 'unprocessed';
  readonly silencedBy: readonly string[];
  readonly inhibitedBy: readonly string[];
}

interface Gettable {
  readonly labels: Labels;
  readonly status: Status;
}

/** Sends random alerts and silences to a real Alertmanager, step by step, and compares what it makes of them. */
export async function compareWithAlertmanager(folder: string, steps: number): Promise<Comparison> {
  const port = await freePort();
  writeFileSync(join(folder, 'alertmanager.yml'), JSON.stringify(configuration));
  const child = spawn(
    binary,
    [
      '--config.file=alertmanager.yml',
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    { cwd: folder, stdio: 'ignore' },
  );
  const api = `http://127.0.0.1:${port}/api/v2`;
  try {
    await answering(`${api}/status`);
    return await compare(api, steps);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

const configuration = {
  route: { receiver: 'none', group_by: ['ruleId', 'environmentId'], group_wait: '0s', group_interval: '1s' },
  receivers: [{ name: 'none' }],
  inhibit_rules: inhibitRules.map(({ source, target, equal }) => ({
    source_matchers: source.map(written),
    target_matchers: target.map(written),
    equal,
  })),
};

function written({ label, operator, value }: Matcher): string {
  return `${label}${operator}${JSON.stringify(value)}`;
}

async function compare(api: string, steps: number): Promise<Comparison> {
  const random = randomOf(20_260_115);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const known = Array.from({ length: 40 }, (_, index): Labels => {
    const metric = pick(metrics);
    const isOfNode = metric.startsWith('node_') || metric === 'configuration_behind';
    return {
      ruleId: `alr_${index % 7}`,
      rule: `Rule ${index % 7}`,
      metric,
      severity: pick(['critical', 'warning', 'info']),
      environmentId: pick(environments),
      ...(isOfNode ? { gatewayNodeId: `gwn_${index % 4}` } : { proxyId: `prx_${index}`, proxy: `orders-${index % 5}` }),
      ...(random() < 0.2 ? { noData: 'true' } : {}),
    };
  });
  const firing = new Set<Labels>();
  const silences = new Map<string, readonly Matcher[]>();
  const totals = { alerts: 0, groups: 0, silenced: 0, inhibited: 0 };
  const differences: string[] = [];
  for (let index = 0; index < steps; index++) {
    const resolved: Labels[] = [];
    for (const labels of known) {
      if (random() >= 0.15) continue;
      if (firing.delete(labels)) resolved.push(labels);
      else firing.add(labels);
    }
    await send(api, [...firing], resolved);
    if (random() < 0.4) {
      const matchers = randomMatchers(random, pick);
      silences.set(await addSilence(api, matchers), matchers);
    }
    const [oldest] = silences.keys();
    if (oldest !== undefined && random() < 0.35) {
      await fetch(`${api}/silence/${oldest}`, { method: 'DELETE' });
      silences.delete(oldest);
    }
    await sleep(settledMs);
    const difference = await differencesOf(api, [...firing], silences, totals);
    differences.push(...difference.map((text) => `step ${index}: ${text}`));
  }
  const version = /version (\S+)/.exec(spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? 'unknown';
  return { version, steps, ...totals, differences };
}

function randomMatchers(random: () => number, pick: <Item>(items: readonly Item[]) => Item): readonly Matcher[] {
  const one = (): Matcher =>
    pick<Matcher>([
      { label: 'environmentId', operator: '=', value: pick(environments) },
      { label: 'severity', operator: '!=', value: 'critical' },
      { label: 'proxy', operator: '=~', value: pick(['orders-[12]', 'orders-.*', 'orders', 'orders-(3|4)']) },
      { label: 'proxy', operator: '!~', value: pick(['orders-[12]', '.+']) },
      { label: 'metric', operator: '=~', value: pick(['latency_.*', 'error_rate|traffic_absent', 'node']) },
      { label: 'missing', operator: '=', value: '' },
    ]);
  // Alertmanager rejects silences that match a label set without values.
  const matchers = [{ label: 'environmentId', operator: '=', value: pick(environments) } as const, one()];
  return random() < 0.3 ? [...matchers, one()] : matchers;
}

async function differencesOf(
  api: string,
  firing: readonly Labels[],
  silences: ReadonlyMap<string, readonly Matcher[]>,
  totals: { alerts: number; groups: number; silenced: number; inhibited: number },
): Promise<readonly string[]> {
  const differences: string[] = [];
  const theirs = new Map((await alertsOf(api)).map((alert) => [keyOf(alert.labels), alert]));
  const alerts = firing.map((labels) => ({ labels, fingerprint: fingerprintOf('', { idId: keyOf(labels) }) }));
  const schedule = { kind: 'once', startsAt: '2000-01-01T00:00:00Z', endsAt: '2100-01-01T00:00:00Z' } as const;
  const inForce = silencesInForce(
    [...silences].map(([id, matchers]) => ({ id, matchers, schedule })),
    Date.now(),
  );
  const inhibitors = inhibited(alerts);
  if (theirs.size !== alerts.length) differences.push(`${theirs.size} alerts instead of ${alerts.length}`);
  for (const { labels, fingerprint } of alerts) {
    const status = theirs.get(keyOf(labels))?.status;
    const silencedBy = suppressorOf(inForce, labels);
    totals.alerts++;
    if (silencedBy !== null) totals.silenced++;
    if (inhibitors.has(fingerprint)) totals.inhibited++;
    const isSilenced = (status?.silencedBy.length ?? 0) > 0;
    const isInhibited = (status?.inhibitedBy.length ?? 0) > 0;
    if (isSilenced !== (silencedBy !== null) || (silencedBy !== null && !status?.silencedBy.includes(silencedBy))) {
      differences.push(`silenced by ${silencedBy}, not ${status?.silencedBy}: ${keyOf(labels)}`);
    }
    if (isInhibited !== inhibitors.has(fingerprint)) {
      differences.push(`inhibited by ${inhibitors.get(fingerprint)}, not ${status?.inhibitedBy}: ${keyOf(labels)}`);
    }
  }
  const ours = [...Map.groupBy(alerts, ({ labels }) => labels.ruleId!)]
    .flatMap(([, ofRule]) => groupByEnvironment(ofRule))
    .map(({ members }) =>
      members
        .map(({ labels }) => keyOf(labels))
        .sort()
        .join('\n'),
    )
    .sort();
  const groups = (await json(`${api}/alerts/groups`)) as { readonly alerts: readonly Gettable[] }[];
  const grouped = groups
    .map((group) =>
      group.alerts
        .map(({ labels }) => keyOf(labels))
        .sort()
        .join('\n'),
    )
    .sort();
  totals.groups += ours.length;
  if (JSON.stringify(ours) !== JSON.stringify(grouped))
    differences.push(`${grouped.length} groups, not ${ours.length}`);
  return differences;
}

async function send(api: string, firing: readonly Labels[], resolved: readonly Labels[]): Promise<void> {
  const now = Date.now();
  const body = [
    ...firing.map((labels) => ({ labels, endsAt: new Date(now + 3_600_000).toISOString() })),
    ...resolved.map((labels) => ({ labels, endsAt: new Date(now).toISOString() })),
  ];
  await post(`${api}/alerts`, body);
}

async function addSilence(api: string, matchers: readonly Matcher[]): Promise<string> {
  const body = {
    matchers: matchers.map(({ label, operator, value }) => ({
      name: label,
      value,
      isRegex: operator.includes('~'),
      isEqual: !operator.includes('!'),
    })),
    startsAt: new Date(Date.now() - 1_000).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    createdBy: 'bench',
    comment: 'bench',
  };
  const answer = await post(`${api}/silences`, body);
  return ((await answer.json()) as { readonly silenceID: string }).silenceID;
}

async function post(url: string, body: unknown): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

async function alertsOf(api: string): Promise<readonly Gettable[]> {
  return (await json(`${api}/alerts`)) as Gettable[];
}

async function json(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

function keyOf(labels: Labels): string {
  return Object.keys(labels)
    .sort()
    .map((name) => `${name}=${labels[name]}`)
    .join(' ');
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      if ((await fetch(url)).ok) return;
    } catch (error) {
      if (attempt > 100) throw error;
    }
    await sleep(100);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
