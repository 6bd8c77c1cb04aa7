import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createSealer } from '@millrace/encryption';
import { loadEncryptionKey } from '@millrace/encryption/key';
import { createMailTransport } from '@millrace/mail';
import { startMailSender } from '@millrace/mail/sender';
import { drainConnections } from '@millrace/operations/drain';
import { describeReplica } from '@millrace/postgres';
import { connectDatabase, openServer, type PostgresServer } from '@millrace/postgres/server';
import { listen } from '@millrace/processes/listen';
import type { Settings } from '@millrace/settings/control';
import { createDevices } from '@millrace/sign-in/devices';
import { createIdentityProviders } from '@millrace/sign-in/identity-provider';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createKeySealers } from './consumers/apps/key-sealers.ts';
import { migrations, schemaName } from './database/migrations.ts';
import type { ControlDatabase } from './database/schema.ts';
import { createSnapshotSigner } from './delivery/configuration/signing.ts';
import { createDeploymentMonitor } from './delivery/deployments/monitor.ts';
import { createNodeWaits } from './delivery/gateway-nodes/waiting.ts';
import { type DemoSeed, type Installation, seedDemoSeed } from './demo-seed/demo-seed.ts';
import { createSubscribers } from './events.ts';
import { createFirstAdministrator, type FirstAdministrator } from './first-administrator.ts';
import { createAuditChain } from './frame/audit.ts';
import { createIdempotencyKeys } from './frame/idempotency.ts';
import { createOutbound } from './frame/outbound.ts';
import { openMail } from './frame/outbox.ts';
import { portalSessions, sessions } from './frame/sessions.ts';
import { startSweeper } from './frame/sweeper.ts';
import { createServer } from './http/server.ts';
import { type CallTraces, createCallTraces, untraced } from './http/traces.ts';
import { consoleProviders } from './identity/identity-providers/realm.ts';
import { startProviderRechecker } from './identity/provider-sign-in/rechecker.ts';
import { startPeriodCloser } from './money/billing-periods/closer.ts';
import { startCreditExpirer } from './money/prepaid/expirer.ts';
import { startVersionSwitch } from './money/rate-plans/switching.ts';
import { startAuditAnchoring } from './platform/audit/anchors.ts';
import { startDomainRechecker } from './portal/domains/rechecker.ts';
import { portalProviders } from './portal/identity-providers/client.ts';
import { createPortalSandbox } from './portal/try/sandbox.ts';
import { startBudgetAlerts } from './portal/usage/budget-alerts.ts';
import { startDeliverer } from './watch/deliveries/deliverer.ts';
import { wakeDeliveries } from './watch/deliveries/enqueue.ts';
import { startEvaluator } from './watch/evaluator/evaluator.ts';
import { isUnacknowledged } from './watch/incidents/store.ts';
import { applyAlerts, endAlertsOfRule } from './watch/incidents/transitions.ts';
import { startTrafficRoller } from './watch/rollups/roller.ts';
import { startSlotMerger } from './watch/slots/merger.ts';
import { startStreamer } from './watch/streams/streamer.ts';

export interface Service {
  /** Where it answers, such as `http://127.0.0.1:4200`. */
  readonly address: string;
  /** Null where somebody could sign in before this start. */
  readonly firstAdministrator: FirstAdministrator | null;
  /** Null where this start makes nothing to look at. */
  readonly demoSeed: DemoSeed | null;
  /** Resolves, with the reason, when the service cannot go on. */
  readonly failed: Promise<Error>;
  /** Ends connections that are kept alive, while it still answers. */
  drain(): Promise<void>;
  /** Accepts no more calls, finishes those in progress and closes everything, within about ten seconds. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  /** A server that is open already, which its opener stops; without it the settings' own. */
  readonly server?: PostgresServer;
  /** What runs beside it, for the first look; without it the management API runs alone. */
  readonly installation?: Promise<Installation>;
  /** Where the dashboard is, once it runs in the same process; used if the settings don't say. */
  readonly dashboardUrl?: () => string | null;
  /** False where a test evaluates alert rules by its own clock. */
  readonly evaluates?: boolean;
}

/** How long calls and e-mails in progress get to finish at shutdown. */
const graceMs = 5_000;
/** Where `npm run build:console` leaves the console. */
const consoleFolder = resolve(import.meta.dirname, '../../console/dist');
/** Where the build of the developer portal's app stands. */
const portalAppFolder = resolve(import.meta.dirname, '../../portal/dist');

/**
 * Starts the management API: database → first administrator → mail → server. What was started before a failure is closed again, and the
 * failure thrown.
 */
