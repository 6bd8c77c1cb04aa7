import * as z from 'zod';
import { defineOperation, Id } from '../../frame/operation.ts';

/** What a document declares of an organization. */
export const declaredKinds = [
  'organization',
  'role',
  'environment',
  'environment_variable',
  'target_server',
  'policy_template',
  'governance_standard',
  'proxy',
  'product',
  'rate_plan',
  'portal_settings',
  'portal_guide',
] as const;

const FieldChange = z.object({ path: z.string(), before: z.json(), after: z.json() });

const PlanEntry = z
  .object({
    action: z.enum(['create', 'update', 'delete']),
    kind: z.enum(declaredKinds),
    name: z
      .string()
      .describe(
        'For a variable or target server including its environment, such as `test/orders-backend`; for a rate plan including its product, for a guide its language.',
      ),
    changes: z.array(FieldChange).describe('By field; long texts are shortened. Secrets are redacted.'),
  })
  .meta({ id: 'PlanEntry' });

const params = z.object({ organizationId: Id });
const tag = 'Organizations';

const exampleParams = { organizationId: 'org_00000000000000000000000001' };
const exampleDocument = `version: 1
policyTemplates:
  - name: declared-quota
    kind: quota
    configuration: {limit: 1000, window: {unit: day}}
`;

export const declarativeOperations = [
  defineOperation({
    id: 'exportOrganization',
    method: 'GET',
    path: '/organizations/:organizationId/export',
    tag,
    summary: 'Download an organization as a declarative document',
    description:
      'Settings, those of billing included, custom roles, environments with their variables and target servers, policy templates, governance, every API proxy with its routes, policies and specification, and API products with what they bundle and their rate plans, in a stable order. Without ids, users, consumers (developers, apps, credentials, subscriptions) and secrets: secret variables appear by name, secrets in policies as `[secret]`.',
    access: 'organization.export',
    audit: null,
    request: { params, query: z.strictObject({ format: z.enum(['yaml', 'json']).default('yaml') }) },
    data: z.string(),
    download: { mediaType: 'application/yaml' },
    example: { request: { params: exampleParams }, data: exampleDocument },
  }),
  defineOperation({
    id: 'applyOrganization',
    method: 'POST',
    path: '/organizations/:organizationId/apply',
    tag,
    summary: 'Apply a declarative document to an organization',
    description:
      'Changes the organization to match the document, completely or not at all, and returns the changes. What the document leaves out doesn’t change; with `prune`, entries missing from its lists are deleted. Routes and policies of a proxy, proxies of a product and charges of a rate plan are always whole lists. A changed rate plan is published as a new version, which existing subscribers don’t get. Every change needs the same permission as a manual edit, and voids approvals in the same way. A dry run answers the same and changes nothing.',
    access: 'organization.import',
    audit: { category: 'configuration', severity: 'high', entityType: 'organization' },
    production: 'document',
    request: {
      params,
      body: z.strictObject({
        document: z.string().min(1).max(5_000_000).describe('YAML or JSON, as the export has it.'),
        dryRun: z.boolean().default(false),
        prune: z.boolean().default(false).describe('Delete what the lists of the document do not name.'),
      }),
    },
    data: z.object({ applied: z.boolean(), plan: z.array(PlanEntry) }),
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { document: exampleDocument } },
      data: {
        applied: true,
        plan: [
          {
            action: 'create',
            kind: 'policy_template',
            name: 'declared-quota',
            changes: [{ path: 'kind', before: null, after: 'quota' }],
          },
        ],
      },
    },
  }),
] as const;
