import { eventually } from '@millrace/eventually';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { TestControl } from '../../testing.ts';
import { mergeReports } from './merger.ts';
import { readSlots, type Slot, type SlotQuery } from './store.ts';

/** An organization's slots. */
export function slotsOf({ opened }: TestControl, organizationId: string, query: SlotQuery): Promise<readonly Slot[]> {
  return tenantTransaction(opened.database, organizationId, (transaction) => readSlots(transaction, query), {
    access: 'read only',
  });
}

/**
 * Merges all that nodes reported so far. A single merge may find that the server's own is at work, and leave it what that
 * has not taken.
 */
export async function mergeSlots({ opened }: TestControl): Promise<void> {
  await eventually('all reports to be merged', async () => {
    await mergeReports(opened.database);
    const { rows } = await sql`select from traffic_reports limit 1`.execute(opened.database.system);
    return rows.length === 0;
  });
}
