import { type Kysely, sql } from 'kysely';

/** Expiry of prepaid credit. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    update rate_plans set terms = terms || '{"creditExpiry": null}',
      draft = case when draft is null then null
        else jsonb_set(draft, '{terms}', (draft -> 'terms') || '{"creditExpiry": null}') end;
    update rate_plan_versions set terms = terms || '{"creditExpiry": null}';

    alter table top_ups
      /* How long it is good for, as {count, unit}; null: it never expires. */
      add column credit_expiry jsonb,
      /* From when it is no longer good; null while it isn't credited, and where it never expires. */
      add column expires_at timestamptz,
      /* When a notice of the expiry is due; null once it was sent. */
      add column expiry_notice_at timestamptz,
      /* Price of all usage before expires_at, in millionths of a minor unit; null while that hasn't come. */
      add column used_before_micro numeric,
      /* What was left of it then, once that is in the movements. */
      add column expired_minor bigint;
    create index top_ups_of_subscription on top_ups (organization_id, subscription_id) where state = 'credited';
    create index top_ups_expiring on top_ups (expires_at) where state = 'credited' and expired_minor is null;
    create index top_ups_expiry_notices on top_ups (expiry_notice_at) where state = 'credited';

    alter table prepaid_movements
      /* Of which top-up this is what was left when it expired, or a correction of that. */
      add column top_up_id text,
      /* Null: the service itself. */
      alter column created_by drop not null,
      drop constraint prepaid_movements_kind_check,
      add constraint prepaid_movements_kind_check check (kind in ('top_up', 'correction', 'assignment', 'expiry'));
    create unique index prepaid_movements_expiry on prepaid_movements (organization_id, top_up_id) where kind = 'expiry';

    alter table prepaid_accounts
      /* What has expired of the credit, whether it is in the movements yet or not. */
      add column expired_micro numeric not null default 0,
      /* The latest expiry so far: usage before it, reported later, may have consumed what expired. */
      add column expired_until timestamptz;
  `.execute(database);
}
