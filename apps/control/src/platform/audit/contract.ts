import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

const actorKinds = ['user', 'service_account', 'gateway_node', 'portal_user', 'anonymous', 'system'] as const;
const categories = ['configuration', 'deployment', 'security', 'governance'] as const;
const severities = ['low', 'medium', 'high'] as const;
const outcomes = ['done', 'denied', 'failed'] as const;

export const AuditEntry = z
  .object({
    id: Id,
    sequence: z.int().describe('Its place in the organization’s chain, from 1 and without gaps.'),
    at: Time,
    actorKind: z.enum(actorKinds),
    actorId: z.string().nullable(),
    actorName: z.string(),
    operation: z.string().describe('Id of the operation, such as createProxy.'),
    entityType: z.string(),
    entityId: z.string().nullable(),
    category: z.enum(categories),
    severity: z.enum(severities),
    outcome: z.enum(outcomes),
    ip: z.string(),
    userAgent: z.string(),
    requestId: z.string(),
    note: z.string(),
  })
  .meta({ id: 'AuditEntry' });

export const AuditEntryWithChanges = AuditEntry.extend({
  changes: z
    .array(z.object({ path: z.string(), before: z.json(), after: z.json() }))
    .describe('By field, without secrets.'),
}).meta({ id: 'AuditEntryWithChanges' });

const EntityType = z
  .string()
  .max(60)
  .regex(/^[a-z_]+$/, 'Must be an entity type, such as target_server.');
const EntityId = z
  .string()
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'Must be an id.');

const ofEntity = {
  actorId: z.string().max(64).optional(),
  actorKind: z.enum(actorKinds).optional(),
  category: z.enum(categories).optional(),
  severity: z.enum(severities).optional(),
  outcome: z.enum(outcomes).optional(),
  operation: z.string().max(100).optional(),
  from: Time.optional().describe('At this time or later.'),
  to: Time.optional().describe('Before this moment.'),
};
const filters = { ...ofEntity, entityType: EntityType.optional(), entityId: EntityId.optional() };

const sorts = ['-at'] as const;
const listed = listData('entries', AuditEntry).extend({
  total: z.int().describe('For a filtered list, at most 10,000 even if more match.'),
});
const searched =
  'Search by part of the actor’s current name or e-mail address or of the operation, or by the whole id of the entry, the actor or the entity. Without a filter, entries are in the order in which they were recorded.';

const tag = 'Audit';
const exampleEntry = {
  id: 'aud_00000000000000000000000001',
  sequence: 1,
  at: '2026-01-15T09:00:00.000Z',
  actorKind: 'user' as const,
  actorId: 'usr_00000000000000000000000001',
  actorName: 'Ada Example',
  operation: 'updateTargetServer',
  entityType: 'target_server',
  entityId: 'tgt_00000000000000000000000001',
  category: 'configuration' as const,
  severity: 'low' as const,
  outcome: 'done' as const,
  ip: '192.0.2.1',
  userAgent: 'Mozilla/5.0',
  requestId: 'req_3f1c6c52-2c0e-4b5c-9a39-0f6e6a6b7d11',
  note: '',
};

export const HistoryEntry = AuditEntryWithChanges.omit({
  sequence: true,
  ip: true,
  userAgent: true,
  requestId: true,
});

