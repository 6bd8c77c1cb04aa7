import { Name, PathPattern, routeMethods } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';

const TargetPath = z
  .string()
  .max(500)
  .regex(
    /^\/(?:[A-Za-z0-9._~%:@!$&'()+,;=/*-]|\{[A-Za-z_][A-Za-z0-9_]*\})*$/,
    'Must start with "/", with path parameters as {name}.',
  );

export const Route = z
  .object({
    id: Id,
    proxyId: Id,
    method: z.enum(routeMethods),
    pathPattern: PathPattern,
    targetServer: Name.describe('Name of the target server; each environment has its own host for it.'),
    targetPath: z.string().nullable().describe('Path at the target; null: the called path.'),
    timeoutMs: z.int().nullable().describe('How long the target may take; null: the gateway’s default.'),
    summary: z.string(),
    description: z.string(),
    ...versioned,
  })
  .meta({ id: 'Route' });

const fields = {
  method: z.enum(routeMethods),
  pathPattern: PathPattern,
  targetServer: Name,
  targetPath: TargetPath.nullable(),
  timeoutMs: z.int().min(1).max(300_000).nullable(),
  summary: z.string().trim().max(200),
  description: z.string().max(5_000),
};

const proxyParams = z.object({ proxyId: Id });
const params = z.object({ proxyId: Id, routeId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'proxy' } as const;
const tag = 'API proxies';

const exampleRoute = {
  id: 'rte_00000000000000000000000001',
  proxyId: 'prx_00000000000000000000000001',
  method: 'GET' as const,
  pathPattern: '/{orderId}',
  targetServer: 'orders-backend',
  targetPath: '/orders/{orderId}',
  timeoutMs: 5_000,
  summary: 'Show an order',
  description: '',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleProxyParams = { proxyId: exampleRoute.proxyId };
const exampleParams = { ...exampleProxyParams, routeId: exampleRoute.id };

export const routeOperations = [
  defineOperation({
    id: 'listRoutes',
    method: 'GET',
    path: '/proxies/:proxyId/routes',
    tag,
    summary: 'List the routes of an API proxy',
    access: 'proxy.read',
    audit: null,
    request: {
      params: proxyParams,
      query: listQuery(['position', 'pathPattern', 'method', 'targetServer', 'createdAt'], {
        method: z.enum(routeMethods).optional(),
        targetServer: Name.optional(),
      }),
    },
    data: listData('routes', Route),
    example: { request: { params: exampleProxyParams }, data: { routes: [exampleRoute], total: 1 } },
  }),
  defineOperation({
    id: 'createRoute',
    method: 'POST',
    path: '/proxies/:proxyId/routes',
    tag,
    summary: 'Add a route to an API proxy',
    description: 'A path can have one route per method; ANY covers all methods. Parameter names make no difference.',
    access: 'proxy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      params: proxyParams,
      body: z.strictObject({
        ...fields,
        targetPath: fields.targetPath.default(null),
        timeoutMs: fields.timeoutMs.default(null),
        summary: fields.summary.default(''),
        description: fields.description.default(''),
      }),
    },
    data: Route,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        params: exampleProxyParams,
        body: {
          method: 'DELETE',
          pathPattern: '/{orderId}/lines/{lineId}',
          targetServer: 'orders-backend',
          timeoutMs: 5_000,
          summary: 'Remove a line',
        },
      },
      data: exampleRoute,
    },
  }),
  defineOperation({
    id: 'getRoute',
    method: 'GET',
    path: '/proxies/:proxyId/routes/:routeId',
    tag,
    summary: 'Show a route',
    access: 'proxy.read',
    audit: null,
    request: { params },
    data: Route,
    example: { request: { params: exampleParams }, data: exampleRoute },
  }),
  defineOperation({
    id: 'updateRoute',
    method: 'PATCH',
    path: '/proxies/:proxyId/routes/:routeId',
    tag,
    summary: 'Change a route',
    access: 'proxy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: { params, body: z.strictObject(fields).partial() },
    data: Route,
    example: { request: { params: exampleParams, body: { timeoutMs: 10_000 } }, data: exampleRoute },
  }),
  defineOperation({
    id: 'deleteRoute',
    method: 'DELETE',
    path: '/proxies/:proxyId/routes/:routeId',
    tag,
    summary: 'Remove a route',
    description:
      'Policies that also apply to other routes keep applying to those; a policy that applies only to this route has to be changed first.',
    access: 'proxy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
] as const;
