import { maxContentsPerCall, SealedSecrets, Signed } from '@millrace/gateway-configuration/manifest';
import { Heartbeat, UsageBatch } from '@millrace/gateway-configuration/reports';
import { Name, RevisionContent } from '@millrace/revision/content';
import * as z from 'zod';
import { Refusal } from '../../design/environments/contract.ts';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { Deployment } from '../deployments/contract.ts';

const healths = ['healthy', 'degraded', 'draining', 'drained', 'offline'] as const;
const drains = ['none', 'draining', 'drained'] as const;

export const GatewayNode = z
  .object({
    id: Id,
    environmentId: Id,
    environmentName: Name,
    name: Name,
    description: z.string(),
    health: z.enum(healths),
    problems: z.array(z.string()).describe('Why it is not healthy, each as a sentence.'),
    drain: z
      .enum(drains)
      .describe('`draining`: it accepts no new calls; `drained`: it has finished those in progress too.'),
    registeredAt: Time.nullable().describe('Null until it has registered.'),
    tokenActive: z.boolean().describe('Whether its token is valid: not before it registers, nor after it is revoked.'),
    registrationExpiresAt: Time.nullable().describe('When its registration token expires; null without one.'),
    lastHeartbeatAt: Time.nullable(),
    startedAt: Time.nullable(),
    software: z.string().nullable(),
    address: z
      .string()
      .nullable()
      .describe(
        'Where callers reach it, as reported by the node; if it listens on every interface, an address of its machine.',
      ),
    ready: z.boolean().describe('Whether it has loaded all of its revisions.'),
    configuration: z
      .object({
        assigned: z.int().nullable().describe('Sequence number of the newest configuration of its environment.'),
        held: z.int().nullable().describe('Sequence number of the configuration that it serves.'),
        hash: z.string().nullable(),
        refused: Refusal.nullable().describe('The latest configuration that it did not load, and why.'),
      })
      .describe('From its last heartbeat.'),
    requestsPerSecond: z.number().nullable().describe('Average of the ten seconds before its last heartbeat.'),
    errorsPerSecond: z.number().nullable(),
    ...versioned,
  })
  .meta({ id: 'GatewayNode' });

const RegistrationToken = z.string().describe('Shown once. It registers one node, within 24 hours.');

const Metrics = z.object({
  cpuPercent: z.number(),
  memoryBytes: z.int(),
  connections: z.int(),
  requestsPerSecond: z.number(),
  errorsPerSecond: z.number(),
  eventLoopDelayMs: z.number(),
  spooledBatches: z.int().describe('Usage batches not delivered yet.'),
});

const params = z.object({ nodeId: Id });
const description = z.string().max(1_000);
const audit = { category: 'deployment', severity: 'medium', entityType: 'gateway_node' } as const;
const tokenAudit = { category: 'security', severity: 'high', entityType: 'gateway_node' } as const;
const tag = 'Gateway nodes';

const exampleNode = {
  id: 'gwn_00000000000000000000000001',
  environmentId: 'env_00000000000000000000000001',
  environmentName: 'production',
  name: 'frankfurt-1',
  description: 'Frankfurt, first of two',
  health: 'healthy' as const,
  problems: [],
  drain: 'none' as const,
  registeredAt: '2026-01-15T09:00:00.000Z',
  tokenActive: true,
  registrationExpiresAt: null,
  lastHeartbeatAt: '2026-01-15T10:00:00.000Z',
  startedAt: '2026-01-15T09:00:00.000Z',
  software: 'millrace-gateway 0.1.0',
  address: 'https://api.example.com',
  ready: true,
  configuration: {
    assigned: 7,
    held: 7,
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    refused: null,
  },
  requestsPerSecond: 120.5,
  errorsPerSecond: 0,
  version: 2,
  createdAt: '2026-01-15T08:55:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleNewNode = {
  ...exampleNode,
  name: 'frankfurt-2',
  description: '',
  health: 'offline' as const,
  problems: ['It has not registered yet.'],
  registeredAt: null,
  tokenActive: false,
  registrationExpiresAt: '2026-01-16T08:55:00.000Z',
  lastHeartbeatAt: null,
  startedAt: null,
  software: null,
  address: null,
  ready: false,
  configuration: { assigned: 7, held: null, hash: null, refused: null },
  requestsPerSecond: null,
  errorsPerSecond: null,
  version: 1,
  updatedAt: '2026-01-15T08:55:00.000Z',
};
const exampleParams = { nodeId: exampleNode.id };
const exampleRegistrationToken = 'mrr_q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk';
const exampleSignature = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8SNFZ4kA==';
const exampleSecrets = {
  ephemeralPublicKey: 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=',
  nonce: 'q83vEjRWeJCrze8S',
  ciphertext: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ',
  tag: 'q83vEjRWeJCrze8SNFZ4kA==',
};
const exampleCounts = { requests: 10, status2xx: 9, status3xx: 0, status4xx: 1, status5xx: 0 };
const exampleMetrics = {
  cpuPercent: 12.5,
  memoryBytes: 104_857_600,
  connections: 40,
  requestsPerSecond: 120.5,
  errorsPerSecond: 0,
  eventLoopDelayMs: 0.4,
  spooledBatches: 0,
};

