import { type Kysely, sql } from 'kysely';

/** What determines whether a deployment has failed, and what serves again then. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deployments
      /* What it took the place of, or was put beside; null where nothing of the proxy served. */
      add column replaces_id text,
      /* Since when nodes can load the first snapshot that it stands in. */
      add column rollout_since timestamptz,
      /* When every node that counted had first acknowledged it. */
      add column live_at timestamptz;
    update deployments set replaces_id = coalesce(rolled_back_from ->> 'deploymentId', previous_id),
      rollout_since = created_at,
      live_at = case when state not in ('pending', 'rolling_out') then created_at end;

    /* Since when it has reported without a pause in which no deployment waits for it. */
    alter table gateway_nodes add column reporting_since timestamptz;
    update gateway_nodes set reporting_since = last_heartbeat_at;
  `.execute(database);
}
