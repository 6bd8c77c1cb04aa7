import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { GovernanceFinding } from '../governance/contract.ts';
import { stages } from '../proxies/contract.ts';
import { ContentChanges } from '../revisions/contract.ts';

const Stage = z.enum(stages);
const Target = z.enum(['approved', 'published', 'deprecated', 'retired']);
const states = ['pending', 'approved', 'rejected', 'withdrawn', 'void'] as const;

export const LifecycleRequest = z
  .object({
    id: Id,
    proxyId: Id,
    proxyName: Name,
    fromStage: Stage,
    toStage: Target,
    state: z.enum(states).describe('`void`: the working copy was changed before the decision.'),
    note: z.string(),
    revision: z.int().describe('The revision with the content of the request.'),
    contentHash: z.string(),
    requestedBy: z.string(),
    requestedByName: z.string(),
    authorIds: z
      .array(z.string())
      .describe(
        'Who can’t approve it: the requester, the authors of the content, and users treated as the same person.',
      ),
    decidedBy: z.string().nullable(),
    decidedByName: z.string().nullable(),
    decidedAt: Time.nullable(),
    reason: z.string().nullable().describe('Of the decision.'),
    findings: z.int(),
    breaking: z.boolean().describe('Whether it can break callers of the approved version.'),
    ...versioned,
  })
  .meta({ id: 'LifecycleRequest' });

const FindingSnapshot = z.object({
  ...GovernanceFinding.pick({
    code: true,
    location: true,
    message: true,
    remedy: true,
    severity: true,
    blocking: true,
    fix: true,
  }).shape,
  waived: z.boolean(),
});

export const LifecycleRequestDetail = LifecycleRequest.omit({ findings: true })
  .extend({
    findings: z.array(FindingSnapshot).describe('As they were when the move was requested.'),
    diff: ContentChanges.describe('Compared with what was approved before.'),
    approval: z
      .object({ allowed: z.boolean(), reason: z.string().nullable() })
      .describe('Whether the caller can approve it, and if not, why.'),
  })
  .meta({ id: 'LifecycleRequestDetail' });

const LifecycleMove = z.object({
  id: Id,
  fromStage: Stage,
  toStage: Stage,
  requestId: Id.nullable(),
  movedBy: z.string(),
  movedByName: z.string(),
  reason: z.string(),
  createdAt: Time,
});

const LifecycleComment = z
  .object({
    id: Id,
    requestId: Id,
    authorId: z.string(),
    authorName: z.string(),
    text: z.string(),
    createdAt: Time,
  })
  .meta({ id: 'LifecycleComment' });

const proxyParams = z.object({ proxyId: Id });
const params = z.object({ requestId: Id });
const audit = { category: 'governance', severity: 'medium', entityType: 'lifecycle_request' } as const;
const tag = 'Lifecycle';

