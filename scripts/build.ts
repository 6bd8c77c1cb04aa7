/** Builds the web apps where their sources are newer: `npm run build`, for an image. */
import { buildConsole } from '@millrace/console/build';
import { buildDashboard } from '@millrace/dashboard/build';
import { buildPortal } from '@millrace/portal/build';

await Promise.all([buildConsole(), buildDashboard(), buildPortal()]);
