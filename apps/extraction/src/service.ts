import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openBlobStore } from '@millrace/blobs';
import { loadEncryptionKey } from '@millrace/encryption/key';
import { createEnginePool, type EnginePool } from '@millrace/engine';
import { createMailTransport } from '@millrace/mail';
import { startMailSender } from '@millrace/mail/sender';
import { drainConnections } from '@millrace/operations/drain';
import type { PostgresServer } from '@millrace/postgres/server';
import { listen } from '@millrace/processes/listen';
import { blobUrlOf, foldersOf, type Settings } from '@millrace/settings/extraction';
import { createDevices } from '@millrace/sign-in/devices';
import { createIdentityProviders } from '@millrace/sign-in/identity-provider';
import type { SenderOptions } from '@millrace/webhooks';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { connectDatabase } from './database/connect.ts';
import { type AttemptReport, startDeliverer } from './delivery/deliverer.ts';
import { pauseFailedEndpoints } from './delivery/pausing.ts';
import { checkEncryptionKey, createFirstAccount, type FirstAccount } from './first-account.ts';
import { addOperationalRoutes } from './health.ts';
import { startInboxServer } from './inbox/server.ts';
import { createOutbox } from './mail/outbox.ts';
import { createMetrics, type Metrics, observeRequests } from './metrics.ts';
import { createCallRecorder } from './resources/calls/recorder.ts';
import { createPictures } from './resources/documents/pictures.ts';
import { createExtractor } from './resources/extract/extractor.ts';
import { createPageCounter } from './resources/extract/page-counter.ts';
import { reachOf } from './resources/identity-provider/handlers.ts';
import { startProviderRechecker } from './resources/identity-provider/rechecker.ts';
import { identityProviderSealer } from './resources/identity-provider/store.ts';
import { createOneTimeCodes } from './resources/one-time-codes/codes.ts';
import { providerKeySealer } from './resources/provider/store.ts';
import { webhookSecretSealer } from './resources/webhooks/secrets.ts';
import { createServer } from './server.ts';
import { createTraces, type Traces, untraced } from './traces.ts';
import { startBulkRunner } from './work/bulk-runner.ts';
import { startCleanup } from './work/cleanup.ts';
import { logFailures } from './work/engine.ts';
import { mostWaitingJobs, startWorker } from './work/worker.ts';

/** What a process does: serve the API and the dashboard; work off jobs, webhooks and mail; accept mail; or all of it. */
export const roles = ['all', 'api', 'worker', 'inbox'] as const;

export type Role = (typeof roles)[number];

export interface Service {
  /** Its address, such as `http://127.0.0.1:4100`; null for a worker without a port. */
  readonly address: string | null;
  /** Where it accepts mail; null if it doesn't. */
  readonly inboxPort: number | null;
  /** Present at the very first start; a worker creates none. */
  readonly firstAccount: FirstAccount | null;
  /** Resolves with the reason when the service can't continue. */
  readonly failed: Promise<Error>;
  /** Ends connections that are kept alive, while it still answers. */
  drain(): Promise<void>;
  /**
   * Accepts no more requests and jobs, finishes or returns those in progress, and closes everything, within about ten
   * seconds.
   */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** An open database server, which its opener stops after the service; by default the settings' own. */
  readonly server?: PostgresServer;
  /** Where the console is, once it runs in the same process; used if the settings don't say. */
  readonly consoleUrl?: () => string | null;
  /** Opens the engine's pools: of extraction, and of pictures and page counts once one is asked for. */
  readonly openEnginePool?: typeof createEnginePool;
}

/** How long requests, jobs and deliveries in progress get to finish at shutdown. */
const graceMs = 5_000;
/** Where `npm start` leaves the built dashboard. */
const dashboardFolder = resolve(import.meta.dirname, '../../dashboard/dist');

/**
 * Starts the service: database → blobs → engine → deliverer → worker → server → first account. After a failure,
 * everything that was started is closed again.
 */
