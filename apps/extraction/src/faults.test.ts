import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import { isRunning } from '@millrace/processes';
import { openExtractionTestDatabase } from './database/testing.ts';
import {
  descendantsOf,
  makeDataFolder,
  removeDataFolder,
  type ServiceProcess,
  startProcess,
  testApiKey,
} from './testing.ts';

/** What a callback's receiver got: the bodies in order, and their delivery ids. */
interface Received {
  readonly body: string;
  readonly deliveryId: string;
}

describe('faults', { concurrency: true }, () => {
  let receiver: Server;
  let receiverUrl: string;
  const received = new Map<string, Received[]>();

  before(async () => {
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const path = request.url ?? '';
      received.set(path, [
        ...(received.get(path) ?? []),
        { body: Buffer.concat(chunks).toString(), deliveryId: String(request.headers['x-svc-delivery']) },
      ]);
      response.end();
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    const address = receiver.address();
    assert(typeof address === 'object' && address !== null);
    receiverUrl = `http://127.0.0.1:${address.port}`;
  });
  after(() => receiver.close());

  test('a job whose process is killed runs again after the restart: one result, one event', async () => {
    await withService(async (service, restart) => {
      const job = await submit(service, `${receiverUrl}/process`);
      await eventually('the job to start', async () => (await job.state(service)) === 'processing');
      await service.end('SIGKILL');

      const restarted = await restart();
      await eventually('the job to run again', async () => hasEnded(await job.state(restarted)));
      assert.match(restarted.output(), /"attempt":2,"state":"done"/);
      await assertOneResult(restarted, job, '/process');
    });
  });

  test('a job that runs while PostgreSQL is killed finishes: one result, one event', async () => {
    await withService(async (service, _restart, dataFolder) => {
      const job = await submit(service, `${receiverUrl}/database`);
      await eventually('the job to start', async () => (await job.state(service)) === 'processing');
      const lock = readFileSync(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
      process.kill(Number(lock.split('\n', 1)[0]), 'SIGKILL');

      await eventually('the job to finish', async () => hasEnded(await job.state(service)));
      await assertOneResult(service, job, '/database');
    });
  });

  test('a document is not to blame for a service that is killed again and again', async () => {
    const opened = await openExtractionTestDatabase();
    const { system } = opened.database;
    const dataFolder = await makeDataFolder();
    const jobOf = () => system.selectFrom('jobs').selectAll().executeTakeFirst();
    let service: ServiceProcess | undefined;
    try {
      for (let kills = 0; kills < 6; kills++) {
        service = await startProcess(dataFolder, { settings: { DATABASE_URL: opened.url, MILLRACE_WORKERS: '1' } });
        assert.notEqual(service.address, '', service.output());
        if (kills === 0) await submit(service, null);
        await eventually('the job to be claimed', async () => (await jobOf())?.attempts === kills + 1);
        const everything = [service.processId, ...(await descendantsOf(service.processId))];
        // Its readers first, as it may happen: they are not what the document ends.
        for (const id of everything.reverse()) if (isRunning(id)) process.kill(id, 'SIGKILL');
        await service.end('SIGKILL');
        // Its lease has run out, then.
        await system
          .updateTable('jobs')
          .set({ run_at: new Date(0) })
          .where('state', '=', 'processing')
          .execute();
      }
      service = await startProcess(dataFolder, { settings: { DATABASE_URL: opened.url, MILLRACE_WORKERS: '1' } });
      await eventually('the job to end', async () => hasEnded((await jobOf())?.state));
      const job = await jobOf();
      assert.deepEqual([job?.state, job?.error_message], ['done', null]);
      assert.ok((job?.attempts ?? 0) > 3);
    } finally {
      await service?.end('SIGKILL');
      await opened.close();
      await removeDataFolder(dataFolder);
    }
  });

  async function assertOneResult(service: ServiceProcess, job: SubmittedJob, path: string): Promise<void> {
    const answer = await call(service, `/api/external/v1/jobs/${job.id}`);
    assert.equal(answer.state, 'done', service.output());
    const documentId = String(answer.document_id);
    const document = await call(service, `/api/external/v1/documents/${documentId}`);
    assert.match(JSON.stringify(document), /"state":"done"/);
    await eventually('the event', () => received.has(path));
    await sleep(1_000);
    const events = received.get(path) ?? [];
    assert.equal(events.length, 1);
    assert.match(events[0]?.body ?? '', new RegExp(documentId));
  }
});

async function withService(
  work: (service: ServiceProcess, restart: () => Promise<ServiceProcess>, dataFolder: string) => Promise<void>,
): Promise<void> {
  const dataFolder = await makeDataFolder();
  const started: ServiceProcess[] = [];
  const start = async (): Promise<ServiceProcess> => {
    const service = await startProcess(dataFolder, {
      settings: {
        MILLRACE_ALLOW_PRIVATE_WEBHOOKS: '1',
        MILLRACE_WORKERS: '1',
        MILLRACE_RATE_LIMIT_PER_MINUTE: '100000',
      },
    });
    started.push(service);
    assert.notEqual(service.address, '', service.output());
    return service;
  };
  try {
    await work(await start(), start, dataFolder);
  } finally {
    await Promise.all(started.map((service) => service.end('SIGKILL')));
    await removeDataFolder(dataFolder);
  }
}

const hasEnded = (state: unknown): boolean => state === 'done' || state === 'error';

interface SubmittedJob {
  readonly id: string;
  state(service: ServiceProcess): Promise<unknown>;
}

async function submit(service: ServiceProcess, callbackUrl: string | null): Promise<SubmittedJob> {
  const form = new FormData();
  form.set('document', new Blob([longDocument()], { type: 'application/pdf' }), 'long.pdf');
  form.set('async', 'true');
  if (callbackUrl !== null) form.set('callback_url', callbackUrl);
  const id = await eventually('the document to be accepted', async () => {
    const answer = await call(service, '/api/external/v1/extract', { method: 'POST', body: form });
    // On a busy machine it may take the service too long to count the pages; it then asks for the request again.
    if (JSON.stringify(answer).includes('"unavailable"')) return null;
    assert.match(String(answer.job_id), /^job_/, JSON.stringify(answer));
    return String(answer.job_id);
  });
  return { id, state: async (asked) => (await call(asked, `/api/external/v1/jobs/${id}`)).state };
}

async function call(service: ServiceProcess, path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.address}${path}`, { ...init, headers: { 'x-api-key': testApiKey } });
  return JSON.parse(await response.text());
}

/** A PDF of 12 full pages of text, which takes the engine long enough to be interrupted. */
function longDocument(): string {
  const pageCount = 12;
  const lines = Array.from(
    { length: 60 },
    (_, line) => `(Item ${line} at 12.50 EUR each, delivered on 2026-03-14 to Northwind) '`,
  );
  const content = `BT /F 9 Tf 12 TL 40 800 Td ${lines.join('\n')} ET`;
  const pages = Array.from({ length: pageCount }, (_, page) => page + 4);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pageCount} /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ...pages.map(
      () =>
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
    ),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
}
