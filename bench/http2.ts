import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flag, frameType, preface } from '@millrace/data-plane/http2-frames';
import { block, frame, number, request, requestFields, settings } from '@millrace/data-plane/http2-testing';
import { keyOf } from './gateway/key.ts';
import {
  answers,
  cpuSeconds,
  type Figures,
  find,
  freePort,
  hostTicks,
  inRounds,
  type Measured,
  startGateway,
  startNginx,
  table,
  upstreamConfiguration,
} from './gateway.ts';
import { quantile } from './statistics/quantile.ts';

const rounds = 7;
const attacks = 400;
const clients = 16;
const streams = 8;
const gatewayCore = '0';
const otherCore = '1';

/** What HTTP/2 and gRPC cost a request, beside nginx with the same protocols. */
export async function run(): Promise<string> {
  const missing = ['nginx', 'h2load', 'taskset'].filter((program) => find(program) === null);
  if (missing.length > 0) return `Nothing was measured: install ${missing.join(', ')} (h2load: \`nghttp2-client\`).`;
  await using stack = new AsyncDisposableStack();
  execFileSync('taskset', ['-acp', otherCore, String(process.pid)], { stdio: 'ignore' });
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-http2-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // nginx reads as another user.
  await chmod(folder, 0o755);
  const body = join(folder, 'body');
  await writeFile(body, 'x'.repeat(1_024));
  const nginx = async (name: string, configuration: (port: number) => string, core: string): Promise<Measured> => {
    const port = await freePort();
    const server = await startNginx(join(folder, name.replaceAll(/\W/g, '-')), configuration(port), core);
    stack.defer(() => server.stop());
    await answers(port);
    return { name, port, processes: server.processes() };
  };
  const millrace = async (name: string, upstreamPort: number, limits: 'none' | 'wide', protocol: 'http2' | null) => {
    const options = { upstreamPort, proxies: 50, keys: 200, limits, ...(protocol === null ? {} : { protocol }) };
    const server = await startGateway(options);
    stack.defer(() => void server.child.kill());
    return { name, port: server.port, processes: server.processes };
  };
  const measure = (fields: readonly string[]) => (server: Measured, seconds: number) =>
    load(server, seconds, fields, body, folder);

  const old = await nginx('upstream', (port) => upstreamConfiguration(folder, port), otherCore);
  const byHttp2 = (port: number) => upstreamConfiguration(folder, port).replace('backlog=1024', 'http2 backlog=1024');
  const target = await nginx('upstream by HTTP/2', byHttp2, otherCore);
  const front = [
    await nginx('nginx, `http2` and `proxy_pass`', (port) => proxyTo(port, old.port, 'proxy_pass http'), gatewayCore),
    await millrace('Millrace, no policies', old.port, 'none', null),
    await millrace('Millrace, key + quota + spike arrest', old.port, 'wide', null),
  ];
  const grpc = [
    await nginx('nginx, `http2` and `grpc_pass`', (port) => proxyTo(port, target.port, 'grpc_pass grpc'), gatewayCore),
    await millrace('Millrace, no policies', target.port, 'none', 'http2'),
    await millrace('Millrace, key + quota + spike arrest', target.port, 'wide', 'http2'),
  ];
  const tables = [
    `## Callers of HTTP/2, target of HTTP/1.1\n\n${table(await inRounds(rounds, front, measure(['content-type: application/json'])))}`,
    `## gRPC to a target of HTTP/2\n\n${table(await inRounds(rounds, grpc, measure(['content-type: application/grpc', 'te: trailers'])))}`,
  ];
  tables.push(await floods(front[1]!));
  return `POST of 1 KB, answers of 880 B. Load: h2load on core ${otherCore}, ${clients} connections without TLS with ${streams} requests at once on each. The
upstream is nginx on core ${otherCore}; the measured server runs alone on core ${gatewayCore}, and takes turns of 2 s with the others, in ${rounds} rounds. Ratios
are to nginx just before and after. CPU is the server's own, user and system, per request.

${tables.join('\n\n')}`;
}

