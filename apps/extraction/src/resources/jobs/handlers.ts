import type { jobOperations } from '@millrace/extraction-contract/jobs';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import { inBatches } from '@millrace/postgres/batches';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { Caller } from '../../http/authenticate.ts';
import { ApiError } from '../../http/errors.ts';
import { jobAnswer } from './rules.ts';
import { findJobs, type StoredJob } from './store.ts';

export function jobHandlers(database: ExtractionDatabase): Handlers<typeof jobOperations, Caller> {
  const readJob = inBatches<{ accountId: string; id: string }, StoredJob | null>({
    groupOf: ({ accountId }) => accountId,
    largest: 500,
    async run(asked) {
      const ids = [...new Set(asked.map(({ id }) => id))];
      const found = await tenantTransaction(database, asked[0]!.accountId, (transaction) => findJobs(transaction, ids));
      return asked.map(({ id }) => found.get(id) ?? null);
    },
  });

  return {
    async getJob({ params }, { accountId }) {
      const job = await readJob({ accountId, id: params.id });
      if (!job) throw new ApiError('not_found');
      return { status: 200, body: jobAnswer(job) };
    },
  };
}
