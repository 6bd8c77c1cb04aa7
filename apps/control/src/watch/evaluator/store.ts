import type { AlertState, Labels, Silence } from '@millrace/alerting';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { Names } from '../alert-rules/labels.ts';
import { evaluationsKeptMs } from '../alert-rules/rules.ts';
import { widestMs } from '../alert-rules/samples.ts';
import { fieldsOf } from '../alert-rules/store.ts';
import type { KnownAlert, Outcome, Rule } from './evaluate.ts';

/** An organization whose rules are to be evaluated. */
export interface Evaluated {
  readonly id: string;
  /** How often rules and silences were changed when this was read. */
  readonly edits: string;
  readonly rules: readonly Rule[];
  /** By rule. */
  readonly alerts: ReadonlyMap<string, readonly KnownAlert[]>;
  readonly silences: readonly Silence[];
  /** Rules whose alerts ended without an evaluation. */
  readonly endings: readonly Ending[];
}

export interface Ending {
  readonly id: string;
  readonly ruleId: string;
  readonly reason: string;
}

/** What there is to evaluate at a moment, of all active organizations that are not evaluated up to it yet. */
export async function loadDue(system: Kysely<Schema>, at: Date): Promise<readonly Evaluated[]> {
  const { rows: rules } = await sql<Selectable<Schema['alert_rules']> & { readonly edits: string }>`
    select rule.*, coalesce(clock.edits, 0)::text as edits
    from alert_rules rule join organizations organization on organization.id = rule.organization_id
    left join alert_clocks clock on clock.organization_id = rule.organization_id
    where rule.enabled and organization.state = 'active' and coalesce(clock.evaluated_until < ${at}, true)
    order by rule.organization_id, rule.id`.execute(system);
  const { rows: endings } = await sql<Ending & { organization_id: string; edits: string }>`
    select ending.id::text as id, ending.organization_id, ending.rule_id as "ruleId", ending.reason,
      coalesce(clock.edits, 0)::text as edits
    from alert_endings ending left join alert_clocks clock on clock.organization_id = ending.organization_id
    where coalesce(clock.evaluated_until < ${at}, true) order by ending.id`.execute(system);
  const ids = [...new Set([...rules, ...endings].map(({ organization_id: id }) => id))];
  if (ids.length === 0) return [];
  const { rows: alerts } = await sql<Selectable<Schema['alerts']>>`
    select * from alerts where organization_id = any(${ids})`.execute(system);
  const { rows: silences } = await sql<Selectable<Schema['silences']>>`
    select * from silences where organization_id = any(${ids}) order by organization_id, created_at, id`.execute(
    system,
  );
  const rulesOf = Map.groupBy(rules, ({ organization_id: id }) => id);
  const endingsOf = Map.groupBy(endings, ({ organization_id: id }) => id);
  const alertsOf = Map.groupBy(alerts, ({ organization_id: id }) => id);
  const silencesOf = Map.groupBy(silences, ({ organization_id: id }) => id);
  return ids.map((id) => {
    const ofRule = Map.groupBy(alertsOf.get(id) ?? [], ({ rule_id: ruleId }) => ruleId);
    return {
      id,
      edits: (rulesOf.get(id) ?? endingsOf.get(id) ?? [])[0]?.edits ?? '0',
      rules: (rulesOf.get(id) ?? []).map((row) => ({ id: row.id, ...fieldsOf(row) })),
      alerts: new Map([...ofRule].map(([ruleId, rows]) => [ruleId, rows.map(knownAlert)])),
      silences: silencesOf.get(id) ?? [],
      endings: endingsOf.get(id) ?? [],
    };
  });
}

