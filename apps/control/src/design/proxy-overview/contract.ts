import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, Time } from '../../frame/operation.ts';
import { ApiProxy, exampleProxy, stages } from '../proxies/contract.ts';

/** A deployment that serves a proxy now. */
const Serving = z.object({
  deploymentId: Id,
  environmentId: Id,
  environmentName: Name,
  production: z.boolean(),
  revision: z.int(),
  strategy: z.enum(['direct', 'canary']),
  weight: z.int().describe('Share of the traffic in percent.'),
  state: z.string(),
  since: Time,
});

const Overview = z.object({
  proxy: ApiProxy,
  counts: z.object({ routes: z.int(), policies: z.int(), revisions: z.int() }),
  workingCopy: z.object({
    sameAsRevision: z.int().nullable().describe('The newest revision with exactly this content; null: none.'),
    nextEdit: z
      .object({
        voidsApprovalOf: z.int().nullable().describe('The approved revision whose approval becomes void; null: none.'),
        voidsRequest: z.boolean().describe('Whether the pending request becomes void.'),
        cutsRevision: z
          .int()
          .nullable()
          .describe('Number of the revision that is cut; null: none, or it replaces the one of the last edit.'),
      })
      .describe('Side effects of editing the proxy, its routes, policies or specification.'),
  }),
  deployments: z.array(Serving),
  traffic: z
    .object({
      requests: z.int(),
      failed: z.int().describe('Responses 4xx or 5xx.'),
      errors: z.int().describe('Responses 5xx; included in failed.'),
      limited: z.int().describe('Rejected with 429 by the gateway; included in failed.'),
    })
    .describe('The last 24 hours, in all environments.'),
  specification: z
    .object({
      id: Id,
      title: z.string(),
      apiVersion: z.string(),
      state: z.enum(['draft', 'published']),
      outdated: z.boolean().nullable().describe('Whether the working copy changed since then; null: never generated.'),
      unpublishedChanges: z.boolean(),
      publishedAt: Time.nullable(),
    })
    .nullable()
    .describe('The newest one; null: none.'),
  governance: z
    .object({
      score: z.int(),
      evaluatedAt: Time,
      current: z.boolean().describe('Whether the working copy is unchanged since the evaluation.'),
      blocking: z.int().describe('Findings that stop a move and are not waived.'),
      findings: z.int(),
    })
    .nullable()
    .describe('The last evaluation; null: never evaluated.'),
  pendingRequest: z
    .object({
      id: Id,
      fromStage: z.enum(stages),
      toStage: z.enum(stages),
      revision: z.int(),
      requestedByName: z.string(),
      createdAt: Time,
    })
    .nullable()
    .describe('The lifecycle request that awaits a decision.'),
});

export const proxyOverviewOperations = [
  defineOperation({
    id: 'getProxyOverview',
    method: 'GET',
    path: '/proxies/:proxyId/overview',
    tag: 'API proxies',
    summary: 'Show an API proxy at a glance',
    description: 'Its stage, live deployments, traffic, specification, governance and pending decisions.',
    access: 'proxy.read',
    audit: null,
    request: { params: z.object({ proxyId: Id }) },
    data: Overview,
    example: {
      request: { params: { proxyId: exampleProxy.id } },
      data: {
        proxy: exampleProxy,
        counts: { routes: 4, policies: 2, revisions: 1 },
        workingCopy: {
          sameAsRevision: 1,
          nextEdit: { voidsApprovalOf: null, voidsRequest: false, cutsRevision: 2 },
        },
        deployments: [
          {
            deploymentId: 'dep_00000000000000000000000001',
            environmentId: 'env_00000000000000000000000001',
            environmentName: 'test',
            production: false,
            revision: 1,
            strategy: 'direct',
            weight: 100,
            state: 'live',
            since: '2026-01-16T11:00:00.000Z',
          },
        ],
        traffic: { requests: 12_000, failed: 50, errors: 3, limited: 40 },
        specification: null,
        governance: null,
        pendingRequest: null,
      },
    },
  }),
] as const;
