import { type RawBuilder, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches } from '../../frame/listing.ts';
import { declaredOperations } from '../../frame/operation.ts';
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
  const terms = await searchTerms(transaction, filters.search);
  const conditions = sql.join(conditionsOf(transaction, filters), sql` and `);
  const direction = descending ? sql`desc` : sql`asc`;
  const matching = (limit: number, most: number | null = null) =>
    terms === null
      ? sql`select at, sequence from audit_entries where ${conditions}
            order by at ${direction}, sequence ${direction} limit ${limit}`
      : sql`select distinct at, sequence from (${searched(terms, conditions, direction, { limit, most })}) as entry`;
  const { rows } = await sql<EntryRow>`
    select ${sql.join(entryColumns.map((column) => sql.ref(column)))} from audit_entries
    where organization_id = ${transaction.tenantId} and sequence in (
      select sequence from (${matching(offset + pageSize)}) as entry
      order by at ${direction}, sequence ${direction} limit ${pageSize} offset ${offset})
    order by at ${direction}, sequence ${direction}`.execute(transaction);
  const entries = rows.map(present);
  const onLastPage = rows.length < pageSize && (rows.length > 0 || page === 1);
  if (onLastPage) return { entries, total: Math.min(offset + rows.length, mostCounted) };
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from (${matching(mostCounted, mostCounted * searchedColumns)}) as entry limit ${mostCounted}) as counted`.execute(
    transaction,
  );
  return { entries, total: counted.rows[0]!.count };
}

/** An entry is found at most once by each. */
const searchedColumns = 4;

/**
 * The first entries of each value that a search stands for, each found by its index; some more than once.
 *
 * @param limit of each value
 * @param most of all together, whichever they are; null: all of them
 */
function searched(
  { text, actorIds, operations }: SearchTerms,
  conditions: RawBuilder<unknown>,
  direction: RawBuilder<unknown>,
  { limit, most }: { readonly limit: number; readonly most: number | null },
): RawBuilder<unknown> {
  const by = (column: 'id' | 'entity_id' | 'actor_id' | 'operation', values: readonly string[]) => sql`
    select entry.at, entry.sequence from unnest(${values}::text[]) as wanted (value)
    cross join lateral (
      select at, sequence from audit_entries where ${conditions} and ${sql.ref(column)} = wanted.value
      order by at ${direction}, sequence ${direction} limit ${limit}) as entry`;
  const all = [
    by('id', [text]),
    by('entity_id', [text]),
    by('actor_id', [text, ...actorIds]),
    by('operation', operations),
  ];
  return sql`${sql.join(all, sql` union all `)} limit ${most}`;
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
  return row === undefined ? null : presentWithChanges(row);
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
  const terms = await searchTerms(transaction, filters.search);
  const conditions = conditionsOf(transaction, filters);
  if (terms !== null) conditions.push(anyOf(terms));
  const { rows } = await sql<EntryRow & { changes: string }>`
    select ${sql.join(entryColumns.map((column) => sql.ref(column)))}, changes::text as changes from audit_entries
    where ${sql.join(conditions, sql` and `)} and sequence > ${after} and sequence <= ${last}
    order by sequence limit ${limit}`.execute(transaction);
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

type EntryRow = Pick<Row, (typeof entryColumns)[number]>;

/** The filters but the search. */
function conditionsOf(transaction: TenantTransaction, filters: AuditFilters): RawBuilder<unknown>[] {
  const equal = {
    organization_id: transaction.tenantId,
    actor_id: filters.actorId,
    actor_kind: filters.actorKind,
    entity_type: filters.entityType,
    entity_id: filters.entityId,
    category: filters.category,
    severity: filters.severity,
    outcome: filters.outcome,
    operation: filters.operation,
  };
  return [
    ...Object.entries(equal).flatMap(([column, value]) =>
      value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`],
    ),
    ...(filters.from === undefined ? [] : [sql`at >= ${new Date(filters.from)}`]),
    ...(filters.to === undefined ? [] : [sql`at < ${new Date(filters.to)}`]),
  ];
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
    operations: declaredOperations
      .filter(({ id, summary }) => id.toLowerCase().includes(text) || summary.toLowerCase().includes(text))
      .map(({ id }) => id),
  };
}

function anyOf({ text, actorIds, operations }: SearchTerms): RawBuilder<unknown> {
  return sql`(id = ${text} or entity_id = ${text} or actor_id = any(${[text, ...actorIds]}::text[])
    or operation = any(${operations}::text[]))`;
}

export function presentWithChanges(row: EntryRow & Pick<Row, 'changes'>): PresentedWithChanges {
  // Written by the audit trail itself.
  return { ...present(row), changes: row.changes as PresentedWithChanges['changes'] };
}

function present(row: EntryRow): Presented {
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
