import { Name, RevisionContent } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

export const Revision = z
  .object({
    proxyId: Id,
    revision: z.int().describe('Its number, which is never reused.'),
    state: z.enum(['undeployed', 'deployed']).describe('Deployed once, it never changes again and stays.'),
    contentHash: z.string().describe('SHA-256 of the content.'),
    note: z.string(),
    automatic: z.boolean().describe('Cut by an edit of the deployed proxy; the next edit replaces it if it is unused.'),
    createdBy: z.string().describe('Id of the user or service account that cut it.'),
    authorIds: z
      .array(z.string())
      .describe('Authors of its content, and users treated as the same person; none of them may approve it.'),
    approvedBy: z.string().nullable(),
    approvedAt: Time.nullable(),
    firstDeployedAt: Time.nullable(),
    createdAt: Time,
  })
  .meta({ id: 'Revision' });

const RevisionWithContent = Revision.extend({
  content: RevisionContent.describe('Routes, policies and specification as they were copied.'),
}).meta({ id: 'RevisionWithContent' });

/** What differs between two contents. */
export const ContentChanges = z.object({
  changes: z.array(
    z.object({
      area: z.enum(['proxy', 'route', 'policy', 'target', 'specification']),
      kind: z.enum(['added', 'removed', 'changed']),
      key: z.string().describe('What changed, such as `GET /{id}` or `request/quota: Daily quota`.'),
      fields: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() })),
      breaking: z.boolean().describe('Whether it can break existing callers.'),
      reason: z.string(),
    }),
  ),
  breaking: z.boolean(),
});

const RevisionDiff = z.object({
  before: z.string().describe('What it is compared with, such as "revision 3".'),
  after: z.string(),
  ...ContentChanges.shape,
});

const proxyParams = z.object({ proxyId: Id });
export const revisionParams = z.object({
  proxyId: Id,
  revision: z.coerce.number().int().min(1).max(2_147_483_647).describe('Number of the revision.'),
});
const audit = { category: 'configuration', severity: 'low', entityType: 'proxy' } as const;
const tag = 'Revisions';

const exampleRevision = {
  proxyId: 'prx_00000000000000000000000001',
  revision: 1,
  state: 'undeployed' as const,
  contentHash: '9f2c1ad0c1a5b5ef5b3b3f9a0d6c1f2e4a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d',
  note: 'First for the test environment',
  automatic: false,
  createdBy: 'usr_00000000000000000000000001',
  authorIds: ['usr_00000000000000000000000001'],
  approvedBy: null,
  approvedAt: null,
  firstDeployedAt: null,
  createdAt: '2026-01-16T10:00:00.000Z',
};
const exampleProxyParams = { proxyId: exampleRevision.proxyId };
const exampleParams = { ...exampleProxyParams, revision: 1 };
const exampleContent = {
  proxy: {
    name: 'orders',
    displayName: 'Orders',
    description: '',
    basePath: '/v1/orders',
    protocol: 'rest' as const,
    authScheme: 'api_key' as const,
  },
  routes: [
    {
      id: 'rte_00000000000000000000000001',
      method: 'GET' as const,
      pathPattern: '/{orderId}',
      targetServer: 'orders-backend',
      targetPath: null,
      timeoutMs: 5_000,
      summary: 'Show an order',
      description: '',
    },
  ],
  policies: [],
  specification: null,
};

export const revisionOperations = [
  defineOperation({
    id: 'listRevisions',
    method: 'GET',
    path: '/proxies/:proxyId/revisions',
    tag,
    summary: 'List the revisions of an API proxy',
    access: 'revision.read',
    audit: null,
    request: {
      params: proxyParams,
      query: listQuery(['-revision', 'createdAt'], {
        state: z.enum(['undeployed', 'deployed']).optional(),
        approved: z.stringbool().optional(),
      }),
    },
    data: listData('revisions', Revision),
    example: { request: { params: exampleProxyParams }, data: { revisions: [exampleRevision], total: 1 } },
  }),
  defineOperation({
    id: 'cutRevision',
    method: 'POST',
    path: '/proxies/:proxyId/revisions',
    tag,
    summary: 'Cut a revision from the working copy',
    access: 'revision.write',
    audit,
    production: { exempt: 'design' },
    request: { params: proxyParams, body: z.strictObject({ note: z.string().trim().max(1_000).default('') }) },
    data: Revision,
    status: 201,
    example: {
      request: { params: exampleProxyParams, body: { note: 'First for the test environment' } },
      data: exampleRevision,
    },
  }),
  defineOperation({
    id: 'getRevision',
    method: 'GET',
    path: '/proxies/:proxyId/revisions/:revision',
    tag,
    summary: 'Show a revision with its content',
    access: 'revision.read',
    audit: null,
    request: { params: revisionParams },
    data: RevisionWithContent,
    example: { request: { params: exampleParams }, data: { ...exampleRevision, content: exampleContent } },
  }),
  defineOperation({
    id: 'deleteRevision',
    method: 'DELETE',
    path: '/proxies/:proxyId/revisions/:revision',
    tag,
    summary: 'Delete a revision that was never deployed',
    description:
      'Its number is not reused. A revision that was deployed, is approved or awaits a decision can’t be deleted.',
    access: 'revision.write',
    audit,
    production: { exempt: 'design' },
    request: { params: revisionParams },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'diffRevision',
    method: 'GET',
    path: '/proxies/:proxyId/revisions/:revision/diff',
    tag,
    summary: 'Compare a revision with another, the working copy or a live one',
    description:
      'With the working copy: what was changed since the revision. With another revision or an environment: what the revision would change there.',
    access: 'revision.read',
    audit: null,
    request: {
      params: revisionParams,
      query: z.strictObject({
        against: z
          .union([z.literal('working-copy'), z.string().regex(/^[1-9]\d{0,9}$/), Name])
          .default('working-copy')
          .describe(
            '"working-copy", the number of a revision, or the name of an environment in which the proxy is live.',
          ),
      }),
    },
    data: RevisionDiff,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, query: { against: 'working-copy' } },
      data: {
        before: 'revision 1',
        after: 'working copy',
        changes: [
          {
            area: 'route',
            kind: 'changed',
            key: 'GET /{orderId}',
            fields: [{ path: 'timeoutMs', before: 10_000, after: 5_000 }],
            breaking: false,
            reason: 'Slow responses may be cut off now.',
          },
        ],
        breaking: false,
      },
    },
  }),
  defineOperation({
    id: 'restoreRevision',
    method: 'POST',
    path: '/proxies/:proxyId/revisions/:revision/restore',
    tag,
    summary: 'Make a revision the working copy',
    description:
      'Replaces the working copy: the proxy’s fields, routes and policies, and the specification with its draft. Live deployments don’t change.',
    access: 'revision.write',
    audit: { ...audit, severity: 'medium' },
    production: { exempt: 'working_copy' },
    request: { params: revisionParams },
    data: Revision,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: exampleRevision },
  }),
] as const;
