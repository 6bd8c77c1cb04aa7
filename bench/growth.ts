import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tenfold } from './growth/cost.ts';
import { type DocumentGrowth, growDocuments } from './growth/documents.ts';
import { growManagement, type ManagementGrowth } from './growth/management.ts';
import { growProcesses, type ProcessGrowth } from './growth/processes.ts';

const mostDocuments = Number(process.env.DOCUMENTS ?? 1_000_000);
const mostTenants = Number(process.env.TENANTS ?? 10_000);
const mostProxies = Number(process.env.PROXIES ?? 10_000);
/** Where each part's figures are kept, so that a run that is broken off need not measure them again; by default nowhere. */
const keptFolder = process.env.FOLDER;
/** What PostgreSQL allows where nobody changes it, without those reserved for superusers. */
const defaultConnections = 97;

/** How the cost of a call, of the background work and of memory grows; see the report's own words. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-growth-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const processes = await part('processes', growProcesses);
  const nodes = await part('nodes', growNodes);
  const management = await part('management', () => growManagement(folder, mostTenants, mostProxies));
  const documents = await part('documents', () => growDocuments(folder, mostDocuments));
  return `
Each size is measured after the one before, in the same database. A call is made 40 times over HTTP, one after the other; CPU is the processor
time of the service's process with its children, and of PostgreSQL with all of its processes, from /proc, for each call, and includes what
runs in the background meanwhile. Everything shares this machine.

## Documents

Accounts of one database, which has 1.1 times the documents of the largest. A document's row has a result of about 5 KB; with its indexes it takes
${Math.round(documents.bytesEach).toLocaleString('en')} bytes.

${documents.table}

## Tenants

Each tenant has five API proxies, an environment and an alert rule, which is evaluated every ten seconds. The calls are those of one of them.

${management.tenants}

What the background takes while nobody calls, as a share of a core over 30 s:

${management.background}

## API proxies

Of one organization, in the management API:

${management.proxies}

In a gateway node, each with a Spike Arrest policy and one route. A request goes to another proxy each time, and its CPU includes the caller's and the
target's, which run in the same process.

${nodes.table}

## Processes

One to four workers have 24 copies of a sample contract to extract; one to four processes of the management API stand idle, then answer lists to eight callers in turn.

${processes.table}

## What breaks first at ten times that

${arithmetic(documents, management, nodes, processes)}
`;
}

/** Measures a part, or reads what a run that was broken off has measured. */
async function part<Figures>(name: string, measure: () => Promise<Figures>): Promise<Figures> {
  process.stderr.write(`${new Date().toISOString()} ${name}\n`);
  const file = keptFolder === undefined ? null : join(keptFolder, `growth-${name}.json`);
  const kept = file === null ? null : await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return JSON.parse(kept);
  const figures = await measure();
  if (file !== null) await writeFile(file, JSON.stringify(figures));
  return figures;
}

interface NodeGrowth {
  readonly table: string;
  readonly bytesEach: number;
  readonly loadMs: number;
  readonly changeMs: number;
}

async function growNodes(): Promise<NodeGrowth> {
  const lines: string[] = [];
  let last = { loadMs: 0, changeMs: 0, bytes: 0, microseconds: 0 };
  for (const count of tenfold(10, mostProxies)) {
    const file = join(import.meta.dirname, 'growth/node.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file, String(count)]);
    last = JSON.parse(stdout);
    const cells = [
      last.loadMs.toFixed(0),
      last.changeMs.toFixed(0),
      (last.bytes / 1_048_576).toFixed(1),
      last.microseconds.toFixed(0),
    ];
    lines.push(`| ${count.toLocaleString('en')} | ${cells.join(' | ')} |`);
  }
  return {
    table: `| Proxies | Load all, ms | Change one, ms | Memory, MB | CPU µs of a request |\n|---|---|---|---|---|\n${lines.join('\n')}`,
    bytesEach: last.bytes / mostProxies,
    loadMs: last.loadMs,
    changeMs: last.changeMs,
  };
}

function arithmetic(
  documents: DocumentGrowth,
  management: ManagementGrowth,
  nodes: NodeGrowth,
  processes: ProcessGrowth,
): string {
  const ten = (count: number) => (count * 10).toLocaleString('en');
  const gigabytes = (bytes: number) => (bytes / 1_000_000_000).toFixed(bytes < 1_000_000_000 ? 2 : 0);
  const idle = management.idle.service + management.idle.postgres;
  const { slowest, growth } = documents;
  const { slowestOfProxies } = management;
  const mostProcesses = Math.floor(defaultConnections / processes.connectionsEach);
  const rows = [
    [
      `${ten(management.mostTenants)} tenants`,
      `Background work: ${(idle * 100).toFixed(0)} % of a core at ${management.mostTenants.toLocaleString('en')} tenants × 10 = ${(idle * 10).toFixed(1)} cores`,
      idle * 10 > 0.8
        ? 'What one process does for all organizations, such as evaluating alert rules: it has to stay below one core, and would have to be split by organization'
        : 'Holds: one process evaluates for all within one core',
    ],
    [
      `${ten(documents.most)} documents of one account`,
      `${slowest.name}: p95 ${slowest.cost.p95Ms.toFixed(0)} ms, ${growth.toFixed(1)} times that of a tenth; again as much is ${(slowest.cost.p95Ms * growth).toFixed(0)} ms. Rows: ${documents.bytesEach.toFixed(0)} bytes × ${ten(documents.most)} = ${gigabytes(documents.bytesEach * documents.most * 10)} GB`,
      slowest.cost.p95Ms * growth > 1_000
        ? 'That call is slower than a second; then the disk and the memory for the indexes. Retention bounds both'
        : 'The disk and the memory for the indexes; the calls stay below a second. Retention bounds both',
    ],
    [
      `${ten(management.mostProxies)} proxies of one organization`,
      `${slowestOfProxies.name}: PostgreSQL ${slowestOfProxies.cost.postgresMs.toFixed(0)} ms × 10 = ${(slowestOfProxies.cost.postgresMs * 10).toFixed(0)} ms. A node: ${(nodes.bytesEach / 1_024).toFixed(1)} KB × ${ten(management.mostProxies)} = ${gigabytes(nodes.bytesEach * management.mostProxies * 10)} GB, loaded in ${((nodes.loadMs * 10) / 1_000).toFixed(1)} s, and ${((nodes.changeMs * 10) / 1_000).toFixed(1)} s for each change`,
      'The time in which a node is busy with a change: requests wait for it. Environments of their own, with nodes of their own, divide it',
    ],
    [
      '40 processes',
      `${processes.connectionsEach} connections each, as set here: ${40 * processes.connectionsEach}; PostgreSQL allows ${defaultConnections} by default, which are those of ${mostProcesses} processes. An idle process of the management API takes ${(processes.idleEach * 100).toFixed(1)} % of a core with its part of PostgreSQL: ${(processes.idleEach * 4_000).toFixed(0)} % for 40`,
      'Connections, long before processors: PgBouncer in transaction mode, or max_connections',
    ],
  ];
  return `| Size | Arithmetic | What breaks first |\n|---|---|---|\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}
