import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbedded, urlOf } from '@millrace/postgres/embedded';
import pg from 'pg';
import { type Browser, chromium } from 'playwright-core';
import { Agent, request } from 'undici';
import { type BenchPortal, fillPortal } from './portal/content.ts';
import { quantile } from './statistics/quantile.ts';

const productCount = 1_000;
const operationCount = 12;
const largeCount = 1_000;
const requestsASecond = 100;
const warmRequests = 2_000;
/** How often each reference is opened. */
const openings = 5;
/** How long after its load a page's memory is read: longer than any of them takes to be drawn. */
const settleMs = 5_000;
const viewport = { width: 1280, height: 900 };

/** The benchmark of the developer portal's pages; see the report's own words for the method. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-portal-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbedded({ dataDirectory: join(folder, 'postgres') });
  stack.defer(() => postgres.stop());
  const environment = {
    ...process.env,
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_DATA_DIR: folder,
    MILLRACE_CONTROL_PORT: '0',
    MILLRACE_SEED: '0',
    LARGE_OPERATIONS: String(largeCount),
  };
  const control = await startServer('portal', environment);
  stack.defer(() => void control.child.kill());
  const floor = await startServer('floor', environment);
  stack.defer(() => void floor.child.kill());
  const portal = await fill(postgres);
  const base = `${control.address}/portal/${portal.organization}`;
  const agent = new Agent({ connections: 64 });
  stack.defer(() => agent.close());

  // Compiled code and connections, by pages of another language than those that are measured.
  await load(
    agent,
    pathsOf(portal)
      .slice(0, 300)
      .map((path) => `${base}${path}?lang=de`),
  );
  const kinds = [
    ['catalog', catalogPaths()],
    ['product', portal.products.slice(0, -1).map((name) => `/products/${name}`)],
    [
      'operation',
      portal.products
        .slice(0, -1)
        .map((name, index) => `/products/${name}/operations/${portal.operationsEach[index % operationCount]}`),
    ],
  ] as const;
  const rows: string[] = [];
  for (const [kind, paths] of kinds) {
    const urls = paths.map((path) => `${base}${path}`);
    const cold = await load(agent, urls);
    const again = Array.from({ length: warmRequests }, (_, index) => urls[index % urls.length]!);
    const warm = await load(agent, again);
    await sendFloor(floor, await bytesOf(agent, urls[0]!));
    const bare = await load(
      agent,
      again.map((_, index) => `${floor.address}/floor/${index}`),
    );
    rows.push(
      `| ${kind} | ${urls.length} | ${figures(cold)} | ${figures(warm)} | ${figures(bare)} | ${ratio(cold, bare)} | ${ratio(warm, bare)} |`,
    );
  }
  const sizes = await measureSizes(agent, base, portal);
  const references = await measureReferences(base, floor.address, portal);
  return `The control plane runs in a process of its own on an embedded PostgreSQL, with an organization of ${productCount.toLocaleString('en')} products;
each has a reference of ${operationCount} operations, two rate plans and a change, the last one a reference of ${largeCount.toLocaleString('en')} operations. Pages are
asked for at ${requestsASecond} requests a second, whatever the answers take, with \`accept-encoding: br\`; a request's time begins when
it is due and ends with the first byte of its answer. Cold: no page was asked for before, so that each is read from the database,
rendered and compressed. Warm: ${warmRequests.toLocaleString('en')} requests for pages that are kept. The floor is a Fastify route in another process that
sends the compressed bytes of one of these pages, at the same rate. Load generator, servers and database share the machine.

| page | pages | cold p50 / p95 ms | warm p50 / p95 ms | floor p50 / p95 ms | cold ÷ floor, p50 | warm ÷ floor, p50 |
|---|---|---|---|---|---|---|
${rows.join('\n')}

Bytes on the wire until a page can be read: the document, \`portal.css\` and the colours, compressed by Brotli. Text is shown before
the typeface (${sizes.fontBytes.toLocaleString('en')} bytes) and the script (${sizes.scriptBytes.toLocaleString('en')} bytes) arrive, which are the same for all pages.

| page | document | style and colours | until readable | with typeface and script |
|---|---|---|---|---|
${sizes.rows.join('\n')}

A reference of ${largeCount.toLocaleString('en')} operations (a document of ${references.documentKilobytes.toLocaleString('en')} kB), opened ${openings} times in a new Chromium each: medians. Opened:
from the start of navigation until an operation's title is on the page and the browser has drawn it. Memory in an opening of its
own, in which nothing is recorded of the network or looked for in the page, ${settleMs / 1_000} seconds after its load, each process with its share of shared pages: of the page's
renderer, of which JavaScript's heap is a part, and of the whole browser; of both, an empty page is the floor.

| reference | opened ms | transferred kB | browser MB | renderer MB | heap MB | elements |
|---|---|---|---|---|---|---|
${references.rows.join('\n')}`;
}

interface Server {
  readonly address: string;
  readonly child: ChildProcess;
}

async function startServer(kind: 'portal' | 'floor', env: NodeJS.ProcessEnv): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'portal/server.ts'), [kind], { env, execArgv: [] });
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  return { address, child };
}

/** From now on, the floor answers with these bytes. */
async function sendFloor({ child }: Server, bytes: Buffer): Promise<void> {
  child.send({ base64: bytes.toString('base64') });
  await once(child, 'message');
}

