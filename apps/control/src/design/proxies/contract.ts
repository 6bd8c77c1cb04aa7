import { displayName } from '@millrace/operations/display-name';
import { authSchemes, BasePath, Name, protocols } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';

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

/** What is given of a proxy. */
export const proxyFields = {
  name: Name,
  displayName: displayName(),
  description: z.string().max(5_000),
  basePath: BasePath,
  protocol: z.enum(protocols),
  authScheme: z.enum(authSchemes),
  tags: Tags,
};

const params = z.object({ proxyId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'proxy' } as const;
const tag = 'API proxies';

/** A proxy in the examples of the reference. */
export const exampleProxy = {
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
        environmentId: Id.optional().describe('Those that are live in this environment.'),
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
    production: { exempt: 'design' },
    request: {
      body: z.strictObject({
        ...proxyFields,
        description: proxyFields.description.default(''),
        protocol: proxyFields.protocol.default('rest'),
        authScheme: proxyFields.authScheme.default('none'),
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
    request: { params, body: z.strictObject(proxyFields).partial() },
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
    production: { exempt: 'design' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
] as const;
