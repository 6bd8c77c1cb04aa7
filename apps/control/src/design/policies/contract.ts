import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';

const Flow = z.enum(['request', 'response']);
const Configuration = z.record(z.string().max(100), z.json());

const PolicyKindDescription = z
  .object({
    kind: z.string(),
    title: z.string(),
    description: z.string(),
    flows: z.array(Flow),
    rank: z
      .object({ request: z.int(), response: z.int() })
      .partial()
      .describe('Its position in each flow: lower ranks come before higher ones, equal ranks in any order.'),
    maxPerFlow: z.int().nullable().describe('Maximum number per flow; null: no limit.'),
    configurationSchema: z.record(z.string(), z.json()).describe('JSON Schema of the configuration.'),
    defaultConfiguration: z.record(z.string(), z.json()).describe('Initial configuration in an editor.'),
    example: z.record(z.string(), z.json()),
    secretFields: z
      .array(z.string())
      .describe('Fields whose literal values are hidden in documents and the audit trail.'),
  })
  .meta({ id: 'PolicyKind' });

export const Policy = z
  .object({
    id: Id,
    proxyId: Id,
    flow: Flow,
    kind: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    routeIds: z.array(Id).nullable().describe('Routes that it applies to; null: all of them.'),
    configuration: z
      .record(z.string(), z.json())
      .describe('A literal credential is shown as `[secret]`; sending that back keeps the stored value.'),
    templateId: Id.nullable().describe('Template that the configuration was copied from; null once it is edited.'),
    ...versioned,
  })
  .meta({ id: 'Policy' });

const fields = {
  name: displayName(),
  enabled: z.boolean(),
  routeIds: z
    .array(Id)
    .min(1)
    .max(500)
    .refine((ids) => new Set(ids).size === ids.length, 'List each route once.')
    .nullable(),
  configuration: Configuration,
  templateId: Id,
};

const proxyParams = z.object({ proxyId: Id });
const params = z.object({ proxyId: Id, policyId: Id });
const audit = { category: 'configuration', severity: 'medium', entityType: 'proxy' } as const;
const tag = 'Policies';

