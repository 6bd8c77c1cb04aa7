import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type * as z from 'zod';
import { operations } from '../../contracts.ts';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches } from '../../frame/listing.ts';
import type { AuditEntry, AuditEntryWithChanges } from './contract.ts';

type Presented = z.infer<typeof AuditEntry>;
type PresentedWithChanges = z.infer<typeof AuditEntryWithChanges>;
type Row = Selectable<Schema['audit_entries']>;

/** By which entries are filtered; all of them hold. */
export interface AuditFilters {
  readonly search?: string | undefined;
  readonly actorId?: string | undefined;
  readonly actorKind?: Row['actor_kind'] | undefined;
  readonly entityType?: string | undefined;
  readonly entityId?: string | undefined;
  readonly category?: Row['category'] | undefined;
  readonly severity?: Row['severity'] | undefined;
  readonly outcome?: Row['outcome'] | undefined;
  readonly operation?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Entries of a filtered list are counted up to here: to count on would cost more than anybody pages through. */
const mostCounted = 10_000;
/** Actors whose name has the text of a search in it, at most. */
const mostActors = 200;

/** One page of the trail, and how many entries there are: see the contract for how exactly. */
export async function listAuditEntries(
  transaction: TenantTransaction,
  { page, pageSize, sort, ...filters }: Listing & AuditFilters,
): Promise<{ entries: Presented[]; total: number }> {
  const descending = sort.startsWith('-');
  const offset = (page - 1) * pageSize;
  if (Object.values(filters).every((value) => value === undefined || value === '')) {
    return listWhole(transaction, { descending, offset, pageSize });
  }
  const query = await filtered(transaction, filters);
  const direction = descending ? 'desc' : 'asc';
  const rows = await query
    .select(entryColumns)
    .orderBy('at', direction)
    .orderBy('sequence', direction)
    .limit(pageSize)
    .offset(offset)
    .execute();
  const entries = rows.map(present);
  const onLastPage = rows.length < pageSize && (rows.length > 0 || page === 1);
  if (onLastPage) return { entries, total: Math.min(offset + rows.length, mostCounted) };
  const { count } = await transaction
    .selectFrom(query.select(sql`1`.as('one')).limit(mostCounted).as('counted'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return { entries, total: count };
}

/** A page of the whole trail: its places follow from the sequence numbers, which have no gaps, so that none is skipped over. */
async function listWhole(
  transaction: TenantTransaction,
  { descending, offset, pageSize }: { descending: boolean; offset: number; pageSize: number },
) {
  const total = await lastSequence(transaction);
  const first = descending ? total - offset - pageSize + 1 : offset + 1;
  const rows = await transaction
    .selectFrom('audit_entries')
    .select(entryColumns)
    .where('organization_id', '=', transaction.tenantId)
    .where('sequence', '>=', String(first))
    .where('sequence', '<', String(first + pageSize))
    .orderBy('sequence', descending ? 'desc' : 'asc')
    .execute();
  return { entries: rows.map(present), total };
}

/** Number of the trail's last entry, 0 where it has none. */
export async function lastSequence(transaction: TenantTransaction): Promise<number> {
  const head = await transaction
    .selectFrom('audit_heads')
    .select('sequence')
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirst();
  return Number(head?.sequence ?? 0);
}

export async function findAuditEntry(transaction: TenantTransaction, id: string): Promise<PresentedWithChanges | null> {
  const row = await transaction
    .selectFrom('audit_entries')
    .select([...entryColumns, 'changes'])
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { ...present(row), changes: row.changes as PresentedWithChanges['changes'] };
}

/** Whether anything of the entity is in the trail. */
export async function hasEntityTrail(
  transaction: TenantTransaction,
  { entityType, entityId }: { readonly entityType: string; readonly entityId: string },
): Promise<boolean> {
  const row = await transaction
    .selectFrom('audit_entries')
    .select('sequence')
    .where('organization_id', '=', transaction.tenantId)
    .where('entity_id', '=', entityId)
    .where('entity_type', '=', entityType)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** An entry as it is exported, its changes as JSON text. */
export type ExportedEntry = Presented & { readonly changes: string };

/** The next entries of an export: those of the filters behind one sequence number, up to another. */
export async function exportEntries(
  transaction: TenantTransaction,
  filters: AuditFilters,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Promise<readonly ExportedEntry[]> {
  const rows = await (await filtered(transaction, filters))
    .select(entryColumns)
    .select(sql<string>`changes::text`.as('changes'))
    .where('sequence', '>', String(after))
    .where('sequence', '<=', String(last))
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...present(row), changes: row.changes }));
}

const entryColumns = [
  'id',
  'sequence',
  'at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'operation',
  'entity_type',
  'entity_id',
  'category',
  'severity',
  'outcome',
  'ip',
  'user_agent',
  'request_id',
  'note',
] as const;

async function filtered(transaction: TenantTransaction, filters: AuditFilters) {
  const search = await searchTerms(transaction, filters.search);
  let query = transaction.selectFrom('audit_entries').where('organization_id', '=', transaction.tenantId);
  if (search !== null) query = query.where((builder) => found(builder, search));
  if (filters.actorId !== undefined) query = query.where('actor_id', '=', filters.actorId);
  if (filters.actorKind !== undefined) query = query.where('actor_kind', '=', filters.actorKind);
  if (filters.entityType !== undefined) query = query.where('entity_type', '=', filters.entityType);
  if (filters.entityId !== undefined) query = query.where('entity_id', '=', filters.entityId);
  if (filters.category !== undefined) query = query.where('category', '=', filters.category);
  if (filters.severity !== undefined) query = query.where('severity', '=', filters.severity);
  if (filters.outcome !== undefined) query = query.where('outcome', '=', filters.outcome);
  if (filters.operation !== undefined) query = query.where('operation', '=', filters.operation);
  if (filters.from !== undefined) query = query.where('at', '>=', new Date(filters.from));
  if (filters.to !== undefined) query = query.where('at', '<', new Date(filters.to));
  return query;
}

/** What a text stands for among the values that the trail is indexed by. */
interface SearchTerms {
  readonly text: string;
  readonly actorIds: readonly string[];
  readonly operations: readonly string[];
}

/**
 * Row-level security keeps PostgreSQL from using an index for a part of a text, which would make every search read the
 * whole trail; it does not for equal values. So the text is looked for in the few names there are of actors and
 * operations, and in the trail the equal values.
 */
async function searchTerms(transaction: TenantTransaction, search: string | undefined): Promise<SearchTerms | null> {
  if (search === undefined || search === '') return null;
  const text = search.toLowerCase();
  const users = transaction
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'email'], search));
  const accounts = transaction
    .selectFrom('service_accounts')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name'], search));
  const actors = await users.unionAll(accounts).limit(mostActors).execute();
  return {
    text: search,
    actorIds: actors.map(({ id }) => id),
    operations: operations
      .filter(({ id, summary }) => id.toLowerCase().includes(text) || summary.toLowerCase().includes(text))
      .map(({ id }) => id),
  };
}

function found(
  builder: ExpressionBuilder<Schema, 'audit_entries'>,
  { text, actorIds, operations }: SearchTerms,
): Expression<SqlBool> {
  return builder.or([
    builder('entity_id', '=', text),
    builder('actor_id', 'in', [text, ...actorIds]),
    builder('id', '=', text),
    ...(operations.length === 0 ? [] : [builder('operation', 'in', operations)]),
  ]);
}

function present(row: Pick<Row, (typeof entryColumns)[number]>): Presented {
  return {
    id: row.id,
    sequence: Number(row.sequence),
    at: row.at.toISOString(),
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorName: row.actor_name,
    operation: row.operation,
    entityType: row.entity_type,
    entityId: row.entity_id,
    category: row.category,
    severity: row.severity,
    outcome: row.outcome,
    ip: row.ip,
    userAgent: row.user_agent,
    requestId: row.request_id,
    note: row.note,
  };
}
