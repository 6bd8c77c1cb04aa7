import { type ChildProcess, execFileSync, type ForkOptions, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestRedis, withoutRedis } from '@millrace/counters/testing';
import { keyOf } from './gateway/key.ts';
import { type PeerOptions, type PeerStarted, peerKeyOf, peerKinds, peerPackages, peersFolder } from './gateway/peer.ts';
import type { ServerOptions } from './gateway/server.ts';
import { median, spread } from './statistics/quantile.ts';

/** Of each table but the first. */
const rounds = 10;
/** Of the table that the goals are held against: a median of ten differs by a tenth between two runs of the bench. */
const roundsOfPost = 20;
const secondsARound = 2;
/** Of the baseline, before and after each of the others. */
const secondsBetween = 1;
const secondsToWarmUp = 4;
/** So long that the slowest hundredth is not the moment in which wrk opens its connections, and the same for all. */
const secondsSteady = 10;
const swaps = 11;
/** A run from which the host kept more of the processors' time than this is made again, once. */
const stolenAtMost = 0.04;
const connections = 64;
const routesAsked = 50;
const keysUsed = 200;
const gatewayCore = '0';
const nginxModules = '/usr/lib/nginx/modules';
const otherCore = '1';
const here = join(import.meta.dirname, '..');

/** A server whose requests are measured. */
export interface Measured {
  readonly name: string;
  readonly port: number;
  readonly processes: readonly number[];
  /** Whose keys it knows, where these are not the gateway's own. */
  readonly keysOf?: PeerOptions['kind'];
}

export interface Figures {
  readonly cpuUs: number;
  readonly rps: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Connections that could not be made, and reads and writes that failed. */
  readonly failed: number;
  /** Requests that waited for longer than wrk's two seconds. */
  readonly timedOut: number;
  readonly refused: number;
  /** How much of the processors' time the host kept for others meanwhile, 0 to 1. */
  readonly stolen: number;
}

const parts = [
  'post',
  'steady',
  'shared',
  'scale',
  'large',
  'paced',
  'post-beside-node',
  'get',
  'get-beside-node',
] as const;
type Part = (typeof parts)[number];

/**
 * The benchmark of the gateway; see the report's own words for the method. Tables that were measured before on the same
 * processor are kept, so that each can be measured while nothing else runs.
 *
 * @param chosen tables to measure; empty: all
 */
