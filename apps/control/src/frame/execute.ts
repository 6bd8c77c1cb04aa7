import { Readable } from 'node:stream';
import { type BodyReader, readInput } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import { isForeignRequest } from '@millrace/sign-in/browsers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { ControlDatabase, Schema, TenantTransaction } from '../database/schema.ts';
import {
  type Append,
  type AuditChain,
  type AuditRow,
  actorOf,
  appendAudit,
  chainAudit,
  chained,
  compareFields,
} from './audit.ts';
import type { Authenticate } from './authenticate.ts';
import type { Caller, Origin } from './caller.ts';
import type { ChainTurn } from './chain-ends.ts';
import { credentialsOf, originOf, setSessionCookie } from './credentials.ts';
import { ApiError, type ErrorCode } from './errors.ts';
import { carryOutEvents, collectEvents, type Subscriber } from './events.ts';
import type { CallerContext, Change, Download, Written } from './handler.ts';
import { claimIdempotencyKey, type IdempotencyKeys } from './idempotency.ts';
import { type AnyControlOperation, heldStatus } from './operation.ts';
import { type Outbox, putMail } from './outbox.ts';
import { mayWait, type ProductionReach, reachOf, requireProductionRight } from './production.ts';
import { refuseUnstorableText } from './unstorable-text.ts';

/** What the frame works with. */
export interface FrameParts {
  readonly database: ControlDatabase;
  readonly authenticate: Authenticate;
  readonly chain: AuditChain;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly outbox: Outbox;
  readonly bodies: BodyReader;
  readonly production: ProductionGate;
  /** What domain events lead to, in its order. */
  readonly subscribers: readonly Subscriber[];
  /** This service's own origins, as browsers name them in `Origin`. */
  ownOrigins(request: FastifyRequest): readonly string[];
  readonly secureCookies: boolean;
}

/** Keeps what production callers get from changing without the right to it, and without approval where one is asked for. */
export interface ProductionGate {
  /** Whether what a write changed is something that production callers get. */
  reaches(transaction: TenantTransaction, reach: ProductionReach, change: Change): Promise<boolean>;
  /** Whether the organization has such changes wait for somebody else's approval. */
  asksForApproval(transaction: TenantTransaction): Promise<boolean>;
  /** Stores the change, which was undone, until somebody decides about it. */
  hold(
    context: CallerContext<TenantTransaction>,
    operation: AnyControlOperation,
    input: object,
    change: Change,
  ): Promise<Written<unknown>>;
}

/** A handler as the frame calls it, its input validated by the schemas it was typed from. */
export type UntypedHandler =
  | ((input: object, context: CallerContext<never>) => Promise<unknown>)
  | { prepare(input: object, call: Call): Promise<(context: CallerContext<never>) => Promise<unknown>> };

/**
 * Carries out one call: authenticate → authorize → parse → begin → handler → domain events → audit row → outbox row →
 * commit → answer.
 *
 * What would change production without the right to it is denied after its handler has run, since only then is it known
 * what it changes; what has to wait for approval is undone, and held in its place.
 *
 * A read runs in a transaction that can only read. A write's audit row and its mail commit with it or not at all. What
 * is denied, and what fails in a domain rule after it was let in, leaves an audit row of its own.
 */
