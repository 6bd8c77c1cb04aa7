import type { AnyOperation, Operation, RequestArguments, RequestSchemas, Vocabulary } from '@millrace/operations';
import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { isPermission, type Permission } from './permissions.ts';
import { mayWait, type ProductionStatement } from './production.ts';

/** The sections of the API, in the order of the reference. */
export const tags = [
  'Auth',
  'Organizations',
  'Access',
  'Environments',
  'Target servers',
  'API proxies',
  'Policies',
  'Revisions',
  'Specifications',
  'Governance',
  'Lifecycle',
  'Deployments',
  'Production changes',
  'API products',
  'Developers',
  'Apps',
  'Subscriptions',
  'Rate plans',
  'Billing',
  'Analytics',
  'Portal',
  'Alerts',
  'Gateway nodes',
  'Integrations',
  'Audit',
] as const;
export type Tag = (typeof tags)[number];

/**
 * Who may call: anyone; anyone signed in to the console; a gateway node with its token; callers with one of the
 * permissions; anyone signed in to the developer portal; or anyone who visits it, signed in or not.
 */
export type Access =
  | 'public'
  | 'session'
  | 'node'
  | 'portal'
  | 'portal_visitor'
  | Permission
  | readonly [Permission, ...Permission[]];

/**
 * How a call authenticates: not at all, by a session or service account's token, by a gateway node's token, or by a
 * session of the developer portal, which `portal_visitor` does without.
 */
type Auth = 'public' | 'session' | 'node' | 'portal' | 'portal_visitor';

/** What a portal user may do in their developer account. `owner`: everything. */
export const portalRoles = ['owner', 'developer', 'billing', 'viewer'] as const;
export type PortalRole = (typeof portalRoles)[number];

/** The audit row of a write. */
export interface AuditStatement {
  readonly category: 'configuration' | 'deployment' | 'security' | 'governance';
  readonly severity: 'low' | 'medium' | 'high';
  /** What kind of thing is changed, such as `target_server`. */
  readonly entityType: string;
}

/** What every operation of the management API declares beyond HTTP. */
interface ControlStatement {
  /** Any one of them is enough; empty if no permission is required. */
  readonly permissions: readonly Permission[];
  /** All of these are required in addition. */
  readonly alsoNeeded: readonly Permission[];
  /** The only callers of the operation, whatever permissions others have; null: no restriction. */
  readonly restriction: 'Super Admin' | null;
  /** The portal users that may call it, by their role in the developer account; empty: not for them. */
  readonly portalRoles: readonly PortalRole[];
  /**
   * `organization`: runs in a transaction that sees the rows of the caller's organization only.
   * `home`: likewise, but always the caller's own organization, since it is about the caller.
   * `platform`: runs across organizations, since it is about them or finds its organization itself.
   */
  readonly scope: 'organization' | 'home' | 'platform';
  /** Null if it writes nothing to audit. */
  readonly audit: AuditStatement | null;
  /** Whether it can change what production callers get; null if nothing is written. */
  readonly production: ProductionStatement | null;
  /** Whether a read replica may answer: lists and analytics, which cost the database most. */
  readonly onReplica: boolean;
  readonly successStatus: 200 | 201;
  /** The response is not JSON but CSV or YAML text, streamed or complete. */
  readonly download: { readonly mediaType: string } | null;
}

interface ControlVocabulary extends Vocabulary {
  readonly errorCode: ErrorCode;
  readonly auth: Auth;
  readonly rateClass: 'standard' | 'sign_in';
  readonly extension: ControlStatement;
}

/** The envelope of every successful response. */
type Envelope<Data extends z.ZodType, Status extends number> = z.ZodObject<{
  code: z.ZodLiteral<Status>;
  status: z.ZodLiteral<true>;
  data: Data;
}>;

/** An enveloped response, or the text of a download. */
type Responses<Data extends z.ZodType, Status extends 200 | 201, Downloaded extends DownloadStatement> = {
  readonly [S in Status]: {
    readonly description: string;
    readonly body: [Downloaded] extends [null] ? Envelope<Data, S> : Data;
    readonly mediaType?: string;
  };
};

type Scope = ControlStatement['scope'];
type DownloadStatement = ControlStatement['download'];

/** One operation as a contract declares it; {@link defineOperation} adds the rest. */
interface Definition<
  Id extends string,
  Request extends RequestSchemas,
  Data extends z.ZodType,
  Status extends 200 | 201,
  Audit extends AuditStatement | null,
  Admitted extends Access,
  Within extends Scope,
  Downloaded extends DownloadStatement,
