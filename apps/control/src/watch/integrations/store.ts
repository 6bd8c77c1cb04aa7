import { newId } from '@millrace/identifiers';
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Integration, IntegrationSettings } from './contract.ts';
import type { AttemptResult } from './outcome.ts';
import { failing } from './rules.ts';

export type PresentedIntegration = z.infer<typeof Integration>;

type Row = Selectable<Schema['integrations']> &
  Pick<
    Selectable<Schema['integration_states']>,
    'failing_since' | 'last_attempt_at' | 'last_delivered_at' | 'last_error' | 'stream_cursor' | 'streamed_until'
  > & { readonly health: PresentedIntegration['health']; readonly queued: number; readonly stream_waiting: number };

/** The sealed secrets of an integration: the current one, and the one before a rotation. */
export interface SealedSecrets {
  readonly current: Buffer | null;
  readonly previous: Buffer | null;
  readonly previousValidUntil: Date | null;
}

/** The context that a secret is sealed with: a copy at another integration can't be opened. */
export function secretContext(integrationId: string): string {
  return `integration secret ${integrationId}`;
}

const columns = { name: 'name', kind: 'kind', createdAt: 'created_at', updatedAt: 'updated_at' };

const health = sql<PresentedIntegration['health']>`case when state.last_attempt_at is null then 'unknown'
  when state.failures >= ${sql.lit(failing.attempts)}
    or state.failures > 0 and state.failing_since < now() - ${sql.lit(failing.hours)} * interval '1 hour' then 'failing'
  else 'working' end`;

/** Entries, ten-second figures or deliveries that still have to be sent. */
const waiting = sql<number>`case integrations.kind
  when 'siem' then (select head.sequence - coalesce(state.stream_cursor, 0) from audit_heads head
    where head.organization_id = integrations.organization_id)
  when 'opentelemetry' then (select count(*) from telemetry_reports report
    where report.organization_id = integrations.organization_id and report.integration_id = integrations.id)
  else 0 end`;

function selectIntegrations(transaction: TenantTransaction) {
  return transaction
    .selectFrom('integrations')
    .innerJoin('integration_states as state', (join) =>
      join
        .onRef('state.organization_id', '=', 'integrations.organization_id')
        .onRef('state.integration_id', '=', 'integrations.id'),
    )
    .selectAll('integrations')
    .select([
      'state.failing_since',
      'state.last_attempt_at',
      'state.last_delivered_at',
      'state.last_error',
      'state.stream_cursor',
      'state.streamed_until',
      health.as('health'),
      sql<number>`coalesce(${waiting}, 0)::int`.as('stream_waiting'),
      sql<number>`(select count(*) from integration_deliveries delivery
        where delivery.organization_id = integrations.organization_id and delivery.integration_id = integrations.id
          and delivery.state = 'queued')::int`.as('queued'),
    ])
    .where('integrations.organization_id', '=', transaction.tenantId);
}

interface Filters extends Listing {
  readonly kind?: PresentedIntegration['kind'] | undefined;
  readonly enabled?: boolean | undefined;
  readonly health?: PresentedIntegration['health'] | undefined;
}

export async function listIntegrations(transaction: TenantTransaction, filters: Filters) {
  let query = selectIntegrations(transaction).where((builder) =>
    matches(builder, ['integrations.name', 'integrations.kind'], filters.search),
  );
  if (filters.kind !== undefined) query = query.where('integrations.kind', '=', filters.kind);
  if (filters.enabled !== undefined) query = query.where('integrations.enabled', '=', filters.enabled);
  if (filters.health !== undefined) {
    query = query.where(sql`${health} = ${filters.health}` as Expression<SqlBool>);
  }
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { integrations: rows.map(presentIntegration), total };
}

/** @param lock blocks other writers until the commit */
export async function findIntegration(
  transaction: TenantTransaction,
  id: string,
  { lock = false } = {},
): Promise<PresentedIntegration | null> {
  const query = selectIntegrations(transaction).where('integrations.id', '=', id);
  const row = await (lock ? query.forUpdate('integrations') : query).executeTakeFirst();
  return row === undefined ? null : presentIntegration(row);
}

