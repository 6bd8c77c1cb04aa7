import { newId } from '@millrace/identifiers';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { findAccount } from '../account/store.ts';
import { countDays, countDurations, foldCounts, readStanding } from '../documents/counts.ts';
import { countReviewQueue } from '../documents/dashboard-store.ts';
import type { homeOperations } from './contract.ts';
import { daysAnswer, firstDay, firstSteps, percentileSeconds, successRate } from './rules.ts';

export interface HomeParts {
  readonly database: ExtractionDatabase;
}

/** Deliveries that failed longer ago are no news. */
const deliveryNewsMs = 24 * 3_600_000;

export function homeHandlers({ database }: HomeParts): Handlers<typeof homeOperations, DashboardCaller> {
  return {
    async getHome(_input, { accountId }) {
      const now = new Date();
      const from = firstDay(now);
      const since = newId('ntf', now.getTime() - deliveryNewsMs);
      await tenantTransaction(database, accountId, foldCounts);
      const [counts, durations, standing, reviewCount] = await tenantTransaction(
        database,
        accountId,
        async (transaction) => [
          await countDays(transaction, from),
          await countDurations(transaction, from),
          await readStanding(transaction, since),
          await countReviewQueue(transaction, (await findAccount(transaction)).review_threshold),
        ],
        { access: 'read only', onReplica: true },
      );
      return {
        status: 200,
        body: {
          days: daysAnswer(counts, now),
          successRate: successRate(counts),
          medianSeconds: percentileSeconds(durations, 0.5),
          p90Seconds: percentileSeconds(durations, 0.9),
          failingDeliveries: standing.failing_deliveries,
          pausedEndpoints: standing.paused_endpoints,
          reviewCount,
          firstSteps: firstSteps(standing),
        },
      };
    },
  };
}
