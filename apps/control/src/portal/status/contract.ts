import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Time } from '../../frame/operation.ts';

const state = z
  .enum(['operational', 'degraded', 'unavailable', 'unknown'])
  .describe('unknown: no gateway node has ever reported.');

const PortalIncident = z.object({
  impact: z.enum(['errors', 'slow']).describe('errors: requests fail; slow: responses take longer.'),
  state: z
    .enum(['investigating', 'in_progress', 'monitoring', 'resolved'])
    .describe('in_progress: someone works on it; monitoring: its cause is removed.'),
  environment: z.object({ name: Name, displayName: z.string() }),
  apis: z.array(z.object({ name: Name, displayName: z.string() })).describe('The affected ones.'),
  products: z.array(z.object({ name: Name, displayName: z.string() })).describe('Those with these APIs.'),
  startedAt: Time,
  resolvedAt: Time.nullable(),
});
export type PortalIncident = z.infer<typeof PortalIncident>;

export const PortalStatus = z
  .object({
    state,
    environments: z
      .array(
        z.object({
          name: Name,
          displayName: z.string(),
          state,
          reportedAt: Time.nullable().describe('When a gateway node last reported.'),
        }),
      )
      .describe('Production environments with gateway nodes.'),
    incidents: z
      .array(PortalIncident)
      .describe(
        'Those of production APIs in the products that the caller sees, which are critical or were marked public: unresolved, then those resolved in the last seven days; at most 20.',
      ),
    checkedAt: Time,
  })
  .meta({ id: 'PortalStatus' });
export type PortalStatus = z.infer<typeof PortalStatus>;

export const portalStatusOperations = [
  defineOperation({
    id: 'getPortalStatus',
    method: 'GET',
    path: '/portal/status',
    tag: 'Portal',
    summary: 'Show whether the gateway answers',
    description: 'From what the gateway nodes of production environments report, and from incidents there.',
    access: 'portal_visitor',
    audit: null,
    request: {},
    data: PortalStatus,
    example: {
      request: {},
      data: {
        state: 'degraded',
        environments: [
          {
            name: 'production',
            displayName: 'Production',
            state: 'operational',
            reportedAt: '2026-01-15T09:00:00.000Z',
          },
        ],
        incidents: [
          {
            impact: 'errors',
            state: 'investigating',
            environment: { name: 'production', displayName: 'Production' },
            apis: [{ name: 'orders', displayName: 'Orders' }],
            products: [{ name: 'orders', displayName: 'Orders' }],
            startedAt: '2026-01-15T08:58:00.000Z',
            resolvedAt: null,
          },
        ],
        checkedAt: '2026-01-15T09:00:05.000Z',
      },
    },
  }),
] as const;
