import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';

export const RatePlan = z
  .object({
    id: Id,
    productId: Id,
    name: Name,
    displayName: z.string(),
    type: z.enum(['pay_as_you_go', 'flat', 'tiered', 'prepaid']),
    state: z.enum(['draft', 'published', 'retired']).describe('Only a published one accepts subscribers.'),
    currency: z.string(),
    ...versioned,
  })
  .meta({ id: 'RatePlan' });

/** A plan in the examples of the reference. */
const exampleRatePlan = {
  id: 'rpl_00000000000000000000000001',
  productId: 'prd_00000000000000000000000001',
  name: 'standard',
  displayName: 'Standard',
  type: 'pay_as_you_go' as const,
  state: 'published' as const,
  currency: 'EUR',
  version: 2,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};

export const ratePlanOperations = [
  defineOperation({
    id: 'listProductRatePlans',
    method: 'GET',
    path: '/products/:productId/rate-plans',
    tag: 'API products',
    summary: 'List an API product’s rate plans',
    access: 'rate-plan.read',
    audit: null,
    request: {
      params: z.object({ productId: Id }),
      query: listQuery(['name', '-createdAt', 'updatedAt'], { state: RatePlan.shape.state.optional() }),
    },
    data: listData('ratePlans', RatePlan),
    example: {
      request: { params: { productId: exampleRatePlan.productId }, query: {} },
      data: { ratePlans: [exampleRatePlan], total: 1 },
    },
  }),
] as const;
