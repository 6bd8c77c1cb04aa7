import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../../frame/operation.ts';

const Configuration = z.record(z.string().max(100), z.json());

export const PolicyTemplate = z
  .object({
    id: Id,
    name: Name,
    description: z.string(),
    kind: z.string(),
    configuration: z.record(z.string(), z.json()),
    ...versioned,
  })
  .meta({ id: 'PolicyTemplate' });

const fields = { name: Name, description: z.string().max(1_000), configuration: Configuration };
const params = z.object({ templateId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'policy_template' } as const;
const tag = 'Policies';

const exampleTemplate = {
  id: 'tpl_00000000000000000000000001',
  name: 'partner-quota',
  description: 'Monthly partner quota',
  kind: 'quota',
  configuration: {
    limit: 100_000,
    window: { unit: 'month', count: 1 },
    per: 'app',
    identifierHeader: null,
    mode: 'strict',
    failOpen: false,
  },
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { templateId: exampleTemplate.id };

export const policyTemplateOperations = [
  defineOperation({
    id: 'listPolicyTemplates',
    method: 'GET',
    path: '/policy-templates',
    tag,
    summary: 'List policy templates',
    access: 'policy.read',
    audit: null,
    request: {
      query: listQuery(['name', 'kind', 'createdAt', 'updatedAt'], { kind: z.string().max(40).optional() }),
    },
    data: listData('policyTemplates', PolicyTemplate),
    example: { request: { query: { kind: 'quota' } }, data: { policyTemplates: [exampleTemplate], total: 1 } },
  }),
  defineOperation({
    id: 'createPolicyTemplate',
    method: 'POST',
    path: '/policy-templates',
    tag,
    summary: 'Create a policy template',
    access: 'policy.write',
    audit,
    production: { exempt: 'design' },
    request: {
      body: z.strictObject({ ...fields, description: fields.description.default(''), kind: z.string().max(40) }),
    },
    data: PolicyTemplate,
    status: 201,
    example: {
      request: {
        body: {
          name: 'browser-keys',
          kind: 'verify-api-key',
          configuration: { location: 'query', name: 'key' },
        },
      },
      data: exampleTemplate,
    },
  }),
  defineOperation({
    id: 'getPolicyTemplate',
    method: 'GET',
    path: '/policy-templates/:templateId',
    tag,
    summary: 'Show a policy template',
    access: 'policy.read',
    audit: null,
    request: { params },
    data: PolicyTemplate,
    example: { request: { params: exampleParams }, data: exampleTemplate },
  }),
  defineOperation({
    id: 'updatePolicyTemplate',
    method: 'PATCH',
    path: '/policy-templates/:templateId',
    tag,
    summary: 'Change a policy template',
    description: 'Policies created from it keep their configuration.',
    access: 'policy.write',
    audit,
    production: { exempt: 'design' },
    request: { params, body: z.strictObject(fields).partial() },
    data: PolicyTemplate,
    example: {
      request: { params: exampleParams, body: { description: 'Partner quota per month' } },
      data: exampleTemplate,
    },
  }),
  defineOperation({
    id: 'deletePolicyTemplate',
    method: 'DELETE',
    path: '/policy-templates/:templateId',
    tag,
    summary: 'Delete a policy template',
    description: 'Policies created from it keep their configuration.',
    access: 'policy.write',
    audit,
    production: { exempt: 'design' },
    request: { params },
    data: z.object({}),
    example: { request: { params: exampleParams }, data: {} },
  }),
] as const;
