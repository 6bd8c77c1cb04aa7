import { alertMetrics } from '@millrace/alerting';
import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import {
  type Incident,
  type IncidentMember,
  IncidentRule,
  type IncidentTimelineEntry,
  type IncidentWithMembers,
  timelineKinds,
  type Visibility,
} from './contract.ts';
import type { EvaluatedGroup } from './evaluated.ts';
import {
  entryOfMove,
  fingerprintOf,
  type KeptIncident,
  type KeptMember,
  type NewEntry,
  type Notices,
  ownSummary,
  type PersonalMove,
  type Transition,
  trafficPathOf,
  warningOf,
} from './rules.ts';

interface Related {
  readonly proxies: Incident['proxies'];
  readonly suppressors: Incident['suppressedBy'];
}

type Row = Selectable<Schema['incidents']>;
type MemberRow = Selectable<Schema['incident_members']>;

interface Filters {
  readonly search?: string | undefined;
  readonly state?: Incident['state'] | undefined;
  readonly unresolved?: boolean | undefined;
  readonly severity?: Incident['severity'] | undefined;
  readonly environmentId?: string | undefined;
  readonly proxyId?: string | undefined;
  readonly alertRuleId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const columns = { openedAt: 'i.opened_at', updatedAt: 'i.updated_at', severity: 'i.severity_rank' };
const mostListed = 20;
const mostMembers = 500;

/** A page of the incidents that the filters match, and the figures of all of them. */
export async function listIncidents(transaction: TenantTransaction, filters: Filters & Listing) {
  const query = selectIncidents(transaction, filters);
  const { rows, total } = await readPage(query, filters, columns, 'i.id');
  return { incidents: rows.map((row) => present(row)), total, figures: await readFigures(transaction, filters) };
}

async function readFigures(transaction: TenantTransaction, filters: Filters) {
  const figures = await filtered(transaction, filters)
    .select([
      sql<number>`(count(*) filter (where i.state <> 'resolved'))::int`.as('unresolved'),
      sql<number>`(count(*) filter (where i.state = 'open'))::int`.as('unacknowledged'),
      sql<number | null>`extract(epoch from avg(i.acknowledged_at - i.opened_at))::float8`.as(
        'meanSecondsToAcknowledge',
      ),
      sql<number | null>`extract(epoch from avg(i.resolved_at - i.opened_at))::float8`.as('meanSecondsToResolve'),
    ])
    .executeTakeFirstOrThrow();
  return figures;
}

function filtered(transaction: TenantTransaction, filters: Filters) {
  const { state, unresolved, severity, environmentId, proxyId, alertRuleId, from, to } = filters;
  let query = transaction
    .selectFrom('incidents as i')
    .where('i.organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['i.title', 'i.summary', 'i.owner_name'], filters.search));
  if (state !== undefined) query = query.where('i.state', '=', state);
  if (unresolved !== undefined) query = query.where('i.state', unresolved ? '<>' : '=', 'resolved');
  if (severity !== undefined) query = query.where('i.severity', '=', severity);
  if (environmentId !== undefined) query = query.where('i.environment_id', '=', environmentId);
  if (alertRuleId !== undefined) query = query.where('i.rule_id', '=', alertRuleId);
  if (from !== undefined) query = query.where('i.opened_at', '>=', new Date(from));
  if (to !== undefined) query = query.where('i.opened_at', '<', new Date(to));
  if (proxyId === undefined) return query;
  return query.where('i.id', 'in', (builder) =>
    builder
      .selectFrom('incident_members')
      .select('incident_id')
      .where('organization_id', '=', transaction.tenantId)
      .where('proxy_id', '=', proxyId),
  );
}

/** Incidents with their affected API proxies and the silences that suppress them. */
function selectIncidents(transaction: TenantTransaction, filters: Filters) {
  return filtered(transaction, filters)
    .selectAll('i')
    .select([
      sql<Related['proxies']>`(
        select coalesce(jsonb_agg(jsonb_build_object('id', m.proxy_id, 'name', m.proxy_name)), '[]') from (
          select distinct on (state, proxy_name, proxy_id) proxy_id, proxy_name from incident_members
          where organization_id = i.organization_id and incident_id = i.id and proxy_id is not null
          order by state, proxy_name, proxy_id limit ${mostListed}) m)`.as('proxies'),
      sql<Related['suppressors']>`(
        select coalesce(jsonb_agg(jsonb_build_object('silenceId', m.id, 'comment', s.comment) order by m.id), '[]')
        from (
          select distinct suppressed_by as id from incident_members
          where organization_id = i.organization_id and incident_id = i.id and state = 'firing'
            and suppressed_by is not null limit ${mostListed}) m
        left join silences s on s.organization_id = i.organization_id and s.id = m.id)`.as('suppressors'),
    ]);
}

/** Decides whether the status page shows an incident. */
export async function setVisibility(
  transaction: TenantTransaction,
  id: string,
  visibility: Visibility,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('incidents')
    .set({ visibility, version: sql`version + 1`, updated_at: now })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** An incident as its responses have it; null if there is none. */
export async function findIncident(transaction: TenantTransaction, id: string): Promise<IncidentWithMembers | null> {
  const row = await selectIncidents(transaction, {}).where('i.id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const members = await transaction
    .selectFrom('incident_members')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('incident_id', '=', id)
    .orderBy('state')
    .orderBy('since')
    .orderBy('fingerprint')
    .limit(mostMembers)
    .execute();
  const incident = present(row);
  return { ...incident, alerts: members.map(presentMember), nextEscalation: nextOf(row), warning: warningOf(incident) };
}

/** The next integration that is notified, as things stand. */
function nextOf({ state, suppressed, escalation }: Row): IncidentWithMembers['nextEscalation'] {
  if (state !== 'open' || suppressed) return null;
  const now = new Date().toISOString();
  return escalation.find(({ at }) => at > now) ?? null;
}

function present(row: Row & Related): Incident {
  const rule = IncidentRule.parse(row.rule);
  const time = (value: Date | null) => value?.toISOString() ?? null;
  const person = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });
  return {
    id: row.id,
    state: row.state,
    severity: row.severity,
    title: row.title,
    environment:
      row.environment_id === null
        ? null
        : { id: row.environment_id, name: row.environment_name ?? '', production: row.environment_production },
    metric: rule.metric,
    operator: rule.operator,
    threshold: rule.threshold,
    unit: alertMetrics[rule.metric].unit,
    value: row.value,
    peakValue: row.peak_value,
    proxies: row.proxies,
    members: row.members,
    firingMembers: row.firing_members,
    rule,
    fingerprint: row.fingerprint,
    suppressed: row.suppressed,
    suppressedBy: row.suppressors,
    owner: person(row.owner_id, row.owner_name),
    openedAt: row.opened_at.toISOString(),
    acknowledgedAt: time(row.acknowledged_at),
    monitoringAt: time(row.monitoring_at),
    reopenedAt: time(row.reopened_at),
    reopenings: row.reopenings,
    recoveredAt: time(row.recovered_at),
    resolvedAt: time(row.resolved_at),
    resolvedBy: person(row.resolved_by, row.resolved_by_name),
    summary: row.summary,
    visibility: row.visibility,
    trafficPath: trafficPathOf({
      openedAt: row.opened_at,
      endedAt: row.resolved_at ?? row.recovered_at,
      environmentId: row.environment_id,
      proxyIds: row.proxies.map(({ id }) => id),
    }),
    previousId: row.previous_id,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function presentMember(row: MemberRow): IncidentMember {
  return {
    fingerprint: row.fingerprint,
    labels: row.labels,
    proxyId: row.proxy_id,
    proxyName: row.proxy_name,
    state: row.state,
    value: row.value,
    peakValue: row.peak_value,
    threshold: row.threshold,
    since: row.since.toISOString(),
    recoveredAt: row.recovered_at?.toISOString() ?? null,
    suppressedBy: row.suppressed_by,
    inhibitedBy: row.inhibited_by,
  };
}

type TimelineRow = Selectable<Schema['incident_entries']> & {
  readonly labels: MemberRow['labels'] | null;
  readonly proxy_id: string | null;
  readonly proxy_name: string | null;
  readonly notification: IncidentTimelineEntry['notification'];
};

/** A page of what happened in an incident: its own entries, and its notifications with their answers. */
export async function readTimeline(
  transaction: TenantTransaction,
  incidentId: string,
  filters: Listing & { readonly kind?: IncidentTimelineEntry['kind'] | undefined },
): Promise<{ readonly entries: IncidentTimelineEntry[]; readonly total: number }> {
  const entries = transaction
    .selectFrom('incident_entries as e')
    .leftJoin('incident_members as m', (join) =>
      join
        .onRef('m.organization_id', '=', 'e.organization_id')
        .onRef('m.incident_id', '=', 'e.incident_id')
        .onRef('m.fingerprint', '=', 'e.fingerprint'),
    )
    .select([
      'e.id',
      'e.organization_id',
      'e.incident_id',
      'e.at',
      'e.kind',
      'e.by_id',
      'e.by_name',
      'e.text',
      'e.fingerprint',
      'e.value',
      'e.threshold',
      'm.labels',
      'm.proxy_id',
      'm.proxy_name',
      sql<IncidentTimelineEntry['notification']>`null::jsonb`.as('notification'),
    ])
    .where('e.organization_id', '=', transaction.tenantId)
    .where('e.incident_id', '=', incidentId);
  const notifications = transaction
    .selectFrom('integration_deliveries as d')
    .innerJoin('integrations as n', (join) =>
      join.onRef('n.organization_id', '=', 'd.organization_id').onRef('n.id', '=', 'd.integration_id'),
    )
    .select([
      'd.id',
      'd.organization_id',
      'd.subject_id as incident_id',
      // One that is not due yet is not part of what happened.
      sql<Date>`coalesce(d.delivered_at, greatest(d.due_at, d.created_at))`.as('at'),
      sql<string>`'notification'`.as('kind'),
      sql<string | null>`null`.as('by_id'),
      sql<string | null>`null`.as('by_name'),
      sql<string>`case d.state when 'delivered' then 'Delivered to ' when 'failed' then 'Could not be delivered to '
        when 'skipped' then 'No longer due for ' else 'Waiting to be delivered to ' end || n.name || '.'`.as('text'),
      sql<string | null>`null`.as('fingerprint'),
      sql<number | null>`null::float8`.as('value'),
      sql<number | null>`null::float8`.as('threshold'),
      sql<MemberRow['labels'] | null>`null::jsonb`.as('labels'),
      sql<string | null>`null`.as('proxy_id'),
      sql<string | null>`null`.as('proxy_name'),
      sql<IncidentTimelineEntry['notification']>`jsonb_build_object(
        'deliveryId', d.id, 'integrationId', n.id, 'integrationName', n.name, 'integrationKind', n.kind, 'kind', d.kind,
        'state', d.state, 'attempts', d.attempt_count, 'responseStatus', d.attempts -> -1 -> 'status',
        'failure', d.attempts -> -1 -> 'error' -> 'message')`.as('notification'),
    ])
    .where('d.organization_id', '=', transaction.tenantId)
    .where('d.subject_type', '=', 'incident')
    .where('d.subject_id', '=', incidentId)
    .where(sql<boolean>`d.due_at <= now()`);
  let query = transaction
    .selectFrom(entries.unionAll(notifications).as('t'))
    .selectAll()
    .where((builder) => matches(builder, ['t.text', 't.by_name', 't.proxy_name'], filters.search));
  if (filters.kind !== undefined) query = query.where('t.kind', '=', filters.kind);
  const { rows, total } = await readPage(query, filters, { at: 't.at' }, 't.id');
  return { entries: rows.map(presentEntry), total };
}

const kindOf = (kind: string) => timelineKinds.find((known) => known === kind)!;

function presentEntry(row: TimelineRow): IncidentTimelineEntry {
  const { labels } = row;
  return {
    id: row.id,
    at: row.at.toISOString(),
    kind: kindOf(row.kind),
    by: row.by_id === null ? null : { id: row.by_id, name: row.by_name ?? '' },
    text: row.text,
    alert:
      row.fingerprint === null || labels === null
        ? null
        : { fingerprint: row.fingerprint, labels, proxyId: row.proxy_id, proxyName: row.proxy_name },
    value: row.value,
    threshold: row.threshold,
    notification: row.notification,
  };
}

/** Adds entries to a timeline, in the transaction of what they report; their ids. */
export async function addEntries(
  transaction: TenantTransaction,
  incidentId: string,
  entries: readonly (Omit<NewEntry, 'kind'> & { readonly kind: IncidentTimelineEntry['kind'] })[],
  { at, by = null }: { readonly at: Date; readonly by?: { readonly id: string; readonly name: string } | null },
): Promise<readonly string[]> {
  if (entries.length === 0) return [];
  const ids = entries.map(() => newId('ine', at.getTime()));
  const rows = entries.map((entry, index) => ({ ...entry, id: ids[index]!, place: index }));
  // They are read in the order of their times, and these follow each other.
  await sql`
    insert into incident_entries (id, organization_id, incident_id, at, kind, by_id, by_name, text, fingerprint, value,
      threshold)
    select id, ${transaction.tenantId}, ${incidentId}, ${at}::timestamptz + place * interval '1 microsecond', kind,
      ${by?.id ?? null}, ${by?.name ?? null}, text, fingerprint, value, threshold
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, place integer, kind text, text text,
      fingerprint text, value float8, threshold float8)`.execute(transaction);
  return ids;
}

/** An incident with what decisions about it need. */
export interface FoundIncident {
  readonly id: string;
  readonly kept: KeptIncident;
  readonly notices: Notices;
}

/** Locks the last incident of a group, until the transaction ends; null if it had none. */
export async function lockLastIncident(
  transaction: TenantTransaction,
  fingerprint: string,
): Promise<FoundIncident | null> {
  const row = await transaction
    .selectFrom('incidents')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('fingerprint', '=', fingerprint)
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : findKept(transaction, row);
}

/** Locks an incident until the transaction ends; null if there is none. */
export async function lockIncident(transaction: TenantTransaction, id: string): Promise<FoundIncident | null> {
  const row = await transaction
    .selectFrom('incidents')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : findKept(transaction, row);
}

/** Locks the unresolved incidents of a rule. */
export async function lockIncidentsOfRule(
  transaction: TenantTransaction,
  ruleId: string,
): Promise<readonly (FoundIncident & { readonly environmentId: string | null; readonly rule: IncidentRule })[]> {
  const rows = await transaction
    .selectFrom('incidents')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('rule_id', '=', ruleId)
    .where('state', '<>', 'resolved')
    .orderBy('id')
    .forUpdate()
    .execute();
  const found = [];
  for (const row of rows) {
    const kept = await findKept(transaction, row);
    found.push({ ...kept, environmentId: row.environment_id, rule: IncidentRule.parse(row.rule) });
  }
  return found;
}

async function findKept(transaction: TenantTransaction, row: Row): Promise<FoundIncident> {
  const members = await transaction
    .selectFrom('incident_members')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('incident_id', '=', row.id)
    // Of equal values the first is reported, whatever the order of the rows on disk.
    .orderBy('fingerprint')
    .execute();
  return {
    id: row.id,
    kept: {
      state: row.state,
      suppressed: row.suppressed,
      value: row.value,
      peakValue: row.peak_value,
      recoveredAt: row.recovered_at,
      measuredAt: row.measured_at,
      measuredValue: row.measured_value,
      members: new Map(members.map((member) => [member.fingerprint, keptMember(member)])),
    },
    notices: { notified: row.notified, escalation: row.escalation, count: row.notifications },
  };
}

function keptMember(row: MemberRow): KeptMember {
  return {
    fingerprint: row.fingerprint,
    labels: row.labels,
    state: row.state,
    value: row.value,
    peakValue: row.peak_value,
    threshold: row.threshold,
    since: row.since,
    recoveredAt: row.recovered_at,
    suppressedBy: row.suppressed_by,
    inhibitedBy: row.inhibited_by,
  };
}

/** Adds an incident of a group; its id. */
export async function insertIncident(
  transaction: TenantTransaction,
  incident: KeptIncident,
  { rule, group: { environmentId }, now }: Pick<EvaluatedGroup, 'rule' | 'group' | 'now'>,
  previousId: string | null,
): Promise<string> {
  const environment =
    environmentId === null
      ? undefined
      : await transaction
          .selectFrom('environments')
          .select(['name', 'display_name', 'production'])
          .where('organization_id', '=', transaction.tenantId)
          .where('id', '=', environmentId)
          .executeTakeFirst();
  const id = newId('inc', now.getTime());
  await transaction
    .insertInto('incidents')
    .values({
      id,
      organization_id: transaction.tenantId,
      fingerprint: fingerprintOf(rule.id, environmentId),
      rule_id: rule.id,
      environment_id: environmentId,
      environment_name: environment?.name ?? null,
      environment_production: environment?.production ?? false,
      title: environment === undefined ? rule.name : `${rule.name} in ${environment.display_name}`,
      opened_at: now,
      previous_id: previousId,
      ...columnsOf(incident, rule),
    })
    .execute();
  return id;
}

function columnsOf(incident: KeptIncident, rule: IncidentRule) {
  const members = [...incident.members.values()];
  return {
    rule: JSON.stringify(rule),
    severity: rule.severity,
    state: incident.state,
    value: incident.value,
    peak_value: incident.peakValue,
    members: members.length,
    firing_members: members.filter(({ state }) => state === 'firing').length,
    suppressed: incident.suppressed,
    recovered_at: incident.recoveredAt,
    measured_at: incident.measuredAt,
    measured_value: incident.measuredValue,
  };
}

/** Stores what an evaluation changed in an incident. */
export async function updateIncident(
  transaction: TenantTransaction,
  id: string,
  { outcome, incident, changed }: Transition,
  { rule, now }: Pick<EvaluatedGroup, 'rule' | 'now'>,
): Promise<void> {
  // A value is no change that a person's own could collide with.
  const isMove = outcome !== 'updated';
  await transaction
    .updateTable('incidents')
    .set({
      ...columnsOf(incident, rule),
      ...(outcome === 'resolved' && { resolved_at: now, summary: ownSummary(incident.members.size) }),
      ...(outcome === 'reopened' && { reopened_at: now, reopenings: sql<number>`reopenings + 1` }),
      ...(isMove && { version: sql<number>`version + 1` }),
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  await putMembers(transaction, id, changed);
}

/** Adds members to an incident, or changes them. */
export async function putMembers(
  transaction: TenantTransaction,
  incidentId: string,
  members: readonly KeptMember[],
): Promise<void> {
  if (members.length === 0) return;
  const rows = members.map((member) => ({
    fingerprint: member.fingerprint,
    labels: member.labels,
    proxy_id: member.labels.proxyId ?? null,
    proxy_name: member.labels.proxy ?? null,
    state: member.state,
    value: member.value,
    peak_value: member.peakValue,
    threshold: member.threshold,
    since: member.since,
    recovered_at: member.recoveredAt,
    suppressed_by: member.suppressedBy,
    inhibited_by: member.inhibitedBy,
  }));
  // As one parameter: an incident may have thousands of members, and each has new values at every evaluation.
  await sql`
    insert into incident_members (organization_id, incident_id, fingerprint, labels, proxy_id, proxy_name, state, value,
      peak_value, threshold, since, recovered_at, suppressed_by, inhibited_by)
    select ${transaction.tenantId}, ${incidentId}, given.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (fingerprint text, labels jsonb, proxy_id text,
      proxy_name text, state text, value float8, peak_value float8, threshold float8, since timestamptz,
      recovered_at timestamptz, suppressed_by text, inhibited_by text)
    on conflict (organization_id, incident_id, fingerprint) do update set labels = excluded.labels,
      proxy_name = excluded.proxy_name, state = excluded.state, value = excluded.value,
      peak_value = excluded.peak_value, threshold = excluded.threshold, since = excluded.since,
      recovered_at = excluded.recovered_at, suppressed_by = excluded.suppressed_by,
      inhibited_by = excluded.inhibited_by`.execute(transaction);
}

/** Who moved an incident, and when. */
interface Mover {
  readonly by: { readonly id: string; readonly name: string };
  readonly now: Date;
}

/** Stores a person's move, with its entry in the timeline. */
export async function moveIncident(
  transaction: TenantTransaction,
  id: string,
  move: PersonalMove,
  { by, now }: Mover,
): Promise<void> {
  await transaction
    .updateTable('incidents')
    .set({
      ...(move.kind === 'acknowledge' && {
        state: 'acknowledged',
        owner_id: by.id,
        owner_name: by.name,
        acknowledged_at: sql<Date>`coalesce(acknowledged_at, ${now})`,
      }),
      ...(move.kind === 'monitor' && { state: 'monitoring', monitoring_at: now }),
      ...(move.kind === 'resolve' && {
        state: 'resolved',
        resolved_at: now,
        resolved_by: by.id,
        resolved_by_name: by.name,
        summary: move.summary,
      }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  await addEntries(transaction, id, [entryOfMove(move)], { at: now, by });
}

/** Stores who is notified of an incident, and in which order. */
export async function setNotices(
  transaction: TenantTransaction,
  id: string,
  { notified, escalation, count }: Notices,
): Promise<void> {
  await transaction
    .updateTable('incidents')
    .set({ notified: [...notified], escalation: JSON.stringify(escalation), notifications: count })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Whether an incident is one that escalates: nobody has acknowledged it, and nothing suppresses it. */
export async function isUnacknowledged(transaction: TenantTransaction, id: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('incidents')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('suppressed', '=', false)
    .executeTakeFirst();
  return row !== undefined;
}
