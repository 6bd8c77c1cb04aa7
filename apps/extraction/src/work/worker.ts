import { setTimeout as sleep } from 'node:timers/promises';
import type { BlobStore } from '@millrace/blobs';
import { defaultDocType } from '@millrace/document-model';
import { EngineError } from '@millrace/engine/errors';
import { errors } from '@millrace/extraction-contract/errors';
import { tenantTransaction } from '@millrace/postgres';
import { type Claim, type Queue, startQueue } from '@millrace/postgres/queue';
import { type Provider, ProviderFailure } from '@millrace/providers';
import type { Settings } from '@millrace/settings/extraction';
import { type Selectable, sql } from 'kysely';
import type { Logger } from 'pino';
import type { ExtractionDatabase, Schema, TenantTransaction } from '../database/schema.ts';
import { type Metrics, measuredType } from '../metrics.ts';
import type { Outcome, Processing } from '../resources/documents/rules.ts';
import type { Extractor } from '../resources/extract/extractor.ts';
import { finishExtraction } from '../resources/extract/finish.ts';
import type { Lanes } from '../resources/webhooks/notifications.ts';
import type { SpanEnd, Traces } from '../traces.ts';
import { retry } from './retry.ts';

type Job = Claim & Selectable<Schema['jobs']>;

export interface WorkerParts {
  readonly database: ExtractionDatabase;
  readonly blobs: BlobStore;
  readonly extractor: Extractor;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly traces: Traces;
  /** Called after a commit that enqueued notifications. */
  readonly onNotifications: (lanes: Lanes) => void;
}

/**
 * Unfinished attempts, because the service died or lost its lease, after which a job is extracted alone. Its document
 * may be what kills the service, and alone it can't take other attempts with it; most likely it isn't the cause.
 */
const attemptsInCompany = 3;
/** Attempts after which a job fails: no series of restarts is this long by chance. */
const mostAttempts = 50;

/**
 * Starts to extract queued documents: claim → read the original → engine → finish the document, its job and its
 * notifications in one transaction. The engine's verdict ends the job, including that the document
 * kills its processes. While the database or the blob store is unavailable, the job waits. If this process dies, which
 * is not the document's fault, another one takes the job when its lease expires.
 */
export function startWorker(parts: WorkerParts): Queue {
  const { database, logger, settings } = parts;
  const waiting = countWaiting(settings);
  const company = keepCompany();
  const queue = startQueue<Job>({
    system: database.system,
    table: 'jobs',
    tenantColumn: 'account_id',
    concurrency: () => (company.isAlone() ? 0 : settings.workers + waiting.spareSlots()),
    passedOver: waiting.passedOver,
    run: async (job, signal) => {
      const onWaiting = (provider: Provider | null) => {
        waiting.set(job, provider);
        queue.wake();
      };
      try {
        await company.join(job);
        await parts.traces.run(
          {
            name: 'extract document',
            kind: 'consumer',
            parent: job.traceparent,
            describe: (finished) => describeJob(job, finished ?? null),
          },
          () => runJob(parts, job, signal, { onAsking: () => waiting.admit(job), onWaiting }),
        );
      } catch (error) {
        if (!(error instanceof PutBack)) throw error;
        await putBack(parts, job);
      } finally {
        waiting.leave(job);
        company.leave(job);
      }
    },
    onError: (error, job) => logger.error({ error, job: job?.id, document: job?.document_id }, 'the worker failed'),
  });
  return queue;
}

/** Models whose jobs wait beyond the workers at once, in one process. */
const waitedForLimit = 4;

/** The most jobs of one process that wait for a model's answer beside as many as there are workers. */
export function mostWaitingJobs({ providerConcurrency }: Pick<Settings, 'providerConcurrency'>): number {
  return waitedForLimit * providerConcurrency;
}

/** Thrown if a job can't be extracted now: too many others wait for a model, or one is being extracted alone. */
class PutBack extends Error {}

