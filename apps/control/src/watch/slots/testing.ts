import { tenantTransaction } from '@millrace/postgres';
import type { TestControl } from '../../testing.ts';
import { mergeReports } from './merger.ts';
import { readSlots, type Slot, type SlotQuery } from './store.ts';

/** An organization's slots. */
export function slotsOf({ opened }: TestControl, organizationId: string, query: SlotQuery): Promise<readonly Slot[]> {
  return tenantTransaction(opened.database, organizationId, (transaction) => readSlots(transaction, query), {
    access: 'read only',
  });
}

/** Merges what nodes reported so far; how many reports. */
export function mergeSlots({ opened }: TestControl): Promise<number> {
  return mergeReports(opened.database);
}
