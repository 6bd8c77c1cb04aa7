import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

const Contact = z.strictObject({
  name: z.string().trim().max(200).optional(),
  url: z.url().max(2_000).optional(),
  email: z.email().max(320).optional(),
});

export const Specification = z
  .object({
    id: Id,
    proxyId: Id.nullable().describe('The API proxy that it describes; null: none.'),
    title: z.string(),
    description: z.string(),
    apiVersion: z.string().describe('Version of the described API, `info.version` of the document.'),
    contact: z.object({ name: z.string(), url: z.string(), email: z.string() }).partial().nullable(),
    source: z.enum(['generated', 'imported', 'uploaded']),
    state: z.enum(['draft', 'published']),
    publishedAt: Time.nullable(),
    unpublishedChanges: z.boolean().describe('Whether it was edited since it was published.'),
    outdated: z
      .boolean()
      .nullable()
      .describe('Whether the API proxy has changed since it was generated; null: not generated.'),
    documentHash: z.string().describe('SHA-256 of the stored document.'),
    ...versioned,
  })
  .meta({ id: 'Specification' });

const Example = z.strictObject({
  place: z.enum(['request', 'response']),
  status: z
    .string()
    .regex(/^(?:[1-5](?:\d\d|XX)|default)$/, 'Must be a status such as 200, a range such as 2XX, or default.')
    .nullable()
    .describe('Status of the response; null for the request.'),
  mediaType: z
    .string()
    .max(200)
    .regex(
      /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?: *; *[\w-]+=[\w".-]+)*$/,
      'Must be a media type such as application/json.',
    ),
  name: z.string().min(1).max(200),
  value: z.json(),
});

export const SpecificationOperation = z
  .object({
    operationId: z.string(),
    method: z.string().describe('In upper case.'),
    path: z.string(),
    summary: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    deprecated: z.boolean(),
    routeId: z.string().nullable().describe('Route it was generated from; null: none.'),
    examples: z.array(
      z.object({
        place: z.enum(['request', 'response']),
        status: z.string().nullable(),
        mediaType: z.string(),
        name: z.string(),
        value: z.json(),
      }),
    ),
  })
  .meta({ id: 'SpecificationOperation' });

const SpecificationChange = z.object({
  path: z.string().describe('JSON pointer into the newer document; for removals, into the older one.'),
  operation: z.string().nullable(),
  kind: z.enum(['added', 'removed', 'changed']),
  breaking: z.boolean().describe('Whether it can break existing callers.'),
  text: z.string(),
});

const LintFinding = z.object({
  code: z.string(),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'information', 'hint']),
  path: z.array(z.string()).describe('Where, as keys from the root of the document.'),
  line: z.int().describe('Of the document printed as JSON with an indent of two.'),
});

const Title = displayName(200);
const Description = z.string().max(10_000);
const ApiVersion = z.string().trim().min(1).max(50);
const Summary = z.string().trim().max(200);
const OperationId = z.string().min(1).max(200);

const params = z.object({ specificationId: Id });
const operationParams = z.object({ specificationId: Id, operationId: OperationId });
const audit = { category: 'configuration', severity: 'low', entityType: 'specification' } as const;
const publishing = { ...audit, severity: 'medium' } as const;
const tag = 'Specifications';

const exampleSpecification = {
  id: 'spc_00000000000000000000000001',
  proxyId: 'prx_00000000000000000000000001',
  title: 'Orders',
  description: 'Everything about orders.',
  apiVersion: '1.0.0',
  contact: { name: 'API team', email: 'api@example.com' },
  source: 'generated' as const,
  state: 'draft' as const,
  publishedAt: null,
  unpublishedChanges: false,
  outdated: false,
  documentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const published = {
  ...exampleSpecification,
  state: 'published' as const,
  publishedAt: '2026-01-16T09:00:00.000Z',
  version: 2,
};
const exampleOperation = {
  operationId: 'getByOrderId',
  method: 'GET',
  path: '/{orderId}',
  summary: 'Read an order',
  description: '',
  tags: ['orders'],
  deprecated: false,
  routeId: 'rte_00000000000000000000000001',
  examples: [
    {
      place: 'response' as const,
      status: '200',
      mediaType: 'application/json',
      name: 'paid',
      value: { orderId: '42', state: 'paid' },
    },
  ],
};
const exampleParams = { specificationId: exampleSpecification.id };
const exampleDocument = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shipments', version: '1.0.0' },
  servers: [{ url: '/v1/shipments' }],
  paths: { '/{shipmentId}': { get: { summary: 'Read a shipment', responses: { '200': { description: 'It.' } } } } },
});

