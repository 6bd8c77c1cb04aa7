import { type Kysely, sql } from 'kysely';

/** What a canary splits, which was callers until now, and since when its weight is so: what is measured begins there. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deployments
      add column split text not null default 'callers' check (split in ('requests', 'callers')),
      add column split_since timestamptz not null default now();
    alter table deployments alter column split set default 'requests';
    update deployments set split_since = updated_at;
  `.execute(database);
}
