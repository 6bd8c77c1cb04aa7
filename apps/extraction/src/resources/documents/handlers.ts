import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { Caller } from '../../http/authenticate.ts';
import { ApiError } from '../../http/errors.ts';
import type { documentOperations } from './contract.ts';
import { documentAnswer } from './rules.ts';
import { findFinishedDocument } from './store.ts';

export function documentHandlers(database: ExtractionDatabase): Handlers<typeof documentOperations, Caller> {
  return {
    async getDocument({ params, query }, caller) {
      const provenance = query.include === 'provenance';
      const document = await tenantTransaction(database, caller.accountId, (transaction) =>
        findFinishedDocument(transaction, params.id, { provenance }),
      );
      if (!document) throw new ApiError('not_found');
      return { status: 200, body: documentAnswer(document, { provenance }) };
    },
  };
}
