import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { Settings } from '@millrace/settings/extraction';
import type * as z from 'zod';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import type { Account, accountOperations } from './contract.ts';
import { findAccount, type StoredAccount, updateAccount } from './store.ts';

export interface AccountParts {
  readonly database: ExtractionDatabase;
  readonly settings: Pick<Settings, 'rateLimitPerMinute' | 'maxFileSizeBytes' | 'maxPages'>;
}

export function accountHandlers({
  database,
  settings,
}: AccountParts): Handlers<typeof accountOperations, DashboardCaller> {
  const answer = (account: StoredAccount): z.input<typeof Account> => ({
    id: account.id,
    name: account.name,
    reviewThreshold: account.review_threshold,
    retentionDays: account.retention_days,
    defaultRateLimitPerMinute: settings.rateLimitPerMinute,
    maxFileSizeBytes: settings.maxFileSizeBytes,
    maxPages: settings.maxPages,
    createdAt: account.created_at.toISOString(),
  });

  return {
    async getAccount(_input, { accountId }) {
      return { status: 200, body: answer(await tenantTransaction(database, accountId, findAccount)) };
    },

    async updateAccount({ body: { name, reviewThreshold, retentionDays } }, { accountId }) {
      const account = await tenantTransaction(database, accountId, (transaction) =>
        updateAccount(transaction, {
          ...(name === undefined ? {} : { name }),
          ...(reviewThreshold === undefined ? {} : { review_threshold: reviewThreshold }),
          ...(retentionDays === undefined ? {} : { retention_days: retentionDays }),
        }),
      );
      return { status: 200, body: answer(account) };
    },
  };
}
