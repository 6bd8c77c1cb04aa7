import { settingDeclarations as controlDeclarations } from '@millrace/control/settings';
import { settingDeclarations as extractionDeclarations } from '@millrace/extraction/settings';
import { createLogger } from '@millrace/logs';
import { runProcess } from '@millrace/processes';
import { announcement } from './announcement.ts';
import { startService } from './service.ts';
import { readSettings } from './settings.ts';

/** A gateway node in a process of its own: `npm run start:gateway`. */
function start() {
  const { settings, warnings } = readSettings(process.env, [controlDeclarations, extractionDeclarations]);
  for (const warning of warnings) console.error(`Warning: ${warning}`);
  const logger = createLogger(settings.logLevel, process.stdout);
  return runProcess(
    (ending) => startService({ settings, logger, ending }),
    (service) => announcement(service, settings),
  );
}

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
