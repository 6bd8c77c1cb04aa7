/** `npm run backup`: extraction and API management, from one database. */
import { anchorFile } from '@millrace/control/audit-anchors';
import { migrations, schemaName } from '@millrace/control/migrations';
import { runBackup } from '@millrace/extraction/backup';

await runBackup(process.argv.slice(2), { schemaName, migrations, anchorFile });