export async function run(chosen: readonly string[]): Promise<string> {
  const unknown = chosen.filter((name) => !parts.some((part) => part === name));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. The tables are ${parts.join(', ')}.`);
  const isWanted = (...names: Part[]) => chosen.length === 0 || names.some((name) => chosen.includes(name));
  const missing = ['nginx', 'wrk', 'taskset'].filter((program) => find(program) === null);
  if (missing.length > 0)
    return `Nothing was measured: install ${missing.join(', ')} (Debian has packages of these names).`;
  await using stack = new AsyncDisposableStack();
  // Child processes, including Redis, run on the same core unless set otherwise.
  execFileSync('taskset', ['-acp', otherCore, String(process.pid)], { stdio: 'ignore' });
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-gateway-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // nginx reads as another user.
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'large.txt'), 'a'.repeat(100_000));
  const upstreamPort = await freePort();
  const upstream = await startNginx(join(folder, 'upstream'), upstreamConfiguration(folder, upstreamPort), otherCore);
  stack.defer(() => upstream.stop());
  await answers(upstreamPort);

  const peers: Measured[] = [];
  const nginxPort = await freePort();
  const nginx = await startNginx(join(folder, 'proxy'), proxyConfiguration(nginxPort, upstreamPort), gatewayCore);
  stack.defer(() => nginx.stop());
  await answers(nginxPort);
  peers.push({ name: 'nginx, bare', port: nginxPort, processes: nginx.processes() });
  const notes: string[] = [];
  if (find('haproxy') === null) {
    notes.push('HAProxy is not installed (`apt-get install haproxy`).');
  } else {
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, haproxyConfiguration(port, upstreamPort));
    const child = spawn('taskset', ['-c', gatewayCore, find('haproxy')!, '-db', '-f', file], { stdio: 'ignore' });
    stack.defer(() => void child.kill());
    await answers(port);
    peers.push({ name: 'HAProxy, bare', port, processes: [child.pid!] });
  }
  const luaModules = ['ndk_http_module.so', 'ngx_http_lua_module.so'].map((name) => join(nginxModules, name));
  if (luaModules.every((file) => existsSync(file))) {
    const port = await freePort();
    const modules = luaModules.map((file) => `load_module ${file};`).join(' ');
    const proxy = await startNginx(join(folder, 'lua'), luaConfiguration(port, upstreamPort), gatewayCore, modules);
    stack.defer(() => proxy.stop());
    await answers(port);
    peers.push({ name: 'nginx with Lua, key + quota + spike arrest', port, processes: proxy.processes() });
  } else {
    notes.push('nginx has no Lua (`apt-get install libnginx-mod-http-lua`).');
  }
  const onNode: Measured[] = [];
  for (const kind of isWanted('post-beside-node', 'get-beside-node') ? peerKinds : []) {
    const { plugins, ...own } = peerPackages[kind];
    const packages = plugins === undefined ? [own] : [own, plugins];
    if (packages.some(({ name }) => !existsSync(join(peersFolder, 'node_modules', name)))) {
      const all = packages.map(({ name, version }) => `${name}@${version}`).join(' ');
      notes.push(`${kind} is not installed (\`npm install --prefix .cache/peers ${all}\`).`);
      continue;
    }
    for (const policies of [false, true]) {
      const name = `${kind}, ${policies ? 'key + quota + spike arrest' : 'no policies'}`;
      const port = await freePort();
      const options = { kind, port, upstreamPort, proxies: routesAsked, folder: join(folder, name), policies };
      const { child, processes } = await startPeer(options);
      stack.defer(() => void child.kill());
      onNode.push({ name, port, processes, keysOf: kind });
    }
  }

  const scripts = { get: await writeScripts(folder, 'GET'), post: await writeScripts(folder, 'POST') };
  const start = async (name: string, options: Omit<ServerOptions, 'upstreamPort'>) => {
    const server = await startGateway({ upstreamPort, ...options });
    stack.defer(() => void server.child.kill());
    return { ...server, name };
  };
  const bare = await start('Millrace, no policies', { proxies: 10_000, keys: 0, limits: 'none' });
  const wide = await start('Millrace, key + quota + spike arrest', { proxies: 10_000, keys: 100_000, limits: 'wide' });
  const recorded: Measured[] = [];
  if (isWanted('post')) {
    const recording = { folder: join(folder, 'recorded'), collector: null };
    const options = { proxies: 10_000, keys: 100_000, limits: 'wide', recording } as const;
    recorded.push(await start('Millrace, the same, with access log, usage and metrics', options));
  }
  const binding: Measured[] = [];
  if (isWanted('get')) {
    const options = { proxies: 10_000, keys: 100_000, limits: 'binding' } as const;
    binding.push(await start('Millrace, the same, limits that bind', options));
  }
  const sharing: Measured[] = [];
  if (!isWanted('shared', 'get')) {
    // Needs no Redis.
  } else if (withoutRedis) {
    notes.push('Limits that nodes share were not part of this run: redis-server is not installed.');
  } else {
    const redis = await startTestRedis();
    stack.defer(() => redis.remove());
    for (const mode of ['strict', 'fast'] as const) {
      const options = { proxies: 10_000, keys: 100_000, limits: 'wide', shared: { url: redis.url, mode } } as const;
      sharing.push(await start(`Millrace, the same, ${mode}, shared in Redis`, options));
    }
  }
  const own = [bare, wide, ...sharing, ...binding];
  const asked = (
    servers: readonly Measured[],
    script: (server: Measured) => string,
    { path, count = rounds }: { readonly path?: string; readonly count?: number } = {},
  ) => inRounds(count, servers, (server, seconds) => load(server, seconds, script(server), path)).then(table);
  // Those of Node have tables of their own, so that nobody stands still for longer than others need between two turns.
  const besideNode = [peers[0]!, ...onNode, wide];
  const lua = peers.filter(({ name }) => name.includes('Lua'));
  const direct = { name: 'no proxy', port: upstreamPort, processes: [] };
  const measured: Readonly<Record<Part, () => Promise<string>>> = {
    post: async () =>
      `## POST of 1 KB, 1 KB answers\n\n${await asked([...peers, bare, wide, ...recorded], scripts.post, { count: roundsOfPost })}`,
    steady: () => steady([peers[0]!, ...lua, wide], scripts.post),
    shared: async () =>
      `## Limits that nodes share\n\nRatios are to the same limits in one process's memory. POST of 1 KB.\n\n${await asked([wide, ...sharing], scripts.post)}`,
    scale: () => scale(start, scripts.get(wide), wide),
    large: async () => `## 100 KB answers\n\n${await asked([...peers, bare, wide], scripts.get, { path: 'large' })}`,
    paced: () => atSeventyPercent(folder, direct, [...peers, wide]),
    'post-beside-node': async () =>
      `## POST of 1 KB, compared with gateways on Node\n\n${await asked(besideNode, scripts.post)}`,
    get: async () => `## GET, 1 KB answers\n\n${await asked([...peers, ...own], scripts.get)}`,
    'get-beside-node': async () => `## GET, compared with gateways on Node\n\n${await asked(besideNode, scripts.get)}`,
  };
  const kept = join(here, '.cache/bench/gateway', (cpus()[0]?.model ?? 'unknown').trim().replaceAll(/\W+/g, '-'));
  await mkdir(kept, { recursive: true });
  for (const part of parts) {
    if (!isWanted(part)) continue;
    const when = `Measured ${new Date().toISOString().slice(0, 10)}; load average just before ${(loadavg()[0] ?? 0).toFixed(1)}.`;
    await writeFile(join(kept, `${part}.md`), `${await measured[part]()} ${when}`);
  }
  const tables: string[] = [];
  for (const part of parts) {
    const file = join(kept, `${part}.md`);
    if (existsSync(file)) tables.push(await readFile(file, 'utf8'));
  }

  return `Upstream: nginx on core ${otherCore}, \`return 200\` with 880 B of JSON. Load: wrk on core ${otherCore}, ${connections} keep-alive connections,
${keysUsed} keys over ${routesAsked} of 10,000 routes. Redis also runs on core ${otherCore}. The measured server runs alone on core ${gatewayCore} in one process (nginx: one worker), while
the others are idle. After ${secondsToWarmUp} s of warm-up each, they take turns of ${secondsARound} s, in alternating order, in ${rounds} rounds (the first table: ${roundsOfPost}). The machine and its caches are shared, so bare nginx, or the server named above a table, runs
for ${secondsBetween} s before and after each of the others, ratios are relative to the mean of both, and all figures are medians over the rounds, with their quartiles. A run in which the host
withheld more than ${100 * stolenAtMost} % of the CPU time, or that got no response, is repeated once, whichever server is measured. CPU is the server's own, user and system,
per request. With policies, Edge Microgateway is a cluster of one worker, which its key cache requires; its CPU is that of both
processes, and its spike arrest is one for all keys. Express Gateway stores its keys in the Redis that it emulates.
${notes.join(' ')}

${tables.join('\n\n')}`;
}

