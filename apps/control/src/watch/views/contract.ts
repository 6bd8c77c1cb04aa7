import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';
import { latencyMeasures, trafficDimensions, trafficMeasures, trafficQuery } from '../analytics/contract.ts';

/** What a view shows: the same that the operations of analytics take. */
const ViewQuery = z.strictObject({
  ...trafficQuery,
  by: z.enum(trafficDimensions).optional(),
  measure: z.enum([...trafficMeasures, ...latencyMeasures]).optional(),
});

export const AnalyticsView = z
  .object({
    id: Id,
    name: z.string(),
    section: z.string().describe('The part of the traffic screen that it opens, such as `latency`.'),
    query: ViewQuery,
    shared: z.boolean().describe('Whether everyone in the organization sees it.'),
    own: z.boolean().describe('Whether it is the caller’s.'),
    ownerId: z.string(),
    ownerName: z.string().nullable().describe('Null: the account was deleted.'),
    ...versioned,
  })
  .meta({ id: 'AnalyticsView' });
export type AnalyticsView = z.infer<typeof AnalyticsView>;

/** Views that one account can save. */
export const mostViews = 100;

const exampleView = {
  id: 'avw_00000000000000000000000001',
  name: 'Orders, last week',
  section: 'latency',
  query: { range: '7d' as const, proxyId: 'prx_00000000000000000000000001', compare: 'previous' as const },
  shared: true,
  own: true,
  ownerId: 'usr_00000000000000000000000001',
  ownerName: 'Sam Sample',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const { name, section, query, shared } = exampleView;

const tag = 'Analytics';
const audit = { category: 'configuration', severity: 'low', entityType: 'analytics_view' } as const;

export const analyticsViewOperations = [
  defineOperation({
    id: 'listAnalyticsViews',
    method: 'GET',
    path: '/analytics/views',
    tag,
    summary: 'List saved views: the caller’s own, and those shared by others',
    access: 'analytics.read',
    audit: null,
    request: { query: listQuery(['name', 'createdAt'], {}) },
    data: listData('views', AnalyticsView),
    example: { request: { query: {} }, data: { views: [exampleView], total: 1 } },
  }),
  defineOperation({
    id: 'createAnalyticsView',
    method: 'POST',
    path: '/analytics/views',
    tag,
    summary: 'Save a view',
    description: `Names are unique per account. An account can save ${mostViews} views.`,
    access: 'analytics.read',
    audit,
    production: 'never',
    request: {
      body: z.strictObject({
        name: displayName(),
        section: z.string().regex(/^[a-z][a-z-]{0,39}$/, 'Use lower-case letters and "-".'),
        query: ViewQuery,
        shared: z.boolean().default(false),
      }),
    },
    data: AnalyticsView,
    status: 201,
    errors: ['conflict'],
    example: { request: { body: { name, section, query, shared } }, data: exampleView },
  }),
  defineOperation({
    id: 'deleteAnalyticsView',
    method: 'DELETE',
    path: '/analytics/views/:viewId',
    tag,
    summary: 'Delete a view',
    description: 'An own one. Views that others share can be deleted by those with the permission organization.write.',
    access: 'analytics.read',
    audit,
    production: 'never',
    request: { params: z.object({ viewId: Id }) },
    data: z.object({}),
    example: { request: { params: { viewId: exampleView.id } }, data: {} },
  }),
] as const;
