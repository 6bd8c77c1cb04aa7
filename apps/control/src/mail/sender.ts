import { type Claim, type Queue, startQueue } from '@millrace/postgres/queue';
import { type Selectable, sql } from 'kysely';
import type { Logger } from 'pino';
import type { ControlDatabase, Schema } from '../database/schema.ts';
import { type Outbox, openMail } from '../frame/outbox.ts';
import type { SendMail } from './transport.ts';

type Row = Claim & Selectable<Schema['outbox']>;

/** After the first attempt and every further one; after the last the mail has failed. */
const retryAfterSeconds = [10, 60, 600, 3_600, 14_400] as const;

/** Starts to send the mail of the outbox. A mail that was sent is struck: its row keeps that it went, not what it said. */
export function startMailSender(parts: {
  readonly database: ControlDatabase;
  readonly outbox: Pick<Outbox, 'sealer'>;
  readonly send: SendMail;
  readonly logger: Logger;
}): Queue {
  const { database, logger } = parts;
  return startQueue<Row>({
    system: database.system,
    table: 'outbox',
    tenantColumn: 'organization_id',
    concurrency: 4,
    leaseMs: 60_000,
    run: async (row) => {
      const failure = await trySend(parts, row);
      const delaySeconds = failure === null ? null : (retryAfterSeconds[row.attempts - 1] ?? null);
      if (failure !== null) logger.warn({ mail: row.id, attempt: row.attempts, error: failure }, 'a mail was not sent');
      await database.system
        .updateTable('outbox')
        .set({
          state: failure === null ? 'done' : delaySeconds === null ? 'failed' : 'queued',
          error: failure?.message.slice(0, 500) ?? null,
          ...(failure === null ? { sealed_payload: Buffer.alloc(0) } : {}),
          ...(delaySeconds === null ? {} : { run_at: sql<Date>`now() + ${delaySeconds} * interval '1 second'` }),
        })
        .where('organization_id', '=', row.organization_id)
        .where('id', '=', row.id)
        .where('attempts', '=', row.attempts)
        .where('state', '=', 'processing')
        .execute();
    },
    onError: (error, row) => logger.error({ error, mail: row?.id }, 'the mail sender failed'),
  });
}

async function trySend({ outbox, send }: Parameters<typeof startMailSender>[0], row: Row): Promise<Error | null> {
  try {
    await send(openMail(outbox, row));
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