export async function startService(
  settings: Settings,
  role: Role,
  logger: Logger,
  { consoleUrl, openEnginePool = createEnginePool, ...options }: ServiceOptions = {},
): Promise<Service> {
  const started = new AsyncDisposableStack();
  try {
    const encryptionKey = loadEncryptionKey(settings);
    mkdirSync(settings.dataDirectory, { recursive: true });
    const connected = await connectDatabase({ settings, logger, join: role !== 'all', ...options });
    started.defer(() => connected.close());
    const { database } = connected;
    const secrets = webhookSecretSealer([encryptionKey]);
    await checkEncryptionKey(database, secrets);
    const blobs = await openBlobStore(blobUrlOf(settings), [encryptionKey]);
    started.defer(() => blobs.close());
    const isAnswering = role === 'all' || role === 'api';
    const isWorking = role === 'all' || role === 'worker';
    const takesMail = role === 'all' || role === 'inbox';
    const traces = await startTraces(settings, started);
    const engine = isAnswering || isWorking ? openEngine(settings, logger, started, openEnginePool) : null;
    const providerKeys = providerKeySealer([encryptionKey]);
    const extractor = engine && createExtractor({ database, engine, settings, providerKeys, logger, traces });
    started.defer(async () => extractor?.close());
    const metrics = createMetrics(database);

    const pictures = createPictures(settings, openEnginePool);
    started.defer(() => pictures.close());
    const pageCounter = createPageCounter(settings, openEnginePool);
    started.defer(() => pageCounter.close());

    const outbox = createOutbox([encryptionKey]);
    const deliverer = isWorking
      ? startDeliverer({
          database,
          sealer: secrets,
          sending: sendingOptions(settings),
          traces,
          onAttempt: (attempt) => reportAttempt(attempt, logger, metrics),
          onEndpointsFailed: (endpoints) =>
            pauseFailedEndpoints({ database, outbox, logger, onMail: () => mail?.wake() }, endpoints),
          onError: (error) => logger.error({ error }, 'the deliverer failed'),
        })
      : null;
    const wakeDeliverer = (lanes: readonly string[]) => deliverer?.wake(lanes);
    const worker =
      isWorking && extractor !== null
        ? startWorker({ database, blobs, extractor, settings, logger, metrics, traces, onNotifications: wakeDeliverer })
        : null;
    const bulkRunner =
      isWorking && engine !== null
        ? startBulkRunner({
            database,
            blobs,
            engine,
            settings,
            logger,
            onJob: () => worker?.wake(),
            onNotifications: wakeDeliverer,
            onDeleted: (documentId) => pictures.forget(documentId),
          })
        : null;
    const cleanup = !isWorking ? null : startCleanup({ database, blobs, logger });
    const mail = !isWorking
      ? null
      : startMailSender({
          system: database.system,
          table: 'mails',
          tenantColumn: 'account_id',
          open: outbox.open,
          send: createMailTransport({
            smtpUrl: settings.smtpUrl,
            from: settings.mailFrom,
            folder: join(settings.dataDirectory, 'mail'),
          }),
          logger,
        });

    const calls = createCallRecorder({
      database,
      onError: (error) => logger.warn({ error }, 'calls were not logged'),
    });
    started.defer(() => calls.stop());

    const identityProviders = createIdentityProviders(async (url, request) => {
      const { boundedSend } = await import('@millrace/webhooks/bounded-send');
      return boundedSend(url, request, { policy: reachOf(settings) });
    });
    const identityProviderSecrets = identityProviderSealer([encryptionKey]);
    if (isAnswering) {
      const rechecker = startProviderRechecker({ database, identityProviders, identityProviderSecrets, log: logger });
      started.defer(() => rechecker.stop());
    }

    let ownAddress = '';

    const secureCookies = settings.publicUrl?.startsWith('https:') ?? false;
    const log: FastifyBaseLogger = logger;
    const server: FastifyInstance =
      !isAnswering || engine === null || extractor === null
        ? Fastify({ loggerInstance: log, logController: new LogController({ disableRequestLogging: true }) })
        : createServer({
            database,
            blobs,
            engine,
            extractor,
            pageCounter,
            pictures,
            settings,
            log,
            metrics,
            onJob: () => worker?.wake(),
            onBulkAction: () => bulkRunner?.wake(),
            onNotifications: wakeDeliverer,
            webhookSecrets: secrets,
            providerKeys,
            identityProviders,
            identityProviderSecrets,
            calls,
            outbox,
            onMail: () => mail?.wake(),
            dashboardUrl: () => settings.publicUrl ?? ownAddress,
            consoleUrl: () => settings.consoleUrl ?? consoleUrl?.() ?? null,
            secureCookies,
            devices: createDevices(encryptionKey, { name: 'millrace_dashboard_device', secure: secureCookies }),
            oneTimeCodes: createOneTimeCodes([encryptionKey]),
            dashboardFolder,
          });
    observeRequests(server, metrics);
    traces.observe(server);
    addOperationalRoutes(server, { database, metrics, folders: foldersOf(settings) });
    started.defer(async () => {
      await Promise.all([
        closeServer(server),
        worker?.stop(graceMs),
        bulkRunner?.stop(graceMs),
        deliverer?.stop(graceMs),
        mail?.stop(graceMs),
        cleanup?.stop(),
      ]);
    });
    const inbox =
      takesMail && settings.inboxPort !== null
        ? await startInboxServer({
            database,
            blobs,
            settings,
            logger,
            metrics,
            outbox,
            onMail: () => mail?.wake(),
            onJob: () => worker?.wake(),
          })
        : null;
    // Before what it wakes.
    started.defer(async () => inbox?.stop(graceMs));
    const port = isAnswering ? settings.port : settings.workerPort;
    const address =
      port === null
        ? null
        : await listen(server, {
            host: settings.host,
            port,
            hostSetting: 'MILLRACE_EXTRACTION_HOST',
            portSetting: isAnswering ? 'MILLRACE_EXTRACTION_PORT' : 'MILLRACE_WORKER_PORT',
          });
    ownAddress = address ?? '';
    // Last, since what it shows is shown once: a start that fails leaves no account behind.
    const firstAccount = !isAnswering ? null : await createFirstAccount(database, settings, secrets);
    const stack = started.move();
    return {
      address,
      inboxPort: inbox?.port ?? null,
      firstAccount,
      failed: connected.failed,
      drain: () => drainConnections(server),
      stop: () => stack.disposeAsync(),
    };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

function openEngine(
  settings: Settings,
  logger: Logger,
  started: AsyncDisposableStack,
  openEnginePool: typeof createEnginePool,
): EnginePool {
  const pool = openEnginePool({
    workers: settings.workers,
    memoryLimitBytes: settings.workerMemoryBytes,
    pageCpuMs: settings.pageCpuMs,
    pageTimeoutMs: settings.pageTimeoutMs,
    scriptLanguages: settings.scriptLanguages,
    // More than the callers and jobs that are let wait for it.
    queueLimit: settings.workers * 16 + mostWaitingJobs(settings),
  });
  started.defer(() => pool.close());
  return logFailures(pool, logger);
}

async function startTraces(
  { traceEndpoint, tracePercent, traceCallers, trustProxy }: Settings,
  started: AsyncDisposableStack,
): Promise<Traces> {
  if (traceEndpoint === null) return untraced;
  // OpenTelemetry takes long to load.
  const { startTracing } = await import('@millrace/traces');
  const tracing = startTracing({ service: 'millrace-extraction', endpoint: traceEndpoint, percent: tracePercent });
  started.defer(() => tracing.stop());
  return createTraces(tracing, { believes: traceCallers || trustProxy > 0 });
}

function sendingOptions({ allowPrivateWebhooks, webhookCaFile }: Settings): SenderOptions {
  const policy = { allowLoopback: allowPrivateWebhooks };
  if (webhookCaFile === null) return policy;
  try {
    return { ...policy, extraCertificates: readFileSync(webhookCaFile, 'utf8') };
  } catch (error) {
    throw new Error(`The file of MILLRACE_WEBHOOK_CA_FILE cannot be read: ${webhookCaFile}`, { cause: error });
  }
}

/** Accepts no more requests, and aborts those that don't finish in time. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const hangUp = setTimeout(() => server.server.closeAllConnections(), graceMs);
  await server.close();
  clearTimeout(hangUp);
}

function reportAttempt(attempt: AttemptReport, logger: Logger, metrics: Metrics): void {
  metrics.deliveries.inc({ outcome: attempt.outcome });
  metrics.deliverySeconds.observe(attempt.latencyMs / 1000);
  const { notificationId: notification, deliveryId: delivery, ...rest } = attempt;
  logger[attempt.outcome === 'delivered' ? 'info' : 'warn']({ notification, delivery, ...rest }, 'webhook attempt');
}
