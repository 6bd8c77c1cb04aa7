import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { newId } from '@millrace/identifiers';
import { type LastStatement, tenantTransaction } from '@millrace/postgres';
import { CompiledQuery, type Kysely } from 'kysely';
import { DatabaseError } from 'pg';
import type { ControlDatabase, JsonValue, Schema } from '../database/schema.ts';
import type { Caller, Origin } from './caller.ts';
import { type ChainEnd, ChainEnds, type ChainTurn } from './chain-ends.ts';
import type { Audited } from './handler.ts';

/** A row of the audit trail before it has its place in the chain. */
export interface AuditRow {
  readonly organizationId: string;
  readonly at: Date;
  readonly actorKind: 'user' | 'service_account' | 'gateway_node' | 'portal_user' | 'anonymous' | 'system';
  readonly actorId: string | null;
  readonly actorName: string;
  readonly operation: string;
  readonly entityType: string;
  readonly entityId: string | null;
  readonly category: 'configuration' | 'deployment' | 'security' | 'governance';
  readonly severity: 'low' | 'medium' | 'high';
  readonly outcome: 'done' | 'denied' | 'failed';
  readonly note: string;
  readonly changes: readonly FieldChange[];
  readonly origin: Omit<Origin, 'cookies'>;
}

/** One field before and after; an absent side is null. */
export interface FieldChange {
  readonly path: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** Chains, seals and checks the audit trail. */
export interface AuditChain {
  /** The MAC of a row in its place: over the row's content and the MAC of the row before. */
  rowHash(previous: Uint8Array, row: HashedRow): Buffer;
  /** The MAC of a chain's end, which reveals a removed tail. */
  headSeal(organizationId: string, sequence: bigint | string, hash: Uint8Array): Buffer;
  readonly ends: ChainEnds;
}

/** A row as it is hashed: every column of `audit_entries` but the hash, times in ISO 8601, `changes` as its text. */
export type HashedRow = readonly [
  organizationId: string,
  sequence: string,
  id: string,
  at: string,
  actorKind: string,
  actorId: string | null,
  actorName: string,
  operation: string,
  entityType: string,
  entityId: string | null,
  category: string,
  severity: string,
  outcome: string,
  ip: string,
  userAgent: string,
  requestId: string,
  note: string,
  changes: string,
];

/** What the first row of an organization is chained to. */
export const chainStart = Buffer.alloc(32);

/**
 * The chain's MACs are keyed, and the key is not in the database: who can write to the database alone, as its superuser
 * or from a backup, cannot make a row or a chain's end that passes.
 *
 * @param encryptionKey the service's, 32 bytes
 */
export function createAuditChain(encryptionKey: Uint8Array): AuditChain {
  const mac = createMac(Buffer.from(hkdfSync('sha256', encryptionKey, '', 'millrace audit chain', 32)));
  return {
    rowHash: (previous, row) => mac(['row', previous, JSON.stringify(row)]),
    headSeal: (organizationId, sequence, hash) => mac([`head ${organizationId} ${sequence} `, hash]),
    ends: new ChainEnds(),
  };
}

const sha256BlockBytes = 64;

/**
 * HMAC-SHA256 (RFC 2104) as two hashes, each by one call: for short messages a quarter of the time of Node's `Hmac`, which
 * every write and each row of a verification would pay.
 *
 * @param key no longer than a block of the hash
 */
function createMac(key: Uint8Array): (parts: readonly (string | Uint8Array)[]) => Buffer {
  const padded = Buffer.concat([key], sha256BlockBytes);
  const inner = padded.map((byte) => byte ^ 0x36);
  const outer = padded.map((byte) => byte ^ 0x5c);
  return (parts) => {
    const message = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    const innerHash = hash('sha256', Buffer.concat([inner, ...message]), 'buffer');
    return hash('sha256', Buffer.concat([outer, innerHash]), 'buffer');
  };
}

/** Whether two MACs are the same, in a time that does not tell where they differ. */
export function sameHash(first: Uint8Array, second: Uint8Array): boolean {
  return first.length === second.length && timingSafeEqual(first, second);
}

const lockHead = `insert into audit_heads (organization_id, sequence, hash, seal) values ($1, 0, $2, '')
  on conflict (organization_id) do update set sequence = audit_heads.sequence returning sequence, hash`;

/**
 * One message for both: the row, and the chain's new end. Where the chain does not end as the row was made for, it fails:
 * it divides by zero, since a statement has no other means to.
 */
const append = `with head as (
    update audit_heads set sequence = $2, hash = $19, seal = $20
    where organization_id = $1 and sequence = $2 - 1 and hash = $21 returning 1)
  insert into audit_entries (organization_id, sequence, id, at, actor_kind, actor_id, actor_name, operation,
    entity_type, entity_id, category, severity, outcome, ip, user_agent, request_id, note, changes, hash)
  values ($1, $2 / (select count(*) from head), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`;
const divisionByZero = '22012';

/** The statement that appends a row to its chain, and the end that the chain has then. */
export interface Append extends LastStatement {
  readonly end: ChainEnd;
}

/**
 * Carries out a transaction whose last statement is of {@link chainAudit}. Where the end of the chain was guessed and
 * another process has moved it, the transaction is undone, and carried out once more.
 *
 * @param transact runs the whole transaction, with its turn at the chain
 */
export async function chained<Result extends { readonly last: Append | null }>(
  chain: AuditChain,
  transact: (turn: ChainTurn) => Promise<Result>,
  mayGuess = true,
): Promise<Result> {
  const turn = chain.ends.turn(mayGuess);
  try {
    const result = await transact(turn);
    turn.end(result.last?.end ?? null);
    return result;
  } catch (error) {
    const guessedWrong = turn.guessed && error instanceof DatabaseError && error.code === divisionByZero;
    turn.end(null, guessedWrong);
    if (!guessedWrong) throw error;
  }
  return chained(chain, transact, false);
}

/**
 * Gives a row its place in its organization's chain, in the transaction of the write it records, and returns the
 * statement that writes it: the write's last one, executed before the commit. From here to the commit it is the only
 * write at the chain's end: in this process by its turn, and across processes by the lock, which the statement itself
 * takes if the end was guessed. Other organizations' chains are not affected.
 *
 * @param after the row that the same write appended before this one
 */
export async function chainAudit(
  transaction: Kysely<Schema>,
  chain: AuditChain,
  row: AuditRow,
  turn: ChainTurn,
  after?: Append,
): Promise<Append> {
  const { organizationId, origin } = row;
  const before = after?.end ?? (await turn.begin(organizationId)) ?? (await lockEnd(transaction, organizationId));
  const sequence = before.sequence + 1n;
  const columns: HashedRow = [
    organizationId,
    sequence.toString(),
    newId('aud', row.at.getTime()),
    row.at.toISOString(),
    row.actorKind,
    row.actorId,
    row.actorName,
    row.operation,
    row.entityType,
    row.entityId,
    row.category,
    row.severity,
    row.outcome,
    origin.ip,
    origin.userAgent,
    origin.requestId,
    row.note,
    JSON.stringify(row.changes),
  ];
  const hash = chain.rowHash(before.hash, columns);
  const seal = chain.headSeal(organizationId, sequence, hash);
  return {
    name: 'append audit',
    text: append,
    parameters: [...columns, hash, seal, before.hash],
    end: { sequence, hash },
  };
}

async function lockEnd(transaction: Kysely<Schema>, organizationId: string): Promise<ChainEnd> {
  const { rows } = await transaction.executeQuery<{ sequence: string; hash: Buffer }>(
    CompiledQuery.raw(lockHead, [organizationId, chainStart]),
  );
  const { sequence, hash } = rows[0]!;
  return { sequence: BigInt(sequence), hash };
}

/** Adds a row to its organization's chain, in a transaction that does nothing else. */
export async function appendAudit(database: ControlDatabase, chain: AuditChain, row: AuditRow): Promise<void> {
  await chained(chain, (turn) =>
    tenantTransaction(
      database,
      row.organizationId,
      async (transaction) => ({ last: await chainAudit(transaction, chain, row, turn) }),
      { last: ({ last }) => last },
    ),
  );
}

/** Who did it, as the row says. */
export function actorOf(caller: Caller | null): Pick<AuditRow, 'actorKind' | 'actorId' | 'actorName'> {
  if (caller === null) return { actorKind: 'anonymous', actorId: null, actorName: 'anonymous' };
  return { actorKind: caller.kind, actorId: caller.id, actorName: caller.name };
}

/** Fields that every change changes, and that tell nothing. */
const uninteresting = new Set(['version', 'updatedAt']);
const mostChanges = 500;
const mostTextLength = 2_000;

/** What differs between two public forms of an entity, field by field; lists and nested objects by their paths. */
export function compareFields(before: Audited, after: Audited): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  collect('', (before ?? {}) as Fields, (after ?? {}) as Fields, changes, 0);
  return changes;
}

type Fields = Readonly<Record<string, JsonValue | undefined>>;

function collect(path: string, before: Fields, after: Fields, into: FieldChange[], depth: number): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (into.length >= mostChanges) return;
    if (depth === 0 && uninteresting.has(key)) continue;
    const first = before[key];
    const second = after[key];
    const at = path === '' ? key : `${path}.${key}`;
    if (depth < 6 && isObject(first) && isObject(second)) collect(at, first, second, into, depth + 1);
    else if (!same(first, second)) into.push({ path: at, before: bounded(first), after: bounded(second) });
  }
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null;
}

function same(first: JsonValue | undefined, second: JsonValue | undefined): boolean {
  return first === second || JSON.stringify(first ?? null) === JSON.stringify(second ?? null);
}

/** A value in the trail is for reading; a long one is cut, and says so. */
function bounded(value: JsonValue | undefined): JsonValue {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  if (text.length <= mostTextLength) return value;
  return `${text.slice(0, mostTextLength)}… (${text.length} characters)`;
}