const exampleRequest = {
  id: 'lcr_00000000000000000000000001',
  proxyId: 'prx_00000000000000000000000001',
  proxyName: 'orders',
  fromStage: 'draft' as const,
  toStage: 'approved' as const,
  state: 'pending' as const,
  note: 'First release',
  revision: 1,
  contentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  requestedBy: 'usr_00000000000000000000000001',
  requestedByName: 'Ada Example',
  authorIds: ['usr_00000000000000000000000001'],
  decidedBy: null,
  decidedByName: null,
  decidedAt: null,
  reason: null,
  findings: 1,
  breaking: false,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const decided = {
  ...exampleRequest,
  decidedBy: 'usr_00000000000000000000000002',
  decidedByName: 'Bo Example',
  decidedAt: '2026-01-16T09:00:00.000Z',
  version: 2,
};
const exampleComment = {
  id: 'cmt_00000000000000000000000001',
  requestId: exampleRequest.id,
  authorId: 'usr_00000000000000000000000002',
  authorName: 'Bo Example',
  text: 'Why is the time-out of GET /{orderId} so long?',
  createdAt: '2026-01-15T10:00:00.000Z',
};
const exampleParams = { requestId: exampleRequest.id };
const exampleProxyParams = { proxyId: exampleRequest.proxyId };

export const lifecycleOperations = [
  defineOperation({
    id: 'listLifecycleStages',
    method: 'GET',
    path: '/lifecycle/stages',
    tag,
    summary: 'List the stages and the moves between them',
    access: 'lifecycle.read',
    audit: null,
    request: { query: listQuery(['position', 'stage'], {}) },
    data: listData(
      'stages',
      z.object({
        position: z.int(),
        stage: Stage,
        description: z.string(),
        moves: z.array(
          z.object({
            toStage: Stage,
            by: z.enum(['request', 'approval', 'rejection', 'edit']),
            approvalRequired: z.boolean().describe('Whether the organization requires another person’s approval.'),
          }),
        ),
      }),
    ),
    example: {
      request: {},
      data: {
        stages: [
          {
            position: 1,
            stage: 'draft',
            description: 'Being built.',
            moves: [{ toStage: 'review', by: 'request', approvalRequired: true }],
          },
        ],
        total: 1,
      },
    },
  }),
  defineOperation({
    id: 'getProxyLifecycle',
    method: 'GET',
    path: '/proxies/:proxyId/lifecycle',
    tag,
    summary: 'Show the stage of an API proxy and its history',
    access: 'lifecycle.read',
    audit: null,
    request: { params: proxyParams, query: listQuery(['-createdAt'], { toStage: Stage.optional() }) },
    data: z.object({
      proxyId: Id,
      stage: Stage,
      contentHash: z.string(),
      approvedRevision: z.int().nullable(),
      contentApproved: z.boolean().describe('Whether the working copy equals the approved content.'),
      pendingRequest: LifecycleRequest.nullable(),
      moves: z
        .array(z.object({ toStage: Target, approvalRequired: z.boolean() }))
        .describe('Moves that can be requested now.'),
      history: z.array(LifecycleMove),
      total: z.int().describe('Moves of the history.'),
    }),
    example: {
      request: { params: exampleProxyParams },
      data: {
        proxyId: exampleRequest.proxyId,
        stage: 'review',
        contentHash: exampleRequest.contentHash,
        approvedRevision: null,
        contentApproved: false,
        pendingRequest: exampleRequest,
        moves: [],
        history: [
          {
            id: 'mov_00000000000000000000000001',
            fromStage: 'draft',
            toStage: 'review',
            requestId: exampleRequest.id,
            movedBy: exampleRequest.requestedBy,
            movedByName: exampleRequest.requestedByName,
            reason: 'First release',
            createdAt: exampleRequest.createdAt,
          },
        ],
        total: 1,
      },
    },
  }),
  defineOperation({
    id: 'createLifecycleRequest',
    method: 'POST',
    path: '/proxies/:proxyId/lifecycle/requests',
    tag,
    summary: 'Request a move',
    description:
      'Governance is evaluated again: a blocking finding stops the moves to approved and published, and `errors` explains how to fix it. The request freezes the current content as a revision; a later edit voids it. A move that needs no approval happens immediately. A draft with a pending approval request is in review.',
    access: 'lifecycle.request',
    audit,
    production: { exempt: 'design' },
    request: {
      params: proxyParams,
      body: z.strictObject({ toStage: Target, note: z.string().trim().max(2_000).default('') }),
    },
    data: LifecycleRequest,
    status: 201,
    errors: ['conflict'],
    example: {
      request: { params: exampleProxyParams, body: { toStage: 'approved', note: 'First release' } },
      data: exampleRequest,
    },
  }),
  defineOperation({
    id: 'listLifecycleRequests',
    method: 'GET',
    path: '/lifecycle/requests',
    tag,
    summary: 'List requests: the review queue',
    access: 'lifecycle.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'updatedAt', 'proxyName', 'toStage'], {
        state: z.enum(states).optional(),
        proxyId: Id.optional(),
        requestedBy: z.string().max(64).optional(),
        toStage: Target.optional(),
        mine: z.stringbool().optional().describe('True: the caller’s own requests; false: those of others.'),
        approvable: z
          .stringbool()
          .optional()
          .describe('True: pending requests that the caller neither made nor wrote the content of; false: the others.'),
      }),
    },
    data: listData('requests', LifecycleRequest),
    example: { request: { query: { state: 'pending' } }, data: { requests: [exampleRequest], total: 1 } },
  }),
  defineOperation({
    id: 'getLifecycleRequest',
    method: 'GET',
    path: '/lifecycle/requests/:requestId',
    tag,
    summary: 'Show a request with its findings and its diff',
    access: 'lifecycle.read',
    audit: null,
    request: { params },
    data: LifecycleRequestDetail,
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleRequest,
        findings: [
          {
            code: 'REL-001',
            location: 'route GET /{orderId}',
            message: 'GET /{orderId} has no timeout of its own.',
            remedy: 'Set the route’s time-out slightly above the longest time that its target takes.',
            severity: 'warning',
            blocking: false,
            fix: { kind: 'route', id: 'rte_00000000000000000000000001' },
            waived: false,
          },
        ],
        diff: { changes: [], breaking: false },
        approval: { allowed: true, reason: null },
      },
    },
  }),
  defineOperation({
    id: 'approveLifecycleRequest',
    method: 'POST',
    path: '/lifecycle/requests/:requestId/approve',
    tag,
    summary: 'Approve a request',
    description:
      'The requester and the authors of the content can’t approve, under any role, session or service account. Governance is evaluated again.',
    access: 'lifecycle.approve',
    audit: { ...audit, severity: 'high' },
    production: { exempt: 'design' },
    request: {
      params,
      body: z.strictObject({ reason: z.string().trim().max(2_000).default('') }).default({ reason: '' }),
    },
    data: LifecycleRequest,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'Looks good' } },
      data: { ...decided, state: 'approved', reason: 'Looks good' },
    },
  }),
  defineOperation({
    id: 'rejectLifecycleRequest',
    method: 'POST',
    path: '/lifecycle/requests/:requestId/reject',
    tag,
    summary: 'Reject a request, with a reason',
    access: 'lifecycle.approve',
    audit,
    production: { exempt: 'design' },
    request: { params, body: z.strictObject({ reason: z.string().trim().min(1).max(2_000) }) },
    data: LifecycleRequest,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'The time-outs are missing.' } },
      data: { ...decided, state: 'rejected', reason: 'The time-outs are missing.' },
    },
  }),
  defineOperation({
    id: 'withdrawLifecycleRequest',
    method: 'POST',
    path: '/lifecycle/requests/:requestId/withdraw',
    tag,
    summary: 'Withdraw your own request',
    access: 'lifecycle.request',
    audit,
    production: { exempt: 'design' },
    request: { params },
    data: LifecycleRequest,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...decided, state: 'withdrawn' } },
  }),
  defineOperation({
    id: 'listLifecycleComments',
    method: 'GET',
    path: '/lifecycle/requests/:requestId/comments',
    tag,
    summary: 'List the comments on a request',
    access: 'lifecycle.read',
    audit: null,
    request: { params, query: listQuery(['createdAt'], { authorId: z.string().max(64).optional() }) },
    data: listData('comments', LifecycleComment),
    example: { request: { params: exampleParams }, data: { comments: [exampleComment], total: 1 } },
  }),
  defineOperation({
    id: 'createLifecycleComment',
    method: 'POST',
    path: '/lifecycle/requests/:requestId/comments',
    tag,
    summary: 'Comment on a request',
    access: 'lifecycle.read',
    audit: { ...audit, severity: 'low' },
    production: 'never',
    request: { params, body: z.strictObject({ text: z.string().trim().min(1).max(5_000) }) },
    data: LifecycleComment,
    status: 201,
    example: { request: { params: exampleParams, body: { text: exampleComment.text } }, data: exampleComment },
  }),
] as const;
