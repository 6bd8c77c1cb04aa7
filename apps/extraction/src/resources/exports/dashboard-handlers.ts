import type { Handlers } from '@millrace/operations/server';
import type * as z from 'zod';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { documentFilterOf } from '../documents/filter.ts';
import type { exportDashboardOperations } from './dashboard-contract.ts';
import type { AskedExport, Exporter } from './exporter.ts';

export interface ExportDashboardParts {
  readonly exporter: Exporter;
}

type Query = z.output<(typeof exportDashboardOperations)[0]['request']['query']>;

export function exportDashboardHandlers({
  exporter,
}: ExportDashboardParts): Handlers<typeof exportDashboardOperations, DashboardCaller> {
  const start = async (format: AskedExport['format'], query: Query, { accountId }: DashboardCaller) => {
    const { rows, ids, ...filter } = query;
    const asked = { format, rows, audience: 'people', filter: { ...documentFilterOf(filter), ids } } as const;
    return { status: 200 as const, ...(await exporter(accountId, asked)) };
  };
  return {
    exportDocumentsCsv: ({ query }, caller) => start('csv', query, caller),
    exportDocumentsXlsx: ({ query }, caller) => start('xlsx', query, caller),
  };
}
