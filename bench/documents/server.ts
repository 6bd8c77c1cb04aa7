/** The extraction service, unchanged, in its own process; it reports its address. */
import { createLogger } from '@millrace/logs';
import { startService } from '../../apps/extraction/src/service.ts';
import { readSettings } from '../../packages/settings/src/extraction.ts';

process.on('disconnect', () => process.exit(0));
const { settings } = readSettings(process.env);
const { address } = await startService(settings, 'all', createLogger('warn', process.stdout));
process.send?.({ address });