async function fill(postgres: EmbeddedPostgres): Promise<BenchPortal> {
  const client = new pg.Client({ ...postgres.owner, options: '-c search_path=control -c millrace.tenant=*' });
  await client.connect();
  try {
    return await fillPortal(client, { productCount, operationCount, largeCount });
  } finally {
    await client.end();
  }
}

/** Every page of the catalog, and those of each tag. */
function catalogPaths(): readonly string[] {
  const pages = (count: number, query: string) =>
    Array.from({ length: count }, (_, index) => `/catalog?${query}page=${index + 1}`);
  const tagged = ['sales', 'logistics', 'finance', 'documents', 'identity'].flatMap((tag) => pages(9, `tag=${tag}&`));
  return [...pages(42, ''), ...tagged];
}

function pathsOf({ products, operationsEach }: BenchPortal): readonly string[] {
  return products.flatMap((name, index) => [
    `/products/${name}`,
    `/products/${name}/operations/${operationsEach[index % operationCount]}`,
  ]);
}

/** Asks for each URL once, at the rate; milliseconds until the first byte of each answer, from when it was due. */
async function load(dispatcher: Agent, urls: readonly string[]): Promise<readonly number[]> {
  const begunMs = performance.now() + 50;
  return Promise.all(
    urls.map(async (url, index) => {
      const dueMs = begunMs + (index * 1_000) / requestsASecond;
      await wait(Math.max(0, dueMs - performance.now()));
      const { statusCode, body } = await request(url, { dispatcher, headers: { 'accept-encoding': 'br' } });
      const reader = body[Symbol.asyncIterator]();
      await reader.next();
      const tookMs = performance.now() - dueMs;
      while (!(await reader.next()).done);
      if (statusCode !== 200) throw new Error(`${url} was answered with ${statusCode}`);
      return tookMs;
    }),
  );
}

async function bytesOf(dispatcher: Agent, url: string): Promise<Buffer> {
  const { body } = await request(url, { dispatcher, headers: { 'accept-encoding': 'br' } });
  return Buffer.from(await body.arrayBuffer());
}

function figures(times: readonly number[]): string {
  return `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.95).toFixed(1)}`;
}

function ratio(times: readonly number[], floor: readonly number[]): string {
  return (quantile(times, 0.5) / quantile(floor, 0.5)).toFixed(1);
}

