import { yieldToMainThread } from '@millrace/data-plane/threads';
import { createLogger } from '@millrace/logs';
import { runProcess } from '@millrace/processes';
import { readSettings } from '@millrace/settings/gateway';
import { announcement } from './announcement.ts';
import { startService } from './service.ts';

/** A gateway node in a process of its own: `npm run start:gateway`. */
function start() {
  yieldToMainThread();
  const { settings, warnings } = readSettings(process.env);
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