export async function startService({
  settings,
  logger,
  server: shared,
  installation,
  dashboardUrl,
  evaluates = true,
}: ServiceOptions): Promise<Service> {
  const started = new AsyncDisposableStack();
  try {
    const encryptionKey = loadEncryptionKey(settings);
    mkdirSync(settings.dataDirectory, { recursive: true });
    const server = shared ?? (await openServer({ ...settings, join: true }));
    if (shared === undefined) started.defer(() => server.stop());
    const database: ControlDatabase = await connectDatabase({
      server,
      schema: schemaName,
      migrations,
      connections: settings.databaseConnections,
      onConnectionError: (error) => logger.warn({ error }, 'a database connection was lost'),
      onWarning: (warning) => logger.warn({}, warning),
      onReplica: (event) => logger.warn({}, describeReplica(event)),
    });
    started.defer(() => database.close());
    const firstAdministrator = await createFirstAdministrator({ database }, settings);

    const outboxSealer = createSealer([encryptionKey], 'control outbox');
    const platformMail = createMailTransport({
      smtpUrl: settings.smtpUrl,
      from: settings.mailFrom,
      folder: join(settings.dataDirectory, 'mail'),
    });
    const mail = startMailSender({
      system: database.system,
      table: 'outbox',
      tenantColumn: 'organization_id',
      open: (row) => openMail(outboxSealer, row),
      send: platformMail,
      logger,
    });
    started.defer(() => mail.stop(graceMs));

    let address = '';
    let isFilling = false;
    const chain = createAuditChain(encryptionKey);
    const anchoring = startAuditAnchoring({
      database,
      chain,
      dataDirectory: settings.dataDirectory,
      onError: (error) => logger.error({ error }, 'anchoring the audit trail failed'),
    });
    started.defer(() => anchoring.stop());
    const sweeper = startSweeper({
      database,
      onError: (error) => logger.error({ error }, 'removing expired data failed'),
    });
    started.defer(() => sweeper.stop());
    const secureCookies = settings.publicUrl?.startsWith('https:') ?? false;
    const sealer = createSealer([encryptionKey], 'control secrets');
    const signer = createSnapshotSigner(encryptionKey);
    const subscribers = createSubscribers({ sealer, signer });
    const monitor = createDeploymentMonitor({
      database,
      chain,
      subscribers,
      rolloutTimeoutMs: settings.rolloutTimeoutSeconds * 1_000,
      onError: (error) => logger.error({ error }, 'evaluating a deployment failed'),
    });
    started.defer(() => monitor.stop());
    const versionSwitch = startVersionSwitch({
      database,
      chain,
      subscribers,
      onError: (error) => logger.error({ error }, 'moving subscriptions to a new version of their rate plan failed'),
    });
    started.defer(() => versionSwitch.stop());
    const roller = startTrafficRoller({
      database,
      onError: (error) => logger.error({ error }, 'summing traffic failed'),
    });
    started.defer(() => roller.stop());
    const outbox = { sealer: outboxSealer, wake: () => mail.wake() };
    const closer = startPeriodCloser({
      database,
      chain,
      outbox,
      subscribers,
      onError: (error) => logger.error({ error }, 'billing failed'),
    });
    started.defer(() => closer.stop());
    const expirer = startCreditExpirer({
      database,
      chain,
      outbox,
      subscribers,
      onError: (error) => logger.error({ error }, 'settling expired credit failed'),
    });
    started.defer(() => expirer.stop());
    const budgetAlerts = startBudgetAlerts({
      database,
      chain,
      outbox,
      onError: (error) => logger.error({ error }, 'comparing a budget with what is spent failed'),
    });
    started.defer(() => budgetAlerts.stop());
    const domainRechecker = startDomainRechecker({
      database,
      chain,
      subscribers,
      dnsServers: settings.dnsServers,
      onError: (error) => logger.error({ error }, 'looking up the DNS record of a portal domain failed'),
    });
    started.defer(() => domainRechecker.stop());
    const merger = startSlotMerger({
      database,
      onError: (error) => logger.error({ error }, 'merging the traffic of ten seconds failed'),
    });
    started.defer(() => merger.stop());
    if (evaluates) {
      const evaluator = startEvaluator({
        database,
        incidents: { apply: applyAlerts, end: endAlertsOfRule },
        wakeDeliveries,
        onError: (error) => logger.error({ error }, 'evaluating alert rules failed'),
      });
      started.defer(() => evaluator.stop());
    }
    const waits = createNodeWaits(database);
    const keySealers = createKeySealers(encryptionKey, sealer);
    const traces = await startTraces(settings, started);
    const outbound = createOutbound(settings);
    const identityProviders = createIdentityProviders(outbound.send);
    const publicUrl = () => settings.publicUrl ?? address;
    const recheckParts = {
      database,
      chain,
      sealer,
      identityProviders,
      onError: (error: unknown) => logger.error({ error }, 'asking an identity provider about a session failed'),
    };
    for (const realm of [
      { providers: consoleProviders({ sealer, publicUrl }), sessions },
      { providers: portalProviders({ sealer, publicUrl }), sessions: portalSessions },
    ]) {
      const rechecker = startProviderRechecker(recheckParts, realm);
      started.defer(() => rechecker.stop());
    }
    const http = createServer({
      database,
      chain,
      sealer,
      keySealers,
      signer,
      waits,
      monitor,
      closer,
      sandbox: createPortalSandbox({ database, chain, subscribers, keySealers }),
      outbound,
      identityProviders,
      platformMail,
      publicUrl,
      dashboardUrl: () => settings.dashboardUrl ?? dashboardUrl?.() ?? null,
      dnsServers: settings.dnsServers,
      secureCookies,
      devices: createDevices(encryptionKey, { name: 'millrace_device', secure: secureCookies }),
      outbox,
      dataDirectory: settings.dataDirectory,
      frame: {
        database,
        chain,
        idempotencyKeys: createIdempotencyKeys(encryptionKey),
        outbox,
        subscribers,
        secureCookies,
      },
      log: logger,
      configuredPublicUrl: settings.publicUrl,
      trustedProxies: settings.trustProxy,
      traces,
      consoleFolder: existsSync(join(consoleFolder, 'index.html')) ? consoleFolder : null,
      portalAppFolder,
      isFilling: () => isFilling,
    });
    started.defer(() => closeServer(http));
    started.defer(() => waits.stop());
    address = await listen(http, {
      ...settings,
      hostSetting: 'MILLRACE_CONTROL_HOST',
      portSetting: 'MILLRACE_CONTROL_PORT',
    });
    // After the address is known, which the links in notifications start with.
    const deliverer = startDeliverer({
      database,
      keySealers,
      outbound,
      platformMail,
      publicUrl,
      conditions: { incident_unacknowledged: isUnacknowledged },
      onError: (error) => logger.error({ error }, 'delivering notifications failed'),
    });
    started.defer(() => deliverer.stop(graceMs));
    const streamer = startStreamer({
      database,
      keySealers,
      outbound,
      publicUrl,
      onError: (error) => logger.error({ error }, 'sending metrics or audit entries failed'),
    });
    started.defer(() => streamer.stop(graceMs));
    const demoSeed = startDemoSeed(address, firstAdministrator, settings, installation ?? null, database, logger);
    if (demoSeed !== null) {
      isFilling = true;
      void demoSeed.finished.then(() => {
        isFilling = false;
      });
      started.defer(() => demoSeed.stop());
    }
    const stack = started.move();
    return {
      address,
      firstAdministrator,
      demoSeed,
      failed: server.failed,
      drain: () => drainConnections(http),
      stop: () => stack.disposeAsync(),
    };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

async function startTraces(
  { traceEndpoint, tracePercent, traceCallers, trustProxy }: Settings,
  started: AsyncDisposableStack,
): Promise<CallTraces> {
  if (traceEndpoint === null) return untraced;
  // OpenTelemetry takes long to load.
  const { startTracing } = await import('@millrace/traces');
  const tracing = startTracing({ service: 'millrace-control', endpoint: traceEndpoint, percent: tracePercent });
  started.defer(() => tracing.stop());
  return createCallTraces(tracing, { believes: traceCallers || trustProxy > 0 });
}

/** The first start fills the empty installation, unless the settings say otherwise. */
function startDemoSeed(
  baseUrl: string,
  administrator: FirstAdministrator | null,
  { seed, adminPassword }: Settings,
  installation: Promise<Installation> | null,
  database: ControlDatabase,
  logger: Logger,
): DemoSeed | null {
  const password = administrator?.password ?? adminPassword;
  if (!seed || administrator === null || password === null) return null;
  return seedDemoSeed({
    baseUrl,
    administrator: { email: administrator.email, password },
    database,
    installation,
    logger,
  });
}

/** Takes no more calls, and hangs up on those that are not answered in time. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const hangUp = setTimeout(() => server.server.closeAllConnections(), graceMs);
  await server.close();
  clearTimeout(hangUp);
}
