import { type Kysely, sql } from 'kysely';

/** What ranks the keys of a dimension over months of days, apart from the histograms beside it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index traffic_day_ranks on traffic_day_sums (organization_id, dimension, day, key, environment_id)
      include (requests, status_4xx, status_5xx, limited, request_bytes, response_bytes)`.execute(database);
}