export async function execute(
  parts: FrameParts,
  operation: AnyControlOperation,
  handle: UntypedHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const origin = originOf(request);
  const sent = credentialsOf(request, parts.secureCookies);
  if (operation.method !== 'GET' && sent.bearerToken === null) {
    if (isForeignRequest(request.headers, parts.ownOrigins(request))) {
      throw new ApiError('forbidden', {
        message: 'Send this from the console’s own pages, at the address in MILLRACE_CONTROL_PUBLIC_URL.',
      });
    }
  }
  const authenticated = await parts.authenticate(sent);
  if (authenticated?.newToken) setSessionCookie(reply, authenticated.newToken, parts.secureCookies);
  const caller = authenticated?.caller ?? null;
  const organizationId = await authorize(parts, operation, caller, request, origin);

  const input = await readInput(operation, withoutTarget(request), parts.bodies);
  refuseUnstorableText(input);
  const call: Call = {
    operation,
    caller,
    organizationId,
    origin,
    now: new Date(),
    headers: {},
    pending: { mail: false, begins: [] },
  };
  const respond =
    typeof handle === 'function'
      ? (context: CallerContext<never>) => handle(input, context)
      : await handle.prepare(input, call);
  const result = await auditingRefusals(parts, call, async (transaction, turn) => {
    // Carried out again, a call begins nothing twice.
    call.pending.begins.length = 0;
    const key = await claimIdempotencyKey(parts.idempotencyKeys, transaction, call, request, input);
    if (key?.answer) return { ...key.answer, last: null };
    const context = contextOf(parts, call, transaction) as CallerContext<never>;
    const waits = await waitsForApproval(parts, operation, transaction);
    if (waits) await sql`savepoint production_change`.execute(transaction);
    const returned = await respond(context);
    await settle(parts, call, transaction);
    if (operation.audit === null) {
      await key?.keep({ data: returned, held: false });
      return { data: returned, held: false, last: null };
    }
    const written = returned as Written<unknown>;
    if (written.change !== null) refuseStaleVersion(request, written.change);
    const change = await inProduction(parts, call, transaction, written.change);
    if (change === null || !waits) {
      await key?.keep({ data: written.data, held: false });
      const rows = { ...written, change: change ?? written.change };
      return { data: written.data, held: false, last: await appendRows(parts, call, transaction, rows, turn) };
    }
    await sql`rollback to savepoint production_change`.execute(transaction);
    call.pending.begins.length = 0;
    const held = await parts.production.hold(context, operation, input, change);
    await key?.keep({ data: held.data, held: true });
    const asHeld = { ...call, operation: { ...operation, audit: heldAudit } };
    return { data: held.data, held: true, last: await appendRows(parts, asHeld, transaction, held, turn) };
  });
  if (call.pending.mail) parts.outbox.wake();
  for (const begin of call.pending.begins) begin();
  return answer(request, reply, call, result);
}

/** Of the row that a change leaves which waits for approval; its operation is the one that was called. */
const heldAudit = { category: 'governance', severity: 'medium', entityType: 'production_change' } as const;

/** Whether the operation is one that the organization has wait for approval where it changes production. */
async function waitsForApproval(
  { production }: FrameParts,
  operation: AnyControlOperation,
  transaction: Kysely<Schema>,
): Promise<boolean> {
  // Only operations within an organization reach production.
  return mayWait(operation.production) && production.asksForApproval(transaction as TenantTransaction);
}

/**
 * What was changed, where production callers get something else by it; null where they don't.
 *
 * @throws ApiError `forbidden` where the caller has no right to that
 */
async function inProduction(
  { production }: FrameParts,
  { operation, caller }: Call,
  transaction: Kysely<Schema>,
  change: Change | null,
): Promise<Change | null> {
  const reach = reachOf(operation.production);
  if (reach === null || change === null) return null;
  if (!(await production.reaches(transaction as TenantTransaction, reach, change))) return null;
  requireProductionRight(caller);
  return { ...change, severity: 'high' };
}

/** Appends the rows of a write to the audit trail; the statement of the last one, which ends the transaction. */
async function appendRows(
  { chain }: FrameParts,
  call: Call,
  transaction: Kysely<Schema>,
  { change, also }: Written<unknown>,
  turn: ChainTurn,
): Promise<Append | null> {
  if (change === null) return null;
  const last = await chainAudit(transaction, chain, auditRow(call, change), turn);
  if (also === undefined) return last;
  await transaction.executeQuery(CompiledQuery.raw(last.text, [...last.parameters]));
  return chainAudit(transaction, chain, auditRow({ ...call, ...also }, also.change), turn, last);
}

/** What a transaction leaves to be answered, and the statement that it ends with: the audit row of a write. */
interface Outcome {
  readonly data: unknown;
  /** Whether the change was held for approval. */
  readonly held: boolean;
  readonly last: Append | null;
}

type Work = (transaction: Kysely<Schema>, turn: ChainTurn) => Promise<Outcome>;

/** One call, as far as it is known before its transaction. */
export interface Call {
  readonly operation: AnyControlOperation;
  readonly caller: Caller | null;
  readonly organizationId: string;
  readonly origin: Origin;
  readonly now: Date;
  /** Of the answer, as the handler sets them. */
  readonly headers: Record<string, string | string[]>;
  /** What waits for the commit. */
  readonly pending: { mail: boolean; readonly begins: (() => void)[] };
}

