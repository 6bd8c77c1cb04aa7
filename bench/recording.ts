import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { newRecord } from '@millrace/data-plane/record';
import { HeaderList } from '@millrace/policies/headers';
import type { Recording } from './gateway/recording.ts';
import {
  answers,
  find,
  freePort,
  inRounds,
  load,
  startGateway,
  startNginx,
  table,
  upstreamConfiguration,
  writeScript,
} from './gateway.ts';
import { median } from './statistics/quantile.ts';

/** Another checkout with this benchmark's files, such as that of the commit before a change. */
const before = process.env.BEFORE ?? null;
const rounds = Number(process.env.ROUNDS ?? 9);
const tracedPercent = 1;
const traced = `Everything, ${tracedPercent} % traced`;
const unmetered = 'Everything but metering';
const requestsOfChunk = 100_000;
const requestsOfTurn = 32;
const chunks = Number(process.env.CHUNKS ?? 15);
const otherCore = '1';

/** The benchmark of what a gateway node keeps of its requests; see the report's own words for the method. */
export async function run(): Promise<string> {
  const missing = ['nginx', 'wrk', 'taskset'].filter((program) => find(program) === null);
  if (missing.length > 0)
    return `Nothing was measured: install ${missing.join(', ')} (Debian has packages of these names).`;
  await using stack = new AsyncDisposableStack();
  execFileSync('taskset', ['-acp', otherCore, String(process.pid)], { stdio: 'ignore' });
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-recording-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // nginx reads as another user.
  await chmod(folder, 0o755);
  const upstreamPort = await freePort();
  const upstream = await startNginx(join(folder, 'upstream'), upstreamConfiguration(folder, upstreamPort), otherCore);
  stack.defer(() => upstream.stop());
  await answers(upstreamPort);
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  stack.defer(() => void collector.close());
  stack.defer(() => collector.closeAllConnections());
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

  const start = async (
    name: string,
    collects: Recording['collector'] | undefined,
    { checkout, metered = true }: { readonly checkout?: string; readonly metered?: boolean } = {},
  ) => {
    const recording = collects === undefined ? {} : { recording: { folder: join(folder, name), collector: collects } };
    const options = { upstreamPort, proxies: 50, keys: 200, limits: 'wide', metered, ...recording } as const;
    const server = await startGateway(options, checkout);
    stack.defer(() => void server.child.kill());
    return { ...server, name };
  };
  const everything = await start('Everything', null);
  const others = [await start('Nothing', undefined)];
  if (before !== null) others.push(await start('Everything, before', null, { checkout: before }));
  others.push(await start(unmetered, null, { metered: false }));
  // The same again shows what differs by chance.
  others.push(await start('Everything, once more', null));
  others.push(await start(traced, { endpoint, percent: tracedPercent }));
  const script = await writeScript(folder, 'POST', 'POST', 0);
  const results = await inRounds(rounds, [everything, ...others], (server, seconds) => load(server, seconds, script));
  const [changed, own] = await inProcess(folder, endpoint);
  return `## Alone

Only what keeps requests, in one process without a gateway: ${requestsOfChunk.toLocaleString('en')} requests of 50 proxies and 7 apps at a time, in turns of the event loop of
${requestsOfTurn}, to the last batch of usage; ${chunks} times each, in alternating order. Differences are of neighbours. The
collector of traces is part of the process.

${own}
${changed}

## Through the gateway

One gateway process on core 0 with key, quota and spike arrest, 50 proxies and 200 keys; wrk and the upstream (nginx) on core ${otherCore}, as
in [bench/gateway](gateway.md): POST of 1 KB, 64 connections, turns of 2 s in alternating order, ${rounds} rounds. “Everything” is what a node
keeps of its requests: the journal and batches of usage, written to disk and encoded every five seconds, the access log (to
a pipe), metrics, the last requests of apps and its load. The first server runs for 1 s before and after each of the others, and
ratios are relative to the mean of both. All figures are medians. Without metering no subscription has a term, as where nothing is
sold. The same server as another process, “once more”, shows what differs by chance.

${table(results)}`;
}

