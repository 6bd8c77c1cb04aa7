import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { pageOf } from '../../http/dashboard-page.ts';
import { ApiError } from '../../http/errors.ts';
import type { keyOperations } from './contract.ts';
import { keyAnswer, mostKeys, refusePastExpiry } from './rules.ts';
import { countUsableKeys, createKey, listNewestKeys, revokeKey, updateKey } from './store.ts';

export interface KeyParts {
  readonly database: ExtractionDatabase;
}

export function keyHandlers({ database }: KeyParts): Handlers<typeof keyOperations, DashboardCaller> {
  return {
    async listKeys({ query: { cursor, limit } }, { accountId }) {
      const keys = await tenantTransaction(database, accountId, (transaction) =>
        listNewestKeys(transaction, { before: cursor ?? null, limit: limit + 1 }),
      );
      return {
        status: 200,
        body: pageOf(
          keys.map((key) => keyAnswer(key)),
          limit,
        ),
      };
    },

    async createKey({ body: { expiresAt, ...body } }, { accountId }) {
      refusePastExpiry(expiresAt);
      const { raw, key } = await tenantTransaction(database, accountId, async (transaction) => {
        if ((await countUsableKeys(transaction)) >= mostKeys) {
          throw new ApiError('conflict', { message: `Revoke a key first: an account has at most ${mostKeys}.` });
        }
        return createKey(transaction, { ...body, expiresAt: expiresAt === null ? null : new Date(expiresAt) });
      });
      return { status: 201, body: { key: keyAnswer(key), rawKey: raw } };
    },

    async updateKey({ params: { id }, body: { name, rateLimitPerMinute, scopes, expiresAt } }, { accountId }) {
      refusePastExpiry(expiresAt);
      const key = await tenantTransaction(database, accountId, (transaction) =>
        updateKey(transaction, id, {
          ...(name === undefined ? {} : { name }),
          ...(rateLimitPerMinute === undefined ? {} : { rate_limit_per_minute: rateLimitPerMinute }),
          ...(scopes === undefined ? {} : { scopes }),
          ...(expiresAt === undefined ? {} : { expires_at: expiresAt === null ? null : new Date(expiresAt) }),
        }),
      );
      if (key === null) throw new ApiError('not_found');
      return { status: 200, body: keyAnswer(key) };
    },

    async revokeKey({ params: { id } }, { accountId }) {
      const key = await tenantTransaction(database, accountId, (transaction) => revokeKey(transaction, id));
      if (key === null) throw new ApiError('not_found');
      return { status: 200, body: keyAnswer(key) };
    },
  };
}