/** How long a job that is extracted alone waits for those in progress, which may wait for models. */
const longestWaitForOthersMs = 30_000;

/** Runs the jobs of one process in parallel, except those that were attempted too often, which run alone. */
function keepCompany() {
  const running = new Map<Job, PromiseWithResolvers<void>>();
  let alone: Job | null = null;
  return {
    /** @throws PutBack while another job is alone */
    join: async (job: Job): Promise<void> => {
      if (alone !== null) throw new PutBack();
      const others = Array.from(running.values(), ({ promise }) => promise);
      running.set(job, Promise.withResolvers());
      if (job.attempts <= attemptsInCompany) return;
      alone = job;
      const late = sleep(longestWaitForOthersMs, undefined, { ref: false });
      await Promise.race([Promise.all(others), late]);
    },
    leave: (job: Job): void => {
      running.get(job)?.resolve();
      running.delete(job);
      if (alone === job) alone = null;
    },
    isAlone: (): boolean => alone !== null,
  };
}

/**
 * Counts the jobs that wait for models. They need no engine meanwhile and give their workers to other jobs, up to the
 * model's concurrency. An account with that many waiting jobs starts no more, so that its slow model only delays its own
 * documents. If so many jobs use models that they could take the last worker, further jobs of accounts with a model are
 * postponed: slow models of many accounts don't delay accounts without one.
 */
function countWaiting(settings: Pick<Settings, 'providerConcurrency' | 'workers'>) {
  const most = settings.providerConcurrency;
  const mostAsking = mostWaitingJobs(settings) + settings.workers - 1;
  const asking = new Set<Job>();
  const waiting = new Map<Job, Provider>();
  /** Accounts that ask a model and had a job put back since there was no room. */
  const putBack = new Set<string>();
  return {
    /** @throws PutBack where no more jobs may ask models now */
    admit: (job: Job): void => {
      if (asking.size >= mostAsking) {
        putBack.add(job.account_id);
        throw new PutBack();
      }
      asking.add(job);
    },
    set: (job: Job, provider: Provider | null): void => {
      if (provider) waiting.set(job, provider);
      else waiting.delete(job);
    },
    leave: (job: Job): void => {
      if (asking.delete(job)) putBack.clear();
    },
    spareSlots: (): number => {
      const byProvider = [...Map.groupBy(waiting.values(), (provider) => provider).values()];
      const spare = byProvider.reduce((sum, jobs) => sum + Math.min(jobs.length, most), 0);
      return Math.min(spare, mostWaitingJobs(settings));
    },
    passedOver: (): readonly string[] => {
      const full = [...Map.groupBy(waiting.keys(), (job) => job.account_id)].flatMap(([accountId, jobs]) =>
        jobs.length >= most ? [accountId] : [],
      );
      if (asking.size < mostAsking) return full;
      return [...full, ...putBack, ...Array.from(asking, (job) => job.account_id)];
    },
  };
}

/** Makes a claimed job due again; that it was claimed is no attempt. */
async function putBack({ database }: WorkerParts, job: Job): Promise<void> {
  await database.system
    .updateTable('jobs')
    .set({ state: 'queued', attempts: job.attempts - 1, run_at: sql<Date>`now()` })
    .where('account_id', '=', job.account_id)
    .where('id', '=', job.id)
    .where('state', '=', 'processing')
    .where('attempts', '=', job.attempts)
    .execute();
}

/** What a job reports about its model: see the extractor. */
type Asking = Pick<Parameters<Extractor['extract']>[2], 'onAsking' | 'onWaiting'>;