async function steady(servers: readonly Measured[], script: (server: Measured) => string): Promise<string> {
  const results = await inRounds(
    rounds,
    servers,
    (server, seconds) => load(server, seconds, script(server)),
    secondsSteady,
    secondsSteady,
  );
  return `## POST of 1 KB, for ${secondsSteady} s

Bare nginx also runs for ${secondsSteady} s: in runs of ${secondsARound} s, the slowest hundredth comes from the start, when all
connections are opened at once and caches are cold.

${table(results)}`;
}

async function atSeventyPercent(folder: string, direct: Measured, servers: readonly Measured[]): Promise<string> {
  const full = await load(servers.at(-1)!, secondsARound, await writeScript(folder, 'full', 'POST', 0));
  // Every connection waits so long between its requests that all of them together ask at the rate.
  const delayMs = Math.max(1, Math.round((connections / (full.rps * 0.7)) * 1_000));
  const script = await writeScript(folder, 'paced', 'POST', delayMs);
  const results = await inRounds(rounds, [direct, ...servers], (server, seconds) => load(server, seconds, script));
  const [without] = results;
  const lines = results.map(({ server, figures }) => {
    const added = (key: 'p50Ms' | 'p99Ms') => (medianOf(figures, key) - medianOf(without!.figures, key)).toFixed(2);
    return `| ${server.name} | ${Math.round(medianOf(figures, 'rps'))} | ${medianOf(figures, 'p50Ms').toFixed(2)} | ${medianOf(figures, 'p99Ms').toFixed(2)} | ${added('p50Ms')} | ${added('p99Ms')} |`;
  });
  return `## Time added at about 70 % of its saturated rate

Each connection waits ${delayMs} ms before its next POST.

| | requests/s | p50 ms | p99 ms | added p50 ms | added p99 ms |
|---|---|---|---|---|---|
${lines.join('\n')}

${stolenIn(results.flatMap(({ figures }) => figures))}`;
}

