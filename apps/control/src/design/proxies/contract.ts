import { displayName } from '@millrace/operations/display-name';
import { authSchemes, BasePath, Name, protocols } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { AuditEntryWithChanges } from '../../platform/audit/contract.ts';

/** Stages of a proxy's life, in their order. */
export const stages = ['draft', 'review', 'approved', 'published', 'deprecated', 'retired'] as const;

const Tags = z
  .array(z.string().trim().min(1).max(50))
  .max(20)
  .refine((tags) => new Set(tags).size === tags.length, 'List each tag once.');

export const ApiProxy = z
  .object({
    id: Id,
    name: Name,
    displayName: z.string(),
    description: z.string(),
    basePath: BasePath.describe('Its path on every host; the version segment can’t be changed later.'),
    protocol: z.enum(protocols),
    authScheme: z.enum(authSchemes).describe('How callers authenticate; enforced by a policy.'),
    tags: z.array(z.string()),
    stage: z.enum(stages),
    contentHash: z.string().describe('SHA-256 of the working copy; the same for a revision with the same content.'),
    approvedRevision: z.int().nullable().describe('The revision approved for production; null: none.'),
    latestRevision: z.int().describe('The highest revision number so far; 0: there is none.'),
    createdBy: z.string().describe('Id of the user or service account that created it.'),
    ...versioned,
  })
  .meta({ id: 'ApiProxy' });

const fields = {
  name: Name,
  displayName: displayName(),
  description: z.string().max(5_000),
  basePath: BasePath,
  protocol: z.enum(protocols),
  authScheme: z.enum(authSchemes),
  tags: Tags,
};

const importFields = {
  document: z.string().min(1).max(5_000_000).describe('The text of the document.'),
  name: Name.optional().describe('Default: derived from the title.'),
  basePath: BasePath.optional().describe('Default: derived from the path of the first server.'),
  targetServer: Name.describe('Target server of every route.'),
};

/** A deployment that serves a proxy now. */
const Serving = z.object({
  deploymentId: Id,
  environmentId: Id,
  environmentName: Name,
  production: z.boolean(),
  revision: z.int(),
  strategy: z.enum(['direct', 'canary']),
  weight: z.int().describe('Share of the traffic in percent.'),
  state: z.string(),
  since: Time,
});

const Overview = z.object({
  proxy: ApiProxy,
  counts: z.object({ routes: z.int(), policies: z.int(), revisions: z.int() }),
  workingCopy: z.object({
    sameAsRevision: z.int().nullable().describe('The newest revision with exactly this content; null: none.'),
    nextEdit: z
      .object({
        voidsApprovalOf: z.int().nullable().describe('The approved revision whose approval becomes void; null: none.'),
        voidsRequest: z.boolean().describe('Whether the pending request becomes void.'),
        cutsRevision: z
          .int()
          .nullable()
          .describe('Number of the revision that is cut; null: none, or it replaces the one of the last edit.'),
      })
      .describe('Side effects of editing the proxy, its routes, policies or specification.'),
  }),
  deployments: z.array(Serving),
  traffic: z
    .object({
      requests: z.int(),
      failed: z.int().describe('Responses 4xx or 5xx.'),
      errors: z.int().describe('Responses 5xx; included in failed.'),
      limited: z.int().describe('Rejected with 429 by the gateway; included in failed.'),
    })
    .describe('The last 24 hours, in all environments.'),
  specification: z
    .object({
      id: Id,
      title: z.string(),
      apiVersion: z.string(),
      state: z.enum(['draft', 'published']),
      outdated: z.boolean().nullable().describe('Whether the working copy changed since then; null: never generated.'),
      unpublishedChanges: z.boolean(),
      publishedAt: Time.nullable(),
    })
    .nullable()
    .describe('The newest one; null: none.'),
  governance: z
    .object({
      score: z.int(),
      evaluatedAt: Time,
      current: z.boolean().describe('Whether the working copy is unchanged since the evaluation.'),
      blocking: z.int().describe('Findings that stop a move and are not waived.'),
      findings: z.int(),
    })
    .nullable()
    .describe('The last evaluation; null: never evaluated.'),
  pendingRequest: z
    .object({
      id: Id,
      fromStage: z.enum(stages),
      toStage: z.enum(stages),
      revision: z.int(),
      requestedByName: z.string(),
      createdAt: Time,
    })
    .nullable()
    .describe('The lifecycle request that awaits a decision.'),
});

export const HistoryEntry = AuditEntryWithChanges.omit({
  sequence: true,
  ip: true,
  userAgent: true,
  requestId: true,
});

