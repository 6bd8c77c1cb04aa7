/** Runs all of Millrace in one process, with one database: `npm start`. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Service as ControlService } from '@millrace/control/service';
import { announcement as extractionAnnouncement, settingsWarnings } from '@millrace/extraction/announcement';
import { type Service as ExtractionService, startService as startExtraction } from '@millrace/extraction/service';
import type { Service as GatewayService } from '@millrace/gateway/service';
import { createLogger } from '@millrace/logs';
import { openServer, type PostgresServer } from '@millrace/postgres/server';
import { type Running, runProcess } from '@millrace/processes';
import { readSettings as readControlSettings } from '@millrace/settings/control';
import { readSettings as readExtractionSettings } from '@millrace/settings/extraction';
import { readSettings as readGatewaySettings } from '@millrace/settings/gateway';

interface AllSettings {
  readonly extraction: Parameters<typeof startExtraction>[0];
  readonly control: ReturnType<typeof readControlSettings>['settings'];
  readonly gateway: ReturnType<typeof readGatewaySettings>['settings'];
}

type Logger = ReturnType<typeof createLogger>;

interface Everything extends Running {
  readonly extraction: ExtractionService;
  /** Whether everything was installed at startup. */
  readonly isComplete: boolean;
  /** What API management announces to its users, or why it did not start. */
  readonly management: Promise<readonly string[]>;
}

interface Management extends Running {
  readonly announcement: readonly string[];
}

const installScript = join(import.meta.dirname, 'install');

async function start(): Promise<never> {
  const extraction = readExtractionSettings(process.env);
  const control = readControlSettings(process.env);
  const gateway = readGatewaySettings(process.env);
  for (const warning of [...extraction.warnings, ...settingsWarnings(extraction.settings)]) {
    console.error(`Warning: ${warning}`);
  }
  const settings: AllSettings = {
    extraction: extraction.settings,
    control: control.settings,
    gateway: {
      ...gateway.settings,
      // Next to the rest of this process's data, unless set otherwise.
      ...(process.env.MILLRACE_GATEWAY_DATA_DIR
        ? {}
        : { nodeDirectory: join(control.settings.dataDirectory, 'gateway') }),
    },
  };
  return runProcess(
    () => startEverything(settings),
    ({ extraction: service, isComplete, management }) => {
      void management.then((lines) => {
        if (lines.length > 0) console.log(`${lines.join('\n')}\n`);
      });
      return [
        ...extractionAnnouncement(service, settings.extraction, 'all'),
        ...(isComplete ? [] : ['', 'The web apps, API management and its gateway follow once they are installed.']),
      ];
    },
  );
}

/** Where browsers reach the web apps, for the switcher in each; null until the app's server listens. */
interface AppUrls {
  console: string | null;
  dashboard: string | null;
}

/** Null where the server listens on every interface: no one address then suits every browser. */
function appUrlOf({ publicUrl, host }: { publicUrl: string | null; host: string }, address: string): string | null {
  return publicUrl ?? (host === '0.0.0.0' || host === '::' ? null : address);
}

/**
 * Starts the database, then the extraction service; API management follows in the background, once it is installed.
 * After a failure, everything that was started is closed again; if API management fails to start, the extraction
 * service keeps running.
 */
