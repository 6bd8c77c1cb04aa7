import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { ContentChanges, revisionParams } from '../../design/revisions/contract.ts';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

const states = ['pending', 'rolling_out', 'live', 'superseded', 'rolled_back', 'undeployed', 'failed'] as const;
const strategies = ['direct', 'canary'] as const;
const Weight = z.int().min(0).max(100).describe('Share of the calls, in percent.');
const Split = z
  .enum(['requests', 'callers'])
  .describe(
    'What the weights of a canary and the deployment next to it are shares of: `requests`, so that every caller gets both, or `callers`, each of whom stays on one revision (by key, or by connection without one).',
  );

export const DeploymentBudget = z
  .strictObject({
    maxErrorRateIncrease: z
      .number()
      .min(0)
      .max(1)
      .describe('How much its error rate may exceed that of the deployment next to it, such as 0.05.'),
    maxLatencyIncreasePercent: z
      .number()
      .min(0)
      .max(10_000)
      .nullable()
      .default(null)
      .describe('How much slower its 95th percentile may be, in percent; null: no limit.'),
    minimumRequests: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .default(100)
      .describe('Calls of the canary before the budget is checked.'),
  })
  .describe('What a canary may cost before it is rolled back automatically.');

export const Deployment = z
  .object({
    id: Id,
    environmentId: Id,
    environmentName: Name,
    proxyId: Id,
    proxyName: Name,
    revision: z.int(),
    strategy: z.enum(strategies),
    weight: Weight,
    split: Split,
    state: z
      .enum(states)
      .describe(
        '`pending`: waiting for a gateway node, for example because none is registered; `rolling_out`: some reporting nodes have not loaded it; `live`: all of them have.',
      ),
    contentHash: z.string().describe('SHA-256 of the content of the revision.'),
    previousId: Id.nullable().describe('The previous live deployment, which a rollback restores.'),
    rolledBackFrom: z
      .object({ deploymentId: Id, revision: z.int() })
      .nullable()
      .describe('If a rollback or failure made it live: the deployment that was rolled back, or failed.'),
    note: z.string(),
    failure: z.string().nullable().describe('Why it failed, or was rolled back automatically.'),
    budget: DeploymentBudget.nullable(),
    snapshotSequence: z
      .int()
      .nullable()
      .describe(
        'Sequence number of the first configuration that contains it: nodes with this or a later one serve it.',
      ),
    createdBy: Id,
    createdByName: z.string(),
    endedAt: Time.nullable().describe('Null while it is live.'),
    ...versioned,
  })
  .meta({ id: 'Deployment' });

export const DeploymentWithDiff = Deployment.extend({
  diff: ContentChanges.describe('Compared with what was live when it was deployed.'),
}).meta({ id: 'DeploymentWithDiff' });

export const DeploymentProblem = z
  .object({
    code: z.string(),
    blocking: z.boolean().describe('Whether it blocks the deployment.'),
    message: z.string(),
    remedy: z.string(),
  })
  .meta({ id: 'DeploymentProblem' });

const Percentiles = z
  .object({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() })
  .describe('Milliseconds; null without calls.');
const TrafficShare = z.object({
  deploymentId: Id,
  revision: z.int(),
  weight: Weight,
  requests: z.int(),
  errors: z.int().describe('Responses 5xx.'),
  errorRate: z.number().nullable().describe('Between 0 and 1; null without calls.'),
  latencyMs: Percentiles,
  measured: z
    .object({
      requests: z.int(),
      share: z.number().nullable().describe('Of the requests of both, between 0 and 1; null without any.'),
    })
    .describe('Traffic since the weights were last set.'),
});

const body = z.strictObject({
  proxyId: Id,
  environmentId: Id,
  revision: z.int().min(1).max(1_000_000),
  strategy: z.enum(strategies).default('direct'),
  weight: z.int().min(1).max(99).optional().describe('Of a canary, in percent; 10 if absent.'),
  split: Split.optional().describe('Of a canary; `requests` if absent.'),
});

/** Filters of deployments, here and in an environment. */
const deploymentSorts = ['-createdAt', 'updatedAt', 'revision'] as const;
const deploymentFilters = {
  environmentId: Id.optional(),
  proxyId: Id.optional(),
  state: z.enum(states).optional(),
  strategy: z.enum(strategies).optional(),
  serving: z.stringbool().optional().describe('Those that serve now, or those that no longer do.'),
};

const params = z.object({ deploymentId: Id });
const audit = { category: 'deployment', severity: 'medium', entityType: 'deployment' } as const;
const tag = 'Deployments';
const deploying = ['deployment.write', 'deployment.prod'] as const;

