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
import type { Authenticate, AuthenticatePortal } from './authenticate.ts';
import type { Caller, Origin, PortalCaller } from './caller.ts';
import type { ChainTurn } from './chain-ends.ts';
import { credentialsOf, originOf, portalTokenOf, sessionCookie } from './credentials.ts';
import { ApiError, type ErrorCode, permissionRequired } from './errors.ts';
import { carryOutEvents, collectEvents, type Subscriber } from './events.ts';
import type { CallerContext, Change, Download, Written } from './handler.ts';
import { claimIdempotencyKey, type IdempotencyKeys } from './idempotency.ts';
import { type AnyControlOperation, heldStatus } from './operation.ts';
import { type Outbox, putMail } from './outbox.ts';
import { type FindPortal, portalAddressOf } from './portals.ts';
import { mayWait, type ProductionReach, reachOf, requireProductionRight } from './production.ts';
import { refuseUnstorableText } from './unstorable-text.ts';

/** What the frame works with. */
export interface FrameParts {
  readonly database: ControlDatabase;
  readonly authenticate: Authenticate;
  readonly authenticatePortal: AuthenticatePortal;
  readonly findPortal: FindPortal;
  readonly chain: AuditChain;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly outbox: Outbox;
  readonly bodies: BodyReader;
  readonly production: ProductionGate;
  /** What domain events lead to, in its order. */
  readonly subscribers: readonly Subscriber[];
  /** This service's own origins, as browsers name them in `Origin`; the portal has its organizations' domains too. */
  ownOrigins(request: FastifyRequest, of: 'console' | 'portal'): Promise<readonly string[]>;
  readonly secureCookies: boolean;
}

