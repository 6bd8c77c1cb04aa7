import { type Kysely, sql } from 'kysely';

/** Target servers that speak HTTP/2. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table target_servers
      add column protocol text not null default 'http1'
        constraint target_server_protocols check (protocol in ('http1', 'http2', 'auto'))`.execute(database);
}
