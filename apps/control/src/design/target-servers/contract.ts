import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

/** A host name or an IP address, without a scheme or port. */
const Host = z
  .string()
  .max(253)
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|\[[0-9a-fA-F:.]{2,45}\])$/,
    'Must be a host name or an IP address, such as orders.internal or [::1], without scheme or port.',
  );

const Weight = z.int().min(1).max(100);
const Port = z.int().min(1).max(65_535);
const endpoints = z
  .array(z.strictObject({ host: Host, port: Port, weight: Weight.default(1) }))
  .max(19)
  .describe('Additional hosts that share its calls.');

const tlsNames = {
  serverName: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'Must be a host name.')
    .nullable()
    .describe('Name to request (SNI) and verify; null: the host.'),
  certificateAuthorities: z
    .string()
    .max(65_536)
    .nullable()
    .describe('PEM of the authorities that sign its certificate; null: the public ones.'),
  clientCertificate: z
    .string()
    .max(65_536)
    .nullable()
    .describe('PEM of the gateway’s client certificate (mTLS), with its chain; null: none.'),
} as const;

const tls = z
  .strictObject({
    serverName: tlsNames.serverName.default(null),
    certificateAuthorities: tlsNames.certificateAuthorities.default(null),
    clientCertificate: tlsNames.clientCertificate.default(null),
    clientKey: z
      .string()
      .min(1)
      .max(16_384)
      .optional()
      .describe(
        'PEM of the private key of the client certificate: stored encrypted, never returned. If omitted, it doesn’t change.',
      ),
  })
  .describe('Only with the scheme https. Replaces the previous settings.');

const protocol = z
  .enum(['http1', 'http2', 'auto'])
  .describe('`http1`: HTTP/1.1. `http2`: HTTP/2, which gRPC needs. `auto`: what TLS chooses; without TLS, HTTP/1.1.');

export const TargetServer = z
  .object({
    id: Id,
    environmentId: Id,
    name: Name.describe('The same in every environment; routes refer to it.'),
    description: z.string(),
    scheme: z.enum(['http', 'https']),
    protocol,
    host: Host,
    port: z.int(),
    weight: z.int().describe('Of the host, among the endpoints.'),
    endpoints: z.array(z.object({ host: Host, port: z.int(), weight: z.int() })),
    tls: z.object({ ...tlsNames, hasClientKey: z.boolean() }),
    enabled: z.boolean(),
    healthPath: z
      .string()
      .nullable()
      .describe('Path that returns 2xx if the server is healthy; null: connecting is enough.'),
    ...versioned,
  })
  .meta({ id: 'TargetServer' });

const fields = {
  name: Name,
  description: z.string().max(1_000),
  scheme: z.enum(['http', 'https']),
  host: Host,
  port: Port,
  weight: Weight,
  endpoints,
  tls,
  protocol,
  healthPath: z
    .string()
    .max(500)
    .regex(/^\/[\x21-\x7e]*$/, 'Must start with "/".')
    .nullable(),
};

/** The result of connecting to a target server. */
const Check = z.object({
  reachable: z.boolean(),
  latencyMs: z.number().nullable().describe('Until the response, or until connected if none is requested.'),
  tls: z
    .object({
      protocol: z.string(),
      validTo: Time.nullable(),
      daysLeft: z.int().nullable(),
      authorized: z.boolean().describe('Whether the certificate is valid for the host and from a trusted authority.'),
    })
    .nullable(),
  status: z.int().nullable().describe('HTTP status of the health path; null if there is none, or no response.'),
  problem: z.string().nullable().describe('The problem; null if there is none.'),
});

const References = z.object({
  routes: z
    .array(z.object({ proxyId: Id, proxyName: Name, routeId: Id, method: z.string(), pathPattern: z.string() }))
    .describe('Routes of working copies, at most 500.'),
  revisions: z
    .array(z.object({ proxyId: Id, proxyName: Name, revision: z.int(), environmentId: Id, environmentName: Name }))
    .describe('Live revisions and their environments, at most 500.'),
  total: z.int().describe('Of both.'),
});

