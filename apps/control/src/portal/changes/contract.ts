import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, Time } from '../../frame/operation.ts';

/** What a published specification changed for the callers of an API. */
export const PortalChange = z
  .object({
    id: Id,
    at: Time,
    kind: z
      .enum(['published', 'changed', 'withdrawn'])
      .describe('published: its first specification; withdrawn: it no longer has a published specification.'),
    api: z.object({ name: Name, displayName: z.string() }),
    apiVersion: z.string(),
    products: z.array(z.object({ name: Name, displayName: z.string() })).describe('Those with this API.'),
    breaking: z.boolean().describe('Whether it can break existing callers.'),
    changes: z
      .array(
        z.object({
          operation: z.string().nullable().describe('Such as `GET /v1/orders/{orderId}`; null: not about one.'),
          kind: z.enum(['added', 'removed', 'changed']),
          breaking: z.boolean(),
          text: z.string().describe('As a sentence, in English.'),
        }),
      )
      .describe('Breaking ones first, at most 100.'),
    total: z.int().describe('How many changes there are.'),
  })
  .meta({ id: 'PortalChange' });
export type PortalChange = z.infer<typeof PortalChange>;

export const examplePortalChange = {
  id: 'pcg_00000000000000000000000001',
  at: '2026-01-16T09:00:00.000Z',
  kind: 'changed' as const,
  api: { name: 'orders', displayName: 'Orders' },
  apiVersion: '1.1.0',
  products: [{ name: 'orders', displayName: 'Orders' }],
  breaking: false,
  changes: [
    {
      operation: 'DELETE /v1/orders/{orderId}',
      kind: 'added' as const,
      breaking: false,
      text: 'DELETE /v1/orders/{orderId} was added.',
    },
  ],
  total: 1,
};

export const portalChangeOperations = [
  defineOperation({
    id: 'listPortalChanges',
    method: 'GET',
    path: '/portal/changes',
    tag: 'Portal',
    summary: 'List what changed in the APIs',
    description: 'Of the products that the caller sees, the latest first.',
    access: 'portal_visitor',
    audit: null,
    request: {
      query: z.strictObject({
        product: z
          .string()
          .max(64)
          .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Must be the id or the name of an API product.')
          .optional()
          .describe('Id or name of a product.'),
        page: z.coerce.number().int().min(1).max(100_000).default(1).describe('Page, from 1.'),
        pageSize: z.coerce.number().int().min(1).max(100).default(25).describe('Changes per page, at most 100.'),
      }),
    },
    data: z.object({ changes: z.array(PortalChange), total: z.int() }),
    example: { request: { query: {} }, data: { changes: [examplePortalChange], total: 1 } },
  }),
] as const;
