import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBalancer } from './fleet/balancer.ts';
import { createMembers, createNode, examine, isAdmitting, setUp, startInstallation } from './fleet/installation.ts';
import { startLoads } from './fleet/loads.ts';
import type { Member } from './fleet/members.ts';
import { outcomeTable, talliesTable } from './fleet/report.ts';

/** The released version: a commit of this repository. By default the last one before issue 23. */
const commit = process.env.COMMIT ?? '888e5e20';
const seconds = Number(process.env.SECONDS ?? 20);
const root = resolve(import.meta.dirname, '..');

/**
 * Upgrades a running installation from a released version to this one under load, process by process: each process of this
 * version starts, then one of the released version ends by SIGTERM.
 */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const installation = await startInstallation(stack, 'upgrade');
  const { folder } = installation;
  const released = checkOut(join(folder, 'released'));
  const counts = { api: 1, worker: 1, control: 1 };
  const before = [...(await createMembers(installation, counts, { root: released, prefix: 'released-' }))];
  const after = [...(await createMembers(installation, counts))];
  stack.defer(async () => void (await Promise.all([...before, ...after].map((member) => member.kill()))));

  const balancer = await startBalancer(folder, [...before, ...after]);
  stack.defer(() => balancer.stop());
  for (const member of before) await member.start();
  await balancer.isServing('control');
  const management = await setUp(balancer.urlOf('control'), installation, 1_000_000_000);
  before.push(await createNode(installation, management, 'released-gateway', { root: released }));
  after.push(await createNode(installation, management, 'gateway'));
  // A balancer of their own: nodes can't register before the first one serves.
  const gateways = await startBalancer(folder, [...before, ...after]);
  stack.defer(() => gateways.stop());
  const startNode = async (node: Member) => {
    await node.start();
    await isAdmitting(`http://127.0.0.1:${node.port}`, management);
  };
  await startNode(before.at(-1)!);
  await gateways.isServing('gateway');

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
  await sleep((seconds * 1_000) / 4);
  const exits: string[] = [];
  for (const [index, old] of before.entries()) {
    const young = after[index]!;
    await (young.role === 'gateway' ? startNode(young) : young.start());
    await sleep((seconds * 1_000) / 8);
    exits.push(`${old.name} ${await old.stop()}`);
  }
  await sleep((seconds * 1_000) / 4);
  await loads.stop();
  const outcome = await examine(installation, management, loads);
  const gatewayAnswers = [...loads.gatewayAnswers].map(([answer, count]) => `${answer}: ${count}`).join(', ');
  const subject = execFileSync('git', ['log', '-1', '--format=%h, %s', commit], { cwd: root, encoding: 'utf8' }).trim();
  return `
The released version is commit ${subject}. It runs one process of each role under load; then each role in turn (extraction
API, worker, management API, gateway node) gets a process of this version, which serves beside the released one, and the
released one ends by SIGTERM. The first process of this version migrates the database. HAProxy is in front and asks for
\`/readyz\` each second; all on this machine and one PostgreSQL. Exit codes: ${exits.join(', ')}.

${talliesTable(loads)}

The gateway's answers: ${gatewayAnswers}.

${outcomeTable(outcome)}
`;
}

/** The released version in a folder, with the dependencies of this version and its own packages. */
function checkOut(folder: string): string {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@millrace'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@millrace') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const group of ['apps', 'packages']) {
    for (const name of readdirSync(join(folder, group))) {
      symlinkSync(join(folder, group, name), join(modules, '@millrace', name));
    }
  }
  return folder;
}
