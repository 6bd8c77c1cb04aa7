import { tenantTransaction } from '@millrace/postgres';
import type { Logger } from 'pino';
import type { ExtractionDatabase, TenantTransaction } from '../database/schema.ts';
import { pauseEndpoint, requireEndpoint } from '../resources/webhooks/store.ts';
import type { FailedEndpoint } from './standings.ts';

/** Queues a mail to each administrator of the transaction's account. */
export type TellAdministrators = (
  transaction: TenantTransaction,
  mail: { readonly subject: string; readonly text: string },
) => Promise<void>;

/** Pauses endpoints that have failed for days, and tells their account's administrators, each in one transaction. */
export async function pauseFailedEndpoints(
  { database, logger, tell }: { database: ExtractionDatabase; logger: Logger; tell: TellAdministrators },
  endpoints: readonly FailedEndpoint[],
): Promise<void> {
  for (const { accountId, endpointId } of endpoints) {
    const paused = await tenantTransaction(database, accountId, async (transaction) => {
      const endpoint = await requireEndpoint(transaction, endpointId);
      // Another process may have paused it, or a person begun its record anew.
      if (endpoint.state === 'paused' || endpoint.failing_since === null) return false;
      await pauseEndpoint(transaction, endpointId, 'failures');
      await tell(transaction, mailOf(endpoint.url, endpoint.failing_since));
      return true;
    });
    if (paused) logger.warn({ account: accountId, endpoint: endpointId }, 'a failing webhook endpoint was paused');
  }
}

function mailOf(url: string, failingSince: Date): { subject: string; text: string } {
  return {
    subject: 'A webhook endpoint was paused',
    text: [
      `No delivery to ${url} has succeeded since ${failingSince.toISOString()}, so Millrace paused this endpoint.`,
      '',
      'Nothing is lost: events are held back until you resume it under Developer > Webhooks. Its deliveries there ' +
        'show what the receiver answered. What failed permanently before can be sent again from there, too.',
      '',
    ].join('\n'),
  };
}
