import { tenantTransaction } from '@millrace/postgres';
import type { Logger } from 'pino';
import type { ExtractionDatabase, TenantTransaction } from '../database/schema.ts';
import type { Outbox } from '../mail/outbox.ts';
import { pauseEndpoint, requireEndpoint } from '../resources/webhooks/store.ts';
import type { FailedEndpoint } from './standings.ts';

/** Pauses endpoints that have failed for days and notifies their account's administrators, one transaction each. */
export async function pauseFailedEndpoints(
  parts: {
    readonly database: ExtractionDatabase;
    readonly outbox: Outbox;
    readonly logger: Logger;
    /** Called after a commit that queued mail. */
    readonly onMail: () => void;
  },
  endpoints: readonly FailedEndpoint[],
): Promise<void> {
  const { database, outbox, logger, onMail } = parts;
  for (const { accountId, endpointId } of endpoints) {
    const isPaused = await tenantTransaction(database, accountId, async (transaction) => {
      const endpoint = await requireEndpoint(transaction, endpointId);
      // Meanwhile another process may have paused it, or a person reset its record.
      if (endpoint.state === 'paused' || endpoint.failing_since === null) return false;
      await pauseEndpoint(transaction, endpointId, 'failures');
      for (const to of await administratorsOf(transaction)) {
        await outbox.put(transaction, accountId, { to, ...mailOf(endpoint.url, endpoint.failing_since) });
      }
      return true;
    });
    if (!isPaused) continue;
    onMail();
    logger.warn({ account: accountId, endpoint: endpointId }, 'a failing webhook endpoint was paused');
  }
}

async function administratorsOf(transaction: TenantTransaction): Promise<string[]> {
  const users = await transaction
    .selectFrom('users')
    .select('email')
    .where('account_id', '=', transaction.tenantId)
    .where('role', '=', 'administrator')
    .where('disabled_at', 'is', null)
    .where('removed_at', 'is', null)
    .execute();
  return users.map(({ email }) => email);
}

function mailOf(url: string, failingSince: Date): { subject: string; text: string } {
  return {
    subject: 'A webhook endpoint was paused',
    text: [
      `No delivery to ${url} has succeeded since ${failingSince.toISOString()}, so Millrace paused this endpoint.`,
      '',
      'Nothing is lost: events are queued until you resume the endpoint under Developer > Webhooks. Its deliveries there ' +
        'show the receiver’s responses. You can also resend permanently failed ones there.',
      '',
    ].join('\n'),
  };
}