const exampleDeployment = {
  id: 'dep_00000000000000000000000001',
  environmentId: 'env_00000000000000000000000001',
  environmentName: 'production',
  proxyId: 'prx_00000000000000000000000001',
  proxyName: 'orders',
  revision: 2,
  strategy: 'direct' as const,
  weight: 100,
  split: 'requests' as const,
  state: 'live' as const,
  contentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  previousId: null,
  rolledBackFrom: null,
  note: 'Release of January',
  failure: null,
  budget: null,
  snapshotSequence: 7,
  createdBy: 'usr_00000000000000000000000001',
  createdByName: 'Ada Example',
  endedAt: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { deploymentId: exampleDeployment.id };
const exampleDiff = {
  changes: [
    {
      area: 'route' as const,
      kind: 'added' as const,
      key: 'GET /{orderId}',
      fields: [],
      breaking: false,
      reason: 'No callers use it yet.',
    },
  ],
  breaking: false,
};
const exampleRequest = {
  proxyId: exampleDeployment.proxyId,
  environmentId: exampleDeployment.environmentId,
  revision: exampleDeployment.revision,
};
const noCalls = {
  requests: 0,
  errors: 0,
  errorRate: null,
  latencyMs: { p50: null, p95: null, p99: null },
  measured: { requests: 0, share: null },
};

export const deploymentOperations = [
  defineOperation({
    id: 'listDeployments',
    method: 'GET',
    path: '/deployments',
    tag,
    summary: 'List deployments',
    access: 'deployment.read',
    audit: null,
    request: { query: listQuery(deploymentSorts, deploymentFilters) },
    data: listData('deployments', Deployment),
    example: { request: { query: { serving: 'true' } }, data: { deployments: [exampleDeployment], total: 1 } },
  }),
  defineOperation({
    id: 'createDeployment',
    method: 'POST',
    path: '/deployments',
    tag,
    summary: 'Deploy a revision',
    description:
      'Makes a revision live in an environment: instead of the live one (direct), or next to it with a share of the calls (canary). Production needs the permission deployment.prod and the revision whose content is approved. Blocking problems in the preflight stop it; in production, so do blocking governance findings. A deployment that a gateway node cannot load, or has not loaded in time, fails automatically, and the previous one keeps serving.',
    access: deploying,
    audit,
    production: 'deployment',
    request: {
      body: body.extend({
        note: z.string().trim().max(1_000).default(''),
        budget: DeploymentBudget.nullable().default(null),
      }),
    },
    data: DeploymentWithDiff,
    status: 201,
    errors: ['conflict'],
    example: {
      request: { body: { ...exampleRequest, note: 'Release of January' } },
      data: { ...exampleDeployment, diff: exampleDiff },
    },
  }),
  defineOperation({
    id: 'preflightDeployment',
    method: 'POST',
    path: '/deployments/preflight',
    tag,
    summary: 'Check what a deployment would change, and what would block it',
    access: 'deployment.read',
    audit: null,
    request: { body },
    data: z.object({
      deployable: z.boolean().describe('Whether nothing blocks it.'),
      problems: z.array(DeploymentProblem),
      diff: ContentChanges.describe('Compared with what is live there now.'),
    }),
    example: {
      request: { body: exampleRequest },
      data: {
        deployable: false,
        problems: [
          {
            code: 'target-missing',
            blocking: true,
            message: 'The environment production has no target server orders-backend.',
            remedy: 'Register the target server orders-backend in this environment.',
          },
        ],
        diff: exampleDiff,
      },
    },
  }),
  defineOperation({
    id: 'getDeployment',
    method: 'GET',
    path: '/deployments/:deploymentId',
    tag,
    summary: 'Show a deployment',
    access: 'deployment.read',
    audit: null,
    request: { params },
    data: DeploymentWithDiff,
    example: { request: { params: exampleParams }, data: { ...exampleDeployment, diff: exampleDiff } },
  }),
  defineOperation({
    id: 'rollBackDeployment',
    method: 'POST',
    path: '/deployments/:deploymentId/rollback',
    tag,
    summary: 'Go back to the previous revision',
    description:
      'The previous revision gets all calls again: for a canary, the one next to it; otherwise the one that it replaced, as a new deployment. Returns the live deployment, which names the one that was rolled back.',
    access: deploying,
    audit,
    production: 'deployment',
    request: {
      params,
      body: z.strictObject({ note: z.string().trim().max(1_000).default('') }).default({ note: '' }),
    },
    data: Deployment,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { note: 'Too many time-outs' } },
      data: {
        ...exampleDeployment,
        revision: 1,
        rolledBackFrom: { deploymentId: exampleDeployment.id, revision: exampleDeployment.revision },
      },
    },
  }),
  defineOperation({
    id: 'setDeploymentTraffic',
    method: 'PUT',
    path: '/deployments/:deploymentId/traffic',
    tag,
    summary: 'Split the traffic',
    description:
      'Sets the weight of every live deployment of the proxy in this environment. They must add up to 100. Without `split`, the split doesn’t change.',
    access: deploying,
    audit,
    production: 'deployment',
    request: {
      params,
      body: z.strictObject({
        weights: z
          .array(z.strictObject({ deploymentId: Id, weight: Weight }))
          .min(1)
          .max(10),
        split: Split.optional(),
      }),
    },
    data: Deployment,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { weights: [{ deploymentId: exampleDeployment.id, weight: 100 }] } },
      data: { ...exampleDeployment, version: 2 },
    },
  }),
  defineOperation({
    id: 'promoteDeployment',
    method: 'POST',
    path: '/deployments/:deploymentId/promote',
    tag,
    summary: 'Promote a canary',
    description: 'It gets all calls; the deployment next to it is superseded.',
    access: deploying,
    audit,
    production: 'deployment',
    request: { params },
    data: Deployment,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleDeployment, strategy: 'canary', version: 2 } },
  }),
  defineOperation({
    id: 'undeployDeployment',
    method: 'POST',
    path: '/deployments/:deploymentId/undeploy',
    tag,
    summary: 'Stop serving',
    description: 'After undeploying a canary, the deployment next to it gets all calls again.',
    access: deploying,
    audit,
    production: 'deployment',
    request: { params },
    data: Deployment,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleDeployment,
        weight: 0,
        state: 'undeployed',
        endedAt: '2026-01-16T09:00:00.000Z',
        version: 2,
      },
    },
  }),
  defineOperation({
    id: 'compareDeployment',
    method: 'GET',
    path: '/deployments/:deploymentId/comparison',
    tag,
    summary: 'Compare a canary with the deployment next to it',
    access: 'deployment.read',
    audit: null,
    request: { params },
    data: z.object({
      since: Time.describe('Calls are counted since then, when the canary was deployed.'),
      split: Split,
      measuredSince: Time.describe(
        'The split is measured since then, the first whole minute after the weights were last set.',
      ),
      canary: TrafficShare,
      stable: TrafficShare.nullable().describe('Null if there is, or was, no deployment next to it.'),
      budget: DeploymentBudget.nullable(),
      spent: z.string().nullable().describe('Why the budget is spent; null if it is not.'),
    }),
    example: {
      request: { params: exampleParams },
      data: {
        since: '2026-01-15T09:00:00.000Z',
        split: 'requests',
        measuredSince: '2026-01-15T09:01:00.000Z',
        canary: { deploymentId: exampleDeployment.id, revision: 2, weight: 10, ...noCalls },
        stable: { deploymentId: 'dep_00000000000000000000000002', revision: 1, weight: 90, ...noCalls },
        budget: { maxErrorRateIncrease: 0.05, maxLatencyIncreasePercent: null, minimumRequests: 100 },
        spent: null,
      },
    },
  }),
  defineOperation({
    id: 'listServingDeployments',
    method: 'GET',
    path: '/environments/:environmentId/deployments',
    tag: 'Environments',
    summary: 'List an environment’s live deployments',
    access: 'deployment.read',
    audit: null,
    request: {
      params: z.object({ environmentId: Id }),
      query: listQuery(deploymentSorts, { proxyId: deploymentFilters.proxyId }),
    },
    data: listData('deployments', Deployment),
    example: {
      request: { params: { environmentId: exampleDeployment.environmentId } },
      data: { deployments: [exampleDeployment], total: 1 },
    },
  }),
  defineOperation({
    id: 'listRevisionDeployments',
    method: 'GET',
    path: '/proxies/:proxyId/revisions/:revision/deployments',
    tag: 'Revisions',
    summary: 'List where a revision is or was live',
    access: 'revision.read',
    audit: null,
    request: {
      params: revisionParams,
      query: listQuery(['-createdAt', 'updatedAt'], {
        environmentId: Id.optional(),
        serving: z.stringbool().optional(),
      }),
    },
    data: listData('deployments', Deployment),
    example: {
      request: { params: { proxyId: exampleDeployment.proxyId, revision: 1 } },
      data: { deployments: [exampleDeployment], total: 1 },
    },
  }),
] as const;
