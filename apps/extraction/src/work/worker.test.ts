import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type BlobStore, openBlobStore } from '@millrace/blobs';
import { createEnginePool, type EnginePool } from '@millrace/engine';
import { eventually } from '@millrace/eventually';
import { createLogger } from '@millrace/logs';
import { tenantTransaction } from '@millrace/postgres';
import type { Queue } from '@millrace/postgres/queue';
import { readSettings } from '@millrace/settings/extraction';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../database/testing.ts';
import { invoicePdf } from '../http/testing.ts';
import { newId } from '../identifiers.ts';
import { createMetrics } from '../metrics.ts';
import { insertDocument } from '../resources/documents/store.ts';
import { createExtractor } from '../resources/extract/extractor.ts';
import { insertJob } from '../resources/jobs/store.ts';
import { providerKeySealer } from '../resources/provider/store.ts';
import { untraced } from '../traces.ts';
import { startWorker } from './worker.ts';

describe('worker', () => {
  let opened: ExtractionTestDatabase;
  let accountId: string;
  let folder: string;
  let blobs: BlobStore;
  let engine: EnginePool;
  let worker: Queue;
  /** The documents in progress at the start of each extraction. */
  const beside: (readonly string[])[] = [];

  before(async () => {
    opened = await openExtractionTestDatabase();
    accountId = await opened.addAccount();
    folder = await mkdtemp(join(tmpdir(), 'millrace-test-blobs-'));
    blobs = await openBlobStore(pathToFileURL(folder).href, [Buffer.alloc(32)]);
    engine = createEnginePool({ workers: 3, isShortLived: true });
    const { database } = opened;
    const { settings } = readSettings({ MILLRACE_WORKERS: '3' });
    const logger = createLogger('silent', { write: () => undefined });
    const providerKeys = providerKeySealer([Buffer.alloc(32)]);
    const extractor = createExtractor({ database, engine, settings, providerKeys, logger });
    const underWay = new Set<string>();
    worker = startWorker({
      database,
      blobs,
      extractor: {
        ...extractor,
        extract: async (bytes, options, control) => {
          underWay.add(control.documentId);
          beside.push([...underWay]);
          try {
            return await extractor.extract(bytes, options, control);
          } finally {
            underWay.delete(control.documentId);
          }
        },
      },
      settings,
      logger,
      traces: untraced,
      metrics: createMetrics(opened.database),
      onNotifications: () => undefined,
    });
  });
  after(async () => {
    await worker.stop(0);
    await engine.close();
    await blobs.close();
    await rm(folder, { recursive: true });
    await opened.close();
  });

  /** Queues a document and returns its job and itself as they are once the job has ended. */
  async function extracted(original: Buffer | null, attempts = 0) {
    const documentId = newId('doc');
    const jobId = newId('job');
    if (original !== null) await blobs.put(documentId, original);
    await tenantTransaction(opened.database, accountId, async (transaction) => {
      await insertDocument(transaction, {
        id: documentId,
        fileName: 'file.pdf',
        mediaType: 'application/pdf',
        sizeBytes: original?.length ?? 0,
        sha256: Buffer.alloc(32),
        docType: 'general',
        blobKey: documentId,
        apiKeyId: null,
        source: 'api',
        receivedAt: new Date(),
      });
      const options = { doc_type: null, fields: null, callback_url: null };
      await insertJob(transaction, { id: jobId, documentId, options });
      await transaction.updateTable('jobs').set({ attempts }).where('id', '=', jobId).execute();
    });
    worker.wake();
    const { system } = opened.database;
    const find = () => system.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
    await eventually('the job to end', async () => ['done', 'error'].includes((await find()).state));
    const document = await system
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', documentId)
      .executeTakeFirstOrThrow();
    return { job: await find(), document };
  }

  test('what the engine says of a document ends its job, with the same error on both', async () => {
    const { job, document } = await extracted(Buffer.from('%PDF-1.7\nnothing more'));
    assert.equal(job.state, 'error');
    assert.equal(job.error_code, 'corrupt_document');
    assert.equal(job.attempts, 1);
    assert.equal(document.state, 'error');
    assert.equal(document.error_code, 'corrupt_document');
    assert.equal(document.error_message, job.error_message);
    assert.deepEqual(document.result?.fields, {});
  });

  test('a job that the service ended under several times is extracted as any other', async () => {
    const { job, document } = await extracted(Buffer.from('%PDF-1.7\nnothing more'), 12);
    assert.equal(job.error_code, 'corrupt_document');
    assert.equal(document.error_code, 'corrupt_document');
    assert.equal(job.attempts, 13);
  });

  test('a job that the service ended under fifty times fails and says so', async () => {
    const { job, document } = await extracted(Buffer.from('%PDF-1.7\nnothing more'), 50);
    assert.equal(job.error_code, 'extraction_failed');
    assert.match(job.error_message ?? '', /ended 50 times/);
    assert.equal(document.state, 'error');
  });

  test('a job that was attempted too often is extracted alone', async () => {
    const ended = await Promise.all(
      [0, 12, 0, 12, 0, 0].map((attempts) => extracted(Buffer.from(invoicePdf), attempts)),
    );
    assert.deepEqual(
      ended.map(({ document }) => document.state),
      ended.map(() => 'done'),
    );
    const suspects = new Set(ended.filter(({ job }) => job.attempts > 12).map(({ document }) => document.id));
    assert.equal(suspects.size, 2);
    assert.ok(beside.length >= 6);
    assert.deepEqual(
      beside.filter((documents) => documents.length > 1 && documents.some((id) => suspects.has(id))),
      [],
    );
  });

  test('a job whose original is gone fails and says so', async () => {
    const { job } = await extracted(null);
    assert.equal(job.error_code, 'extraction_failed');
    assert.match(job.error_message ?? '', /original is gone/);
  });
});
