import { type Kysely, sql } from 'kysely';

/**
 * What became of top-up requests. A request is credited while a credited top-up names it, so that the two never disagree
 * and a process of the version before needs to know nothing of it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table top_up_requests
      add column declined_by text,
      add column declined_by_name text,
      add column declined_at timestamptz,
      add column decline_reason text;
    create index top_up_requests_by_creation on top_up_requests (organization_id, created_at, id);

    alter table top_ups add column request_id text;
    /* Requests from before: answered by the first top-up of the same amount that came after. */
    update top_ups set request_id = answer.request_id
    from (
      select distinct on (organization_id, top_up_id) organization_id, top_up_id, request_id
      from (
        select distinct on (request.organization_id, request.id)
          request.organization_id, request.id as request_id, top_up.id as top_up_id
        from top_up_requests request
        join top_ups top_up on top_up.organization_id = request.organization_id
          and top_up.subscription_id = request.subscription_id and top_up.amount_minor = request.amount_minor
          and top_up.currency = request.currency and top_up.created_at >= request.created_at
          and top_up.state <> 'rejected'
        order by request.organization_id, request.id, top_up.created_at, top_up.id
      ) first_answer
      order by organization_id, top_up_id, request_id
    ) answer
    where top_ups.organization_id = answer.organization_id and top_ups.id = answer.top_up_id;
    create unique index top_ups_of_request on top_ups (organization_id, request_id)
      where request_id is not null and state <> 'rejected';
  `.execute(database);
}
