import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { Caller } from '../../http/authenticate.ts';
import { ApiError } from '../../http/errors.ts';
import type { jobOperations } from './contract.ts';
import { jobAnswer } from './rules.ts';
import { findJob } from './store.ts';

export function jobHandlers(database: ExtractionDatabase): Handlers<typeof jobOperations, Caller> {
  return {
    async getJob({ params }, caller) {
      const job = await tenantTransaction(database, caller.accountId, (transaction) => findJob(transaction, params.id));
      if (!job) throw new ApiError('not_found');
      return { status: 200, body: jobAnswer(job) };
    },
  };
}
