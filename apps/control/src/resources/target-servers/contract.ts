import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';

/** A host name or an IP address, without a scheme or port. */
const Host = z
  .string()
  .max(253)
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|\[[0-9a-fA-F:.]{2,45}\])$/,
    'Give a host name or an IP address, such as orders.internal or [::1], without scheme and port.',
  );

export const TargetServer = z
  .object({
    id: Id,
    environmentId: Id,
    name: Name.describe('The same in every environment; routes refer to it.'),
    description: z.string(),
    scheme: z.enum(['http', 'https']),
    host: Host,
    port: z.int(),
    enabled: z.boolean(),
    healthPath: z
      .string()
      .nullable()
      .describe('Path that answers 2xx where the server is well; null: connecting is enough.'),
    ...versioned,
  })
  .meta({ id: 'TargetServer' });

const fields = {
  name: Name,
  description: z.string().max(1_000).default(''),
  scheme: z.enum(['http', 'https']).default('https'),
  host: Host,
  port: z.int().min(1).max(65_535),
  enabled: z.boolean().default(true),
  healthPath: z
    .string()
    .max(500)
    .regex(/^\/[\x21-\x7e]*$/, 'Begin with "/".')
    .nullable()
    .default(null),
};

const params = z.object({ targetServerId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'target_server' } as const;
const tag = 'Target servers';

const exampleTarget = {
  id: 'tgt_00000000000000000000000001',
  environmentId: 'env_00000000000000000000000001',
  name: 'orders-backend',
  description: 'Order management',
  scheme: 'https' as const,
  host: 'orders.internal.example',
  port: 443,
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
    request: { body: z.strictObject({ environmentId: Id, ...fields }) },
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
] as const;