> {
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, with `:name` for each path parameter. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly access: Admitted;
  /** Permissions that the caller needs in addition to `access`, all of them. */
  readonly alsoNeeded?: readonly Permission[];
  readonly restriction?: 'Super Admin';
  /** With the access `portal`: which roles. Default: all. */
  readonly portalRoles?: readonly [PortalRole, ...PortalRole[]];
  /** Default: `organization`. */
  readonly scope?: Within;
  readonly rateClass?: 'sign_in';
  /** Null for operations that change nothing: a read, a check, a preview. */
  readonly audit: Audit;
  /** Every write declares whether it can change what production callers get. */
  readonly production?: ProductionStatement;
  readonly request: Request;
  /** The response's `data`; for a download, its text. */
  readonly data: Data;
  readonly status?: Status;
  readonly download?: Downloaded;
  /** In addition to those that any call of its kind may get. */
  readonly errors?: readonly ErrorCode[];
  readonly example: {
    readonly summary?: string;
    readonly request: RequestArguments<Request>;
    readonly data: z.input<Data>;
  };
}

/** An operation of the management API. */
export type ControlOperation<
  Id extends string,
  Request extends RequestSchemas,
  Data extends z.ZodType,
  Status extends 200 | 201,
  Audit extends AuditStatement | null,
  Admitting extends Auth,
  Within extends Scope,
  Downloaded extends DownloadStatement,
> = Operation<Id, Request, Responses<Data, Status, Downloaded>, ControlVocabulary> & {
  readonly audit: Audit;
  readonly auth: Admitting;
  readonly scope: Within;
  readonly download: Downloaded;
};

const noQuery = z.strictObject({});

const declared: AnyControlOperation[] = [];

/** Every operation that a loaded contract declares: in the service all of them, from its start on. */
export const declaredOperations: readonly AnyControlOperation[] = declared;

/** A write that doesn't declare this doesn't compile. */
type StatedAbout<Audit> = Audit extends null
  ? { readonly production?: never }
  : { readonly production: ProductionStatement };

/**
 * Declares an operation of the management API. Its answers are enveloped here, and the errors that any call of its kind
 * may meet are added: a contract states what is its own.
 */
export function defineOperation<
  const Id extends string,
  Request extends RequestSchemas,
  Data extends z.ZodType,
  const Audit extends AuditStatement | null,
  const Admitted extends Access,
  const Status extends 200 | 201 = 200,
  const Within extends Scope = 'organization',
  const Downloaded extends DownloadStatement = null,
>(
  definition: Definition<Id, Request, Data, Status, Audit, Admitted, Within, Downloaded> & StatedAbout<Audit>,
): ControlOperation<
  Id,
  Request,
  Data,
  Status,
  Audit,
  Admitted extends 'public' | 'node' | 'portal' | 'portal_visitor' ? Admitted : 'session',
  Within,
  Downloaded
> {
  const status = definition.status ?? 200;
  const { request, example } = definition;
  const access: Access = definition.access;
  const permissions: readonly Permission[] = typeof access !== 'string' ? access : isPermission(access) ? [access] : [];
  const isOpen = access === 'public' || access === 'portal_visitor';
  const written = definition.method !== 'GET';
  const errors: readonly ErrorCode[] = [
    'invalid_request',
    ...(isOpen ? [] : (['not_signed_in', 'forbidden'] as const)),
    ...(request.params === undefined && access !== 'portal_visitor' ? [] : (['not_found'] as const)),
    ...(written && definition.audit !== null && request.params !== undefined ? (['version_conflict'] as const) : []),
    ...(request.body === undefined ? [] : (['too_large', 'wrong_content_type'] as const)),
    ...(definition.method === 'POST' && !isOpen ? (['unprocessable'] as const) : []),
    ...(definition.rateClass === 'sign_in' ? (['too_many_requests'] as const) : []),
    ...(definition.errors ?? []),
    'internal_error',
    'unavailable',
  ];
  const { download = null, production = null } = definition;
  const operation: Operation<string, Request, Responses<z.ZodType, 200 | 201, null>, ControlVocabulary> = {
    id: definition.id,
    method: definition.method,
    path: `/api${definition.path}`,
    tag: definition.tag,
    summary: definition.summary,
    description: definition.description ?? `${definition.summary}.`,
    auth: typeof access !== 'string' || isPermission(access) ? 'session' : access,
    rateClass: definition.rateClass ?? 'standard',
    permissions,
    alsoNeeded: definition.alsoNeeded ?? [],
    restriction: definition.restriction ?? null,
    portalRoles: access === 'portal' ? (definition.portalRoles ?? portalRoles) : [],
    scope: definition.scope ?? 'organization',
    audit: definition.audit,
    production,
    onReplica:
      !written &&
      definition.audit === null &&
      access !== 'node' &&
      (definition.tag === 'Analytics' || 'page' in (request.query?.shape ?? {})),
    successStatus: status,
    download,
    // An operation without parameters rejects any, just as one with parameters rejects unknown ones.
    request: { query: noQuery, ...request },
    responses: {
      [status]: {
        description: definition.summary,
        ...(download === null
          ? { body: z.object({ code: z.literal(status), status: z.literal(true), data: definition.data }) }
          : { body: definition.data, mediaType: download.mediaType }),
      },
      ...(mayWait(production) ? { [heldStatus]: heldResponse } : {}),
    } as never,
    errors: [...new Set(errors)],
    examples: [
      {
        summary: example.summary ?? definition.summary,
        request: example.request as never,
        answer: {
          status,
          body: download === null ? { code: status, status: true, data: example.data } : example.data,
        } as never,
      },
    ],
  };
  declared.push(operation);
  // The literal types of the definition's own statements, which the object above holds as their unions.
  return operation as never;
}

