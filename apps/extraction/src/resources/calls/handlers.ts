import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { pageOf } from '../../http/dashboard-page.ts';
import type { callOperations } from './contract.ts';
import { callAnswer, statusesOf } from './rules.ts';
import { listCalls } from './store.ts';

export interface CallParts {
  readonly database: ExtractionDatabase;
}

export function callHandlers({ database }: CallParts): Handlers<typeof callOperations, DashboardCaller> {
  return {
    async listCalls({ query: { cursor, limit, keyId, status, from, to } }, { accountId }) {
      const filter = {
        keyId: keyId ?? null,
        statuses: status === undefined ? null : statusesOf[status],
        from: from === undefined ? null : new Date(from),
        to: to === undefined ? null : new Date(to),
      };
      const calls = await tenantTransaction(
        database,
        accountId,
        (transaction) => listCalls(transaction, filter, { before: cursor ?? null, limit: limit + 1 }),
        { access: 'read only' },
      );
      return { status: 200, body: pageOf(calls.map(callAnswer), limit) };
    },
  };
}
