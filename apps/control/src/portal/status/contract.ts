import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Time } from '../../frame/operation.ts';

const state = z
  .enum(['operational', 'degraded', 'unavailable', 'unknown'])
  .describe('unknown: no gateway node has ever reported.');

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
    description: 'From what the gateway nodes of production environments report.',
    access: 'portal_visitor',
    audit: null,
    request: {},
    data: PortalStatus,
    example: {
      request: {},
      data: {
        state: 'operational',
        environments: [
          {
            name: 'production',
            displayName: 'Production',
            state: 'operational',
            reportedAt: '2026-01-15T09:00:00.000Z',
          },
        ],
        checkedAt: '2026-01-15T09:00:05.000Z',
      },
    },
  }),
] as const;
