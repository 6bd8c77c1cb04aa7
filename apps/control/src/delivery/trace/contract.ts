import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id } from '../../frame/operation.ts';

const Header = z.strictObject({
  name: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'Give the name of a header.'),
  value: z
    .string()
    .max(8_192)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Remove line breaks and control characters.'),
});

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const decisions = ['passed', 'refused', 'answered', 'failed open', 'transformed', 'skipped'] as const;

const Step = z.object({
  policyId: z.string(),
  kind: z.string(),
  name: z.string(),
  flow: z.enum(['request', 'response']),
  decision: z
    .enum(decisions)
    .describe(
      '`failed open`: it could not be evaluated, and is set to let calls pass. `skipped`: the request ended before it.',
    ),
  detail: z.string().describe('What it found, or the reason for its decision.'),
  durationUs: z.number(),
});

const Trace = z
  .object({
    route: z
      .object({ id: Id, method: z.string(), pathPattern: z.string() })
      .nullable()
      .describe('Null if no route matched.'),
    steps: z
      .array(Step)
      .describe('In the order in which the policies ran; behind them those of the route that were skipped.'),
    target: z
      .object({
        name: Name,
        endpoint: z.string(),
        method: z.string(),
        path: z.string(),
        status: z.int().nullable().describe('Null if it did not respond.'),
        problem: z.string().nullable(),
        durationUs: z.number(),
      })
      .nullable()
      .describe('Null if the request did not get that far.'),
    answer: z.object({
      status: z.int(),
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      body: z.string().describe('Its first 64 KiB, as text.'),
      bodyBytes: z.int().describe('Of the whole body.'),
      truncated: z.boolean(),
    }),
    durationUs: z.number(),
  })
  .meta({ id: 'Trace' });

const params = z.object({ proxyId: Id });

export const traceOperations = [
  defineOperation({
    id: 'traceProxy',
    method: 'POST',
    path: '/proxies/:proxyId/trace',
    tag: 'API proxies',
    summary: 'Trace one request through a proxy',
    description:
      'Runs the request through the policies of the working copy, or of a revision, and to the target server of its route in the environment, as a gateway would; counts of quotas are not touched. This sends a real request to the target; side effects are real. Blocked addresses, such as a cloud’s metadata service, are not connected to: `problem` of the target says so. Of one organization two run at once.',
    access: 'proxy.trace',
    audit: { category: 'security', severity: 'low', entityType: 'proxy' },
    production: 'never',
    request: {
      params,
      body: z.strictObject({
        environmentId: Id.describe('The environment whose target servers and variables are used.'),
        revision: z.int().min(1).max(1_000_000).nullable().default(null).describe('Null: the working copy.'),
        method: z.enum(methods).default('GET'),
        path: z
          .string()
          .max(4_096)
          .regex(/^\/[\x21-\x7e]*$/, 'Must start with "/".')
          .describe('Below the base path, with its query, as a caller sends it.'),
        headers: z.array(Header).max(50).default([]),
        body: z.string().max(262_144).nullable().default(null),
        key: z
          .string()
          .min(1)
          .max(200)
          .nullable()
          .default(null)
          .describe('An app’s key: sent where the proxy looks for it. Neither stored nor audited.'),
      }),
    },
    data: Trace,
    errors: ['conflict', 'too_many_requests'],
    example: {
      request: {
        params: { proxyId: 'prx_00000000000000000000000001' },
        body: { environmentId: 'env_00000000000000000000000001', path: '/ord_1' },
      },
      data: {
        route: { id: 'rte_00000000000000000000000001', method: 'GET', pathPattern: '/{orderId}' },
        steps: [
          {
            policyId: 'pol_00000000000000000000000001',
            kind: 'verify-api-key',
            name: 'Verify API key',
            flow: 'request',
            decision: 'refused',
            detail: 'The request has no key.',
            durationUs: 14,
          },
        ],
        target: null,
        answer: {
          status: 401,
          headers: [{ name: 'content-type', value: 'application/json' }],
          body: '{"code":401,"status":false,"data":{"message":"Send the key of your app.","error":"key_missing"}}',
          bodyBytes: 94,
          truncated: false,
        },
        durationUs: 120,
      },
    },
  }),
] as const;
