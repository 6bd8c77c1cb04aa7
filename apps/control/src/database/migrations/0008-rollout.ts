import { type Kysely, sql } from 'kysely';

/**
 * What a canary splits, which was callers until now, and since when its weight is so: what is measured begins there.
 * A deployment was live as well where no gateway node existed: it waits for one.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deployments
      add column split text not null default 'callers' check (split in ('requests', 'callers')),
      add column split_since timestamptz not null default now();
    alter table deployments alter column split set default 'requests';
    update deployments set split_since = updated_at;
    update deployments d set state = 'pending'
    where d.ended_at is null and d.state = 'live' and not exists (
      select from gateway_nodes n where n.organization_id = d.organization_id and n.environment_id = d.environment_id
        and n.registered_at is not null);
  `.execute(database);
}