/** Any operation of the management API, as the frame, the reference and the coverage tests take it. */
export type AnyControlOperation = AnyOperation & ControlStatement & { readonly errors: readonly ErrorCode[] };

const page = z.coerce.number().int().min(1).max(100_000).default(1).describe('Page, from 1.');
const pageSize = z.coerce.number().int().min(1).max(100).default(25).describe('Rows per page, at most 100.');

/**
 * The query of a list, the same everywhere: `search`, `page`, `pageSize`, `sort`, and the list's own filters.
 *
 * @param sortable names by which the list can be sorted; the first is the default, descending with `-` before it
 */
export function listQuery<
  const Sortable extends readonly [string, ...string[]],
  Filters extends Readonly<Record<string, z.ZodType>>,
>(sortable: Sortable, filters: Filters) {
  const directions = sortable.flatMap((name) => {
    const plain = name.replace(/^-/, '');
    return [plain, `-${plain}`];
  });
  return z.strictObject({
    search: z.string().trim().max(200).optional().describe('Text to search for; case-insensitive.'),
    page,
    pageSize,
    sort: z
      .enum(directions as [string, ...string[]])
      .default(sortable[0])
      .describe('Field to sort by; prefix "-" for descending.'),
    ...filters,
  });
}

/** The response of a list: one page of rows by name, and the total number of rows. */
export function listData<const Name extends string, Item extends z.ZodType>(name: Name, item: Item) {
  return z.object({ [name]: z.array(item), total: z.int() } as { [K in Name]: z.ZodArray<Item> } & { total: z.ZodInt });
}

/** A time, as ISO 8601 in UTC. */
export const Time = z.iso.datetime();

/** An id: a prefix for the kind of object, and 26 characters. */
export const Id = z
  .string()
  .max(64)
  .regex(/^[a-z]{3}_[0-9a-z_]{1,60}$/, 'This is not a valid id.');

/** What every entity has that can be changed. `version` goes up by one with each change; the ETag is made of it. */
export const versioned = { version: z.int(), createdAt: Time, updatedAt: Time } as const;

const productionChangeStates = ['pending', 'approved', 'rejected', 'withdrawn', 'void'] as const;

/** A change to production that waits, or waited, for another person's approval. */
export const ProductionChange = z
  .object({
    id: Id,
    operation: z.string().describe('The id of the operation that an approval carries out.'),
    summary: z.string().describe('What it does, such as `Change a target server`.'),
    entityType: z.string(),
    entityId: z.string().nullable().describe('Null if the change creates it.'),
    entityName: z.string(),
    entityVersion: z
      .int()
      .nullable()
      .describe('Version of the entity to change; if it has changed by then, the change can’t be approved.'),
    state: z.enum(productionChangeStates).describe('`void`: the entity no longer existed at approval.'),
    note: z.string(),
    changes: z
      .array(z.object({ path: z.string(), before: z.json(), after: z.json() }))
      .describe('Field by field, without secrets.'),
    requestedBy: z.string(),
    requestedByName: z.string(),
    authorIds: z
      .array(z.string())
      .describe('Accounts that can’t approve it: the requester’s, and those of people who may be behind it.'),
    decidedBy: z.string().nullable(),
    decidedByName: z.string().nullable(),
    decidedAt: Time.nullable(),
    reason: z.string().nullable().describe('Of the decision.'),
    ...versioned,
  })
  .meta({ id: 'ProductionChange' });

/** The HTTP status of a write that waits for approval. */
export const heldStatus = 202;

const heldResponse = {
  description: 'Held until another person approves it; nothing has changed yet',
  body: z.object({ code: z.literal(heldStatus), status: z.literal(true), data: ProductionChange }),
};