/** Names of environments, proxies, apps and products, by id. */
export async function loadNamesOf(system: Kysely<Schema>, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return new Map();
  const wanted = [...new Set(ids)];
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from environments where id = any(${wanted})
    union all select id, name from proxies where id = any(${wanted}) and deleted_at is null
    union all select id, name from products where id = any(${wanted})
    union all select id, name from apps where id = any(${wanted})`.execute(system);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** What an evaluation found of an organization's rules. */
export interface Found {
  readonly organization: Evaluated;
  readonly outcomes: readonly Outcome<KnownAlert>[];
}

/**
 * Records that organizations are evaluated up to a moment, unless somebody else did or their rules were changed since they
 * were read.
 *
 * @returns the ids of those that were recorded; only they may be written
 */
export async function claimClocks(
  transaction: Kysely<Schema>,
  organizations: readonly Pick<Evaluated, 'id' | 'edits'>[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ organization_id: string }>`
    insert into alert_clocks (organization_id, evaluated_until, edits)
    select organization_id, ${at}, edits
    from jsonb_to_recordset(${JSON.stringify(organizations.map(({ id, edits }) => ({ organization_id: id, edits })))}::jsonb)
      as given (organization_id text, edits bigint)
    order by organization_id
    on conflict (organization_id) do update set evaluated_until = excluded.evaluated_until
    where alert_clocks.evaluated_until < excluded.evaluated_until and alert_clocks.edits = excluded.edits
    returning organization_id`.execute(transaction);
  return new Set(rows.map(({ organization_id: id }) => id));
}

/** Writes what an evaluation found: alerts, what rules are at, and the evaluation itself. */
export async function writeOutcomes(transaction: Kysely<Schema>, found: readonly Found[], at: Date): Promise<void> {
  await writeAlerts(transaction, found);
  const rows = found.flatMap(({ organization, outcomes }) =>
    outcomes.map((outcome) => {
      const firing = outcome.alerts.filter(({ state }) => state.state === 'firing').length;
      const pending = outcome.alerts.length - firing;
      return {
        organization_id: organization.id,
        rule_id: outcome.rule.id,
        state: stateOf(outcome, firing, pending),
        error: outcome.error,
        series: outcome.series,
        without_data: outcome.withoutData,
        firing,
        pending,
        value: outcome.value,
        requests: Math.round(outcome.requests),
        alerts: presentAlerts(outcome),
      };
    }),
  );
  if (rows.length === 0) return;
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (organization_id text, rule_id text,
        state text, error text, series integer, without_data integer, firing integer, pending integer, value float8,
        requests bigint, alerts jsonb)),
    evaluations as (
      insert into alert_rule_evaluations (organization_id, rule_id, at, evaluated_at, error, series, without_data,
        pending, firing, value, requests, alerts)
      select organization_id, rule_id, ${at}, clock_timestamp(), error, series, without_data, pending, firing, value,
        requests, alerts from given)
    insert into alert_rule_status (organization_id, rule_id, evaluated_at, state, firing, pending, value, error)
    select organization_id, rule_id, ${at}, state, firing, pending, value, error from given
    on conflict (organization_id, rule_id) do update set evaluated_at = excluded.evaluated_at, state = excluded.state,
      firing = excluded.firing, pending = excluded.pending, value = excluded.value, error = excluded.error`.execute(
    transaction,
  );
}

export async function deleteEndings(transaction: Kysely<Schema>, endings: readonly Ending[]): Promise<void> {
  await sql`delete from alert_endings where id = any(${endings.map(({ id }) => id)}::bigint[])`.execute(transaction);
}

/** Deletes evaluations and figures that are kept no longer. */
export async function dropOldEvaluations(system: Kysely<Schema>, at: Date): Promise<void> {
  await sql`delete from alert_rule_evaluations where at < ${new Date(at.getTime() - evaluationsKeptMs)}`.execute(
    system,
  );
  await sql`delete from alert_traffic_sums where at < ${new Date(at.getTime() - 2 * widestMs)}`.execute(system);
}

