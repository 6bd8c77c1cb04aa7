import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '@millrace/eventually';
import { done } from '../apps/gateway/src/testing-platform.ts';
import { openTestServers, type TestServer, type TestServers } from '../packages/counters/src/redis/testing-servers.ts';
import { startBalancer } from './fleet/balancer.ts';
import {
  createMembers,
  createNode,
  examine,
  type Installation,
  isAdmitting,
  setUp,
  startInstallation,
} from './fleet/installation.ts';
import { type Loads, startLoads } from './fleet/loads.ts';
import type { Member } from './fleet/members.ts';
import { outcomeTable, talliesTable } from './fleet/report.ts';

const seed = Number(process.env.SEED ?? 1);
/** Between what is done to the installation. */
const pauseMs = Number(process.env.PAUSE_MS ?? 4_000);
/** Low enough to be used up under load. */
const quotaLimit = 2_000;
const nodeCount = 3;
const runCommand = promisify(execFile);

interface Fault {
  readonly name: string;
  cause(): Promise<void>;
}

/** Everything doubled or trebled on one machine; each part ends or fails in turn, under load. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const installation = await startInstallation(stack, 'scale');
  const { folder } = installation;
  const redis = await startRedis(stack);
  const disks = await mountDisks(stack, installation, ['api-2', 'gateway-2']);
  const members: Member[] = [...(await createMembers(installation, { api: 2, worker: 3, control: 3 }))];
  stack.defer(async () => void (await Promise.all(members.map((member) => member.kill()))));
  const balancer = await startBalancer(folder, members);
  stack.defer(() => balancer.stop());
  await Promise.all(members.map((member) => member.start()));
  await balancer.isServing('control');
  await balancer.isServing('api');
  const management = await setUp(balancer.urlOf('control'), installation, quotaLimit);
  for (let number = 1; number <= nodeCount; number++) {
    const settings = { REDIS_URL: redis.url, MILLRACE_LOG_LEVEL: 'warn' };
    members.push(await createNode(installation, management, `gateway-${number}`, { settings }));
  }
  // A balancer of their own: nodes can't register before the management API serves.
  const gateways = await startBalancer(folder, members);
  stack.defer(() => gateways.stop());
  for (const node of members.filter(({ role }) => role === 'gateway')) {
    await node.start();
    await isAdmitting(`http://127.0.0.1:${node.port}`, management);
  }
  await gateways.isServing('gateway');
  const admittedBefore = installation.target.seen.get('') ?? 0;

  const loads = await startLoads({
    apiUrl: balancer.urlOf('api'),
    apiKey: installation.apiKey,
    callbackUrl: installation.receiver.url,
    controlUrl: balancer.urlOf('control'),
    controlHeaders: management.headers,
    gatewayCalls: management.calls.map(({ path, key, name }) => ({
      url: `${gateways.urlOf('gateway')}${path}`,
      key,
      name,
    })),
  });
  const beganMs = performance.now();
  await sleep(pauseMs);
  const faults = shuffled([
    ...members.map((member) => killing(member)),
    ...members.filter(({ name }) => name.endsWith('-1')).map((member) => stopping(member)),
    ...databaseFaults(installation),
    ...redis.faults,
    ...disks,
  ]);
  const rows: string[] = [];
  for (const { name, cause } of faults) {
    const before = retriesOf(loads);
    process.stderr.write(`${new Date().toISOString()} ${name}\n`);
    const startMs = performance.now();
    await cause();
    const tookMs = performance.now() - startMs;
    await sleep(pauseMs);
    const after = retriesOf(loads);
    rows.push(
      `| ${name} | ${(tookMs / 1_000).toFixed(1)} | ${after.retried - before.retried} | ${after.never - before.never} |`,
    );
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  await loads.stop();
  if (retriesOf(loads).never > 0) {
    for (const member of members) process.stderr.write(`${member.name}:\n${member.output()}\n`);
  }
  const quota = quotaOf(loads, installation);
  const outcome = await examine(installation, management, loads);
  const memory = await memoryOf(members);
  const { total } = await done(management.manager, 'GET', '/gateway-nodes?pageSize=1');

  return `
Two extraction APIs, three workers, three management APIs and ${total} gateway nodes as processes, one PostgreSQL, a Redis primary with
two replicas and three sentinels, and HAProxy in front, which asks for \`/readyz\` each second; all on this machine and loopback. Callers
retry as the product's own client does: four times, after half a second that doubles, or after \`Retry-After\`. Under load,
each fault happens once, in an order by seed ${seed}, and the next one ${pauseMs / 1_000} s after the one before is over: ${faults.length} faults in ${seconds.toFixed(0)} s.
\`npm run bench -- scale\` repeats it.

## Calls

${talliesTable(loads)}

## What became of them

${outcomeTable(outcome)}
| Requests that the quota admits | ${quotaLimit} |
| – that reached the target, with ${admittedBefore > 0 ? 'those of the start' : 'all'} | ${quota.reached} |
| – rejected by 429 | ${quota.rejected} |

## Faults

Seconds until the fault was over and the process was back; calls that needed a retry, and that failed after all retries, from then until the
next fault.

| Fault | Seconds | Calls retried | Never answered |
|---|---|---|---|
${rows.join('\n')}

## Memory at the end

| Process | Resident, MB |
|---|---|
${memory.map(([name, megabytes]) => `| ${name} | ${megabytes} |`).join('\n')}
`;
}

function killing(member: Member): Fault {
  return {
    name: `kill -9 ${member.name}`,
    async cause() {
      await member.kill();
      await sleep(1_000);
      await member.start();
    },
  };
}

function stopping(member: Member): Fault {
  return {
    name: `SIGTERM ${member.name}`,
    async cause() {
      const code = await member.stop();
      if (code !== 0) throw new Error(`${member.name} exited with ${code}:\n${member.output().slice(-2_000)}`);
      await member.start();
    },
  };
}

function databaseFaults({ postgres }: Installation): readonly Fault[] {
  const ending = (signal: NodeJS.Signals) => async () => {
    const before = postgres.processId;
    process.kill(before, signal);
    await eventually('PostgreSQL to be back', () => postgres.processId !== before);
  };
  return [
    { name: 'kill -9 PostgreSQL', cause: ending('SIGKILL') },
    { name: 'Restart PostgreSQL', cause: ending('SIGINT') },
  ];
}

interface Redis {
  readonly url: string;
  readonly faults: readonly Fault[];
}

/** A primary with two replicas, of which one has to have each write, and three sentinels. */
async function startRedis(stack: AsyncDisposableStack): Promise<Redis> {
  const servers: TestServers = openTestServers();
  stack.defer(() => servers[Symbol.asyncDispose]());
  const settings = ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '2', '--appendonly', 'yes'];
  let primary = await servers.start(...settings);
  const startReplica = () => servers.start(...settings, '--replicaof', '127.0.0.1', String(primary.port));
  const replicas: TestServer[] = [await startReplica(), await startReplica()];
  const hasReplicas = (count: number) =>
    eventually('the replicas', async () =>
      String(await primary.command('INFO', 'replication')).includes(`connected_slaves:${count}`),
    );
  await hasReplicas(2);
  const sentinels = await Promise.all(
    [0, 1, 2].map((index) =>
      servers.startSentinel([
        `sentinel monitor limits 127.0.0.1 ${primary.port} 2`,
        // The last only votes: three that see it at the same moment would each vote for themselves.
        `sentinel down-after-milliseconds limits ${index < 2 ? 800 : 10_000}`,
        'sentinel failover-timeout limits 2000',
      ]),
    ),
  );
  await eventually('the sentinels', async () => {
    const known = await Promise.all(sentinels.map((sentinel) => sentinel.command('SENTINEL', 'MASTER', 'limits')));
    return known.every((each) => {
      const lines = each as readonly string[];
      return lines[lines.indexOf('num-other-sentinels') + 1] === '2' && lines[lines.indexOf('num-slaves') + 1] === '2';
    });
  });
  const primaryPort = async () => {
    const [, port] = (await sentinels[0]!.command(
      'SENTINEL',
      'GET-MASTER-ADDR-BY-NAME',
      'limits',
    )) as readonly string[];
    return Number(port);
  };
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/limits`,
    faults: [
      {
        name: 'kill -9 the Redis primary: a replica takes over',
        async cause() {
          const { port } = primary;
          await primary.kill();
          const next = await eventually('another primary', async () => {
            const now = await primaryPort();
            return now !== port && replicas.find((replica) => replica.port === now);
          });
          replicas.splice(replicas.indexOf(next), 1);
          primary = next;
          replicas.push(await startReplica());
          await hasReplicas(2);
        },
      },
      {
        name: 'Restart a Redis replica',
        async cause() {
          await replicas.pop()?.kill();
          replicas.push(await startReplica());
          await hasReplicas(2);
        },
      },
    ],
  };
}

/** Data folders of members as small disks of their own; none where this user may not mount any. */
async function mountDisks(
  stack: AsyncDisposableStack,
  { folder }: Installation,
  names: readonly string[],
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const name of names) {
    const disk = join(folder, name);
    await mkdir(disk);
    const isMounted = await runCommand('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'millrace-bench', disk]).then(
      () => true,
      () => false,
    );
    if (!isMounted) continue;
    stack.defer(async () => void (await runCommand('umount', ['-l', disk])));
    const file = join(disk, 'filler');
    faults.push({
      name: `Fill the disk of ${name} for 5 s`,
      async cause() {
        const { bavail, bsize } = await statfs(disk);
        await writeFile(file, Buffer.alloc(bavail * bsize)).catch(() => {});
        await sleep(5_000);
        await rm(file, { force: true });
      },
    });
  }
  return faults;
}

function retriesOf({ tallies }: Loads) {
  const each = Object.values(tallies);
  return {
    retried: each.reduce((all, { byOneRetry, byMore }) => all + byOneRetry + byMore, 0),
    never: each.reduce((all, { never }) => all + [...never.values()].reduce((sum, count) => sum + count, 0), 0),
  };
}

/** Of the calls with a quota: how many reached the target, and were rejected. */
function quotaOf({ gatewayAnswers }: Loads, { target }: Installation) {
  return { reached: target.seen.get('limited') ?? 0, rejected: gatewayAnswers.get('limited 429') ?? 0 };
}

/** Resident memory of the processes themselves, in megabytes; none without `/proc`. */
async function memoryOf(members: readonly Member[]): Promise<readonly (readonly [string, number])[]> {
  if (!existsSync('/proc/self/status')) return [];
  const { stdout } = await runCommand('ps', [
    '-o',
    'pid=,rss=',
    '-p',
    members.map((member) => member.processId()).join(','),
  ]);
  const sizes = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => {
        const [id = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
        return [id, Math.round(kilobytes / 1_024)] as const;
      }),
  );
  return members.map((member) => [member.name, sizes.get(member.processId()) ?? 0] as const);
}

/** In an order that the seed decides: Fisher and Yates, by the generator of Park and Miller. */
function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  const mixed = [...items];
  let state = seed;
  for (let index = mixed.length - 1; index > 0; index--) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (index + 1);
    [mixed[index], mixed[other]] = [mixed[other] as Item, mixed[index] as Item];
  }
  return mixed;
}