/** Hashes of contents, separated by commas. */
const Hashes = z
  .string()
  .max(maxContentsPerCall * 65)
  .regex(
    new RegExp(`^[0-9a-f]{64}(?:,[0-9a-f]{64}){0,${maxContentsPerCall - 1}}$`),
    `Must be up to ${maxContentsPerCall} SHA-256 hashes in hex digits, separated by commas.`,
  )
  .transform((text) => text.split(','))
  .describe(`SHA-256 hashes of contents in hex digits, separated by commas; at most ${maxContentsPerCall}.`);

export const gatewayNodeOperations = [
  defineOperation({
    id: 'listGatewayNodes',
    method: 'GET',
    path: '/gateway-nodes',
    tag,
    summary: 'List gateway nodes with their health',
    access: 'gateway-node.read',
    audit: null,
    request: {
      query: listQuery(['name', 'createdAt', 'lastHeartbeatAt'], {
        environmentId: Id.optional(),
        health: z.enum(healths).optional(),
      }),
    },
    data: listData('gatewayNodes', GatewayNode),
    example: { request: { query: { sort: 'name' } }, data: { gatewayNodes: [exampleNode], total: 1 } },
  }),
  defineOperation({
    id: 'createGatewayNode',
    method: 'POST',
    path: '/gateway-nodes',
    tag,
    summary: 'Register a gateway node',
    description:
      'Creates a node in an environment. The response contains the registration token, shown once: start the node with it within 24 hours.',
    access: 'gateway-node.write',
    audit,
    production: 'gateway_node',
    request: {
      body: z.strictObject({ environmentId: Id, name: Name, description: description.default('') }),
    },
    data: GatewayNode.extend({ registrationToken: RegistrationToken }),
    status: 201,
    errors: ['conflict'],
    example: {
      request: { body: { environmentId: exampleNode.environmentId, name: 'frankfurt-2' } },
      data: { ...exampleNewNode, registrationToken: exampleRegistrationToken },
    },
  }),
  defineOperation({
    id: 'getGatewayNode',
    method: 'GET',
    path: '/gateway-nodes/:nodeId',
    tag,
    summary: 'Show a gateway node',
    access: 'gateway-node.read',
    audit: null,
    request: { params },
    data: GatewayNode,
    example: { request: { params: exampleParams }, data: exampleNode },
  }),
  defineOperation({
    id: 'updateGatewayNode',
    method: 'PATCH',
    path: '/gateway-nodes/:nodeId',
    tag,
    summary: 'Change a gateway node',
    description: 'Changes the given fields. A node can’t move to another environment: register a new one there.',
    access: 'gateway-node.write',
    audit: { ...audit, severity: 'low' },
    production: 'gateway_node',
    request: { params, body: z.strictObject({ name: Name, description }).partial() },
    data: GatewayNode,
    example: {
      request: { params: exampleParams, body: { description: 'Frankfurt, rack 4' } },
      data: { ...exampleNode, description: 'Frankfurt, rack 4', version: 3 },
    },
  }),
  defineOperation({
    id: 'deleteGatewayNode',
    method: 'DELETE',
    path: '/gateway-nodes/:nodeId',
    tag,
    summary: 'Remove an offline gateway node',
    description: 'Its token is no longer valid. Rejected while the node is reporting.',
    access: 'gateway-node.write',
    audit,
    production: 'gateway_node',
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'drainGatewayNode',
    method: 'POST',
    path: '/gateway-nodes/:nodeId/drain',
    tag,
    summary: 'Drain a gateway node',
    description:
      'It reports to load balancers that it is not ready, accepts no new connections and finishes the calls in progress; then it is drained.',
    access: 'gateway-node.drain',
    audit,
    production: 'gateway_node',
    request: { params },
    data: GatewayNode,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams },
      data: { ...exampleNode, health: 'draining', drain: 'draining', version: 3 },
    },
  }),
  defineOperation({
    id: 'resumeGatewayNode',
    method: 'POST',
    path: '/gateway-nodes/:nodeId/resume',
    tag,
    summary: 'Resume a drained gateway node',
    access: 'gateway-node.drain',
    audit,
    production: 'gateway_node',
    request: { params },
    data: GatewayNode,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleNode, version: 4 } },
  }),
  defineOperation({
    id: 'rotateGatewayNodeToken',
    method: 'POST',
    path: '/gateway-nodes/:nodeId/token',
    tag,
    summary: 'Make a new registration token for a gateway node',
    description:
      'The node’s current token stays valid until the new registration token is used, so that it serves without a gap. An earlier registration token is no longer valid.',
    access: 'gateway-node.write',
    audit: tokenAudit,
    production: 'gateway_node',
    request: { params },
    data: GatewayNode.extend({ registrationToken: RegistrationToken }),
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleNode,
        registrationExpiresAt: '2026-01-16T10:00:00.000Z',
        version: 3,
        registrationToken: exampleRegistrationToken,
      },
    },
  }),
  defineOperation({
    id: 'revokeGatewayNodeToken',
    method: 'DELETE',
    path: '/gateway-nodes/:nodeId/token',
    tag,
    summary: 'Revoke the token of a gateway node',
    description:
      'The node’s token and any unused registration token become invalid immediately, and a waiting call ends. The node gets no more configuration, consumers or secrets and can’t deliver usage; it keeps serving what it has loaded until it is stopped. It registers again with a new registration token.',
    access: 'gateway-node.write',
    audit: tokenAudit,
    production: 'gateway_node',
    request: { params },
    data: GatewayNode,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleNode,
        tokenActive: false,
        health: 'offline' as const,
        problems: ['Its token was revoked. Start it with a new registration token, or stop it.'],
        version: 3,
      },
    },
  }),
  defineOperation({
    id: 'getGatewayNodeMetrics',
    method: 'GET',
    path: '/gateway-nodes/:nodeId/metrics',
    tag,
    summary: 'See a gateway node’s CPU, memory, connections and requests',
    access: 'gateway-node.read',
    audit: null,
    request: { params },
    data: z.object({
      latest: Metrics.extend({ at: Time }).nullable().describe('From its last heartbeat; null before the first one.'),
      history: z.array(Metrics.extend({ at: Time })).describe('The last hour, at most one every ten seconds.'),
      targets: z
        .array(
          z.object({
            name: Name,
            endpoint: z.string(),
            state: z.enum(['healthy', 'unhealthy', 'ejected', 'open']),
          }),
        )
        .describe('Target servers as this node sees them. `open`: its circuit breaker blocks calls.'),
    }),
    example: {
      request: { params: exampleParams },
      data: {
        latest: { at: '2026-01-15T10:00:00.000Z', ...exampleMetrics },
        history: [{ at: '2026-01-15T10:00:00.000Z', ...exampleMetrics }],
        targets: [{ name: 'orders-backend', endpoint: 'orders.internal.example:443', state: 'healthy' }],
      },
    },
  }),
  defineOperation({
    id: 'registerGatewayNode',
    method: 'POST',
    path: '/gateway/registrations',
    tag,
    summary: 'Register as a gateway node',
    description:
      'For the node itself: takes its registration token and its X25519 public key, which secrets are encrypted for, and returns the token for all further calls. An earlier token becomes invalid.',
    access: 'public',
    scope: 'platform',
    rateClass: 'sign_in',
    audit: tokenAudit,
    production: { exempt: 'registered_node' },
    request: {
      body: z.strictObject({
        registrationToken: z.string().min(1).max(100),
        publicKey: z
          .string()
          .regex(/^[A-Za-z0-9+/]{43}=$/, 'Must be the 32 bytes of an X25519 public key in Base64.')
          .describe('X25519, its 32 bytes in Base64.'),
      }),
    },
    data: z.object({
      nodeId: Id,
      nodeToken: z.string().describe('Shown once: to be sent as `Authorization: Bearer`.'),
      organizationId: Id,
      environmentId: Id,
      environmentName: Name,
      verificationKey: z.string().describe('Ed25519 public key as PEM, by which configurations are verified.'),
    }),
    status: 201,
    errors: ['sign_in_failed'],
    example: {
      request: {
        body: {
          registrationToken: exampleRegistrationToken,
          publicKey: 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=',
        },
      },
      data: {
        nodeId: exampleNode.id,
        nodeToken: 'mrn_q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk',
        organizationId: 'org_00000000000000000000000001',
        environmentId: exampleNode.environmentId,
        environmentName: 'production',
        verificationKey:
          '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n',
      },
    },
  }),
  defineOperation({
    id: 'getGatewayConfiguration',
    method: 'GET',
    path: '/gateway/configuration',
    tag,
    summary: 'Get a gateway node’s configuration',
    description:
      'For the node itself. Waits up to `waitSeconds` for something newer than what the node has. If there is nothing, the response is 304 to an `If-None-Match` with the last `ETag`, otherwise one without configuration and consumers. A node has one such call at a time: a new one ends the previous.',
    access: 'node',
    audit: null,
    request: {
      query: z.strictObject({
        sequence: z.coerce.number().int().min(0).max(2_147_483_647).default(0).describe('Of the manifest it has.'),
        consumers: z.coerce
          .number()
          .int()
          .min(0)
          .max(Number.MAX_SAFE_INTEGER)
          .default(0)
          .describe('The last change of consumers that it has.'),
        waitSeconds: z.coerce.number().int().min(0).max(30).default(0),
        drain: z
          .enum(['none', 'draining'])
          .optional()
          .describe('The last request it received; if this is given, a different one is returned immediately.'),
      }),
    },
    data: z.object({
      configuration: z
        .object({
          manifest: Signed.describe('The text is the canonical JSON of a manifest.'),
          hash: z.string().describe('SHA-256 of the manifest’s text in hex digits.'),
          secrets: SealedSecrets.describe('Encrypted for this node: a JSON object of the secrets by name.'),
        })
        .nullable()
        .describe('Null if the node has the newest.'),
      consumers: Signed.nullable().describe(
        'The text is the canonical JSON of a page of consumers; null: none changed.',
      ),
      drain: z.enum(['none', 'draining']),
    }),
    errors: ['unavailable'],
    example: {
      request: { query: { sequence: 0, consumers: 0 } },
      data: {
        configuration: {
          manifest: { text: '{"deployments":[],"format":2}', signature: exampleSignature },
          hash: exampleNode.configuration.hash,
          secrets: exampleSecrets,
        },
        consumers: null,
        drain: 'none',
      },
    },
  }),
  defineOperation({
    id: 'getGatewayContents',
    method: 'GET',
    path: '/gateway/contents',
    tag,
    summary: 'Get contents listed in a manifest',
    description:
      'For the node itself: the contents with these hashes that are live in its environment. If they are large, only some are returned: request the rest again. Contents that are no longer live are left out: request the configuration again then.',
    access: 'node',
    audit: null,
    request: { query: z.strictObject({ hashes: Hashes }) },
    data: z.object({ contents: z.array(z.object({ hash: z.string(), content: RevisionContent })) }),
    example: {
      request: { query: { hashes: exampleNode.configuration.hash } },
      data: { contents: [] },
    },
  }),
  defineOperation({
    id: 'sendHeartbeat',
    method: 'POST',
    path: '/gateway/heartbeats',
    tag,
    summary: 'Report a gateway node’s status',
    description:
      'For the node itself: every few seconds, and immediately after each configuration that it loaded or rejected.',
    access: 'node',
    audit: null,
    request: { body: Heartbeat },
    data: z.object({
      drain: z.enum(['none', 'draining']),
      nodes: z
        .int()
        .min(1)
        .describe('Nodes of its environment that may serve, itself among them: those that reported within a day.'),
    }),
    example: {
      request: {
        body: {
          software: 'millrace-gateway 0.1.0',
          startedAt: '2026-01-15T09:00:00.000Z',
          address: 'https://api.example.com',
          configuration: { sequence: 7, hash: exampleNode.configuration.hash },
          consumersSequence: 40,
          refused: null,
          ready: true,
          drain: 'none',
          targets: [{ name: 'orders-backend', endpoint: 'orders.internal.example:443', state: 'healthy' }],
          metrics: exampleMetrics,
        },
      },
      data: { drain: 'none', nodes: 2 },
    },
  }),
  defineOperation({
    id: 'sendUsage',
    method: 'POST',
    path: '/gateway/usage',
    tag,
    summary: 'Deliver a gateway node’s usage',
    description:
      'For the node itself. A batch is applied exactly once; sending it again changes nothing. Rows about entities that the organization doesn’t have are ignored. Rows that are ahead of the management API’s clock count for the present.',
    access: 'node',
    audit: null,
    request: { body: UsageBatch },
    data: z.object({
      applied: z.boolean().describe('False if it was applied before.'),
      aheadRows: z.int().describe('Rows more than an hour ahead: the node’s clock is wrong.'),
    }),
    example: {
      request: {
        body: {
          streamId: 'usb_0123456789abcdefghijklmnop',
          sequence: 41,
          traffic: [
            {
              hour: '2026-01-15T09:00:00.000Z',
              proxyId: 'prx_00000000000000000000000001',
              appId: null,
              productId: null,
              country: 'DE',
              ...exampleCounts,
              limited: 1,
              requestBytes: 10_240,
              responseBytes: 20_480,
              gatewayTime: [40, 10],
              targetTime: [200, 9],
            },
          ],
          deployments: [
            {
              minute: '2026-01-15T09:41:00.000Z',
              deploymentId: 'dep_00000000000000000000000001',
              ...exampleCounts,
              latency: [200, 10],
            },
          ],
          routes: [
            {
              hour: '2026-01-15T09:00:00.000Z',
              proxyId: 'prx_00000000000000000000000001',
              routeId: 'rte_00000000000000000000000001',
              ...exampleCounts,
            },
          ],
          metered: [
            {
              quarter: '2026-01-15T09:30:00.000Z',
              termId: 'trm_00000000000000000000000001',
              proxyId: 'prx_00000000000000000000000001',
              statusClass: 2,
              requests: 10,
              requestBytes: 10_240,
              responseBytes: 20_480,
              units: '12.5',
              withoutUnits: 1,
              unreadableUnits: 0,
            },
          ],
          slots: [
            {
              slot: '2026-01-15T09:41:50.000Z',
              proxyId: 'prx_00000000000000000000000001',
              ...exampleCounts,
              limited: 1,
              requestBytes: 10_240,
              responseBytes: 20_480,
              gatewayTime: [40, 10],
              targetTime: [200, 9],
              latency: [200, 10],
            },
          ],
          failures: [
            {
              hour: '2026-01-15T09:00:00.000Z',
              proxyId: 'prx_00000000000000000000000001',
              routeId: 'rte_00000000000000000000000001',
              appId: 'app_00000000000000000000000001',
              productId: 'prd_00000000000000000000000001',
              status4xx: 1,
              status5xx: 0,
            },
          ],
        },
      },
      data: { applied: true, aheadRows: 0 },
    },
  }),
  defineOperation({
    id: 'getDeploymentRollout',
    method: 'GET',
    path: '/deployments/:deploymentId/rollout',
    tag: 'Deployments',
    summary: 'See which gateway nodes serve a deployment',
    access: 'deployment.read',
    audit: null,
    request: { params: z.object({ deploymentId: Id }) },
    data: z.object({
      state: Deployment.shape.state,
      snapshotSequence: Deployment.shape.snapshotSequence,
      nodes: z.array(
        z.object({
          nodeId: Id,
          name: z.string(),
          health: GatewayNode.shape.health,
          awaited: z.boolean().describe('Whether the deployment waits for this node: it is reporting and not drained.'),
          configuration: z.int().nullable().describe('Sequence number of the configuration that it serves.'),
          serving: z.boolean(),
          servingSince: Time.nullable(),
          refused: z
            .object({ sequence: z.int(), reason: z.string(), since: Time })
            .nullable()
            .describe('Why it did not load this deployment’s configuration, or a later one.'),
        }),
      ),
      total: z.int().describe('Nodes that the deployment waits for.'),
      serving: z.int().describe('Those of them that serve this deployment.'),
    }),
    example: {
      request: { params: { deploymentId: 'dep_00000000000000000000000001' } },
      data: {
        state: 'live',
        snapshotSequence: 7,
        nodes: [
          {
            nodeId: 'gwn_00000000000000000000000001',
            name: 'frankfurt-1',
            health: 'healthy',
            awaited: true,
            configuration: 7,
            serving: true,
            servingSince: '2026-01-15T09:00:02.000Z',
            refused: null,
          },
        ],
        total: 1,
        serving: 1,
      },
    },
  }),
] as const;