type Start = typeof import('./gateway/recording.ts')['startRecording'];

/** What recording a request costs alone, in µs of processor time, and what the change before it differs by. */
async function inProcess(folder: string, endpoint: string): Promise<readonly [changed: string, table: string]> {
  const startOf = async (checkout: string): Promise<Start> =>
    (await import(join(checkout, 'bench/gateway/recording.ts'))).startRecording;
  const now = await startOf(join(import.meta.dirname, '..'));
  const variants = [
    { name: 'Everything', start: now, collector: null, metered: true },
    ...(before === null
      ? []
      : [{ name: 'Everything, before', start: await startOf(before), collector: null, metered: true }]),
    { name: unmetered, start: now, collector: null, metered: false },
    { name: 'Everything, once more', start: now, collector: null, metered: true },
    { name: traced, start: now, collector: { endpoint, percent: tracedPercent }, metered: true },
  ];
  const figures = variants.map((): number[] => []);
  for (let chunk = -1; chunk < chunks; chunk++) {
    const order = [...variants.entries()];
    for (const [index, { start, metered, ...recording }] of chunk % 2 === 0 ? order : order.toReversed()) {
      const us = await costOf(start, { folder: join(folder, `alone-${chunk}-${index}`), ...recording }, metered);
      // The first of each compiles.
      if (chunk >= 0) figures[index]!.push(us);
    }
  }
  const lines = variants.map(({ name }, index) => {
    const differences = figures[index]!.map((us, chunk) => us - figures[0]![chunk]!);
    return `| ${name} | ${median(figures[index]!).toFixed(2)} | ${Math.min(...figures[index]!).toFixed(2)} | ${index === 0 ? '' : median(differences).toFixed(2)} |`;
  });
  const table = `| | CPU µs, median | least | difference from the first, median |\n|---|---|---|---|\n${lines.join('\n')}`;
  return [before === null ? '' : 'Before: the commit before traffic was counted by ten seconds.', table];
}

/** Processor time of a request, in µs. */
async function costOf(start: Start, recording: Recording, metered: boolean): Promise<number> {
  globalThis.gc?.();
  const record = newRecord();
  const headers = ['Host', '127.0.0.1', 'Accept', 'application/json', 'Content-Type', 'application/json'];
  const beforeUse = process.cpuUsage();
  const recorder = await start(recording);
  for (let index = 0; index < requestsOfChunk; index++) {
    const request = { method: 'POST', headers: new HeaderList([...headers]) };
    const trace = recorder.trace?.({ connection: { isTrusted: false }, request });
    const gatewayTimeUs = 40 + ((index * 7_919) % 200);
    const targetTimeUs = 300 + ((index * 104_729) % 3_000);
    Object.assign(record, {
      requestId: 'req_0123456789abcdef',
      startedAtMs: Date.now(),
      method: 'POST',
      path: '/v1/api-1/items',
      clientAddress: '127.0.0.1',
      proxyId: `prx_api-${index % 50}`,
      deploymentId: `dep_api-${index % 50}`,
      routeId: `rte_${index % 50}`,
      appId: `app_${index % 7}`,
      productId: 'prd',
      termId: metered ? `trm_${index % 7}` : null,
      status: 200,
      requestBytes: 1_200,
      responseBytes: 1_100,
      gatewayTimeUs,
      targetTimeUs,
      latencyUs: gatewayTimeUs + targetTimeUs,
      target: '127.0.0.1:8080',
    });
    recorder.record(record);
    trace?.end(record);
    if (index % requestsOfTurn === 0) await setImmediate();
  }
  await recorder.stop();
  const { user, system } = process.cpuUsage(beforeUse);
  return (user + system) / requestsOfChunk;
}