/** What callers that mean harm cost on each connection, until it is closed, beside a connection with one request. */
async function floods(server: Measured): Promise<string> {
  const { data, headers, continuation, ping, priority, resetStream, windowUpdate } = frameType;
  const ids = Array.from({ length: 2_000 }, (_, index) => 2 * index + 1);
  const asked = request(1, '/v1/api-0/items');
  const bomb = Buffer.concat([block(requestFields('/v1/api-0/items')), Buffer.alloc(15_000, 0xbe)]);
  const large = Buffer.concat([Buffer.from([0x40]), block([['x', 'y'.repeat(3_900)]]).subarray(1)]);
  const filled = Buffer.concat([block(requestFields('/v1/api-0/items')), large]);
  const whole = flag.endHeaders | flag.endStream;
  const kinds: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['One request of HTTP/1.1', Buffer.from('GET /v1/api-0/items HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')],
    ['One request of HTTP/2', Buffer.concat([asked, frame(frameType.goAway, 0, 0, Buffer.alloc(8))])],
    ...(
      [
        ['Rapid reset', ids.flatMap((id) => [request(id, '/v1/api-0/items'), frame(resetStream, 0, id, number(8))])],
        [
          'CONTINUATION',
          [frame(headers, 1, 1, block(requestFields('/'))), ...ids.map(() => frame(continuation, 0, 1))],
        ],
        [
          'Heads that are bombs',
          [frame(headers, whole, 1, filled), ...ids.slice(1, 200).map((id) => frame(headers, whole, id, bomb))],
        ],
        ['PING', ids.map(() => frame(ping, 0, 0, '12345678'))],
        ['SETTINGS', ids.map(() => settings())],
        ['PRIORITY', ids.map((id) => frame(priority, 0, id, '\0\0\0\0\0'))],
        ['WINDOW_UPDATE', ids.map(() => frame(windowUpdate, 0, 0, number(1)))],
        [
          'Empty DATA',
          [request(1, '/v1/api-0/items', { method: 'POST', ends: false }), ...ids.map(() => frame(data, 0, 1))],
        ],
        ['Streams that the gateway resets', ids.map((id) => frame(headers, whole, id, block([['x', 'y']])))],
      ] as const
    ).map(([name, frames]) => [name, Buffer.concat(frames)] as const),
  ];
  const lines: string[] = [];
  let one = 0;
  for (const [name, bytes] of kinds) {
    const all = name.includes('HTTP/1.1') ? bytes : Buffer.concat([preface, settings(), bytes]);
    await attack(server.port, 50, all, name.includes('HTTP/2'));
    const before = cpuSeconds(server.processes);
    await attack(server.port, attacks, all, name.includes('HTTP/2'));
    const eachUs = ((cpuSeconds(server.processes) - before) * 1e6) / attacks;
    if (one === 0) one = eachUs;
    lines.push(
      `| ${name} | ${all.length} | ${Math.round(eachUs)} | ${(eachUs / one).toFixed(1)} | ${((1_000 * eachUs) / all.length).toFixed(1)} |`,
    );
  }
  return `## Floods

${attacks} connections one after another, each of which sends all it has at once and is closed by the gateway. CPU of the gateway for each.

| | bytes | CPU µs | ratio | ns a byte |
|---|---|---|---|---|
${lines.join('\n')}`;
}

async function attack(port: number, count: number, bytes: Buffer, closes: boolean): Promise<void> {
  for (let connection = 0; connection < count; connection++) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.resume();
    socket.write(bytes);
    if (closes) socket.once('data', () => setTimeout(() => socket.end(), 5));
    await once(socket, 'close');
  }
}

function proxyTo(port: number, upstreamPort: number, pass: string): string {
  return `upstream backend { server 127.0.0.1:${upstreamPort}; keepalive 512; keepalive_requests 1000000000; }
  server { listen 127.0.0.1:${port} http2 backlog=1024; location / { proxy_http_version 1.1; proxy_set_header Connection ""; ${pass}://backend; } }`;
}

async function load(
  server: Measured,
  seconds: number,
  fields: readonly string[],
  body: string,
  folder: string,
): Promise<Figures> {
  const log = join(folder, 'requests');
  await rm(log, { force: true });
  const before = cpuSeconds(server.processes);
  const hostBefore = hostTicks();
  const child = spawn(
    'taskset',
    [
      ...['-c', otherCore, 'h2load', '-D', String(seconds), '-c', String(clients), '-m', String(streams), '-d', body],
      ...[...fields, `x-api-key: ${keyOf(0)}`].flatMap((field) => ['-H', field]),
      ...['--log-file', log, `http://127.0.0.1:${server.port}/v1/api-0/items`],
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
  const [, done, failed] = /(\d+) done, \d+ succeeded, (\d+) failed/.exec(output) ?? [];
  const [, refused] = /status codes: \d+ 2xx, \d+ 3xx, (\d+) 4xx/.exec(output) ?? [];
  if (done === undefined || failed === undefined || refused === undefined) throw new Error(`h2load said: ${output}`);
  const lines = (await readFile(log, 'utf8')).trim().split('\n');
  const timesUs = lines.map((line) => Number(line.split('\t')[2])).sort((one, other) => one - other);
  const requests = Number(done);
  return {
    cpuUs: (used * 1e6) / requests,
    rps: requests / seconds,
    p50Ms: quantile(timesUs, 0.5) / 1_000,
    p99Ms: quantile(timesUs, 0.99) / 1_000,
    failed: Number(failed),
    timedOut: 0,
    refused: Number(refused) / requests,
    stolen: (host.stolen - hostBefore.stolen) / (host.all - hostBefore.all),
  };
}
