import { sql } from 'kysely';
import type { ControlDatabase } from '../database/schema.ts';
import { makerDays } from './persons.ts';
import { type Rounds, startRounds } from './rounds.ts';

const batchRows = 1_000;

/** Rows that are no longer needed, by table. Sent e-mails stay on record for a week. */
const expired = {
  password_resets: sql`expires_at < now() - interval '1 hour'`,
  portal_password_resets: sql`expires_at < now() - interval '1 hour'`,
  portal_registrations: sql`state = 'unconfirmed' and expires_at < now()`,
  portal_invitations: sql`expires_at < now()`,
  provider_sign_ins: sql`expires_at < now()`,
  provider_logouts: sql`expires_at < now()`,
  outbox: sql`state = 'done' and run_at < now() - interval '7 days'`,
  idempotency_keys: sql`created_at < now() - interval '24 hours'`,
  recent_requests: sql`at < now() - interval '7 days'`,
  integration_deliveries: sql`state <> 'queued' and created_at < now() - interval '30 days'`,
  // As long as the ten-second figures themselves.
  telemetry_reports: sql`reported_at < now() - interval '48 hours'`,
  account_makers: sql`at < now() - ${sql.lit(makerDays)} * interval '1 day'`,
};

/** Deletes the expired rows of all organizations, in batches that hold no lock for long. Returns their number. */
export async function sweep(
  { system }: Pick<ControlDatabase, 'system'>,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let swept = 0;
  for (const [name, condition] of Object.entries(expired)) {
    const table = sql.table(name);
    for (let deleted = batchRows; deleted === batchRows && !isStopped(); swept += deleted) {
      const { numAffectedRows = 0n } = await sql`delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} limit ${batchRows} for update skip locked))`.execute(system);
      deleted = Number(numAffectedRows);
    }
  }
  return swept;
}

/** Sweeps at the start and every hour. Several processes can do so concurrently. */
export function startSweeper(parts: {
  readonly database: Pick<ControlDatabase, 'system'>;
  readonly intervalMs?: number;
  readonly onError: (error: unknown) => void;
}): Rounds {
  const { database, intervalMs = 3_600_000, onError } = parts;
  return startRounds((isStopped) => sweep(database, isStopped), { intervalMs, onError });
}