const params = z.object({ targetServerId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'target_server' } as const;
const tag = 'Target servers';

const exampleTarget = {
  id: 'tgt_00000000000000000000000001',
  environmentId: 'env_00000000000000000000000001',
  name: 'orders-backend',
  description: 'Order management',
  scheme: 'https' as const,
  protocol: 'http1' as const,
  host: 'orders.internal.example',
  port: 443,
  weight: 1,
  endpoints: [{ host: 'orders-b.internal.example', port: 443, weight: 1 }],
  tls: { serverName: null, certificateAuthorities: null, clientCertificate: null, hasClientKey: false },
  enabled: true,
  healthPath: '/health',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { targetServerId: exampleTarget.id };

export const targetServerOperations = [
  defineOperation({
    id: 'listTargetServers',
    method: 'GET',
    path: '/target-servers',
    tag,
    summary: 'List target servers',
    access: 'target-server.read',
    audit: null,
    request: {
      query: listQuery(['name', 'host', 'createdAt', 'updatedAt'], {
        environmentId: Id.optional(),
        enabled: z.stringbool().optional(),
      }),
    },
    data: listData('targetServers', TargetServer),
    example: { request: { query: { sort: 'name' } }, data: { targetServers: [exampleTarget], total: 1 } },
  }),
  defineOperation({
    id: 'createTargetServer',
    method: 'POST',
    path: '/target-servers',
    tag,
    summary: 'Register a target server',
    access: 'target-server.write',
    audit,
    production: 'environment_part',
    request: {
      body: z.strictObject({
        environmentId: Id,
        ...fields,
        description: fields.description.default(''),
        scheme: fields.scheme.default('https'),
        protocol: fields.protocol.default('http1'),
        weight: fields.weight.default(1),
        endpoints: fields.endpoints.default([]),
        tls: fields.tls.prefault({}),
        enabled: z.boolean().default(true),
        healthPath: fields.healthPath.default(null),
      }),
    },
    data: TargetServer,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        body: {
          environmentId: exampleTarget.environmentId,
          name: 'billing-backend',
          host: 'billing.example',
          port: 443,
        },
      },
      data: exampleTarget,
    },
  }),
  defineOperation({
    id: 'getTargetServer',
    method: 'GET',
    path: '/target-servers/:targetServerId',
    tag,
    summary: 'Show a target server',
    access: 'target-server.read',
    audit: null,
    request: { params },
    data: TargetServer,
    example: { request: { params: exampleParams }, data: exampleTarget },
  }),
  defineOperation({
    id: 'updateTargetServer',
    method: 'PATCH',
    path: '/target-servers/:targetServerId',
    tag,
    summary: 'Change a target server',
    description: 'Changes the given fields. The name can’t be changed while a route or a live revision refers to it.',
    access: 'target-server.write',
    audit,
    production: 'environment_part',
    request: { params, body: z.strictObject(fields).partial() },
    data: TargetServer,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { host: 'orders-2.internal.example' } },
      data: { ...exampleTarget, host: 'orders-2.internal.example', version: 2 },
    },
  }),
  defineOperation({
    id: 'deleteTargetServer',
    method: 'DELETE',
    path: '/target-servers/:targetServerId',
    tag,
    summary: 'Delete an unused target server',
    description: 'Rejected while a route, or a live revision in its environment, refers to it. See its references.',
    access: 'target-server.delete',
    audit,
    production: 'environment_part',
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'enableTargetServer',
    method: 'POST',
    path: '/target-servers/:targetServerId/enable',
    tag,
    summary: 'Enable a target server',
    access: 'target-server.write',
    audit,
    production: 'environment_part',
    request: { params },
    data: TargetServer,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleTarget, version: 2 } },
  }),
  defineOperation({
    id: 'disableTargetServer',
    method: 'POST',
    path: '/target-servers/:targetServerId/disable',
    tag,
    summary: 'Disable a target server',
    description: 'Calls to it fail until it is enabled again.',
    access: 'target-server.write',
    audit,
    production: 'environment_part',
    request: { params },
    data: TargetServer,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleTarget, enabled: false, version: 2 } },
  }),
  defineOperation({
    id: 'checkTargetServer',
    method: 'POST',
    path: '/target-servers/:targetServerId/check',
    tag,
    summary: 'Connect to a target server now',
    description:
      'Opens a connection, with TLS if the scheme is https, and requests the health path if there is one, for at most five seconds. Redirects are not followed, and only the status of a response is read.',
    access: 'target-server.read',
    audit: null,
    request: { params },
    data: Check,
    errors: ['too_many_requests'],
    example: {
      request: { params: exampleParams },
      data: {
        reachable: true,
        latencyMs: 23.4,
        tls: { protocol: 'TLSv1.3', validTo: '2026-06-01T00:00:00.000Z', daysLeft: 136, authorized: true },
        status: 200,
        problem: null,
      },
    },
  }),
  defineOperation({
    id: 'getTargetServerReferences',
    method: 'GET',
    path: '/target-servers/:targetServerId/references',
    tag,
    summary: 'List the routes and revisions that use a target server',
    access: 'target-server.read',
    audit: null,
    request: { params },
    data: References,
    example: {
      request: { params: exampleParams },
      data: {
        routes: [
          {
            proxyId: 'prx_00000000000000000000000001',
            proxyName: 'orders',
            routeId: 'rte_00000000000000000000000001',
            method: 'GET',
            pathPattern: '/{orderId}',
          },
        ],
        revisions: [],
        total: 1,
      },
    },
  }),
] as const;