const params = z.object({ proxyId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'proxy' } as const;
const tag = 'API proxies';

const exampleProxy = {
  id: 'prx_00000000000000000000000001',
  name: 'orders',
  displayName: 'Orders',
  description: 'Orders and their lines',
  basePath: '/v1/orders',
  protocol: 'rest' as const,
  authScheme: 'api_key' as const,
  tags: ['sales'],
  stage: 'draft' as const,
  contentHash: '9f2c1ad0c1a5b5ef5b3b3f9a0d6c1f2e4a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d',
  approvedRevision: null,
  latestRevision: 1,
  createdBy: 'usr_00000000000000000000000001',
  version: 3,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-16T10:30:00.000Z',
};
const exampleParams = { proxyId: exampleProxy.id };
const exampleDocument = `openapi: 3.1.0
info: {title: Shipments, version: 1.0.0}
servers: [{url: https://shipments.example/v1/shipments}]
paths:
  /{shipmentId}:
    get:
      summary: Show a shipment
      parameters: [{name: shipmentId, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: The shipment}}
`;

export const proxyOperations = [
  defineOperation({
    id: 'listProxies',
    method: 'GET',
    path: '/proxies',
    tag,
    summary: 'List API proxies',
    access: 'proxy.read',
    audit: null,
    request: {
      query: listQuery(['-updatedAt', 'createdAt', 'name', 'basePath', 'stage'], {
        stage: z.enum(stages).optional(),
        protocol: z.enum(protocols).optional(),
        authScheme: z.enum(authSchemes).optional(),
        tag: z.string().max(50).optional(),
        environmentId: Id.optional().describe('Those that serve in this environment.'),
      }),
    },
    data: listData('proxies', ApiProxy),
    example: { request: { query: { stage: 'draft' } }, data: { proxies: [exampleProxy], total: 1 } },
  }),
  defineOperation({
    id: 'createProxy',
    method: 'POST',
    path: '/proxies',
    tag,
    summary: 'Create an API proxy',
    access: 'proxy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      body: z.strictObject({
        ...fields,
        description: fields.description.default(''),
        protocol: fields.protocol.default('rest'),
        authScheme: fields.authScheme.default('none'),
        tags: Tags.default([]),
      }),
    },
    data: ApiProxy,
    status: 201,
    example: {
      request: {
        body: { name: 'invoices', displayName: 'Invoices', basePath: '/v1/invoices', authScheme: 'api_key' },
      },
      data: exampleProxy,
    },
  }),
  defineOperation({
    id: 'importProxy',
    method: 'POST',
    path: '/proxies/import',
    tag,
    summary: 'Create an API proxy from an OpenAPI document',
    description:
      'Creates a proxy with a route for every operation of an OpenAPI 3.0 or 3.1 document, JSON or YAML, and stores the document as its specification.',
    access: 'proxy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      body: z.strictObject(importFields),
    },
    data: z.object({
      proxy: ApiProxy,
      routes: z.int().describe('Number of routes created.'),
      specificationId: Id,
      warnings: z.array(z.string()).describe('What was omitted or changed.'),
    }),
    status: 201,
    errors: ['conflict'],
    example: {
      request: { body: { document: exampleDocument, name: 'shipments', targetServer: 'orders-backend' } },
      data: {
        proxy: exampleProxy,
        routes: 1,
        specificationId: 'spc_00000000000000000000000001',
        warnings: [],
      },
    },
  }),
  defineOperation({
    id: 'previewProxyImport',
    method: 'POST',
    path: '/proxies/import/preview',
    tag,
    summary: 'Preview the import of an OpenAPI document',
    description:
      'Takes the same input as the import and changes nothing. Returns the API proxy with its routes, its governance findings, and what blocks the import. Policies are not imported.',
    access: 'proxy.write',
    audit: null,
    request: {
      body: z.strictObject(importFields),
    },
    data: z.object({
      name: z.string().nullable().describe('Null if none can be derived from the title.'),
      displayName: z.string(),
      basePath: z.string(),
      authScheme: z.enum(authSchemes),
      routes: z.array(
        z.object({
          method: z.string(),
          pathPattern: z.string(),
          targetServer: z.string(),
          targetPath: z.string().nullable(),
          summary: z.string(),
        }),
      ),
      specification: z.object({ title: z.string(), apiVersion: z.string() }),
      conflicts: z
        .array(z.object({ field: z.string(), message: z.string() }))
        .describe('Why the import would be rejected.'),
      findings: z.array(
        z.object({
          code: z.string(),
          severity: z.enum(['error', 'warning', 'information']),
          blocking: z.boolean(),
          location: z.string(),
          message: z.string(),
          remedy: z.string(),
        }),
      ),
      warnings: z.array(z.string()).describe('What would be omitted or changed.'),
    }),
    example: {
      request: { body: { document: exampleDocument, name: 'shipments-preview', targetServer: 'orders-backend' } },
      data: {
        name: 'shipments-preview',
        displayName: 'Shipments',
        basePath: '/v1/shipments',
        authScheme: 'none',
        routes: [
          {
            method: 'GET',
            pathPattern: '/{shipmentId}',
            targetServer: 'orders-backend',
            targetPath: '/v1/shipments/{shipmentId}',
            summary: 'Show a shipment',
          },
        ],
        specification: { title: 'Shipments', apiVersion: '1.0.0' },
        conflicts: [],
        findings: [],
        warnings: [],
      },
    },
  }),
  defineOperation({
    id: 'getProxy',
    method: 'GET',
    path: '/proxies/:proxyId',
    tag,
    summary: 'Show an API proxy',
    access: 'proxy.read',
    audit: null,
    request: { params },
    data: ApiProxy,
    example: { request: { params: exampleParams }, data: exampleProxy },
  }),
  defineOperation({
    id: 'updateProxy',
    method: 'PATCH',
    path: '/proxies/:proxyId',
    tag,
    summary: 'Change an API proxy',
    description:
      'Changes the working copy. Live deployments don’t change: a deployed proxy gets a new revision. The approval of the previous content becomes void.',
    access: 'proxy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: { params, body: z.strictObject(fields).partial() },
    data: ApiProxy,
    example: {
      request: { params: exampleParams, body: { description: 'Orders, their lines and their shipments' } },
      data: exampleProxy,
    },
  }),
  defineOperation({
    id: 'deleteProxy',
    method: 'DELETE',
    path: '/proxies/:proxyId',
    tag,
    summary: 'Delete an API proxy',
    description: 'Deletes a proxy without live deployments, with its working copy and its specifications.',
    access: 'proxy.delete',
    audit: { ...audit, severity: 'medium' },
    production: { exempt: 'working_copy' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'cloneProxy',
    method: 'POST',
    path: '/proxies/:proxyId/clone',
    tag,
    summary: 'Clone an API proxy under another base path',
    description: 'Copies the working copy: routes, policies and the newest specification, as a draft.',
    access: 'proxy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      params,
      body: z.strictObject({ name: Name, basePath: BasePath, displayName: fields.displayName.optional() }),
    },
    data: ApiProxy,
    status: 201,
    example: {
      request: { params: exampleParams, body: { name: 'orders-next', basePath: '/v2/orders' } },
      data: { ...exampleProxy, name: 'orders-next', basePath: '/v2/orders' },
    },
  }),
  defineOperation({
    id: 'getProxyOverview',
    method: 'GET',
    path: '/proxies/:proxyId/overview',
    tag,
    summary: 'Show an API proxy at a glance',
    description: 'Its stage, live deployments, traffic, specification, governance and pending decisions.',
    access: 'proxy.read',
    audit: null,
    request: { params },
    data: Overview,
    example: {
      request: { params: exampleParams },
      data: {
        proxy: exampleProxy,
        counts: { routes: 4, policies: 2, revisions: 1 },
        workingCopy: {
          sameAsRevision: 1,
          nextEdit: { voidsApprovalOf: null, voidsRequest: false, cutsRevision: 2 },
        },
        deployments: [
          {
            deploymentId: 'dep_00000000000000000000000001',
            environmentId: 'env_00000000000000000000000001',
            environmentName: 'test',
            production: false,
            revision: 1,
            strategy: 'direct',
            weight: 100,
            state: 'live',
            since: '2026-01-16T11:00:00.000Z',
          },
        ],
        traffic: { requests: 12_000, failed: 50, errors: 3, limited: 40 },
        specification: null,
        governance: null,
        pendingRequest: null,
      },
    },
  }),
  defineOperation({
    id: 'listProxyHistory',
    method: 'GET',
    path: '/proxies/:proxyId/history',
    tag,
    summary: 'Show the audit timeline of an API proxy',
    description:
      'Audit entries of the proxy, its routes, policies, revisions, specifications, deployments and lifecycle requests.',
    access: 'proxy.read',
    audit: null,
    request: {
      params,
      query: listQuery(['-at'], {
        actorId: z.string().max(64).optional(),
        operation: z.string().max(100).optional(),
        category: z.enum(['configuration', 'deployment', 'security', 'governance']).optional(),
      }),
    },
    data: listData('entries', HistoryEntry),
    example: {
      request: { params: exampleParams },
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
            entityId: exampleProxy.id,
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
  defineOperation({
    id: 'exportProxy',
    method: 'GET',
    path: '/proxies/:proxyId/export',
    tag,
    summary: 'Download an API proxy as a declarative document',
    description:
      'The working copy as YAML or JSON, without ids: policies refer to routes by method and path. Secrets in policies are shown as `[secret]`.',
    access: 'proxy.read',
    alsoNeeded: ['policy.read'],
    audit: null,
    request: { params, query: z.strictObject({ format: z.enum(['yaml', 'json']).default('yaml') }) },
    data: z.string(),
    download: { mediaType: 'application/yaml' },
    example: { request: { params: exampleParams }, data: 'proxy:\n  name: orders\n' },
  }),
] as const;
