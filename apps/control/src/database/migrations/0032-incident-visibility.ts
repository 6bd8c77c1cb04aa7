import { type Kysely, sql } from 'kysely';

/** Whether an incident stands on the developer portal's status page: by its severity, or as somebody decided. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table incidents add column visibility text not null default 'automatic'
      check (visibility in ('automatic', 'public', 'private'))`.execute(database);
}
