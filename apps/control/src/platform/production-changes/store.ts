import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { JsonObject, Schema, TenantTransaction } from '../../database/schema.ts';
import type { FieldChange } from '../../frame/audit.ts';
import type { Caller } from '../../frame/caller.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { AnyControlOperation, ProductionChange } from '../../frame/operation.ts';
import { declaredOperations } from '../../frame/operation.ts';
import { accountIds, type Persons } from '../../frame/persons.ts';
import { completeSettings } from '../../identity/organizations/rules.ts';

export type PresentedChange = z.infer<typeof ProductionChange>;
type Row = Selectable<Schema['production_changes']>;

/** Whether the organization requires another person's approval for changes to production. */
export async function asksForApproval(transaction: TenantTransaction): Promise<boolean> {
  const { settings } = await transaction
    .selectFrom('organizations')
    .select('settings')
    .where('id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return completeSettings(settings).approval.productionChanges;
}

interface NewChange {
  readonly id: string;
  readonly operation: string;
  readonly sealedInput: Buffer;
  readonly shownInput: JsonObject;
  readonly entityId: string | null;
  readonly entityName: string;
  readonly entityVersion: number | null;
  readonly entityState: string | null;
  readonly changes: readonly FieldChange[];
  readonly note: string;
  readonly requester: Caller;
  readonly authorKeys: readonly string[];
}

export async function insertChange(transaction: TenantTransaction, change: NewChange): Promise<PresentedChange> {
  const { requester } = change;
  const row = await transaction
    .insertInto('production_changes')
    .values({
      id: change.id,
      organization_id: transaction.tenantId,
      operation: change.operation,
      sealed_input: change.sealedInput,
      shown_input: JSON.stringify(change.shownInput),
      entity_id: change.entityId,
      entity_name: change.entityName,
      entity_version: change.entityVersion,
      entity_state: change.entityState,
      changes: JSON.stringify(change.changes),
      note: change.note,
      requested_by: requester.id,
      requested_by_kind: requester.kind === 'user' ? 'user' : 'service_account',
      requested_by_name: requester.name,
      author_keys: [...change.authorKeys],
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}

interface Filters extends Listing {
  readonly state?: PresentedChange['state'] | undefined;
  readonly requestedBy?: string | undefined;
  readonly mine?: boolean | undefined;
  readonly approvable?: boolean | undefined;
}

const columns = { createdAt: 'created_at', updatedAt: 'updated_at', entityName: 'entity_name' };

export async function listChanges(transaction: TenantTransaction, filters: Filters, caller: Caller, persons: Persons) {
  const { state, requestedBy, mine, approvable } = filters;
  let query = transaction
    .selectFrom('production_changes')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['entity_name', 'note', 'requested_by_name'], filters.search));
  if (state !== undefined) query = query.where('state', '=', state);
  if (requestedBy !== undefined) query = query.where('requested_by', '=', requestedBy);
  if (mine !== undefined) {
    const own = sql<boolean>`author_keys && ${[caller.id, ...caller.userIds]}::text[]`;
    query = query.where(mine ? own : sql<boolean>`not ${own}`);
  }
  if (approvable !== undefined) {
    const permitted = caller.permissions.has('deployment.prod') && caller.userIds.length > 0;
    const possible = sql<boolean>`(${permitted} and state = 'pending' and not author_keys && ${[...persons.approverKeys]}::text[])`;
    query = query.where(approvable ? possible : sql<boolean>`not ${possible}`);
  }
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { changes: rows.map(present), total };
}

/** A change with the stored call; null if the change doesn't exist. */
export async function findChange(
  transaction: TenantTransaction,
  id: string,
  { lock = false } = {},
): Promise<{ readonly change: PresentedChange; readonly row: Row } | null> {
  const query = transaction
    .selectFrom('production_changes')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : { change: present(row), row };
}

/** Stores a decision; the stored call is deleted. */
export async function decideChange(
  transaction: TenantTransaction,
  id: string,
  decision: {
    readonly state: Exclude<PresentedChange['state'], 'pending'>;
    readonly decider: Pick<Caller, 'id' | 'name'>;
    readonly reason: string | null;
  },
  now: Date,
): Promise<PresentedChange> {
  const row = await transaction
    .updateTable('production_changes')
    .set({
      state: decision.state,
      sealed_input: Buffer.alloc(0),
      decided_by: decision.decider.id,
      decided_by_name: decision.decider.name,
      decided_at: now,
      reason: decision.reason,
      version: sql`version + 1`,
      updated_at: now,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}

/** The operation of a stored change, which a later version of the service may no longer have. */
export function operationOf(id: string): AnyControlOperation | null {
  return declaredOperations.find((operation) => operation.id === id) ?? null;
}

function present(row: Row): PresentedChange {
  const operation = operationOf(row.operation);
  return {
    id: row.id,
    operation: row.operation,
    summary: operation?.summary ?? row.operation,
    entityType: operation?.audit?.entityType ?? '',
    entityId: row.entity_id,
    entityName: row.entity_name,
    entityVersion: row.entity_version,
    state: row.state,
    note: row.note,
    // Read from JSON.
    changes: row.changes as PresentedChange['changes'],
    requestedBy: row.requested_by,
    requestedByName: row.requested_by_name,
    authorIds: [...accountIds(row.author_keys)],
    decidedBy: row.decided_by,
    decidedByName: row.decided_by_name,
    decidedAt: row.decided_at?.toISOString() ?? null,
    reason: row.reason,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
