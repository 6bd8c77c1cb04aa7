import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEnginePool, type EnginePool } from '@millrace/engine';
import { degrade, generateDocument, pdfOf } from '@millrace/synthetic-documents';
import autocannon from 'autocannon';
import Fastify from 'fastify';
import pino from 'pino';
import { startService } from '../apps/extraction/src/service.ts';
import { readSettings } from '../packages/settings/src/extraction.ts';
import { median, quantile } from './statistics/quantile.ts';

interface Sample {
  readonly name: string;
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pageCount: number;
}

const limits = { sizeBytes: 20_000_000, pages: 50 };
const apiKey = 'benchmark-key-0123456789-0123456789-0123456789';
const invoiceCount = 40;
const receiptCount = 20;
/** Times that each process reads all invoices before it is measured; it lives for 2,000 documents. */
const warmUpRounds = 6;
const loadSeconds = 8;

/** The benchmark of the engine and of what the service adds to it; see the report's own words for the method. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const invoices = await makeInvoices(folder);
  const receipts = await takeReceipts(folder);

  const invoiceMs: number[] = [];
  const receiptMs: number[] = [];
  const pdftotextMs: number[] = [];
  const tesseractMs: number[] = [];
  const pdftotext = isInstalled('pdftotext') ? startPeer('pdftotext -bbox "$path" /dev/null') : null;
  stack.defer(() => pdftotext?.stop());
  const tesseract = isInstalled('tesseract')
    ? startPeer('OMP_THREAD_LIMIT=1 tesseract "$path" stdout --psm 6 >/dev/null 2>&1')
    : null;
  stack.defer(() => tesseract?.stop());
  const throughput: string[] = [];
  let peaks: string[] = [];
  for (const workers of [1, 2]) {
    const others = new Set(childProcesses());
    const pool = createEnginePool({ workers, warmUp: true });
    try {
      // Code that runs often is compiled in the background: enough for every process to be done with it.
      await extractAll(pool, Array.from({ length: workers * warmUpRounds }, () => invoices).flat(), workers);
      if (workers === 1) {
        // In turn, so that a change of the machine's speed meets all of them.
        for (const invoice of [...invoices, ...invoices, ...invoices]) {
          invoiceMs.push((await timed(() => extractOne(pool, invoice))) / invoice.pageCount);
          if (pdftotext) pdftotextMs.push((await timed(() => pdftotext.read(invoice.path))) / invoice.pageCount);
        }
      }
      // Behind the invoices: what a picture leaves behind is collected while the next documents are read.
      await extractAll(pool, Array.from({ length: workers }, () => receipts.slice(0, 2)).flat(), workers);
      if (workers === 1) {
        for (const receipt of receipts) {
          receiptMs.push(await timed(() => extractOne(pool, receipt)));
          if (tesseract) tesseractMs.push(await timed(() => tesseract.read(receipt.path)));
        }
      }
      const textPages = await pagesPerSecond(pool, [...invoices, ...invoices, ...invoices], workers);
      const scanPages = await pagesPerSecond(pool, receipts, workers);
      throughput.push(`| ${workers} | ${textPages.toFixed(0)} | ${scanPages.toFixed(2)} |`);
      peaks = childProcesses()
        .filter((id) => !others.has(id))
        .map((id) => `${(peakBytes(id) / 1024 ** 2).toFixed(0)} MB`);
    } finally {
      await pool.close();
    }
  }
  const service = await measureService(folder, invoices);

  return `One page at a time on one warm worker process, which has processed ${warmUpRounds * invoices.length} invoices before,
from the file's bytes to the validated result, compared with the complete run of a command-line reader on the same file,
in turn; each invoice three times. ${invoices.length} generated invoices with a text layer
(${invoices.reduce((sum, { pageCount }) => sum + pageCount, 0)} pages), ${receipts.length} pictures of receipts
(${receipts[0]?.name.startsWith('generated') ? 'generated, degraded' : 'real scans'}).

| What | Median | p90 | Peer on the same files | Peer's median | Ratio of medians |
|---|---|---|---|---|---|
| text-layer invoice, ms a page | ${median(invoiceMs).toFixed(1)} | ${quantile(invoiceMs, 0.9).toFixed(1)} | ${peer('pdftotext -bbox', pdftotextMs, invoiceMs)} |
| receipt picture, ms | ${median(receiptMs).toFixed(0)} | ${quantile(receiptMs, 0.9).toFixed(0)} | ${peer('tesseract --psm 6, one thread', tesseractMs, receiptMs)} |

The peers start a process per file, from a shell that is cheap to fork, and return only words, no fields.

## Throughput

| Workers | Text-layer invoice pages/s | Receipt pictures/s |
|---|---|---|
${throughput.join('\n')}

Peak memory of the two worker processes: ${peaks.join(', ')}.

## Over HTTP

| What | Median | p90 |
|---|---|---|
| POST /extract, text-layer invoice of one page: stored, extracted, recorded, ms | ${median(service.extractMs).toFixed(1)} | ${quantile(service.extractMs, 0.9).toFixed(1)} |

Requests per second over ${loadSeconds} s of 32 keep-alive connections, compared with a bare Fastify route that returns the same bytes without
key, limit or database. The load generator has its own thread.

| Route | Requests/s | Bare route | Ours ÷ bare | p99 ms |
|---|---|---|---|---|
${service.rows.join('\n')}
`;
}

async function makeInvoices(folder: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let seed = 0; samples.length < invoiceCount; seed++) {
    const generated = generateDocument({ type: 'invoice', seed: `bench-${seed}` });
    const bytes = new Uint8Array(await pdfOf(generated));
    const path = join(folder, `invoice-${seed}.pdf`);
    await writeFile(path, bytes);
    samples.push({ name: `generated invoice ${seed}`, path, bytes, pageCount: generated.pages.length });
  }
  return samples;
}

/** Real scans if they are available, else generated ones. */
async function takeReceipts(folder: string): Promise<Sample[]> {
  const real = join(
    process.env.MILLRACE_SHARED_DATA ?? join(import.meta.dirname, '..', '..', 'shared', 'data'),
    'receipts',
    'images',
  );
  if (existsSync(real)) {
    const names = readdirSync(real).sort();
    const step = Math.floor(names.length / receiptCount);
    return names
      .filter((_, index) => index % step === 0)
      .slice(0, receiptCount)
      .map((name) => ({
        name,
        path: join(real, name),
        bytes: new Uint8Array(readFileSync(join(real, name))),
        pageCount: 1,
      }));
  }
  const samples: Sample[] = [];
  for (let seed = 0; seed < receiptCount; seed++) {
    const generated = generateDocument({ type: 'receipt', seed: `bench-${seed}` });
    const [picture] = await degrade(generated, { seed: `bench-${seed}`, format: 'jpeg' });
    const path = join(folder, `receipt-${seed}.jpg`);
    const { bytes } = picture!;
    await writeFile(path, bytes);
    samples.push({ name: `generated receipt ${seed}`, path, bytes, pageCount: 1 });
  }
  return samples;
}

