import * as z from 'zod';
import { defineOperation, Id } from '../../frame/operation.ts';

export const OrganizationOverview = z
  .object({
    proxies: z.object({
      total: z.int(),
      byStage: z.record(z.string(), z.int()),
      notEvaluated: z.int().describe('Proxies whose working copy has not been evaluated.'),
    }),
    deployments: z.object({
      serving: z.int(),
      pending: z.int(),
      failed: z.int().describe('In the last seven days, without a later deployment of the proxy there.'),
    }),
    environments: z.int(),
    targetServers: z.object({ total: z.int(), disabled: z.int() }),
    gatewayNodes: z.object({
      total: z.int(),
      offline: z.int().describe('Not reporting, those that never registered included.'),
    }),
    pendingReviews: z.int(),
    blockingFindings: z.int(),
    products: z.object({ total: z.int(), published: z.int(), suspended: z.int() }),
    developers: z.object({ total: z.int(), suspended: z.int() }),
    apps: z.object({ total: z.int(), suspended: z.int() }),
    subscriptions: z.object({ approved: z.int(), pending: z.int() }),
    users: z.object({ active: z.int(), suspended: z.int(), invited: z.int() }),
    health: z
      .enum(['good', 'attention'])
      .describe('`attention` if a deployment failed, a gateway node is offline or a finding blocks.'),
  })
  .meta({ id: 'OrganizationOverview' });

export const overviewOperations = [
  defineOperation({
    id: 'getOrganizationOverview',
    method: 'GET',
    path: '/organizations/:organizationId/overview',
    tag: 'Organizations',
    summary: 'Show counts and health for the console’s home page',
    access: 'organization.read',
    scope: 'platform',
    audit: null,
    request: { params: z.object({ organizationId: Id }) },
    data: OrganizationOverview,
    example: {
      request: { params: { organizationId: 'org_00000000000000000000000001' } },
      data: {
        proxies: { total: 3, byStage: { draft: 1, approved: 2 }, notEvaluated: 0 },
        deployments: { serving: 2, pending: 0, failed: 0 },
        environments: 2,
        targetServers: { total: 4, disabled: 0 },
        gatewayNodes: { total: 2, offline: 0 },
        pendingReviews: 1,
        blockingFindings: 0,
        products: { total: 2, published: 1, suspended: 0 },
        developers: { total: 5, suspended: 0 },
        apps: { total: 7, suspended: 1 },
        subscriptions: { approved: 6, pending: 2 },
        users: { active: 6, suspended: 0, invited: 1 },
        health: 'good',
      },
    },
  }),
] as const;
