import { authSchemes, BasePath, Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id } from '../../frame/operation.ts';
import { ApiProxy, exampleProxy, proxyFields } from '../proxies/contract.ts';

const importFields = {
  document: z.string().min(1).max(5_000_000).describe('The text of the document.'),
  name: Name.optional().describe('Default: derived from the title.'),
  basePath: BasePath.optional().describe('Default: derived from the path of the first server.'),
  targetServer: Name.describe('Target server of every route.'),
};

const params = z.object({ proxyId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'proxy' } as const;
const tag = 'API proxies';
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

export const proxyDocumentOperations = [
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
    production: { exempt: 'design' },
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
    id: 'cloneProxy',
    method: 'POST',
    path: '/proxies/:proxyId/clone',
    tag,
    summary: 'Clone an API proxy under another base path',
    description: 'Copies the working copy: routes, policies and the newest specification, as a draft.',
    access: 'proxy.write',
    audit,
    production: { exempt: 'design' },
    request: {
      params,
      body: z.strictObject({ name: Name, basePath: BasePath, displayName: proxyFields.displayName.optional() }),
    },
    data: ApiProxy,
    status: 201,
    example: {
      request: { params: exampleParams, body: { name: 'orders-next', basePath: '/v2/orders' } },
      data: { ...exampleProxy, name: 'orders-next', basePath: '/v2/orders' },
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