/** Stops changes to what production callers get without the permission, or without the approval that the organization requires. */
export interface ProductionGate {
  /** Whether a write changed something that production callers get. */
  reaches(transaction: TenantTransaction, reach: ProductionReach, change: Change): Promise<boolean>;
  /** Whether the organization requires another person's approval for such changes. */
  asksForApproval(transaction: TenantTransaction): Promise<boolean>;
  /** Stores the change, which was rolled back, until it is approved or rejected. */
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
 * A change to production without the permission is denied after its handler has run, since only then is it known
 * what it changes; a change that needs approval is rolled back and held.
 *
 * A read runs in a transaction that can only read. A write's audit row and its mail commit with it or not at all. A
 * denied call, and one that a domain rule rejects, leaves an audit row of its own.
 */
export async function execute(
  parts: FrameParts,
  operation: AnyControlOperation,
  handle: UntypedHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const origin = originOf(request);
  const caller = await authenticate(parts, operation, request, reply);
  const organizationId = await authorize(parts, operation, caller, request, origin);

  const input = await readInput(operation, withoutTarget(request, isOfPortal(operation)), parts.bodies);
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
    // If the transaction is repeated, the call must not start anything twice.
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

/**
 * The caller by what the operation accepts: a session of the portal is worth nothing elsewhere, and nothing else is worth
 * anything in the portal.
 *
 * @throws ApiError `forbidden` for a write that another site's page makes the browser send
 */
async function authenticate(
  parts: FrameParts,
  operation: AnyControlOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> {
  const { secureCookies } = parts;
  const kind = isOfPortal(operation) ? 'portal' : 'console';
  const sent = credentialsOf(request, secureCookies);
  if (operation.method !== 'GET' && (kind === 'portal' || sent.bearerToken === null)) {
    if (isForeignRequest(request.headers, await parts.ownOrigins(request, kind))) {
      throw new ApiError('forbidden', {
        message: `This request didn’t come from the ${kind === 'portal' ? 'developer portal' : 'console'}. Open it at the address in MILLRACE_CONTROL_PUBLIC_URL.`,
      });
    }
  }
  const found =
    kind === 'portal'
      ? await parts.authenticatePortal(portalTokenOf(request, secureCookies))
      : await parts.authenticate(sent);
  if (found?.newToken) reply.header('set-cookie', sessionCookie(found.newToken, secureCookies, kind));
  return found?.caller ?? null;
}

function isOfPortal({ auth }: AnyControlOperation): boolean {
  return auth === 'portal' || auth === 'portal_visitor';
}

/** Of the audit row of a change held for approval; its operation is the one that was called. */
const heldAudit = { category: 'governance', severity: 'medium', entityType: 'production_change' } as const;

/** Whether the organization requires approval for the operation if it changes production. */
async function waitsForApproval(
  { production }: FrameParts,
  operation: AnyControlOperation,
  transaction: Kysely<Schema>,
): Promise<boolean> {
  // Only operations within an organization can affect production.
  return mayWait(operation.production) && production.asksForApproval(transaction as TenantTransaction);
}

/**
 * What was changed, if it affects production callers; otherwise null.
 *
 * @throws ApiError `forbidden` if the caller lacks the permission
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

/** A transaction's response, and its last statement: the audit row of a write. */
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
  /** Of the response, as set by the handler. */
  readonly headers: Record<string, string | string[]>;
  /** What runs after the commit. */
  readonly pending: { mail: boolean; readonly begins: (() => void)[] };
}

/** Authorizes the caller and determines the call's organization; a denied call is audited. */
async function authorize(
  parts: FrameParts,
  operation: AnyControlOperation,
  caller: Caller | null,
  request: FastifyRequest,
  origin: Origin,
): Promise<string> {
  if (operation.auth === 'public') return '';
  if (isOfPortal(operation))
    return organizationOfPortal(parts, operation, caller as PortalCaller | null, request, origin);
  if (caller === null) throw new ApiError('not_signed_in', { headers: { 'www-authenticate': 'Bearer' } });
  const target = targetOrganization(request);
  const refusal =
    (target !== null && target !== caller.homeOrganizationId && !caller.superAdmin
      ? 'Only a Super Admin can select another organization. Leave organizationId out.'
      : null) ?? missingRight(operation, caller);
  if (refusal === null) {
    if (operation.scope === 'home') return caller.homeOrganizationId;
    return target ?? organizationOfPath(operation, caller, request) ?? caller.homeOrganizationId;
  }
  await appendRefused(parts, operation, caller, origin, refusal, 'denied');
  throw new ApiError('forbidden', { message: refusal });
}

/**
 * The organization whose portal the call is about: the address's, which a session has to be of, or else the session's.
 *
 * @throws ApiError `not_found` if there is no open portal at the address
 */
async function organizationOfPortal(
  parts: FrameParts,
  operation: AnyControlOperation,
  caller: PortalCaller | null,
  request: FastifyRequest,
  origin: Origin,
): Promise<string> {
  const address = portalAddressOf(request);
  const named = await parts.findPortal(address);
  if (named === null && (address.organization !== null || caller === null) && operation.auth === 'portal_visitor') {
    throw new ApiError('not_found', { message: 'There is no developer portal at this address.' });
  }
  if (operation.auth === 'portal_visitor') return named ?? caller!.homeOrganizationId;
  if (caller === null || (named !== null && named !== caller.homeOrganizationId)) {
    throw new ApiError('not_signed_in', { message: 'Sign in to this developer portal.' });
  }
  if (!operation.portalRoles.includes(caller.role)) {
    const roles = operation.portalRoles.join(' or ');
    const refusal = `This requires the role ${roles} in your developer account. Ask an owner of it.`;
    await appendRefused(parts, operation, caller, origin, refusal, 'denied');
    throw new ApiError('forbidden', { message: refusal });
  }
  return caller.homeOrganizationId;
}

/** What the caller lacks, as a sentence; null if nothing. */
function missingRight(operation: AnyControlOperation, caller: Caller): string | null {
  const { permissions, alsoNeeded, restriction, auth } = operation;
  if (auth === 'node' && caller.kind !== 'gateway_node') return 'Only gateway nodes can call this.';
  if (auth !== 'node' && caller.kind === 'gateway_node')
    return 'A gateway node’s token is only valid for the operations of gateway nodes.';
  if (restriction === 'Super Admin' && !caller.superAdmin) return 'Only a Super Admin can do this.';
  if (permissions.length > 0 && !permissions.some((permission) => caller.permissions.has(permission))) {
    return permissionRequired(permissions);
  }
  const missing = alsoNeeded.find((permission) => !caller.permissions.has(permission));
  return missing === undefined ? null : `This also requires the permission ${missing}.`;
}

/** Audits a denied attempt in the caller's own organization. */
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

/** The organization in the path of a Super Admin’s call, if any. */
function organizationOfPath(operation: AnyControlOperation, caller: Caller, request: FastifyRequest): string | null {
  const { organizationId } = request.params as { organizationId?: string };
  if (operation.scope !== 'organization' || !caller.superAdmin || organizationId === undefined) return null;
  return /^[a-z0-9_]{1,64}$/.test(organizationId) ? organizationId : null;
}

/** The organization that a Super Admin selects by query or header. */
function targetOrganization(request: FastifyRequest): string | null {
  const { organizationId } = request.query as { organizationId?: unknown };
  const named = organizationId ?? request.headers['x-organization-id'];
  if (named === undefined || named === '') return null;
  if (typeof named === 'string' && /^[a-z0-9_]{1,64}$/.test(named)) return named;
  throw new ApiError('invalid_request', { errors: { organizationId: 'Give the id of one organization.' } });
}

/** The request without the query parameters that the frame handles, which no operation declares. */
function withoutTarget(request: FastifyRequest, ofPortal: boolean): FastifyRequest {
  const query = request.query as { organizationId?: unknown; organization?: unknown };
  delete query.organizationId;
  if (ofPortal) delete query.organization;
  return request;
}

/** Error codes that mean a domain rule forbids the call, rather than that the call was malformed. */
const auditedRefusals: readonly ErrorCode[] = ['forbidden', 'conflict', 'too_many_requests'];

/** A write that a domain rule rejects is rolled back, and the attempt is audited. */
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
    { access, onReplica: operation.onReplica, last: ({ last }) => last },
  );
}

/** Runs the subscribers of the events that the handler's writes emitted; only writes within an organization emit any. */
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
 * Compares `If-Match` with the entity as the transaction found it; on a mismatch the write is rolled back. An entity
 * without a version, or one that the write creates, matches no tag (RFC 9110, 13.1.1).
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
    // The caller already has this version (RFC 9110, 13.1.2).
    const known = request.headers['if-none-match'];
    if (known !== undefined && known === reply.getHeader('etag')) return reply.code(304).send();
  }
  const code = operation.successStatus;
  return reply.code(code).send({ code, status: true, data });
}

function sendDownload(reply: FastifyReply, mediaType: string, { text, fileName, mediaType: own }: Download) {
  reply.header('content-disposition', `attachment; filename="${fileName}"`);
  if (text instanceof Uint8Array) return reply.type(own ?? mediaType).send(text);
  return reply.type(`${own ?? mediaType}; charset=utf-8`).send(typeof text === 'string' ? text : Readable.from(text));
}
