import { type Claim, type Queue, startQueue } from '@millrace/postgres/queue';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Mail, SendMail } from './mail.ts';

/** Delays after the first and each further attempt; after the last one the e-mail has failed. */
const retryAfterSeconds = [10, 60, 600, 3_600, 14_400] as const;

/** A queued e-mail: encrypted, since it may contain a sign-in link. */
interface WaitingMail extends Claim {
  readonly sealed_payload: Buffer;
}

/**
 * Starts sending the e-mails of a table, which is one for {@link startQueue} with the additional columns
 * `sealed_payload` and `error`. The content of a sent e-mail is deleted: its row, in state `done`, records that it was
 * sent, not what it said.
 *
 * @param options.open decrypts the e-mail of a row
 */
export function startMailSender(options: {
  readonly system: QueryExecutorProvider;
  readonly table: string;
  readonly tenantColumn: 'account_id' | 'organization_id';
  readonly open: (row: { readonly id: string; readonly sealed_payload: Buffer }) => Mail;
  readonly send: SendMail;
  readonly logger: {
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}): Queue {
  const { system, tenantColumn, logger } = options;
  const table = sql.table(options.table);
  return startQueue<WaitingMail>({
    system,
    table: options.table,
    tenantColumn,
    concurrency: 4,
    leaseMs: 60_000,
    run: async (row) => {
      const failure = await trySend(options, row);
      const delaySeconds = failure === null ? null : (retryAfterSeconds[row.attempts - 1] ?? null);
      if (failure !== null)
        logger.warn({ mail: row.id, attempt: row.attempts, error: failure }, 'an e-mail was not sent');
      const state = failure === null ? 'done' : delaySeconds === null ? 'failed' : 'queued';
      const tenantId = (row as WaitingMail & Readonly<Record<string, unknown>>)[tenantColumn];
      await sql`
        update ${table} set state = ${state}, error = ${failure?.message.slice(0, 500) ?? null},
          sealed_payload = case when ${failure === null} then ''::bytea else sealed_payload end,
          run_at = case when ${delaySeconds}::int is null then run_at else now() + ${delaySeconds}::int * interval '1 second' end
        where ${sql.ref(tenantColumn)} = ${tenantId} and id = ${row.id} and attempts = ${row.attempts}
          and state = 'processing'`.execute(system);
    },
    onError: (error, row) => logger.error({ error, mail: row?.id }, 'the mail sender failed'),
  });
}

async function trySend({ open, send }: Parameters<typeof startMailSender>[0], row: WaitingMail): Promise<Error | null> {
  try {
    await send(open(row));
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
