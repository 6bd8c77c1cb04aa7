import { createLogger } from '@millrace/logs';
import { runProcess } from '@millrace/processes';
import { readSettings } from '@millrace/settings/control';
import { announcement } from './announcement.ts';
import { startService } from './service.ts';

/** The management API and its console alone, in a process of their own: `npm run start:control`. */
function start() {
  const { settings, warnings } = readSettings(process.env);
  for (const warning of warnings) console.error(`Warning: ${warning}`);
  const logger = createLogger(settings.logLevel, process.stdout);
  return runProcess(
    () => startService({ settings, logger }),
    (service) => announcement(service, settings),
  );
}

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
