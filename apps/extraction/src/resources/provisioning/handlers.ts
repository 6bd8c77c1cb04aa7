import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import { mostTokens, presentScimToken } from '@millrace/scim/tokens';
import type { FastifyBaseLogger } from 'fastify';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError, fieldError } from '../../http/errors.ts';
import { newId } from '../../identifiers.ts';
import type { provisioningOperations } from './contract.ts';
import { isNameTaken, listTokens, scimTokens } from './store.ts';

export interface ProvisioningParts {
  readonly database: ExtractionDatabase;
  /** Where people reach the dashboard, without a slash at the end. */
  readonly dashboardUrl: () => string;
  readonly log: Pick<FastifyBaseLogger, 'info'>;
}

/** Where identity providers reach SCIM, without a slash at the end. */
export function scimUrlOf({ dashboardUrl }: Pick<ProvisioningParts, 'dashboardUrl'>): string {
  return `${dashboardUrl()}/scim/v2`;
}

export function provisioningHandlers(
  parts: ProvisioningParts,
): Handlers<typeof provisioningOperations, DashboardCaller> {
  const { database, log } = parts;
  return {
    async listScimTokens(_input, { accountId }) {
      const tokens = await tenantTransaction(database, accountId, listTokens);
      return { status: 200, body: { tokens: tokens.map(presentScimToken), scimUrl: scimUrlOf(parts) } };
    },

    async createScimToken({ body: { name, lifetimeDays } }, { accountId, userId }) {
      const { row, secret } = await tenantTransaction(database, accountId, async (transaction) => {
        if ((await scimTokens.count(transaction)) >= mostTokens) {
          throw new ApiError('conflict', { message: `There are ${mostTokens} tokens already. Delete one first.` });
        }
        return scimTokens.insert(transaction, { id: newId('sct'), name, createdBy: [userId], lifetimeDays });
      }).catch((error: unknown) => {
        throw isNameTaken(error) ? fieldError('name', 'Another token has this name.') : error;
      });
      log.info({ user: userId, token: row.id }, 'a provisioning token was created');
      return { status: 201, body: { ...presentScimToken(row), token: secret } };
    },

    async deleteScimToken({ params: { id } }, { accountId, userId }) {
      const isDeleted = await tenantTransaction(database, accountId, (transaction) =>
        scimTokens.delete(transaction, id),
      );
      if (!isDeleted) throw new ApiError('not_found');
      log.info({ user: userId, token: id }, 'a provisioning token was deleted');
      return { status: 200, body: {} };
    },
  };
}