export async function countIntegrations(transaction: TenantTransaction): Promise<number> {
  const { count } = await transaction
    .selectFrom('integrations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The sealed secrets of an integration that exists. */
export async function findSealedSecrets(transaction: TenantTransaction, id: string): Promise<SealedSecrets> {
  const row = await transaction
    .selectFrom('integrations')
    .select(['sealed_secret', 'sealed_previous_secret', 'previous_valid_until'])
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    current: row.sealed_secret,
    previous: row.sealed_previous_secret,
    previousValidUntil: row.previous_valid_until,
  };
}

/** Creates an integration. A stream begins here: what was before is not sent. */
export async function insertIntegration(
  transaction: TenantTransaction,
  values: {
    readonly id: string;
    readonly name: string;
    readonly settings: IntegrationSettings;
    readonly sealedSecret: Buffer | null;
    readonly enabled: boolean;
  },
): Promise<PresentedIntegration> {
  const { id, settings } = values;
  await transaction
    .insertInto('integrations')
    .values({
      id,
      organization_id: transaction.tenantId,
      name: values.name,
      kind: settings.kind,
      settings: JSON.stringify(settings),
      sealed_secret: values.sealedSecret,
      enabled: values.enabled,
    })
    .execute();
  await sql`
    insert into integration_states (organization_id, integration_id, stream_cursor, stream_at)
    values (${transaction.tenantId}, ${id},
      case when ${settings.kind} = 'siem' then coalesce(
        (select sequence from audit_heads where organization_id = ${transaction.tenantId}), 0) end,
      case when ${settings.kind} in ('siem', 'opentelemetry') then now() end)`.execute(transaction);
  return findExisting(transaction, id);
}

/** Writes the given fields; omitted ones don't change. */
export async function updateIntegration(
  transaction: TenantTransaction,
  id: string,
  fields: {
    readonly name?: string | undefined;
    readonly settings?: IntegrationSettings | undefined;
    readonly enabled?: boolean | undefined;
    readonly secrets?: SealedSecrets | undefined;
  },
): Promise<PresentedIntegration> {
  const { name, settings, enabled, secrets } = fields;
  await transaction
    .updateTable('integrations')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(secrets === undefined
        ? {}
        : {
            sealed_secret: secrets.current,
            sealed_previous_secret: secrets.previous,
            previous_valid_until: secrets.previousValidUntil,
          }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  return findExisting(transaction, id);
}

/** Deletes an integration with its deliveries. */
export async function deleteIntegration(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('integrations')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** What is queued for an integration that is being disabled is not sent later. Returns how many deliveries that are. */
export async function skipQueued(transaction: TenantTransaction, integrationId: string): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('integration_deliveries')
    .set({ state: 'skipped' })
    .where('organization_id', '=', transaction.tenantId)
    .where('integration_id', '=', integrationId)
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** How an integration does, by its last attempt. */
export async function noteAttempt(
  transaction: TenantTransaction,
  integrationId: string,
  { at, error }: Pick<AttemptResult, 'at' | 'error'>,
): Promise<void> {
  await sql`
    update integration_states set
      failures = case when ${error === null} then 0 else failures + 1 end,
      failing_since = case when ${error === null} then null else coalesce(failing_since, ${at}::timestamptz) end,
      last_attempt_at = greatest(last_attempt_at, ${at}::timestamptz),
      last_delivered_at = case when ${error === null} then now() else last_delivered_at end,
      last_error = ${error?.message ?? null}
    where organization_id = ${transaction.tenantId} and integration_id = ${integrationId}`.execute(transaction);
}

export function newIntegrationId(): string {
  return newId('itg');
}

async function findExisting(transaction: TenantTransaction, id: string): Promise<PresentedIntegration> {
  const row = await selectIntegrations(transaction).where('integrations.id', '=', id).executeTakeFirstOrThrow();
  return presentIntegration(row);
}

function presentIntegration(row: Row): PresentedIntegration {
  const { previous_valid_until: previousValidUntil } = row;
  const isRotating = row.sealed_previous_secret !== null && (previousValidUntil?.getTime() ?? 0) > Date.now();
  const isStream = row.kind === 'siem' || row.kind === 'opentelemetry';
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    settings: storedSettings(row.settings),
    hasSecret: row.sealed_secret !== null,
    previousSecretValidUntil: isRotating ? previousValidUntil!.toISOString() : null,
    enabled: row.enabled,
    health: row.health,
    failingSince: row.failing_since?.toISOString() ?? null,
    lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
    lastDeliveredAt: row.last_delivered_at?.toISOString() ?? null,
    lastError: row.last_error,
    queued: row.queued,
    stream: isStream
      ? { sentUpTo: row.streamed_until?.toISOString() ?? null, waiting: Math.max(0, row.stream_waiting) }
      : null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Settings are only written as their schema parsed them. */
export function storedSettings(settings: Row['settings']): IntegrationSettings {
  return settings as unknown as IntegrationSettings;
}