export const specificationOperations = [
  defineOperation({
    id: 'listSpecifications',
    method: 'GET',
    path: '/specifications',
    tag,
    summary: 'List specifications',
    access: 'specification.read',
    audit: null,
    request: {
      query: listQuery(['-updatedAt', 'createdAt', 'title', 'apiVersion', 'publishedAt'], {
        proxyId: Id.optional(),
        state: z.enum(['draft', 'published']).optional(),
        source: z.enum(['generated', 'imported', 'uploaded']).optional(),
      }),
    },
    data: listData('specifications', Specification),
    example: {
      request: { query: { state: 'draft' } },
      data: { specifications: [exampleSpecification], total: 1 },
    },
  }),
  defineOperation({
    id: 'uploadSpecification',
    method: 'POST',
    path: '/specifications',
    tag,
    summary: 'Upload a specification',
    description:
      'Takes an OpenAPI 3.0 or 3.1 document, JSON or YAML; 3.0 becomes 3.1. Of an API proxy it becomes the specification of the working copy.',
    access: 'specification.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      body: z.strictObject({
        document: z.string().min(1).max(5_000_000).describe('The text of the document.'),
        proxyId: Id.nullable().default(null),
        title: Title.optional().describe('Default: the document’s title.'),
      }),
    },
    data: Specification,
    status: 201,
    example: {
      request: { body: { document: exampleDocument } },
      data: { ...exampleSpecification, proxyId: null, source: 'uploaded', outdated: null },
    },
  }),
  defineOperation({
    id: 'generateSpecification',
    method: 'POST',
    path: '/proxies/:proxyId/specifications',
    tag,
    summary: 'Generate the specification of an API proxy',
    description:
      'Generates OpenAPI 3.1 from the routes and policies. Generating again updates the proxy’s newest specification: edited summaries, descriptions, examples and schemas stay with their operations.',
    access: 'specification.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      params: z.object({ proxyId: Id }),
      body: z
        .strictObject({ title: Title.optional(), apiVersion: ApiVersion.optional() })
        .default({})
        .describe('Omitted fields don’t change, or are derived from the proxy’s name and base path.'),
    },
    data: Specification,
    status: 201,
    example: {
      request: { params: { proxyId: exampleSpecification.proxyId }, body: { apiVersion: '1.1.0' } },
      data: exampleSpecification,
    },
  }),
  defineOperation({
    id: 'getSpecification',
    method: 'GET',
    path: '/specifications/:specificationId',
    tag,
    summary: 'Show a specification',
    access: 'specification.read',
    audit: null,
    request: { params },
    data: Specification,
    example: { request: { params: exampleParams }, data: exampleSpecification },
  }),
  defineOperation({
    id: 'updateSpecification',
    method: 'PATCH',
    path: '/specifications/:specificationId',
    tag,
    summary: 'Change title, description, contact or summaries',
    access: 'specification.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      params,
      body: z
        .strictObject({
          title: Title,
          description: Description,
          apiVersion: ApiVersion,
          contact: Contact.nullable(),
          summaries: z
            .array(z.strictObject({ operationId: OperationId, summary: Summary }))
            .max(2_500)
            .describe('New summaries of operations.'),
        })
        .partial(),
    },
    data: Specification,
    example: {
      request: { params: exampleParams, body: { title: 'Orders API', contact: { email: 'api@example.com' } } },
      data: { ...exampleSpecification, title: 'Orders API', version: 2 },
    },
  }),
  defineOperation({
    id: 'deleteSpecification',
    method: 'DELETE',
    path: '/specifications/:specificationId',
    tag,
    summary: 'Delete an unpublished specification',
    access: 'specification.write',
    audit,
    production: { exempt: 'working_copy' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'downloadSpecification',
    method: 'GET',
    path: '/specifications/:specificationId/document',
    tag,
    summary: 'Download the OpenAPI 3.1 document',
    access: 'specification.read',
    audit: null,
    request: {
      params,
      query: z.strictObject({
        format: z.enum(['json', 'yaml']).default('json'),
        state: z
          .enum(['draft', 'published'])
          .default('draft')
          .describe('The edited or the published version; 404 if it is not published.'),
      }),
    },
    data: z.string(),
    download: { mediaType: 'application/json' },
    example: { request: { params: exampleParams }, data: exampleDocument },
  }),
  defineOperation({
    id: 'listSpecificationOperations',
    method: 'GET',
    path: '/specifications/:specificationId/operations',
    tag,
    summary: 'List the operations of a specification',
    access: 'specification.read',
    audit: null,
    request: {
      params,
      query: listQuery(['path', 'method', 'operationId', 'summary'], {
        method: z.string().max(10).optional(),
        tag: z.string().max(200).optional(),
        summarized: z.stringbool().optional().describe('Those with a summary, or those without.'),
      }),
    },
    data: listData('operations', SpecificationOperation),
    example: { request: { params: exampleParams }, data: { operations: [exampleOperation], total: 1 } },
  }),
  defineOperation({
    id: 'updateSpecificationOperation',
    method: 'PATCH',
    path: '/specifications/:specificationId/operations/:operationId',
    tag,
    summary: 'Edit the summary, description or examples of an operation',
    description: 'Examples are replaced as a whole. If-Match applies to the specification.',
    access: 'specification.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      params: operationParams,
      body: z
        .strictObject({ summary: Summary, description: Description, examples: z.array(Example).max(50) })
        .partial(),
    },
    data: SpecificationOperation,
    example: {
      request: {
        params: { ...exampleParams, operationId: exampleOperation.operationId },
        body: { summary: 'Read one order' },
      },
      data: { ...exampleOperation, summary: 'Read one order' },
    },
  }),
  defineOperation({
    id: 'publishSpecification',
    method: 'POST',
    path: '/specifications/:specificationId/publish',
    tag,
    summary: 'Publish a specification',
    description: 'Later edits don’t affect the published version until it is published again.',
    access: 'specification.publish',
    audit: publishing,
    production: { exempt: 'design' },
    request: { params },
    data: Specification,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: published },
  }),
  defineOperation({
    id: 'unpublishSpecification',
    method: 'POST',
    path: '/specifications/:specificationId/unpublish',
    tag,
    summary: 'Unpublish a specification',
    access: 'specification.publish',
    audit: publishing,
    production: { exempt: 'design' },
    request: { params },
    data: Specification,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: exampleSpecification },
  }),
  defineOperation({
    id: 'lintSpecification',
    method: 'POST',
    path: '/specifications/:specificationId/lint',
    tag,
    summary: 'Lint a specification with Spectral’s OpenAPI rules',
    access: 'specification.read',
    audit: null,
    request: { params },
    data: z.object({
      findings: z.array(LintFinding).describe('The worst first, at most 1,000.'),
      total: z.int(),
      counts: z.object({ error: z.int(), warning: z.int(), information: z.int(), hint: z.int() }),
    }),
    example: {
      request: { params: exampleParams },
      data: {
        findings: [
          {
            code: 'operation-description',
            message: 'Operation "description" must be present and non-empty string.',
            severity: 'warning',
            path: ['paths', '/{orderId}', 'get'],
            line: 12,
          },
        ],
        total: 1,
        counts: { error: 0, warning: 1, information: 0, hint: 0 },
      },
    },
  }),
  defineOperation({
    id: 'compareSpecification',
    method: 'GET',
    path: '/specifications/:specificationId/diff',
    tag,
    summary: 'Compare a specification with another',
    description: 'Lists what changes for callers of the other one: breaking changes and others.',
    access: 'specification.read',
    audit: null,
    request: {
      params,
      query: z.strictObject({
        againstId: Id.optional().describe('Another specification. Default: the published version of this one.'),
      }),
    },
    data: z.object({
      againstId: Id,
      changes: z.array(SpecificationChange).describe('Breaking ones first, at most 1,000.'),
      total: z.int(),
      breaking: z.boolean(),
    }),
    example: {
      request: { params: exampleParams, query: { againstId: exampleSpecification.id } },
      data: {
        againstId: 'spc_00000000000000000000000001',
        changes: [
          {
            path: '/paths/~1{orderId}/delete',
            operation: 'DELETE /{orderId}',
            kind: 'added',
            breaking: false,
            text: 'The operation is new.',
          },
        ],
        total: 1,
        breaking: false,
      },
    },
  }),
] as const;