/** The latest moment that any organization is evaluated up to; null before the first. */
export async function lastEvaluated(system: Kysely<Schema>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(evaluated_until) as at from alert_clocks where evaluated_until > '-infinity'`.execute(system);
  return rows[0]?.at ?? null;
}

async function writeAlerts(transaction: Kysely<Schema>, found: readonly Found[]): Promise<void> {
  const ended: { organization_id: string; rule_id: string; fingerprint: string }[] = [];
  const changed: ReturnType<typeof rowOf>[] = [];
  for (const { organization, outcomes } of found) {
    for (const { rule, alerts, ended: endedAlerts } of outcomes) {
      const key = { organization_id: organization.id, rule_id: rule.id };
      for (const { fingerprint } of endedAlerts) ended.push({ ...key, fingerprint });
      const before = new Map((organization.alerts.get(rule.id) ?? []).map((alert) => [alert.fingerprint, alert]));
      for (const alert of alerts) {
        if (!isSame(alert, before.get(alert.fingerprint))) changed.push({ ...key, ...rowOf(alert) });
      }
    }
  }
  if (ended.length > 0) {
    await sql`
      delete from alerts using jsonb_to_recordset(${JSON.stringify(ended)}::jsonb)
        as given (organization_id text, rule_id text, fingerprint text)
      where alerts.organization_id = given.organization_id and alerts.rule_id = given.rule_id
        and alerts.fingerprint = given.fingerprint`.execute(transaction);
  }
  if (changed.length === 0) return;
  await sql`
    insert into alerts (organization_id, rule_id, fingerprint, labels, state, active_since, firing_since, cleared_since,
      held_value, value, requests, no_data, suppressed_by, inhibited_by)
    select * from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as given (organization_id text, rule_id text,
      fingerprint text, labels jsonb, state text, active_since timestamptz, firing_since timestamptz,
      cleared_since timestamptz, held_value float8, value float8, requests bigint, no_data boolean, suppressed_by text,
      inhibited_by text)
    on conflict (organization_id, rule_id, fingerprint) do update set labels = excluded.labels, state = excluded.state,
      active_since = excluded.active_since, firing_since = excluded.firing_since,
      cleared_since = excluded.cleared_since, held_value = excluded.held_value, value = excluded.value,
      requests = excluded.requests, no_data = excluded.no_data, suppressed_by = excluded.suppressed_by,
      inhibited_by = excluded.inhibited_by`.execute(transaction);
}

function stateOf({ error, series, withoutData }: Outcome<KnownAlert>, firing: number, pending: number) {
  if (error !== null) return 'failed';
  if (firing > 0) return 'firing';
  if (pending > 0) return 'pending';
  return series > 0 && withoutData === series ? 'no_data' : 'inactive';
}

/** Alerts that an evaluation lists. */
const mostListed = 20;

function presentAlerts({ alerts, ended }: Outcome<KnownAlert>) {
  const shown = [
    ...alerts.map((alert) => ({ ...presentAlert(alert), state: alert.state.state })),
    ...ended.map((alert) => ({
      ...presentAlert(alert),
      state: 'inactive',
      activeSince: null,
      firingSince: null,
      suppressedBy: null,
      inhibitedBy: null,
    })),
  ];
  return shown.slice(0, mostListed);
}

function presentAlert({ fingerprint, labels, state, value, requests, noData, suppressedBy, inhibitedBy }: KnownAlert) {
  return {
    fingerprint,
    labels,
    noData,
    value,
    requests: Math.round(requests),
    activeSince: new Date(state.activeSinceMs).toISOString(),
    firingSince: timeOf(state.firingSinceMs),
    suppressedBy,
    inhibitedBy,
  };
}

function rowOf({ fingerprint, labels, state, ...alert }: KnownAlert) {
  return {
    fingerprint,
    labels,
    state: state.state,
    active_since: new Date(state.activeSinceMs).toISOString(),
    firing_since: timeOf(state.firingSinceMs),
    cleared_since: timeOf(state.clearedSinceMs),
    held_value: state.value,
    value: alert.value,
    requests: Math.round(alert.requests),
    no_data: alert.noData,
    suppressed_by: alert.suppressedBy,
    inhibited_by: alert.inhibitedBy,
  };
}

function isSame(alert: KnownAlert, before: KnownAlert | undefined): boolean {
  if (before === undefined) return false;
  const [first, second] = [rowOf(alert), rowOf(before)];
  const names = Object.keys(first) as (keyof typeof first)[];
  return names.every((name) =>
    name === 'labels' ? isSameLabels(alert.labels, before.labels) : first[name] === second[name],
  );
}

function isSameLabels(first: Labels, second: Labels): boolean {
  const names = Object.keys(first);
  return names.length === Object.keys(second).length && names.every((name) => first[name] === second[name]);
}

function timeOf(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

function knownAlert(row: Selectable<Schema['alerts']>): KnownAlert {
  const state: AlertState = {
    state: row.state,
    activeSinceMs: row.active_since.getTime(),
    firingSinceMs: row.firing_since?.getTime() ?? null,
    clearedSinceMs: row.cleared_since?.getTime() ?? null,
    value: row.held_value,
  };
  return {
    fingerprint: row.fingerprint,
    labels: row.labels,
    state,
    value: row.value,
    requests: Number(row.requests),
    noData: row.no_data,
    suppressedBy: row.suppressed_by,
    inhibitedBy: row.inhibited_by,
  };
}