const examplePolicy = {
  id: 'pol_00000000000000000000000001',
  proxyId: 'prx_00000000000000000000000001',
  flow: 'request' as const,
  kind: 'quota',
  name: 'Daily quota',
  enabled: true,
  routeIds: null,
  configuration: {
    limit: 10_000,
    window: { unit: 'day', count: 1 },
    per: 'app',
    identifierHeader: null,
    mode: 'strict',
    failOpen: false,
  },
  templateId: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleKind = {
  kind: 'verify-api-key',
  title: 'Verify API Key',
  description: 'Looks up the app that the key belongs to.',
  flows: ['request' as const],
  rank: { request: 20 },
  maxPerFlow: 1,
  configurationSchema: {
    type: 'object',
    properties: { location: { type: 'string', enum: ['header', 'query'] } },
    additionalProperties: false,
  },
  defaultConfiguration: { location: 'header', name: 'x-api-key', removeFromRequest: true },
  example: { location: 'header', name: 'x-api-key', removeFromRequest: true },
  secretFields: [],
};
const exampleProxyParams = { proxyId: examplePolicy.proxyId };
const exampleParams = { ...exampleProxyParams, policyId: examplePolicy.id };

export const policyOperations = [
  defineOperation({
    id: 'listPolicyKinds',
    method: 'GET',
    path: '/policy-kinds',
    tag,
    summary: 'List the kinds of policies',
    description: 'Each with the JSON Schema of its configuration and its allowed positions.',
    access: 'policy.read',
    audit: null,
    request: { query: listQuery(['rank', 'kind', 'title'], { flow: Flow.optional() }) },
    data: listData('policyKinds', PolicyKindDescription),
    example: { request: { query: { flow: 'request' } }, data: { policyKinds: [exampleKind], total: 1 } },
  }),
  defineOperation({
    id: 'getPolicyKind',
    method: 'GET',
    path: '/policy-kinds/:kind',
    tag,
    summary: 'Show a kind of policies',
    access: 'policy.read',
    audit: null,
    request: { params: z.object({ kind: z.string().max(40) }) },
    data: PolicyKindDescription,
    example: { request: { params: { kind: 'verify-api-key' } }, data: exampleKind },
  }),
  defineOperation({
    id: 'listPolicies',
    method: 'GET',
    path: '/proxies/:proxyId/policies',
    tag,
    summary: 'List the policies of an API proxy',
    description: 'By position: the request flow first, each flow in the order in which its policies run.',
    access: 'policy.read',
    audit: null,
    request: {
      params: proxyParams,
      query: listQuery(['position', 'name', 'kind', 'createdAt'], {
        flow: Flow.optional(),
        kind: z.string().max(40).optional(),
        enabled: z.stringbool().optional(),
      }),
    },
    data: listData('policies', Policy),
    example: { request: { params: exampleProxyParams }, data: { policies: [examplePolicy], total: 1 } },
  }),
  defineOperation({
    id: 'attachPolicy',
    method: 'POST',
    path: '/proxies/:proxyId/policies',
    tag,
    summary: 'Attach a policy to an API proxy',
    description:
      'It is placed after the policies of the same or a lower rank. The configuration is given, copied from a template, or the kind’s default.',
    access: 'policy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      params: proxyParams,
      body: z.strictObject({
        kind: z.string().max(40),
        flow: Flow.optional().describe('Default: the only or first flow of the kind.'),
        name: fields.name.optional().describe('Default: the title of the kind.'),
        enabled: fields.enabled.default(true),
        routeIds: fields.routeIds.default(null),
        configuration: Configuration.optional(),
        templateId: fields.templateId
          .optional()
          .describe('Its configuration is copied; later changes to the template don’t apply.'),
      }),
    },
    data: Policy,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        params: exampleProxyParams,
        body: {
          kind: 'spike-arrest',
          name: 'Smooth bursts',
          configuration: { ratePerSecond: 100, burst: 20, per: 'app', mode: 'fast' },
        },
      },
      data: examplePolicy,
    },
  }),
  defineOperation({
    id: 'orderPolicies',
    method: 'PUT',
    path: '/proxies/:proxyId/policies/order',
    tag,
    summary: 'Reorder the policies of a flow',
    description:
      'Lists every policy of the flow in the new order. The order of the ranks is fixed. If-Match applies to the API proxy.',
    access: 'policy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: {
      params: proxyParams,
      body: z.strictObject({ flow: Flow, policyIds: z.array(Id).max(100) }),
    },
    data: z.object({ policies: z.array(Policy) }),
    example: {
      request: { params: exampleProxyParams, body: { flow: 'request', policyIds: [examplePolicy.id] } },
      data: { policies: [examplePolicy] },
    },
  }),
  defineOperation({
    id: 'getPolicy',
    method: 'GET',
    path: '/proxies/:proxyId/policies/:policyId',
    tag,
    summary: 'Show a policy',
    access: 'policy.read',
    audit: null,
    request: { params },
    data: Policy,
    example: { request: { params: exampleParams }, data: examplePolicy },
  }),
  defineOperation({
    id: 'updatePolicy',
    method: 'PATCH',
    path: '/proxies/:proxyId/policies/:policyId',
    tag,
    summary: 'Change, enable or disable a policy',
    description:
      'The configuration is replaced as a whole, or copied again from a template. `[secret]` keeps the stored secret of the same header or member.',
    access: 'policy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: { params, body: z.strictObject(fields).partial() },
    data: Policy,
    example: {
      request: { params: exampleParams, body: { enabled: false } },
      data: { ...examplePolicy, enabled: false },
    },
  }),
  defineOperation({
    id: 'detachPolicy',
    method: 'DELETE',
    path: '/proxies/:proxyId/policies/:policyId',
    tag,
    summary: 'Detach a policy',
    access: 'policy.write',
    audit,
    production: { exempt: 'working_copy' },
    request: { params },
    data: z.object({}),
    example: { request: { params: exampleParams }, data: {} },
  }),
] as const;