async function runJob(parts: WorkerParts, job: Job, signal: AbortSignal, asking: Asking): Promise<Outcome | undefined> {
  const { database, logger, metrics } = parts;
  const { outcome, processing } = await extractDocument(parts, job, signal, asking);
  const finished = await retry(signal, () =>
    tenantTransaction(database, job.account_id, async (transaction) => {
      const held = await finishJob(transaction, job, outcome);
      if (!held) return null;
      const { document_id: documentId, options } = job;
      return finishExtraction(transaction, { documentId, outcome, processing, callbackUrl: options.callback_url });
    }),
  );
  const about = { job: job.id, document: job.document_id, attempt: job.attempts };
  if (finished === null) {
    logger.warn(about, 'the job was finished before');
    return undefined;
  }
  metrics.extractions.inc({ state: outcome.state, mode: 'async' });
  logger.info(
    {
      ...about,
      state: outcome.state,
      code: finished.error_code ?? undefined,
      engineMs: Math.round(processing.processTimeMs),
    },
    'extracted',
  );
  parts.onNotifications(finished.lanes);
  return outcome;
}

/** @param outcome null where this worker did not finish the job */
function describeJob({ id, document_id, attempts }: Job, outcome: Outcome | null): SpanEnd {
  return {
    attributes: {
      'millrace.job.id': id,
      'millrace.document.id': document_id,
      'millrace.job.attempt': attempts,
      ...(outcome === null ? {} : { 'millrace.document.state': outcome.state }),
      ...(outcome?.state === 'error' ? { 'error.type': outcome.code } : {}),
    },
    isFailed: outcome?.state === 'error',
  };
}

/** Gives the job its final state where this claim on it still stands; false where it is another worker's by now. */
async function finishJob(transaction: TenantTransaction, job: Job, outcome: Outcome): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('jobs')
    .set({
      state: outcome.state,
      error_code: outcome.state === 'error' ? outcome.code : null,
      error_message: outcome.state === 'error' ? outcome.message : null,
      finished_at: new Date(),
    })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', job.id)
    .where('state', '=', 'processing')
    .where('attempts', '=', job.attempts)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** What the engine makes of the job's document. Throws what says nothing of the document itself. */
async function extractDocument(
  parts: WorkerParts,
  job: Job,
  signal: AbortSignal,
  asking: Asking,
): Promise<{ outcome: Outcome; processing: Processing }> {
  const { database, blobs, extractor, settings, metrics } = parts;
  const failed = (message: string) => ({
    outcome: { state: 'error', code: 'extraction_failed', message } as const,
    processing: { ...extractor.engine, processTimeMs: 0 },
  });
  if (job.attempts > mostAttempts) {
    return failed(
      `The service ended ${mostAttempts} times while it extracted this document. Send a simpler export of it.`,
    );
  }
  const { blob_key } = await retry(signal, () =>
    tenantTransaction(database, job.account_id, (transaction) =>
      transaction
        .selectFrom('documents')
        .select('blob_key')
        .where('account_id', '=', transaction.tenantId)
        .where('id', '=', job.document_id)
        .executeTakeFirstOrThrow(),
    ),
  );
  const original = await retry(signal, () => blobs.get(blob_key));
  if (original === null) return failed('The stored original is gone. Send the document again.');

  const docType = job.options.doc_type ?? defaultDocType;
  const { fields } = job.options;
  const limits = { sizeBytes: settings.maxFileSizeBytes, pages: settings.maxPages };
  const startedMs = performance.now();
  const ended = (outcome: Outcome, by = extractor.engine) => {
    const processTimeMs = performance.now() - startedMs;
    const code = outcome.state === 'done' ? 'ok' : outcome.code;
    metrics.engineSeconds.observe({ doc_type: measuredType(docType), outcome: code }, processTimeMs / 1000);
    return { outcome, processing: { ...by, processTimeMs } };
  };
  try {
    const control = { accountId: job.account_id, documentId: job.document_id, signal, ...asking };
    const { by, extraction } = await extractor.extract(original, { docType, fields, limits }, control);
    return ended({ state: 'done', extraction }, by);
  } catch (error) {
    if (error instanceof ProviderFailure) {
      return ended({ state: 'error', code: 'provider_error', message: errors.provider_error.message });
    }
    if (!(error instanceof EngineError) || signal.aborted) throw error;
    return ended({ state: 'error', code: error.code, message: error.message });
  }
}