/** Lets the caller in, and says which organization the call is about; what is denied is audited. */
async function authorize(
  parts: FrameParts,
  operation: AnyControlOperation,
  caller: Caller | null,
  request: FastifyRequest,
  origin: Origin,
): Promise<string> {
  if (operation.auth === 'public') return '';
  if (caller === null) throw new ApiError('not_signed_in', { headers: { 'www-authenticate': 'Bearer' } });
  const target = targetOrganization(request);
  const refusal =
    (target !== null && target !== caller.homeOrganizationId && !caller.superAdmin
      ? 'Only a Super Admin can name another organization: leave organizationId out.'
      : null) ?? missingRight(operation, caller);
  if (refusal === null) {
    if (operation.scope === 'home') return caller.homeOrganizationId;
    return target ?? organizationOfPath(operation, caller, request) ?? caller.homeOrganizationId;
  }
  await appendRefused(parts, operation, caller, origin, refusal, 'denied');
  throw new ApiError('forbidden', { message: refusal });
}

/** Names the right that the caller lacks; null where none is missing. */
function missingRight(operation: AnyControlOperation, caller: Caller): string | null {
  const { permissions, alsoNeeded, restriction, auth } = operation;
  if (auth === 'node' && caller.kind !== 'gateway_node') return 'This is kept for gateway nodes.';
  if (auth !== 'node' && caller.kind === 'gateway_node') return 'A gateway node’s token admits to no other operation.';
  if (restriction === 'Super Admin' && !caller.superAdmin) return 'This is kept for the role Super Admin.';
  if (permissions.length > 0 && !permissions.some((permission) => caller.permissions.has(permission))) {
    return `This needs the permission ${permissions.join(' or ')}.`;
  }
  const missing = alsoNeeded.find((permission) => !caller.permissions.has(permission));
  return missing === undefined ? null : `This also needs the permission ${missing}.`;
}

/** Records an attempt that was refused, in the caller's own organization. */
async function appendRefused(
  parts: FrameParts,
  operation: AnyControlOperation,
  caller: Caller,
  origin: Origin,
  refusal: string,
  outcome: 'denied' | 'failed',
): Promise<void> {
  const row: AuditRow = {
    organizationId: caller.homeOrganizationId,
    at: new Date(),
    ...actorOf(caller),
    operation: operation.id,
    entityType: operation.audit?.entityType ?? 'operation',
    entityId: null,
    category: 'security',
    severity: 'medium',
    outcome,
    note: refusal,
    changes: [],
    origin,
  };
  await appendAudit(parts.database, parts.chain, row);
}

/** The organization that a Super Admin’s call is within, where its path names one. */
function organizationOfPath(operation: AnyControlOperation, caller: Caller, request: FastifyRequest): string | null {
  const { organizationId } = request.params as { organizationId?: string };
  if (operation.scope !== 'organization' || !caller.superAdmin || organizationId === undefined) return null;
  return /^[a-z0-9_]{1,64}$/.test(organizationId) ? organizationId : null;
}

/** The organization that a Super Admin names, by the query or the header. */
function targetOrganization(request: FastifyRequest): string | null {
  const { organizationId } = request.query as { organizationId?: unknown };
  const named = organizationId ?? request.headers['x-organization-id'];
  if (named === undefined || named === '') return null;
  if (typeof named === 'string' && /^[a-z0-9_]{1,64}$/.test(named)) return named;
  throw new ApiError('invalid_request', { errors: { organizationId: 'Give one organization’s id.' } });
}

/** The request without the query parameter that the frame has read, which no operation declares. */
function withoutTarget(request: FastifyRequest): FastifyRequest {
  delete (request.query as { organizationId?: unknown }).organizationId;
  return request;
}

/** By which a domain rule says that a call is not to be, and not that it was put wrongly. */
const auditedRefusals: readonly ErrorCode[] = ['forbidden', 'conflict', 'too_many_requests'];

/** A write that a domain rule refused is undone, and its attempt recorded. */
async function auditingRefusals(parts: FrameParts, call: Call, work: Work): Promise<Outcome> {
  try {
    return await chained(parts.chain, (turn) => inTransaction(parts, call, (transaction) => work(transaction, turn)));
  } catch (error) {
    const { operation, caller, origin } = call;
    const refused = error instanceof ApiError && auditedRefusals.includes(error.code);
    if (refused && operation.audit !== null && caller !== null) {
      await appendRefused(
        parts,
        operation,
        caller,
        origin,
        error.message,
        error.code === 'conflict' ? 'failed' : 'denied',
      );
    }
    throw error;
  }
}