async function startEverything(settings: AllSettings): Promise<Everything> {
  const logger = createLogger(settings.extraction.logLevel, process.stdout);
  const isComplete = spawnSync('sh', [installScript, 'everything', '--check']).status === 0;
  const started = new AsyncDisposableStack();
  try {
    const server = await openServer({
      databaseUrl: settings.extraction.databaseUrl,
      databaseDirectUrl: settings.extraction.databaseDirectUrl,
      databaseReplicaUrl: settings.extraction.databaseReplicaUrl,
      dataDirectory: settings.extraction.dataDirectory,
      join: false,
      onRestart: () => logger.error('the embedded database died and is being restarted'),
    });
    started.defer(() => server.stop());
    const appUrls: AppUrls = { console: null, dashboard: null };
    const extractionStarting = startExtraction(settings.extraction, 'all', logger, {
      server,
      consoleUrl: () => appUrls.console,
    });
    const stopping = new AbortController();
    const managementStarting = startManagement({
      settings,
      logger,
      server,
      extraction: extractionStarting,
      appUrls,
      isComplete,
      stopping: stopping.signal,
    });
    started.defer(() =>
      extractionStarting.then(
        (extraction) => extraction.stop(),
        () => undefined,
      ),
    );
    started.defer(async () => {
      stopping.abort();
      await managementStarting.then(
        (management) => management.stop(),
        () => undefined,
      );
    });
    const extraction = await extractionStarting;
    appUrls.dashboard = appUrlOf(settings.extraction, extraction.address ?? '');
    const stack = started.move();
    return {
      extraction,
      isComplete,
      management: managementStarting.then(
        ({ announcement }) => announcement,
        (error: unknown) => (stopping.signal.aborted ? [] : explainFailure(error)),
      ),
      failed: Promise.race([
        server.failed,
        extraction.failed,
        managementStarting.then(
          ({ failed }) => failed,
          () => new Promise<never>(() => undefined),
        ),
      ]),
      stop: () => stack.disposeAsync(),
    };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

interface ManagementOptions {
  readonly settings: AllSettings;
  readonly logger: Logger;
  readonly server: PostgresServer;
  readonly extraction: Promise<ExtractionService>;
  /** Its console's address is set here once it listens. */
  readonly appUrls: AppUrls;
  readonly isComplete: boolean;
  readonly stopping: AbortSignal;
}

/**
 * Installs missing packages → builds the web apps → API management → gateway. On a first start, the gateway follows in
 * the background as soon as the demo data has registered a node.
 */
async function startManagement({
  settings,
  logger,
  server,
  extraction,
  appUrls,
  isComplete,
  stopping,
}: ManagementOptions): Promise<Management> {
  if (!isComplete) {
    // Not while the extraction service starts, which would have to wait.
    await extraction;
    await installEverything(stopping);
  }
  const [{ buildConsole }, { buildDashboard }, { buildPortal }] = await Promise.all([
    import('@millrace/console/build'),
    import('@millrace/dashboard/build'),
    import('@millrace/portal/build'),
  ]);
  await Promise.all([buildConsole(), buildDashboard(), buildPortal()]);
  stopping.throwIfAborted();
  const [control, gateway] = await Promise.all([
    Promise.all([import('@millrace/control/service'), import('@millrace/control/announcement')]),
    Promise.all([import('@millrace/gateway/service'), import('@millrace/gateway/announcement')]),
  ]);

  await using started = new AsyncDisposableStack();
  const installation = extraction.then(({ address, firstAccount }) => ({
    extractionUrl: address ?? '',
    extractionKey: firstAccount?.apiKey ?? null,
  }));
  installation.catch(() => undefined);
  const [{ startService: startControl }, { announcement: controlAnnouncement, firstCallAnnouncement }] = control;
  const controlService = await startControl({
    settings: settings.control,
    logger,
    server,
    installation,
    dashboardUrl: () => appUrls.dashboard,
  });
  started.defer(() => controlService.stop());
  appUrls.console = appUrlOf(settings.control, controlService.address);
  const [{ startService: startGateway, isRegistered }, { announcement: gatewayAnnouncement }] = gateway;
  const controlUrl = process.env.MILLRACE_CONTROL_URL ? settings.gateway.controlUrl : controlService.address;
  const gatewaySettings = { ...settings.gateway, controlUrl };
  let gatewayService: GatewayService | null = null;
  if (gatewaySettings.registrationToken !== null || isRegistered(gatewaySettings.nodeDirectory)) {
    gatewayService = await startGateway({ settings: gatewaySettings, logger });
    started.use({ [Symbol.asyncDispose]: gatewayService.stop });
  } else if (controlService.demoSeed !== null) {
    const following = followDemoSeed(controlService.demoSeed);
    started.defer(async () => (await following)?.stop());
  }
  stopping.throwIfAborted();
  const stack = started.move();
  return {
    announcement: [
      ...controlAnnouncement(controlService, settings.control),
      '',
      ...(gatewayService === null
        ? ['No gateway node is registered yet.']
        : gatewayAnnouncement(gatewayService, settings.gateway)),
    ],
    failed: controlService.failed,
    stop: () => stack.disposeAsync(),
  };

  /** Starts the gateway with the node registered by the demo data, and shows the first calls through it. */
  async function followDemoSeed(demoSeed: NonNullable<ControlService['demoSeed']>): Promise<GatewayService | null> {
    const registrationToken = await demoSeed.registrationToken;
    if (registrationToken === null) return null;
    try {
      const service = await startGateway({ settings: { ...gatewaySettings, registrationToken }, logger });
      void demoSeed.finished.then((call) => {
        if (call !== null) console.log(`${firstCallAnnouncement(call, service.address).join('\n')}\n`);
      });
      return service;
    } catch (error) {
      logger.error({ error }, 'the gateway could not be started');
      return null;
    }
  }
}

/**
 * Installs everything that is still missing.
 *
 * @throws Error if npm fails, after printing why, or if it is stopped
 */
async function installEverything(stopping: AbortSignal): Promise<void> {
  stopping.throwIfAborted();
  // Ends with this process, however this ends.
  const bound = existsSync('/usr/bin/setpriv') ? ['setpriv', '--pdeathsig=TERM', '--'] : [];
  const [file = 'sh', ...values] = [...bound, 'sh', installScript, 'everything'];
  const child = spawn(file, values, {
    // Through pipes, since these close only once npm has ended too.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, npm_config_progress: 'false' },
  });
  child.stdout.pipe(process.stderr, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
  const stop = () => child.kill();
  stopping.addEventListener('abort', stop);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  stopping.throwIfAborted();
  if (status !== 0) throw new Error('Installing the missing packages failed; see npm’s output above.');
}

function explainFailure(error: unknown): readonly string[] {
  return [
    'API management, its gateway and the web apps are not running:',
    error instanceof Error ? error.message : String(error),
    'The extraction service keeps running. Fix the problem and run `npm start` again.',
  ];
}

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
