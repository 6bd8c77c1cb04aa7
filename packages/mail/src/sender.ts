import { type Claim, type Queue, startQueue } from '@millrace/postgres/queue';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Mail, SendMail } from './mail.ts';

/** After the first attempt and every further one; after the last the mail has failed. */
const retryAfterSeconds = [10, 60, 600, 3_600, 14_400] as const;

/** A mail that waits: it is kept encrypted, since it may carry a link that lets somebody in. */
interface WaitingMail extends Claim {
  readonly sealed_payload: Buffer;
}

/**
 * Starts to send the mail of a table, which is one of {@link startQueue} with `sealed_payload` and `error` besides. A
 * mail that was sent is struck: its row, in state `done`, keeps that it went, not what it said.
 *
 * @param options.open reads the mail of a row
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
      if (failure !== null) logger.warn({ mail: row.id, attempt: row.attempts, error: failure }, 'a mail was not sent');
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