type Start = (name: string, options: Omit<ServerOptions, 'upstreamPort'>) => Promise<Started & Measured>;

async function scale(start: Start, script: string, largest: Started & Measured): Promise<string> {
  const servers = [
    await start('50 proxies, 200 keys', { proxies: 50, keys: 200, limits: 'wide' }),
    await start('1,000 proxies, 10,000 keys', { proxies: 1_000, keys: 10_000, limits: 'wide' }),
    { ...largest, name: '10,000 proxies, 100,000 keys' },
  ];
  const results = await inRounds(rounds, servers, (server, seconds) => load(server, seconds, script));
  const lines: string[] = [];
  const swapping: Figures[] = [];
  for (const { server, figures } of results) {
    const started = servers.find(({ port }) => port === server.port)!;
    const memory = memoryBytes(started.child.pid!);
    const swapsMs: number[] = [];
    const stallsMs: number[] = [];
    const usualMs: number[] = [];
    const loads: Figures[] = [];
    for (let swap = 0; swap < swaps; swap++) {
      const loading = runOfWrk(server, secondsARound, script, 'items');
      await wait(500);
      started.child.send('swap');
      const [swapped] = (await once(started.child, 'message')) as [
        { swapMs: number; stallMs: number; usualMs: number },
      ];
      swapsMs.push(swapped.swapMs);
      stallsMs.push(swapped.stallMs);
      usualMs.push(swapped.usualMs);
      loads.push(await loading);
    }
    swapping.push(...loads);
    lines.push(
      `| ${server.name} | ${Math.round(started.loadMs)} | ${Math.round(started.rssBytes / 1e6)} | ${Math.round(memory / 1e6)} | ${Math.round(medianOf(figures, 'rps'))} | ${medianOf(figures, 'cpuUs').toFixed(1)} | ${Math.round(median(swapsMs))} | ${median(stallsMs).toFixed(1)} | ${median(usualMs).toFixed(1)} | ${failures(loads)} |`,
    );
  }
  return `## Scale

One process with all three policies. A swap loads a configuration with one changed revision under full load. The stall
is the longest turn of the event loop meanwhile, including requests, next to the longest in the same time without a swap.
All are medians of ${swaps} swaps, none repeated; failed requests are those of all swaps.

| | load ms | memory MB, loaded | memory MB, after the load | requests/s | CPU µs | swap ms | longest turn ms | without a swap | failed requests |
|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}

${stolenIn(swapping)}`;
}

interface Round {
  readonly server: Measured;
  readonly figures: Figures[];
  /** What the baseline did just before and just behind each of them: the mean of both. */
  readonly beside: Figures[];
}

/**
 * Measures all servers in turn, again and again; every other round goes backwards, so that no neighbour is always the
 * same. The first, which others are compared with, is measured between all of them.
 */
