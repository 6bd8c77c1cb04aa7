import { type Selectable, sql } from 'kysely';
import type { ControlDatabase, Schema } from '../../database/schema.ts';

/** A delivery that this process has leased, with its integration. */
export type ClaimedDelivery = Pick<
  Selectable<Schema['integration_deliveries']>,
  | 'id'
  | 'organization_id'
  | 'integration_id'
  | 'kind'
  | 'subject_id'
  | 'data'
  | 'send_if'
  | 'occurred_at'
  | 'resent_from'
  | 'scheduled_attempts'
  | 'attempt_count'
> &
  Pick<
    Selectable<Schema['integrations']>,
    'settings' | 'sealed_secret' | 'sealed_previous_secret' | 'previous_valid_until'
  >;

/** An integration's lane, and how much to claim for it. */
export interface LaneClaim {
  readonly lane: string;
  readonly limit: number;
}

/** Deliveries of one integration wait in one lane. */
function laneOf(organizationId: string, integrationId: string): string {
  return `${organizationId} ${integrationId}`;
}

export function laneOfDelivery(delivery: Pick<ClaimedDelivery, 'organization_id' | 'integration_id'>): string {
  return laneOf(delivery.organization_id, delivery.integration_id);
}

/** The lanes that have something due, at most a thousand. */
export async function dueLanes({ system }: Pick<ControlDatabase, 'system'>): Promise<readonly string[]> {
  const { rows } = await sql<{ organization_id: string; integration_id: string }>`
    select distinct organization_id, integration_id from integration_deliveries
    where state = 'queued' and run_at <= now() and (lease_until is null or lease_until <= now()) limit 1000`.execute(
    system,
  );
  return rows.map(({ organization_id, integration_id }) => laneOf(organization_id, integration_id));
}

/**
 * Leases due deliveries of some lanes: `for update skip locked` gives each to one process, and if that process dies they are
 * due again when the lease ends. What is about the same subject goes out in order: a later notification waits until the one
 * before it is delivered or given up, so that no pager is triggered after it was resolved.
 */
export async function claimDeliveries(
  { system }: Pick<ControlDatabase, 'system'>,
  lanes: readonly LaneClaim[],
  leaseMs: number,
): Promise<readonly ClaimedDelivery[]> {
  const wanted = lanes.map(({ lane }) => lane.split(' '));
  const { rows } = await sql<ClaimedDelivery>`
    with due as (
      select candidate.organization_id, candidate.id
      from unnest(${wanted.map(([organizationId]) => organizationId)}::text[],
        ${wanted.map(([, integrationId]) => integrationId)}::text[], ${lanes.map(({ limit }) => limit)}::int[])
        as wanted (organization_id, integration_id, free)
      cross join lateral (
        select organization_id, id from integration_deliveries queued
        where queued.organization_id = wanted.organization_id and queued.integration_id = wanted.integration_id
          and state = 'queued' and run_at <= now() and (lease_until is null or lease_until <= now())
          and not exists (select from integration_deliveries earlier
            where earlier.organization_id = queued.organization_id and earlier.integration_id = queued.integration_id
              and earlier.state = 'queued' and earlier.subject_id = queued.subject_id
              and (earlier.due_at, earlier.id) < (queued.due_at, queued.id))
        order by due_at, id limit wanted.free for update skip locked
      ) as candidate
    ), claimed as (
      update integration_deliveries delivery set lease_until = now() + ${leaseMs} * interval '1 millisecond'
      from due where delivery.organization_id = due.organization_id and delivery.id = due.id
      returning delivery.*
    )
    select claimed.id, claimed.organization_id, claimed.integration_id, claimed.kind, claimed.subject_id, claimed.data,
      claimed.send_if, claimed.occurred_at, claimed.resent_from, claimed.scheduled_attempts, claimed.attempt_count,
      integration.settings, integration.sealed_secret, integration.sealed_previous_secret,
      integration.previous_valid_until
    from claimed join integrations integration
      on integration.organization_id = claimed.organization_id and integration.id = claimed.integration_id
    order by claimed.due_at, claimed.id`.execute(system);
  return rows;
}
