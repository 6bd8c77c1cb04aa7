import { QuotaLimit } from '@millrace/gateway-configuration/consumers';
import { displayName } from '@millrace/operations/display-name';
import { WritableHeaderName } from '@millrace/policies/http';
import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';

export const ApiProduct = z
  .object({
    id: Id,
    name: Name,
    displayName: z.string(),
    description: z.string(),
    public: z.boolean().describe('Shown in the portal to those who have not signed in.'),
    autoApprove: z.boolean().describe('Whether subscriptions are approved automatically.'),
    published: z.boolean().describe('Whether the portal shows it and it accepts subscriptions.'),
    state: z.enum(['active', 'suspended']).describe('Calls through a suspended product are rejected.'),
    quota: QuotaLimit.nullable().describe('Replaces the Quota policy’s limit; null: the policy’s limit applies.'),
    unitsHeader: z
      .string()
      .nullable()
      .describe(
        'Response header in which the target states a call’s units, such as pages; null: no units are counted.',
      ),
    passUnitsHeader: z.boolean().describe('Whether callers see that header.'),
    proxies: z
      .array(
        z.object({
          proxyId: Id,
          proxyName: Name,
          proxyDisplayName: z.string(),
          basePath: z.string(),
          routeIds: z.array(Id).nullable().describe('Routes that it bundles; null: all of them.'),
        }),
      )
      .describe('Bundled API proxies, by name.'),
    ...versioned,
  })
  .meta({ id: 'ApiProduct' });

const fields = {
  name: Name,
  displayName: displayName(),
  description: z.string().max(5_000),
  public: z.boolean(),
  autoApprove: z.boolean(),
  quota: QuotaLimit.nullable(),
  unitsHeader: WritableHeaderName.nullable(),
  passUnitsHeader: z.boolean(),
};

const RouteIds = z
  .array(Id)
  .min(1)
  .max(500)
  .refine((ids) => new Set(ids).size === ids.length, 'List each route once.');