async function measureSizes(dispatcher: Agent, base: string, portal: BenchPortal) {
  const { origin } = new URL(base);
  const [product = ''] = portal.products;
  const large = portal.products.at(-1) ?? '';
  const pages = [
    ['home', '/'],
    ['catalog', '/catalog'],
    ['product', `/products/${product}`],
    [`product with ${largeCount.toLocaleString('en')} operations`, `/products/${large}`],
    ['operation', `/products/${product}/operations/${portal.operationsEach[1]}`],
    [`operation of ${largeCount.toLocaleString('en')}`, `/products/${large}/operations/${portal.largeOperations[501]}`],
    ['guide', `/guides/${portal.guides[0]}`],
  ] as const;
  const { body } = await request(`${base}/`, { dispatcher });
  const home = await body.text();
  const linked = (pattern: RegExp) => `${origin}${pattern.exec(home)?.[1] ?? ''}`;
  const sizeOf = async (url: string) => (await bytesOf(dispatcher, url)).length;
  const styleBytes =
    (await sizeOf(linked(/stylesheet" href="([^"]*portal\.css)"/))) +
    (await sizeOf(linked(/stylesheet" href="([^"]*theme\.css[^"]*)"/)));
  const fontBytes = await sizeOf(linked(/preload" href="([^"]*)"/));
  const scriptBytes = await sizeOf(linked(/script type="module" src="([^"]*)"/));
  const rows: string[] = [];
  for (const [name, path] of pages) {
    const documentBytes = await sizeOf(`${base}${path}`);
    const readable = documentBytes + styleBytes;
    const columns = [documentBytes, styleBytes, readable, readable + fontBytes + scriptBytes];
    rows.push(`| ${name} | ${columns.map((bytes) => bytes.toLocaleString('en')).join(' | ')} |`);
  }
  return { rows, fontBytes, scriptBytes };
}

/** Opens our reference and Scalar's, of the same document. */
async function measureReferences(base: string, floorAddress: string, portal: BenchPortal) {
  const large = portal.products.at(-1) ?? '';
  const operation = portal.largeOperations[501] ?? '';
  const { body } = await request(`${floorAddress}/api-docs.json`);
  const documentKilobytes = Math.round((await body.text()).length / 1_000);
  const subjects = [
    ['portal, the product', `${base}/products/${large}`, 'List things of kind 0'],
    ['portal, an operation', `${base}/products/${large}/operations/${operation}`, 'Create things of kind 100'],
    ['Scalar', `${floorAddress}/api-docs`, 'List things of kind 0'],
  ] as const;
  const empty: Awaited<ReturnType<typeof memoryOf>>[] = [];
  for (let count = 0; count < openings; count++) empty.push(await memoryOf('about:blank'));
  const megabytes = (bytes: readonly number[]) => (quantile(bytes, 0.5) / 1_000_000).toFixed(0);
  const emptyBrowser = megabytes(empty.map(({ browserBytes }) => browserBytes));
  const emptyRenderer = megabytes(empty.map(({ rendererBytes }) => rendererBytes));
  const rows = [`| an empty page | | | ${emptyBrowser} | ${emptyRenderer} | | |`];
  for (const [name, url, title] of subjects) {
    const runs: Awaited<ReturnType<typeof openReference>>[] = [];
    for (let count = 0; count < openings; count++) runs.push(await openReference(url, title));
    const middle = (value: (run: (typeof runs)[number]) => number) => quantile(runs.map(value), 0.5);
    const cells = [
      middle(({ openedMs }) => openedMs).toFixed(0),
      middle(({ transferredBytes }) => transferredBytes / 1_000).toFixed(0),
      megabytes(runs.map(({ browserBytes }) => browserBytes)),
      megabytes(runs.map(({ rendererBytes }) => rendererBytes)),
      middle(({ heapBytes }) => heapBytes / 1_000_000).toFixed(1),
      middle(({ elements }) => elements).toLocaleString('en'),
    ];
    rows.push(`| ${name} | ${cells.join(' | ')} |`);
  }
  return { rows, documentKilobytes };
}

/** Opens a reference twice: what it costs to open, and its memory without that of the tools which find that out. */
async function openReference(url: string, title: string) {
  return { ...(await opening(url, title)), ...(await memoryOf(url)) };
}

async function opening(url: string, title: string) {
  await using browser = await launch();
  const page = await browser.newPage({ viewport });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('Network.enable');
  let transferredBytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    transferredBytes += encodedDataLength;
  });
  const begunMs = performance.now();
  await page.goto(url, { waitUntil: 'commit', timeout: 120_000 });
  await page.getByText(title).first().waitFor({ timeout: 120_000 });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  const openedMs = performance.now() - begunMs;
  const { metrics } = await session.send('Performance.getMetrics');
  const heapBytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
  return { openedMs, transferredBytes, heapBytes, elements };
}

/** Memory of a page that was loaded, of its renderer, the largest since the others are spare, and of all processes. */
async function memoryOf(url: string) {
  await using browser = await launch();
  const page = await browser.newPage({ viewport });
  await page.goto(url, { timeout: 120_000 });
  await wait(settleMs);
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo.map(({ id, type }) => {
    const memory = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
    return { type, bytes: Number(/^Pss:\s+(\d+) kB$/m.exec(memory)?.[1]) * 1_024 };
  });
  const renderers = sizes.filter(({ type }) => type === 'renderer').map(({ bytes }) => bytes);
  return {
    rendererBytes: Math.max(...renderers),
    browserBytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function launch(): Promise<Browser> {
  const executablePath = process.env.MILLRACE_CHROMIUM ?? '/usr/bin/chromium-headless-shell';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}
