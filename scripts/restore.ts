/** `npm run restore`: extraction and API management, from one database. */
import { anchorFile } from '@millrace/control/audit-anchors';
import { migrations, schemaName } from '@millrace/control/migrations';
import { runRestore } from '@millrace/extraction/backup';

await runRestore(process.argv.slice(2), { schemaName, migrations, anchorFile });
