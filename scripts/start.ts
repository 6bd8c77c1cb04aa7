/** Runs all of Millrace in one process, on one database: `npm start`. */
import { buildConsole } from '@millrace/console/build';
import { announcement as controlAnnouncement } from '@millrace/control/announcement';
import { type Service as ControlService, startService as startControl } from '@millrace/control/service';
import {
  settingDeclarations as controlDeclarations,
  readSettings as readControlSettings,
} from '@millrace/control/settings';
import { announcement as extractionAnnouncement, settingsWarnings } from '@millrace/extraction/announcement';
import { type Service as ExtractionService, startService as startExtraction } from '@millrace/extraction/service';
import {
  settingDeclarations as extractionDeclarations,
  readSettings as readExtractionSettings,
} from '@millrace/extraction/settings';
import { createLogger } from '@millrace/logs';
import { openServer } from '@millrace/postgres/server';
import { type Running, runProcess } from '@millrace/processes';

interface Everything extends Running {
  readonly extraction: ExtractionService;
  readonly control: ControlService;
}

async function start(): Promise<never> {
  const extraction = readExtractionSettings(process.env, [controlDeclarations]);
  const control = readControlSettings(process.env, [extractionDeclarations]);
  for (const warning of [...extraction.warnings, ...settingsWarnings(extraction.settings)]) {
    console.error(`Warning: ${warning}`);
  }
  return runProcess(
    () => startEverything(extraction.settings, control.settings),
    (everything) => [
      ...extractionAnnouncement(everything.extraction, extraction.settings, 'all'),
      '',
      ...controlAnnouncement(everything.control, control.settings),
    ],
  );
}

/** Starts the database, then both services beside each other; what was started before a failure is closed again. */
async function startEverything(
  extractionSettings: Parameters<typeof startExtraction>[0],
  controlSettings: Parameters<typeof startControl>[0]['settings'],
): Promise<Everything> {
  const logger = createLogger(extractionSettings.logLevel, process.stdout);
  const started = new AsyncDisposableStack();
  try {
    const [server] = await Promise.all([
      openServer({
        databaseUrl: extractionSettings.databaseUrl,
        dataDirectory: extractionSettings.dataDirectory,
        join: false,
        onRestart: () => logger.error('the embedded database died and is started anew'),
      }),
      buildConsole(),
    ]);
    started.defer(() => server.stop());
    const [extraction, control] = await Promise.allSettled([
      startExtraction(extractionSettings, 'all', logger, { server }),
      startControl({ settings: controlSettings, logger, server }),
    ]);
    if (extraction.status === 'fulfilled') started.defer(() => extraction.value.stop());
    if (control.status === 'fulfilled') started.defer(() => control.value.stop());
    if (extraction.status === 'rejected') throw extraction.reason;
    if (control.status === 'rejected') throw control.reason;
    const stack = started.move();
    return {
      extraction: extraction.value,
      control: control.value,
      failed: Promise.race([server.failed, extraction.value.failed, control.value.failed]),
      stop: () => stack.disposeAsync(),
    };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
