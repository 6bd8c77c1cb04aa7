import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError } from '../../http/errors.ts';
import { defaultColumns, type documentColumnOperations } from './contract.ts';
import { columnFields, faultsOf, keptColumns } from './rules.ts';
import { findColumns, storeColumns } from './store.ts';

export function documentColumnHandlers({
  database,
}: {
  readonly database: ExtractionDatabase;
}): Handlers<typeof documentColumnOperations, DashboardCaller> {
  const answer = (columns: readonly string[] | null) => ({
    status: 200 as const,
    body: { columns: columns ? keptColumns(columns) : [...defaultColumns], fields: columnFields },
  });
  return {
    async getDocumentColumns(_input, { accountId, userId }) {
      const columns = await tenantTransaction(database, accountId, (transaction) => findColumns(transaction, userId), {
        access: 'read only',
      });
      return answer(columns);
    },

    async setDocumentColumns({ body }, { accountId, userId }) {
      const faults = faultsOf(body.columns ?? []);
      if (Object.keys(faults).length > 0) {
        throw new ApiError('invalid_request', { message: 'Correct the marked columns.', errors: faults });
      }
      await tenantTransaction(database, accountId, (transaction) => storeColumns(transaction, userId, body.columns));
      return answer(body.columns);
    },
  };
}
