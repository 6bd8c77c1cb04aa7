import { parseArgs } from 'node:util';
import { createLogger } from '@millrace/logs';
import { runProcess } from '@millrace/processes';
import { SettingsError } from '@millrace/settings';
import { readSettings } from '@millrace/settings/extraction';
import { announcement, settingsWarnings } from './announcement.ts';
import { type Role, roles, startService } from './service.ts';

/** Runs only the extraction service, in one process, or one of its roles with `--role=api|worker|inbox`. */
function start() {
  const role = readRole();
  const { settings, warnings } = readSettings(process.env);
  for (const warning of [...warnings, ...settingsWarnings(settings)]) console.error(`Warning: ${warning}`);
  const logger = createLogger(settings.logLevel, process.stdout);
  return runProcess(
    () => startService(settings, role, logger),
    (service) => announcement(service, settings, role),
  );
}

function readRole(): Role {
  const { values } = parseArgs({ options: { role: { type: 'string', default: 'all' } } });
  const role = roles.find((known) => known === values.role);
  if (role === undefined) throw new SettingsError([`--role must be one of ${roles.join(', ')}.`]);
  return role;
}

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
