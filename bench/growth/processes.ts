import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMillraceClient } from '@millrace/client';
import { createMembers, startInstallation } from '../fleet/installation.ts';
import type { Member } from '../fleet/members.ts';
import { spent } from './cost.ts';

const most = 4;
const documents = 24;
const idleSeconds = 20;
const callSeconds = 6;
const callers = 8;
const sample = resolve(import.meta.dirname, '../../samples/contract.pdf');

export interface ProcessGrowth {
  readonly table: string;
  /** Connections to PostgreSQL of one process while it serves, at most. */
  readonly connectionsEach: number;
  /** Share of a core that one more idle management process takes, with its part of PostgreSQL. */
  readonly idleEach: number;
}

/** One to four workers, and one to four processes of the management API. */
export async function growProcesses(): Promise<ProcessGrowth> {
  await using stack = new AsyncDisposableStack();
  const installation = await startInstallation(stack, 'growth');
  const members = await createMembers(installation, { api: 1, worker: most, control: most });
  stack.defer(async () => void (await Promise.all(members.map((member) => member.kill()))));
  const of = (role: Member['role']) => members.filter((member) => member.role === role);
  const [api] = of('api');
  await api!.start();
  const client = createMillraceClient({ baseUrl: `http://127.0.0.1:${api!.port}`, apiKey: installation.apiKey });
  const content = new Uint8Array(await readFile(sample));
  const running: { workers: Member[]; controls: Member[] } = { workers: [], controls: [] };
  const measured = {
    serviceIds: () => [...running.workers, ...running.controls].map((member) => member.processId()),
    postgresId: () => installation.postgres.processId,
  };
  const lines: string[] = [];
  let idleFirst = 0;
  let idleLast = 0;
  for (let count = 1; count <= most; count++) {
    running.controls = [];
    const worker = of('worker')[count - 1]!;
    await worker.start();
    running.workers.push(worker);
    const before = spent(measured);
    const beganMs = performance.now();
    const jobs = await Promise.all(Array.from({ length: documents }, () => client.extractAsync(content)));
    await Promise.all(jobs.map(({ job_id }) => client.waitForJob(job_id, { pollDelayMs: () => 250 })));
    const seconds = (performance.now() - beganMs) / 1_000;
    const after = spent(measured);
    const each = (after.service + after.postgres - before.service - before.postgres) / documents;
    lines.push(`| ${count} | ${(documents / seconds).toFixed(1)} | ${(each * 1_000).toFixed(0)} |`);
  }
  for (const worker of running.workers) await worker.stop();
  running.workers = [];
  for (let count = 1; count <= most; count++) {
    const control = of('control')[count - 1]!;
    await control.start();
    running.controls.push(control);
    await sleep(5_000);
    const before = spent(measured);
    await sleep(idleSeconds * 1_000);
    const idle = spent(measured);
    const share = (idle.service + idle.postgres - before.service - before.postgres) / idleSeconds;
    if (count === 1) idleFirst = share;
    idleLast = share;
    const addresses = running.controls.map(({ port }) => `http://127.0.0.1:${port}`);
    const headers = await signedIn(addresses[0]!, installation.password);
    const endMs = performance.now() + callSeconds * 1_000;
    let calls = 0;
    const call = async (caller: number) => {
      for (let turn = caller; performance.now() < endMs; turn++) {
        const response = await fetch(`${addresses[turn % addresses.length]}/api/environments`, { headers });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`a list was answered ${response.status}`);
        calls++;
      }
    };
    await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
    const busy = spent(measured);
    const each = (busy.service + busy.postgres - idle.service - idle.postgres) / calls;
    const cells = [(share * 100).toFixed(1), (calls / callSeconds).toFixed(0), (each * 1_000).toFixed(2)];
    lines[count - 1] += ` ${cells.join(' | ')} |`;
  }
  return {
    table: `| Processes | documents a second by workers | CPU ms of a document | idle management API and PostgreSQL, % of a core | lists a second | CPU ms of a list |
|---|---|---|---|---|---|
${lines.join('\n')}`,
    connectionsEach: Number(installation.settingsOf('any').MILLRACE_DATABASE_CONNECTIONS),
    idleEach: (idleLast - idleFirst) / (most - 1),
  };
}

async function signedIn(address: string, password: string): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@millrace.local', password }),
  });
  await response.arrayBuffer();
  return { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}
