import { documentTypeNamed } from '@millrace/engine/types';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase, TenantTransaction } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError } from '../../http/errors.ts';
import { listOwnTypes } from '../document-types/store.ts';
import { defaultColumns, type documentColumnOperations } from './contract.ts';
import { type ColumnField, columnFieldsOf, faultsOf, keptColumns } from './rules.ts';
import { findColumns, storeColumns } from './store.ts';

export function documentColumnHandlers({
  database,
}: {
  readonly database: ExtractionDatabase;
}): Handlers<typeof documentColumnOperations, DashboardCaller> {
  const answer = (columns: readonly string[] | null, fields: readonly ColumnField[]) => ({
    status: 200 as const,
    body: {
      columns: columns ? keptColumns(columns, fields) : [...defaultColumns],
      fields: fields.map((field) => ({ ...field, docTypes: [...field.docTypes] })),
    },
  });
  const fieldsIn = async (transaction: TenantTransaction) => {
    const own = (await listOwnTypes(transaction)).map(({ type }) => documentTypeNamed(type.name, [type]));
    return columnFieldsOf(own);
  };
  return {
    getDocumentColumns: (_input, { accountId, userId }) =>
      tenantTransaction(
        database,
        accountId,
        async (transaction) => answer(await findColumns(transaction, userId), await fieldsIn(transaction)),
        { access: 'read only' },
      ),

    setDocumentColumns: ({ body }, { accountId, userId }) =>
      tenantTransaction(database, accountId, async (transaction) => {
        const fields = await fieldsIn(transaction);
        const faults = faultsOf(body.columns ?? [], fields);
        if (Object.keys(faults).length > 0) {
          throw new ApiError('invalid_request', { message: 'Correct the marked columns.', errors: faults });
        }
        await storeColumns(transaction, userId, body.columns);
        return answer(body.columns, fields);
      }),
  };
}
