import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

/**
 * How long a migration waits for a lock. Every statement that comes after it waits as long, and less than PostgreSQL
 * waits before it ends a deadlock (`deadlock_timeout`, one second), so that the migration gives way and not the service.
 */
const lockTimeoutMs = 500;
const pauseMs = 1_000;
/** A backup may read for as long. */
const longestWaitMs = 600_000;

export interface PendingOptions {
  /** The owner's connection, which may wait for locks. */
  readonly owner: Kysely<unknown>;
  /** Of the tables, and of the list of migrations that ran. */
  readonly schema: string;
  readonly migrations: Readonly<Record<string, Migration>>;
  /** Called with what an operator should know, as a sentence. */
  readonly onWarning: (warning: string) => void;
}

/**
 * Runs the migrations that didn't run yet: all at once in an empty schema, otherwise each in a transaction of its own,
 * which gives way to a service that works on the same tables. A schema that a newer version has migrated stays as it is:
 * versions side by side can do with it.
 *
 * @throws what a migration threw, or Error for people where other work keeps a table locked for ten minutes
 */
export async function runPending(options: PendingOptions): Promise<void> {
  const { owner, schema, migrations, onWarning } = options;
  const ran = await namesOf(owner, schema);
  const newer = ran.filter((name) => !(name in migrations)).sort();
  const pending = Object.keys(migrations).filter((name) => !ran.includes(name));
  if (pending.length === 0) {
    if (newer.length > 0) {
      onWarning(`A newer version of Millrace has migrated this database (${newer.at(-1)}). Run that version soon.`);
    }
    // The migrator would first read every column of every table.
    return;
  }
  const migrator = new Migrator({
    db: owner,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableSchema: schema,
  });
  if (ran.length === 0) {
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
    return;
  }
  await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, false)`.execute(owner);
  for (const endMs = performance.now() + longestWaitMs; ; ) {
    const { error, results } = await migrator.migrateUp();
    if (error === undefined && results?.length === 0) return;
    if (error === undefined) continue;
    if (!isLocked(error)) throw error;
    if (performance.now() > endMs) {
      throw new Error(
        'The database can’t be migrated, since other work keeps its tables locked. End that work first.',
        {
          cause: error,
        },
      );
    }
    await sleep(pauseMs);
  }
}

/** The migrations that ran; none where the schema is empty. */
async function namesOf(owner: Kysely<unknown>, schema: string): Promise<readonly string[]> {
  const list = sql.id(schema, 'kysely_migration');
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass(${`"${schema}".kysely_migration`}) is not null as exists`.execute(owner);
  if (!rows[0]?.exists) return [];
  return (await sql<{ name: string }>`select name from ${list}`.execute(owner)).rows.map(({ name }) => name);
}

/** Whether a lock was not granted in time, or the wait for it was a deadlock. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');
}
