import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

/** Domains whose e-mail addresses are an account's, as its DNS proves. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table email_domains (
      id text not null,
      account_id text not null references accounts,
      domain text not null,
      token text not null,
      verified_at timestamptz,
      checked_at timestamptz,
      problem text,
      created_at timestamptz not null default now(),
      primary key (account_id, id),
      constraint email_domain_names unique (account_id, domain)
    );
    create unique index email_domains_verified on email_domains (domain) where verified_at is not null;
  `.execute(database);

  await openTenantTables(database, ['email_domains']);
}
