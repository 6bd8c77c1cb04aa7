import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

/** A page of the console, or a section of pages. */
export interface NavigationNode {
  readonly id: string;
  readonly label: string;
  /** Path in the console; null for a section. */
  readonly path: string | null;
  readonly children: NavigationNode[];
}

const Node: z.ZodType<NavigationNode, NavigationNode> = z
  .object({
    id: z.string(),
    label: z.string(),
    path: z.string().nullable().describe('Path in the console; null for a section.'),
    get children() {
      return z.array(Node);
    },
  })
  .meta({ id: 'NavigationNode' });

export const searchKinds = [
  'proxy',
  'environment',
  'target_server',
  'gateway_node',
  'specification',
  'policy_template',
  'product',
  'developer',
  'app',
  'user',
  'role',
  'service_account',
] as const;

export const SearchResult = z
  .object({
    kind: z.enum(searchKinds),
    id: Id,
    title: z.string(),
    subtitle: z.string(),
    path: z.string().describe('Path in the console.'),
  })
  .meta({ id: 'SearchResult' });

export const Notification = z
  .object({
    id: Id,
    kind: z.string(),
    title: z.string(),
    link: z.string().nullable().describe('Path in the console.'),
    decision: z
      .enum(['open', 'settled'])
      .nullable()
      .describe('State of the requested decision: settled once made, withdrawn or void. Null if none is requested.'),
    readAt: Time.nullable(),
    createdAt: Time,
  })
  .meta({ id: 'Notification' });

const tag = 'Auth';
const unread = z.int().describe('The caller’s unread notifications, whatever the filters, without settled ones.');

export const navigationOperations = [
  defineOperation({
    id: 'getNavigation',
    method: 'GET',
    path: '/navigation',
    tag,
    summary: 'Show the navigation tree',
    description: 'The pages of the console that the caller’s permissions open, in their sections.',
    access: 'session',
    audit: null,
    request: {},
    data: z.object({ nodes: z.array(Node) }),
    example: {
      request: {},
      data: {
        nodes: [
          {
            id: 'build',
            label: 'Build',
            path: null,
            children: [{ id: 'proxies', label: 'API proxies', path: '/proxies', children: [] }],
          },
        ],
      },
    },
  }),
  defineOperation({
    id: 'search',
    method: 'GET',
    path: '/search',
    tag,
    summary: 'Search everything that the caller may read',
    access: 'session',
    audit: null,
    request: {
      query: listQuery(['relevance', 'title'], { kind: z.enum(searchKinds).optional() }).extend({
        search: z.string().trim().min(1).max(200).describe('Text to search for; case-insensitive.'),
      }),
    },
    data: listData('results', SearchResult),
    example: {
      request: { query: { search: 'orders' } },
      data: {
        results: [
          {
            kind: 'proxy',
            id: 'prx_00000000000000000000000001',
            title: 'Orders',
            subtitle: '/v1/orders',
            path: '/proxies/prx_00000000000000000000000001',
          },
        ],
        total: 1,
      },
    },
  }),
  defineOperation({
    id: 'listNotifications',
    method: 'GET',
    path: '/notifications',
    tag,
    summary: 'List your notifications',
    access: 'session',
    scope: 'home',
    audit: null,
    request: {
      query: listQuery(['-createdAt'], {
        unread: z.stringbool().optional(),
        kind: z.string().min(1).max(60).optional(),
      }),
    },
    data: listData('notifications', Notification).extend({ unread }),
    example: {
      request: { query: { unread: 'true' } },
      data: {
        notifications: [
          {
            id: 'ntf_00000000000000000000000001',
            kind: 'lifecycle_request',
            title: 'orders: review the move from draft to approved',
            link: '/review-queue/lcr_00000000000000000000000001',
            decision: 'open',
            readAt: null,
            createdAt: '2026-01-15T09:00:00.000Z',
          },
        ],
        total: 1,
        unread: 1,
      },
    },
  }),
  defineOperation({
    id: 'readNotifications',
    method: 'POST',
    path: '/notifications/read',
    tag,
    summary: 'Mark notifications as read',
    access: 'session',
    scope: 'home',
    audit: { category: 'configuration', severity: 'low', entityType: 'notification' },
    production: 'never',
    request: {
      body: z.strictObject({
        notificationIds: z.array(Id).min(1).max(100).optional().describe('If omitted, all.'),
      }),
    },
    data: z.object({ unread }),
    example: { request: { body: {} }, data: { unread: 0 } },
  }),
] as const;