export const auditOperations = [
  defineOperation({
    id: 'listAuditEntries',
    method: 'GET',
    path: '/audit',
    tag,
    summary: 'List audit entries',
    description: searched,
    access: 'audit.read',
    audit: null,
    request: { query: listQuery(sorts, filters) },
    data: listed,
    example: {
      request: { query: { category: 'configuration', from: '2026-01-01T00:00:00.000Z' } },
      data: { entries: [exampleEntry], total: 1 },
    },
  }),
  defineOperation({
    id: 'exportAudit',
    method: 'GET',
    path: '/audit/export',
    tag,
    summary: 'Export audit entries as CSV',
    description:
      'Every matching entry recorded before the export, in order: RFC 4180, UTF-8, one row per entry, with its changes as JSON. Cells that a spreadsheet would treat as a formula start with an apostrophe. The export itself is audited.',
    access: 'audit.export',
    audit: { category: 'security', severity: 'medium', entityType: 'audit_trail' },
    production: 'never',
    request: {
      query: z.strictObject({ search: z.string().trim().max(200).optional(), ...filters }),
    },
    data: z.string(),
    download: { mediaType: 'text/csv' },
    example: {
      request: { query: { severity: 'high' } },
      data: '"sequence","at","operation"\r\n"1","2026-01-15T09:00:00.000Z","updateTargetServer"\r\n',
    },
  }),
  defineOperation({
    id: 'verifyAudit',
    method: 'GET',
    path: '/audit/integrity',
    tag,
    summary: 'Verify the audit trail',
    description:
      'Recomputes the organization’s hash chain from its first entry to its sealed end, and compares it with the anchors stored outside the database. Detects entries that were edited, removed, added, reordered, cut off or rolled back. One verification runs at a time.',
    access: 'audit.read',
    audit: null,
    request: {},
    data: z.object({
      verified: z.boolean(),
      checked: z.int().describe('Entries verified as genuine.'),
      firstBadEntry: z
        .object({ sequence: z.int(), id: Id.nullable().describe('Null if the entry is missing.') })
        .nullable(),
      problem: z.string().nullable(),
    }),
    errors: ['conflict'],
    example: { request: {}, data: { verified: true, checked: 1, firstBadEntry: null, problem: null } },
  }),
  defineOperation({
    id: 'listEntityAudit',
    method: 'GET',
    path: '/audit/entities/:entityType/:entityId',
    tag,
    summary: 'List the audit entries of one entity',
    description: searched,
    access: 'audit.read',
    audit: null,
    request: {
      params: z.object({ entityType: EntityType, entityId: EntityId }),
      query: listQuery(sorts, ofEntity),
    },
    data: listed,
    example: {
      request: { params: { entityType: exampleEntry.entityType, entityId: exampleEntry.entityId } },
      data: { entries: [exampleEntry], total: 1 },
    },
  }),
  defineOperation({
    id: 'getAuditEntry',
    method: 'GET',
    path: '/audit/:entryId',
    tag,
    summary: 'Show an audit entry with its changes',
    access: 'audit.read',
    audit: null,
    request: { params: z.object({ entryId: Id }) },
    data: AuditEntryWithChanges,
    example: {
      request: { params: { entryId: exampleEntry.id } },
      data: { ...exampleEntry, changes: [{ path: 'port', before: 443, after: 8443 }] },
    },
  }),
  defineOperation({
    id: 'listProxyHistory',
    method: 'GET',
    path: '/proxies/:proxyId/history',
    tag: 'API proxies',
    summary: 'Show the audit timeline of an API proxy',
    description:
      'Audit entries of the proxy, its routes, policies, revisions, specifications, deployments and lifecycle requests.',
    access: 'proxy.read',
    audit: null,
    request: {
      params: z.object({ proxyId: Id }),
      query: listQuery(['-at'], {
        actorId: z.string().max(64).optional(),
        operation: z.string().max(100).optional(),
        category: z.enum(['configuration', 'deployment', 'security', 'governance']).optional(),
      }),
    },
    data: listData('entries', HistoryEntry),
    example: {
      request: { params: { proxyId: 'prx_00000000000000000000000001' } },
      data: {
        entries: [
          {
            id: 'aud_00000000000000000000000001',
            at: '2026-01-16T10:30:00.000Z',
            actorKind: 'user',
            actorId: 'usr_00000000000000000000000001',
            actorName: 'Jo Doe',
            operation: 'updateRoute',
            entityType: 'proxy',
            entityId: 'prx_00000000000000000000000001',
            category: 'configuration',
            severity: 'low',
            outcome: 'done',
            note: 'Route GET /{orderId}',
            changes: [{ path: 'route.timeoutMs', before: null, after: 5_000 }],
          },
        ],
        total: 1,
      },
    },
  }),
] as const;
