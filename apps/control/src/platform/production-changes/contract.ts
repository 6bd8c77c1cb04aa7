import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, ProductionChange } from '../../frame/operation.ts';

const ProductionChangeDetail = ProductionChange.extend({
  input: z.record(z.string(), z.json()).describe('The call’s input, with secrets redacted.'),
  approval: z
    .object({ allowed: z.boolean(), reason: z.string().nullable() })
    .describe('Whether the caller can approve it, and if not, why.'),
  withdrawable: z.boolean().describe('Whether the caller can withdraw it.'),
}).meta({ id: 'ProductionChangeDetail' });

const params = z.object({ changeId: Id });
const audit = { category: 'governance', severity: 'medium', entityType: 'production_change' } as const;
const tag = 'Production changes';
const reading = ['deployment.read', 'deployment.prod'] as const;

const exampleChange = {
  id: 'pch_00000000000000000000000001',
  operation: 'updateTargetServer',
  summary: 'Change a target server',
  entityType: 'target_server',
  entityId: 'tgt_00000000000000000000000001',
  entityName: 'orders-backend',
  entityVersion: 3,
  state: 'pending' as const,
  note: '',
  changes: [{ path: 'host', before: 'orders.example.com', after: 'orders-2.example.com' }],
  requestedBy: 'usr_00000000000000000000000001',
  requestedByName: 'Ada Example',
  authorIds: ['usr_00000000000000000000000001'],
  decidedBy: null,
  decidedByName: null,
  decidedAt: null,
  reason: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const decided = {
  ...exampleChange,
  decidedBy: 'usr_00000000000000000000000002',
  decidedByName: 'Bo Example',
  decidedAt: '2026-01-16T09:00:00.000Z',
  version: 2,
};
const exampleParams = { changeId: exampleChange.id };

export const productionChangeOperations = [
  defineOperation({
    id: 'listProductionChanges',
    method: 'GET',
    path: '/production-changes',
    tag,
    summary: 'List changes to production that wait or waited for approval',
    access: reading,
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'updatedAt', 'entityName'], {
        state: ProductionChange.shape.state.optional(),
        requestedBy: z.string().max(64).optional(),
        mine: z.stringbool().optional().describe('True: the caller’s own changes; false: those of others.'),
        approvable: z
          .stringbool()
          .optional()
          .describe('True: pending changes that the caller may approve; false: the others.'),
      }),
    },
    data: listData('changes', ProductionChange),
    example: { request: { query: { state: 'pending' } }, data: { changes: [exampleChange], total: 1 } },
  }),
  defineOperation({
    id: 'getProductionChange',
    method: 'GET',
    path: '/production-changes/:changeId',
    tag,
    summary: 'Show a change to production',
    access: reading,
    audit: null,
    request: { params },
    data: ProductionChangeDetail,
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleChange,
        input: { params: { targetServerId: exampleChange.entityId }, body: { host: 'orders-2.example.com' } },
        approval: { allowed: true, reason: null },
        withdrawable: false,
      },
    },
  }),
  defineOperation({
    id: 'approveProductionChange',
    method: 'POST',
    path: '/production-changes/:changeId/approve',
    tag,
    summary: 'Approve and carry out a change to production',
    description:
      'The requester, and the person behind a service account, can’t approve. The change is applied in the same transaction, under the current rules: it is rejected if its entity has changed or the requester has lost the permission. If the entity no longer exists, it ends as `void`.',
    access: 'deployment.prod',
    audit: { ...audit, severity: 'high' },
    production: { exempt: 'decision' },
    request: {
      params,
      body: z.strictObject({ reason: z.string().trim().max(2_000).default('') }).default({ reason: '' }),
    },
    data: ProductionChange,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'Looks good' } },
      data: { ...decided, state: 'approved', reason: 'Looks good' },
    },
  }),
  defineOperation({
    id: 'rejectProductionChange',
    method: 'POST',
    path: '/production-changes/:changeId/reject',
    tag,
    summary: 'Reject a change to production, with a reason',
    access: 'deployment.prod',
    audit,
    production: 'never',
    request: { params, body: z.strictObject({ reason: z.string().trim().min(1).max(2_000) }) },
    data: ProductionChange,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'Not before the weekend.' } },
      data: { ...decided, state: 'rejected', reason: 'Not before the weekend.' },
    },
  }),
  defineOperation({
    id: 'withdrawProductionChange',
    method: 'POST',
    path: '/production-changes/:changeId/withdraw',
    tag,
    summary: 'Withdraw your own production change',
    access: reading,
    audit,
    production: 'never',
    request: { params },
    data: ProductionChange,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...decided, state: 'withdrawn' } },
  }),
] as const;