function extractOne(pool: EnginePool, sample: Sample): Promise<unknown> {
  return pool.extract(sample.bytes, { docType: 'detect', fields: null, limits });
}

async function extractAll(pool: EnginePool, samples: readonly Sample[], atOnce: number): Promise<void> {
  const left = samples.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const sample of left) await extractOne(pool, sample);
    }),
  );
}

async function pagesPerSecond(pool: EnginePool, samples: readonly Sample[], atOnce: number): Promise<number> {
  const ms = await timed(() => extractAll(pool, samples, atOnce));
  return samples.reduce((sum, { pageCount }) => sum + pageCount, 0) / (ms / 1000);
}

interface ServiceFigures {
  readonly extractMs: readonly number[];
  readonly rows: readonly string[];
}

async function measureService(folder: string, invoices: readonly Sample[]): Promise<ServiceFigures> {
  const { settings } = readSettings({
    MILLRACE_DATA_DIR: join(folder, 'data'),
    MILLRACE_EXTRACTION_PORT: '0',
    MILLRACE_INBOX_PORT: 'off',
    MILLRACE_API_KEY: apiKey,
    MILLRACE_RATE_LIMIT_PER_MINUTE: '1000000',
  });
  const service = await startService(settings, 'all', pino({ level: 'silent' }));
  const bare = Fastify();
  try {
    const headers = { 'X-API-Key': apiKey };
    const extractMs: number[] = [];
    let documentId = '';
    for (const invoice of invoices.filter(({ pageCount }) => pageCount === 1).flatMap((sample) => [sample, sample])) {
      const form = new FormData();
      form.set('document', new Blob([invoice.bytes]), 'invoice.pdf');
      form.set('doc_type', 'invoice');
      const ms = await timed(async () => {
        const answer = await fetch(`${service.address}/api/external/v1/extract`, {
          method: 'POST',
          headers,
          body: form,
        });
        if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
        documentId = ((await answer.json()) as { meta: { document_id: string } }).meta.document_id;
      });
      extractMs.push(ms);
    }
    const rows: string[] = [];
    for (const path of ['/api/external/v1/health', `/api/external/v1/documents/${documentId}`]) {
      const body = await (await fetch(`${service.address}${path}`, { headers })).text();
      bare.get(path, (_request, reply) => reply.type('application/json').send(body));
    }
    const bareAddress = await bare.listen({ host: '127.0.0.1', port: 0 });
    for (const path of ['/api/external/v1/health', `/api/external/v1/documents/${documentId}`]) {
      const ours = await load(`${service.address}${path}`);
      const floor = await load(`${bareAddress}${path}`);
      const shown = path.replace(documentId, ':id').replace('/api/external/v1', '');
      const ratio = (ours.rate / floor.rate).toFixed(2);
      rows.push(`| ${shown} | ${ours.rate.toFixed(0)} | ${floor.rate.toFixed(0)} | ${ratio} | ${ours.p99Ms} |`);
    }
    return { extractMs: extractMs.slice(10), rows };
  } finally {
    await bare.close();
    await service.stop();
  }
}

async function load(url: string): Promise<{ rate: number; p99Ms: number }> {
  const result = await autocannon({
    url,
    connections: 32,
    duration: loadSeconds,
    headers: { 'X-API-Key': apiKey },
    workers: 1,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return { rate: result.requests.average, p99Ms: result.latency.p99 };
}

/** The processes that this one started, from /proc. */
function childProcesses(): number[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** A process's highest resident memory so far. */
function peakBytes(processId: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

/** A shell that runs a command for each path that it is given: forking this large process would be timed with it. */
function startPeer(command: string): { read(path: string): Promise<void>; stop(): void } {
  const script = `while IFS= read -r path; do ${command} && echo read || echo failed; done`;
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  return {
    async read(path) {
      shell.stdin.write(`${path}\n`);
      const [answer] = await once(shell.stdout, 'data');
      if (String(answer) !== 'read\n') throw new Error(`${command} failed on ${path}`);
    },
    stop: () => shell.stdin.end(),
  };
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program]);
    return true;
  } catch {
    return false;
  }
}

function peer(name: string, peerMs: readonly number[], ownMs: readonly number[]): string {
  if (peerMs.length === 0) return `${name}: not on this machine | – | –`;
  return `${name} | ${median(peerMs).toFixed(1)} | ${(median(ownMs) / median(peerMs)).toFixed(2)}`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
