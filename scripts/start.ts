/** Runs all of Millrace in one process, on one database: `npm start`. */
import { join } from 'node:path';
import { buildConsole } from '@millrace/console/build';
import { announcement as controlAnnouncement, firstCallAnnouncement } from '@millrace/control/announcement';
import { type Service as ControlService, startService as startControl } from '@millrace/control/service';
import {
  settingDeclarations as controlDeclarations,
  readSettings as readControlSettings,
} from '@millrace/control/settings';
import { buildDashboard } from '@millrace/dashboard/build';
import { announcement as extractionAnnouncement, settingsWarnings } from '@millrace/extraction/announcement';
import { type Service as ExtractionService, startService as startExtraction } from '@millrace/extraction/service';
import {
  settingDeclarations as extractionDeclarations,
  readSettings as readExtractionSettings,
} from '@millrace/extraction/settings';
import { announcement as gatewayAnnouncement } from '@millrace/gateway/announcement';
import { type Service as GatewayService, isRegistered, startService as startGateway } from '@millrace/gateway/service';
import {
  settingDeclarations as gatewayDeclarations,
  readSettings as readGatewaySettings,
} from '@millrace/gateway/settings';
import { createLogger } from '@millrace/logs';
import { openServer } from '@millrace/postgres/server';
import { type Running, runProcess } from '@millrace/processes';

interface Everything extends Running {
  readonly extraction: ExtractionService;
  readonly control: ControlService;
  /** Null as long as no node is registered here. */
  readonly gateway: GatewayService | null;
}

interface AllSettings {
  readonly extraction: Parameters<typeof startExtraction>[0];
  readonly control: Parameters<typeof startControl>[0]['settings'];
  readonly gateway: Parameters<typeof startGateway>[0]['settings'];
}

async function start(): Promise<never> {
  const extraction = readExtractionSettings(process.env, [controlDeclarations, gatewayDeclarations]);
  const control = readControlSettings(process.env, [extractionDeclarations, gatewayDeclarations]);
  const gateway = readGatewaySettings(process.env, [extractionDeclarations, controlDeclarations]);
  for (const warning of [...extraction.warnings, ...settingsWarnings(extraction.settings)]) {
    console.error(`Warning: ${warning}`);
  }
  const settings: AllSettings = {
    extraction: extraction.settings,
    control: control.settings,
    gateway: {
      ...gateway.settings,
      // Beside everything else that this process keeps, where nothing else is said.
      ...(process.env.MILLRACE_GATEWAY_DATA_DIR
        ? {}
        : { nodeDirectory: join(control.settings.dataDirectory, 'gateway') }),
    },
  };
  return runProcess(
    () => startEverything(settings),
    (everything) => [
      ...extractionAnnouncement(everything.extraction, settings.extraction, 'all'),
      '',
      ...controlAnnouncement(everything.control, settings.control),
      '',
      ...(everything.gateway === null
        ? ['No gateway node is registered here yet.']
        : gatewayAnnouncement(everything.gateway, settings.gateway)),
    ],
  );
}

/**
 * Starts the database, then the services beside each other; what was started before a failure is closed again. The
 * gateway of a first start follows in the background, as soon as the first look has registered a node.
 */
async function startEverything(settings: AllSettings): Promise<Everything> {
  const logger = createLogger(settings.extraction.logLevel, process.stdout);
  const started = new AsyncDisposableStack();
  try {
    const [server] = await Promise.all([
      openServer({
        databaseUrl: settings.extraction.databaseUrl,
        dataDirectory: settings.extraction.dataDirectory,
        join: false,
        onRestart: () => logger.error('the embedded database died and is started anew'),
      }),
      buildConsole(),
      buildDashboard(),
    ]);
    started.defer(() => server.stop());
    const extractionStarting = startExtraction(settings.extraction, 'all', logger, { server });
    const installation = extractionStarting.then(({ address, firstAccount }) => ({
      extractionUrl: address ?? '',
      extractionKey: firstAccount?.apiKey ?? null,
    }));
    installation.catch(() => undefined);
    const [extraction, control] = await Promise.allSettled([
      extractionStarting,
      startControl({ settings: settings.control, logger, server, installation }),
    ]);
    if (extraction.status === 'fulfilled') started.defer(() => extraction.value.stop());
    if (control.status === 'fulfilled') started.defer(() => control.value.stop());
    if (extraction.status === 'rejected') throw extraction.reason;
    if (control.status === 'rejected') throw control.reason;

    const controlUrl = process.env.MILLRACE_CONTROL_URL ? settings.gateway.controlUrl : control.value.address;
    const gatewaySettings = { ...settings.gateway, controlUrl };
    const { firstLook } = control.value;
    let gateway: GatewayService | null = null;
    if (gatewaySettings.registrationToken !== null || isRegistered(gatewaySettings.nodeDirectory)) {
      gateway = await startGateway({ settings: gatewaySettings, logger });
      started.use({ [Symbol.asyncDispose]: gateway.stop });
    } else if (firstLook !== null) {
      const following = followFirstLook(firstLook, gatewaySettings, logger);
      started.defer(async () => (await following)?.stop());
    }
    const stack = started.move();
    return {
      extraction: extraction.value,
      control: control.value,
      gateway,
      failed: Promise.race([server.failed, extraction.value.failed, control.value.failed]),
      stop: () => stack.disposeAsync(),
    };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

/** Starts the gateway with the node that the first look registers, and shows the first calls through it. */
async function followFirstLook(
  firstLook: NonNullable<ControlService['firstLook']>,
  settings: AllSettings['gateway'],
  logger: Parameters<typeof startGateway>[0]['logger'],
): Promise<GatewayService | null> {
  const registrationToken = await firstLook.registrationToken;
  if (registrationToken === null) return null;
  try {
    const gateway = await startGateway({ settings: { ...settings, registrationToken }, logger });
    void firstLook.finished.then((call) => {
      if (call !== null) console.log(`${firstCallAnnouncement(call, gateway.address).join('\n')}\n`);
    });
    return gateway;
  } catch (error) {
    logger.error({ error }, 'the gateway could not be started');
    return null;
  }
}

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