export async function inRounds(
  count: number,
  servers: readonly Measured[],
  measure: (server: Measured, seconds: number) => Promise<Figures>,
  seconds = secondsARound,
  secondsOfBaseline = secondsBetween,
): Promise<Round[]> {
  const [baseline, ...others] = servers.map((server): Round => ({ server, figures: [], beside: [] }));
  for (const server of servers) await measure(server, secondsToWarmUp);
  for (let round = 0; round < count; round++) {
    let before = await measure(baseline!.server, secondsOfBaseline);
    for (const { server, figures, beside } of round % 2 === 0 ? others : others.toReversed()) {
      figures.push(await measure(server, seconds));
      const behind = await measure(baseline!.server, secondsOfBaseline);
      beside.push(meanOf(before, behind));
      baseline!.figures.push(behind);
      before = behind;
    }
  }
  baseline!.beside.push(...baseline!.figures);
  return [baseline!, ...others];
}

function meanOf(one: Figures, other: Figures): Figures {
  const mean = (key: keyof Figures) => (one[key] + other[key]) / 2;
  return {
    cpuUs: mean('cpuUs'),
    rps: mean('rps'),
    p50Ms: mean('p50Ms'),
    p99Ms: mean('p99Ms'),
    failed: mean('failed'),
    timedOut: mean('timedOut'),
    refused: mean('refused'),
    stolen: mean('stolen'),
  };
}

export function table(results: readonly Round[]): string {
  const lines = results.map(({ server, figures, beside }) => {
    const ratio = (key: 'cpuUs' | 'rps' | 'p99Ms') =>
      spread(
        figures.map((figure, round) => figure[key] / beside[round]![key]),
        2,
      );
    const of = (key: keyof Figures, digits: number) =>
      spread(
        figures.map((figure) => figure[key]),
        digits,
      );
    const { length } = figures;
    const share = (100 * figures.reduce((sum, { refused }) => sum + refused, 0)) / length;
    return `| ${server.name} | ${of('cpuUs', 1)} | ${ratio('cpuUs')} | ${of('rps', 0)} | ${ratio('rps')} | ${of('p50Ms', 2)} | ${of('p99Ms', 2)} | ${ratio('p99Ms')} | ${share.toFixed(0)} % | ${failures(figures)} |`;
  });
  return `| | CPU µs | ratio | requests/s | ratio | p50 ms | p99 ms | ratio | refused | failed |
|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}

${stolenIn(results.flatMap(({ figures }) => figures))}`;
}

/** What failed in all runs, and behind it what waited for too long, if anything did. */
function failures(figures: readonly Figures[]): string {
  const sum = (key: 'failed' | 'timedOut') => figures.reduce((total, figure) => total + figure[key], 0);
  return sum('timedOut') === 0 ? `${sum('failed')}` : `${sum('failed')}, ${sum('timedOut')} timed out`;
}

/** A sentence about what the host kept for others during the runs that count. */
function stolenIn(runs: readonly Figures[]): string {
  const mean = (100 * runs.reduce((sum, { stolen }) => sum + stolen, 0)) / runs.length;
  const disturbed = runs.filter(({ stolen }) => stolen > stolenAtMost).length;
  return `The host withheld ${mean.toFixed(1)} % of the CPU time; ${disturbed} of ${runs.length} runs stayed above ${100 * stolenAtMost} %.`;
}

/**
 * A run of wrk against a server, made again where the host disturbed it. The least disturbed one counts, with what
 * failed in any of them.
 */
export async function load(server: Measured, seconds: number, script: string, path = 'items'): Promise<Figures> {
  const first = await runOfWrk(server, seconds, script, path);
  if (first.stolen <= stolenAtMost && Number.isFinite(first.cpuUs)) return first;
  const again = await runOfWrk(server, seconds, script, path);
  const best = !Number.isFinite(first.cpuUs) || again.stolen < first.stolen ? again : first;
  return { ...best, failed: first.failed + again.failed, timedOut: first.timedOut + again.timedOut };
}