async function inTransaction(
  { database }: FrameParts,
  { operation, organizationId }: Call,
  work: (transaction: Kysely<Schema>) => Promise<Outcome>,
): Promise<Outcome> {
  if (operation.scope === 'platform') {
    return database.system.transaction().execute(async (transaction) => {
      const outcome = await work(transaction);
      const { last } = outcome;
      if (last !== null) await transaction.executeQuery(CompiledQuery.raw(last.text, [...last.parameters]));
      return outcome;
    });
  }
  const access = operation.method === 'GET' && operation.audit === null ? 'read only' : 'read write';
  return tenantTransaction(
    database,
    organizationId,
    (transaction) => collectEvents(transaction, () => work(transaction)),
    { access, last: ({ last }) => last },
  );
}

/** Carries out what the handler's writes have emitted; only those within an organization emit anything. */
function settle(
  { subscribers }: FrameParts,
  { operation, caller }: Call,
  transaction: Kysely<Schema>,
  by: Caller | null = caller,
): Promise<void> {
  if (operation.scope === 'platform') return Promise.resolve();
  return carryOutEvents(subscribers, transaction as TenantTransaction, by);
}

function contextOf(parts: FrameParts, call: Call, transaction: Kysely<Schema>) {
  return {
    caller: call.caller,
    origin: call.origin,
    organizationId: call.organizationId,
    transaction,
    now: call.now,
    mail: (message: Parameters<typeof putMail>[3]) => putMail(parts.outbox, transaction, call, message),
    setHeader: (name: string, value: string | readonly string[]) => {
      call.headers[name] = typeof value === 'string' ? value : [...value];
    },
    settle: (by?: Caller) => settle(parts, call, transaction, by),
    afterCommit: (begin: () => void) => {
      call.pending.begins.push(begin);
    },
  };
}

/**
 * Holds `If-Match` against the entity as the transaction found it; what it wrote is undone where that does not match. A
 * thing without a version, or one that the write makes, matches no tag (RFC 9110, 13.1.1).
 */
function refuseStaleVersion(request: FastifyRequest, { before }: Change): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined) return;
  const tag = before && entityTag(before);
  const accepted = wanted.split(',').map((text) => text.trim());
  if (!accepted.includes('*') && (tag === null || !accepted.includes(tag))) throw new ApiError('version_conflict');
}

/** The ETag of an entity that carries its version. */
function entityTag(entity: object): string | null {
  return 'version' in entity && typeof entity.version === 'number' ? `"v${entity.version}"` : null;
}

function auditRow({ operation, caller, organizationId, origin, now }: Call, change: Change): AuditRow {
  const actor = change.actor && {
    actorKind: change.actor.kind,
    actorId: change.actor.id,
    actorName: change.actor.name,
  };
  return {
    organizationId: change.organizationId ?? organizationId,
    at: now,
    ...(actor ?? actorOf(caller)),
    operation: operation.id,
    entityType: operation.audit?.entityType ?? '',
    entityId: change.entityId,
    category: operation.audit?.category ?? 'configuration',
    severity: change.severity ?? operation.audit?.severity ?? 'low',
    outcome: 'done',
    note: change.note ?? '',
    changes: compareFields(change.before, change.after),
    origin,
  };
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { operation, headers }: Call,
  { data, held }: Outcome,
): FastifyReply {
  if (held) return reply.code(heldStatus).send({ code: heldStatus, status: true, data });
  reply.headers(headers);
  if (operation.download !== null) return sendDownload(reply, operation.download.mediaType, data as Download);
  if (operation.method === 'GET' && typeof data === 'object' && data !== null) {
    const tag = entityTag(data);
    if (tag !== null) reply.header('etag', tag);
    // What the caller holds is not sent again (RFC 9110, 13.1.2).
    const known = request.headers['if-none-match'];
    if (known !== undefined && known === reply.getHeader('etag')) return reply.code(304).send();
  }
  const code = operation.successStatus;
  return reply.code(code).send({ code, status: true, data });
}

function sendDownload(reply: FastifyReply, mediaType: string, { text, fileName, mediaType: own }: Download) {
  return reply
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .type(`${own ?? mediaType}; charset=utf-8`)
    .send(typeof text === 'string' ? text : Readable.from(text));
}
