import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { ControlDatabase } from '../../database/schema.ts';
import { type Rounds, startRounds } from '../../frame/rounds.ts';
import { firstMonthOfDays, firstMonthOfHours, hourMs, keptMinutesDays } from './rules.ts';
import { advanceHead, letGoOfHours, rollDay } from './store.ts';

const usualIntervalMs = 30_000;

/**
 * Sums traffic by hour and day, makes partitions ahead, and drops what is kept no longer; at the start and every 30 seconds.
 * Several processes can do so concurrently.
 */
export function startTrafficRoller(parts: {
  readonly database: ControlDatabase;
  /** Called with an error; the next round tries again. */
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number;
}): Rounds {
  const { database, onError, intervalMs = usualIntervalMs } = parts;
  let keptHour = 0;
  const round = async (isStopped: () => boolean): Promise<void> => {
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      if (!isStopped()) await work().catch(onError);
    };
    const now = new Date();
    await attempt(async () => {
      for (const organizationId of await listOrganizations(database)) {
        await attempt(() => rollTraffic(database, organizationId, now, isStopped));
      }
    });
    const hour = Math.floor(now.getTime() / hourMs);
    if (hour !== keptHour) {
      await attempt(() => keepTraffic(database, now));
      keptHour = hour;
    }
  };
  return startRounds(round, { intervalMs, onError });
}

async function listOrganizations({ system }: ControlDatabase): Promise<readonly string[]> {
  const rows = await system.selectFrom('organizations').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Sums everything of an organization that is over and is not summed, a day at a time, the latest first. */
export async function rollTraffic(
  database: ControlDatabase,
  organizationId: string,
  now: Date,
  isStopped: () => boolean = () => false,
): Promise<void> {
  await tenantTransaction(database, organizationId, (transaction) => advanceHead(transaction, now));
  while (!isStopped() && (await tenantTransaction(database, organizationId, rollDay)) !== null);
}

/**
 * Makes the partitions of this month and the next, gives rows of months without one theirs, lets go of hours that are kept
 * no longer, and drops what all organizations have let go of.
 */
export async function keepTraffic(database: ControlDatabase, now: Date): Promise<void> {
  const { system } = database;
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  await sql`select add_traffic_months(${dateOf(now)}, ${dateOf(nextMonth)})`.execute(system);
  for (const organizationId of await listOrganizations(database)) {
    await tenantTransaction(database, organizationId, (transaction) => letGoOfHours(transaction, now));
  }
  const { rows } = await sql<{ organizations: string; first: Date | null }>`
    select count(*) filter (where hours_from is null) as organizations, min(hours_from) as first from traffic_heads`.execute(
    system,
  );
  const first = rows[0]?.first ?? null;
  const isReady = first !== null && rows[0]?.organizations === '0' && first >= firstMonthOfHours(now);
  await sql`select drop_traffic_months(${isReady ? dateOf(firstMonthOfHours(now)) : null}, ${dateOf(firstMonthOfDays(now))})`.execute(
    system,
  );
  for (let deleted = deletedRows; deleted === deletedRows; ) {
    const { numAffectedRows = 0n } = await sql`delete from deployment_traffic where ctid = any(array(
      select ctid from deployment_traffic where minute < ${now}::timestamptz - ${keptMinutesDays} * interval '1 day'
      limit ${deletedRows} for update skip locked))`.execute(system);
    deleted = Number(numAffectedRows);
  }
}

function dateOf(at: Date) {
  return sql`${at.toISOString().slice(0, 10)}::date`;
}

/** Deleted at once, so that no lock is held for long. */
const deletedRows = 1_000;