async function runOfWrk(server: Measured, seconds: number, script: string, path: string): Promise<Figures> {
  const before = cpuSeconds(server.processes);
  const hostBefore = hostTicks();
  const child = spawn(
    'taskset',
    [
      '-c',
      otherCore,
      'wrk',
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '-s',
      script,
      `http://127.0.0.1:${server.port}`,
      path,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  const used = cpuSeconds(server.processes) - before;
  const host = hostTicks();
  const found = /^figures (.*)$/m.exec(output);
  if (found === null) throw new Error(`wrk said: ${output}`);
  const [requests, durationUs, p50Us, p99Us, failed, timedOut, refused] = found[1]!.split(' ').map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    cpuUs: (used * 1e6) / requests,
    rps: (requests * 1e6) / durationUs,
    p50Ms: p50Us / 1_000,
    p99Ms: p99Us / 1_000,
    failed,
    timedOut,
    refused: refused / requests,
    stolen: (host.stolen - hostBefore.stolen) / (host.all - hostBefore.all),
  };
}

/** Scripts for wrk without delay, one for the keys of each kind of server. */
async function writeScripts(folder: string, method: string): Promise<(server: Measured) => string> {
  const own = await writeScript(folder, method, method, 0);
  const ofPeers = new Map<Measured['keysOf'], string>();
  for (const kind of peerKinds) {
    ofPeers.set(kind, await writeScript(folder, `${method} ${kind}`, method, 0, (index) => peerKeyOf(kind, index)));
  }
  return ({ keysOf }) => ofPeers.get(keysOf) ?? own;
}

/** A script for wrk, which asks each route with each key in turn and counts what is answered. */
export async function writeScript(
  folder: string,
  name: string,
  method: string,
  delayMs: number,
  key: (index: number) => string = keyOf,
): Promise<string> {
  const file = join(folder, `${name}.lua`);
  const keys = Array.from({ length: keysUsed }, (_, index) => `"${key(index)}"`).join(',');
  await writeFile(
    file,
    `local keys = {${keys}}
local turn = 0
local requests = {}
function init(args)
  local path = args[1] or "items"
  for index = 1, ${keysUsed} do
    local headers = { ["X-Api-Key"] = keys[index], ["Accept"] = "application/json"${method === 'POST' ? ', ["Content-Type"] = "application/json"' : ''} }
    requests[index] = wrk.format("${method}", "/v1/api-" .. (index % ${routesAsked}) .. "/" .. path, headers, ${method === 'POST' ? 'string.rep("x", 1024)' : 'nil'})
  end
end
function request()
  turn = turn % ${keysUsed} + 1
  return requests[turn]
end
${delayMs > 0 ? `function delay() return math.random(0, ${delayMs * 2}) end` : ''}
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("figures %d %d %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write, errors.timeout, errors.status))
end
`,
  );
  return file;
}

export interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly processes: readonly number[];
  readonly loadMs: number;
  readonly rssBytes: number;
}

/** @param checkout folder of the source that serves */
export async function startGateway(options: ServerOptions, checkout = here): Promise<Started> {
  const { child, started } = await forkServer<{ port: number; loadMs: number; rssBytes: number }>(
    join(checkout, 'bench/gateway/server.ts'),
    options,
    {
      execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning', ...flagsOfStart()],
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
    },
  );
  return { child, processes: [child.pid!], ...started };
}

/** Those of Node in `npm run start:gateway`. */
function flagsOfStart(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  return scripts['start:gateway'].match(/--\S+/g);
}