const params = z.object({ productId: Id });
const proxyParams = z.object({ productId: Id, proxyId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'product' } as const;
const stopping = { ...audit, severity: 'medium' } as const;
const tag = 'API products';

const exampleProduct = {
  id: 'prd_00000000000000000000000001',
  name: 'orders',
  displayName: 'Orders',
  description: 'Read orders and their lines',
  public: false,
  autoApprove: false,
  published: true,
  state: 'active' as const,
  quota: { limit: 10_000, window: { unit: 'day' as const, count: 1 } },
  unitsHeader: 'x-pages',
  passUnitsHeader: false,
  proxies: [
    {
      proxyId: 'prx_00000000000000000000000001',
      proxyName: 'orders',
      proxyDisplayName: 'Orders',
      basePath: '/v1/orders',
      routeIds: null,
    },
  ],
  version: 3,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { productId: exampleProduct.id };
const exampleProxyParams = { ...exampleParams, proxyId: 'prx_00000000000000000000000001' };

export const productOperations = [
  defineOperation({
    id: 'listProducts',
    method: 'GET',
    path: '/products',
    tag,
    summary: 'List API products',
    access: 'product.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'name', 'displayName', 'updatedAt'], {
        published: z.stringbool().optional(),
        public: z.stringbool().optional(),
        state: ApiProduct.shape.state.optional(),
        proxyId: Id.optional().describe('Those that bundle this API proxy.'),
      }),
    },
    data: listData('products', ApiProduct),
    example: { request: { query: { published: 'true' } }, data: { products: [exampleProduct], total: 1 } },
  }),
  defineOperation({
    id: 'createProduct',
    method: 'POST',
    path: '/products',
    tag,
    summary: 'Create an API product',
    description:
      'A bundle of API proxies with a quota that apps subscribe to. It accepts subscriptions once published.',
    access: 'product.write',
    audit,
    production: 'never',
    request: {
      body: z.strictObject({
        ...fields,
        description: fields.description.default(''),
        public: fields.public.default(false),
        autoApprove: fields.autoApprove.default(false),
        quota: fields.quota.default(null),
        unitsHeader: fields.unitsHeader.default(null),
        passUnitsHeader: fields.passUnitsHeader.default(false),
      }),
    },
    data: ApiProduct,
    status: 201,
    example: {
      request: {
        body: {
          name: 'stock',
          displayName: 'Stock',
          quota: { limit: 1_000, window: { unit: 'hour', count: 1 } },
        },
      },
      data: {
        ...exampleProduct,
        name: 'stock',
        displayName: 'Stock',
        published: false,
        quota: { limit: 1_000, window: { unit: 'hour', count: 1 } },
        proxies: [],
        version: 1,
      },
    },
  }),
  defineOperation({
    id: 'getProduct',
    method: 'GET',
    path: '/products/:productId',
    tag,
    summary: 'Show an API product with the proxies that it bundles',
    access: 'product.read',
    audit: null,
    request: { params },
    data: ApiProduct,
    example: { request: { params: exampleParams }, data: exampleProduct },
  }),
  defineOperation({
    id: 'updateProduct',
    method: 'PATCH',
    path: '/products/:productId',
    tag,
    summary: 'Change an API product',
    description:
      'Changes the given fields. A quota takes effect within a second on every gateway node; ' +
      'turning on auto-approval leaves pending subscriptions pending.',
    access: 'product.write',
    audit,
    production: 'product',
    request: { params, body: z.strictObject(fields).partial() },
    data: ApiProduct,
    example: {
      request: { params: exampleParams, body: { quota: { limit: 20_000, window: { unit: 'day', count: 1 } } } },
      data: { ...exampleProduct, quota: { limit: 20_000, window: { unit: 'day', count: 1 } }, version: 4 },
    },
  }),
  defineOperation({
    id: 'deleteProduct',
    method: 'DELETE',
    path: '/products/:productId',
    tag,
    summary: 'Delete an API product without subscriptions',
    description: 'A product with subscriptions, including ended ones, can’t be deleted: unpublish or suspend it.',
    access: 'product.delete',
    audit: stopping,
    production: 'product',
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'publishProduct',
    method: 'POST',
    path: '/products/:productId/publish',
    tag,
    summary: 'Publish an API product to the portal',
    access: 'product.publish',
    audit: stopping,
    production: 'product',
    request: { params },
    data: ApiProduct,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: exampleProduct },
  }),
  defineOperation({
    id: 'unpublishProduct',
    method: 'POST',
    path: '/products/:productId/unpublish',
    tag,
    summary: 'Unpublish an API product from the portal',
    description: 'It accepts no subscriptions until it is published again; existing ones stay valid.',
    access: 'product.publish',
    audit: stopping,
    production: 'product',
    request: { params },
    data: ApiProduct,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleProduct, published: false, version: 4 } },
  }),
  defineOperation({
    id: 'suspendProduct',
    method: 'POST',
    path: '/products/:productId/suspend',
    tag,
    summary: 'Suspend an API product',
    description: 'Within a second every gateway node rejects calls through it.',
    access: 'product.write',
    audit: stopping,
    production: 'product',
    request: { params },
    data: ApiProduct,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleProduct, state: 'suspended', version: 4 } },
  }),
  defineOperation({
    id: 'activateProduct',
    method: 'POST',
    path: '/products/:productId/activate',
    tag,
    summary: 'Activate a suspended API product',
    access: 'product.write',
    audit: stopping,
    production: 'product',
    request: { params },
    data: ApiProduct,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleProduct, version: 5 } },
  }),
  defineOperation({
    id: 'setProductProxy',
    method: 'PUT',
    path: '/products/:productId/proxies/:proxyId',
    tag,
    summary: 'Bundle an API proxy, or only some of its routes',
    description: 'Replaces the proxy’s entry if there is one. A product bundles at most 100 proxies.',
    access: 'product.write',
    audit: stopping,
    production: 'product',
    request: {
      params: proxyParams,
      body: z.strictObject({
        routeIds: RouteIds.nullable()
          .default(null)
          .describe(
            'Routes of the proxy’s working copy or of a live revision, or already bundled; null: all of its routes, including future ones.',
          ),
      }),
    },
    data: ApiProduct,
    errors: ['conflict'],
    example: {
      request: { params: exampleProxyParams, body: { routeIds: ['rte_00000000000000000000000001'] } },
      data: {
        ...exampleProduct,
        proxies: [{ ...exampleProduct.proxies[0]!, routeIds: ['rte_00000000000000000000000001'] }],
        version: 4,
      },
    },
  }),
  defineOperation({
    id: 'removeProductProxy',
    method: 'DELETE',
    path: '/products/:productId/proxies/:proxyId',
    tag,
    summary: 'Unbundle an API proxy',
    description: 'Within a second every gateway node rejects calls to it through this product.',
    access: 'product.write',
    audit: stopping,
    production: 'product',
    request: { params: proxyParams },
    data: z.object({}),
    example: { request: { params: exampleProxyParams }, data: {} },
  }),
] as const;
