import type { exportOperations } from '@millrace/extraction-contract/exports';
import type { Handlers } from '@millrace/operations/server';
import type * as z from 'zod';
import type { Caller } from '../../http/authenticate.ts';
import type { AskedExport, Exporter } from './exporter.ts';

type Query = z.output<(typeof exportOperations)[0]['request']['query']>;

export function exportHandlers(exporter: Exporter): Handlers<typeof exportOperations, Caller> {
  const start = async (format: AskedExport['format'], query: Query, { accountId }: Caller) => {
    const { rows, ids, doc_type, state, from, to } = query;
    const filter = {
      ids,
      type: doc_type,
      state,
      from: from === undefined ? undefined : new Date(from),
      until: to === undefined ? undefined : new Date(to),
    };
    const started = await exporter(accountId, { format, rows, audience: 'programs', filter });
    return { status: 200 as const, ...started };
  };
  return {
    exportCsv: ({ query }, caller) => start('csv', query, caller),
    exportXlsx: ({ query }, caller) => start('xlsx', query, caller),
  };
}
