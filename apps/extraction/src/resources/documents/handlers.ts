import type { documentOperations } from '@millrace/extraction-contract/documents';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import { inBatches } from '@millrace/postgres/batches';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { Caller } from '../../http/authenticate.ts';
import { ApiError } from '../../http/errors.ts';
import { documentAnswer, type FinishedDocument } from './rules.ts';
import { findFinishedDocuments } from './store.ts';

export function documentHandlers(database: ExtractionDatabase): Handlers<typeof documentOperations, Caller> {
  const readDocument = inBatches<{ accountId: string; id: string; provenance: boolean }, FinishedDocument | null>({
    groupOf: ({ accountId, provenance }) => `${accountId} ${provenance}`,
    largest: 50,
    async run(asked) {
      const { accountId, provenance } = asked[0]!;
      const ids = [...new Set(asked.map(({ id }) => id))];
      const found = await tenantTransaction(
        database,
        accountId,
        (transaction) => findFinishedDocuments(transaction, ids, { provenance }),
        { access: 'read only' },
      );
      return asked.map(({ id }) => found.get(id) ?? null);
    },
  });

  return {
    async getDocument({ params, query }, { accountId }) {
      const provenance = query.include === 'provenance';
      const document = await readDocument({ accountId, id: params.id, provenance });
      if (!document) throw new ApiError('not_found');
      return { status: 200, body: documentAnswer(document, { provenance }) };
    },
  };
}