async function startPeer(options: PeerOptions): Promise<PeerStarted & { readonly child: ChildProcess }> {
  const { child, started } = await forkServer<PeerStarted>(join(here, 'bench/gateway/peer.ts'), options, {
    execArgv: ['--disable-warning=DeprecationWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return { child, ...started };
}

/**
 * Starts a file on the core of the measured server; `started` is its message once it listens.
 */
async function forkServer<Message>(file: string, options: ServerOptions | PeerOptions, forkOptions: ForkOptions) {
  const child = fork(file, [JSON.stringify(options)], forkOptions);
  execFileSync('taskset', ['-acp', gatewayCore, String(child.pid)], { stdio: 'ignore' });
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error(`${file} ended before it listened: ${JSON.stringify(options)}`)));
  const [started] = (await once(child, 'message', { signal: ended.signal })) as [Message];
  return { child, started };
}

export async function startNginx(prefix: string, configuration: string, core: string, modules = '') {
  const file = `${prefix}.conf`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${prefix}-${kind};`,
  );
  await writeFile(
    file,
    `${modules} worker_processes 1; daemon off; pid ${prefix}.pid; error_log ${prefix}.log;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 1000000000; keepalive_timeout 600; ${temporary.join(' ')} ${configuration} }
`,
  );
  const child = spawn('taskset', ['-c', core, find('nginx')!, '-e', `${prefix}.log`, '-c', file], { stdio: 'ignore' });
  const workers = () => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  };
  // It listens before it has workers.
  for (let attempt = 0; attempt < 100 && workers().length === 0; attempt++) await wait(50);
  return { stop: () => void child.kill(), processes: workers };
}

export function upstreamConfiguration(folder: string, port: number): string {
  const body = JSON.stringify({ id: 'x'.repeat(871) });
  return `server { listen 127.0.0.1:${port} backlog=1024; default_type application/json; root ${folder};
  location ~ /large$ { try_files /large.txt =404; } location / { return 200 '${body}'; } }`;
}

function proxyConfiguration(port: number, upstreamPort: number): string {
  return `upstream backend { server 127.0.0.1:${upstreamPort}; keepalive 512; keepalive_requests 1000000000; }
  server { listen 127.0.0.1:${port} backlog=1024; location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://backend; } }`;
}

/** The same policies as the gateway's own: 100,000 keys, a quota for each, and a spike arrest (GCRA) for each. */
function luaConfiguration(port: number, upstreamPort: number): string {
  return `lua_shared_dict keys 64m; lua_shared_dict counts 64m;
  init_by_lua_block { for i = 0, 99999 do ngx.shared.keys:set(string.format('mrk_%043d', i), i) end }
  upstream backend { server 127.0.0.1:${upstreamPort}; keepalive 512; keepalive_requests 1000000000; }
  server { listen 127.0.0.1:${port} backlog=1024; location / {
    access_by_lua_block {
      local key = ngx.var.http_x_api_key
      local app = key and ngx.shared.keys:get(key)
      if not app then return ngx.exit(401) end
      local counts, now, limit = ngx.shared.counts, ngx.now(), 1000000000
      local ends = (math.floor(now / 3600) + 1) * 3600
      local used = counts:incr('q' .. app .. '/' .. ends, 1, 0, 3600)
      if used > limit then return ngx.exit(429) end
      local interval, burst = 0.000001, 1000000
      local arrival = math.max(counts:get('s' .. app) or 0, now)
      if arrival - now > (burst - 1) * interval then return ngx.exit(429) end
      counts:set('s' .. app, arrival + interval)
      ngx.header['X-RateLimit-Limit'] = limit
      ngx.header['X-RateLimit-Remaining'] = limit - used
      ngx.header['X-RateLimit-Reset'] = ends
    }
    proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header X-Api-Key ""; proxy_pass http://backend; } }`;
}

function haproxyConfiguration(port: number, upstreamPort: number): string {
  return `global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout client 60s
  timeout server 60s
  timeout connect 5s
  http-reuse always
listen gateway
  bind 127.0.0.1:${port}
  server backend 127.0.0.1:${upstreamPort}
`;
}

/** Processor time of the processes since they started. */
export function cpuSeconds(processes: readonly number[]): number {
  let ticks = 0;
  for (const process of processes) {
    const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  // The kernel counts in hundredths of a second.
  return ticks / 100;
}

/** Of all processors since the machine started: all time, and what the host kept for others. */
export function hostTicks(): { readonly all: number; readonly stolen: number } {
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // User, nice, system, idle, waiting, interrupts, soft interrupts, stolen; guests are counted as user already.
  const ticks = line!.trim().split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, count) => sum + count, 0), stolen: ticks.at(-1)! };
}

function memoryBytes(process: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${process}/status`, 'utf8'))!;
  return Number(kilobytes) * 1_024;
}

function medianOf(figures: readonly Figures[], key: keyof Figures): number {
  return median(figures.map((figure) => figure[key]));
}

export function find(program: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file)) ?? null;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await wait(50);
  }
  throw new Error(`Nothing listens on port ${port}.`);
}
