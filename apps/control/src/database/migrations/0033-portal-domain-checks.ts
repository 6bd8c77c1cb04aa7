import { type Kysely, sql } from 'kysely';

/** Since when the DNS record of a verified domain is absent or wrong. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table portal_domains add column missing_since timestamptz;
    create index portal_domains_by_check on portal_domains (checked_at) where verified_at is not null;
  `.execute(database);
}
