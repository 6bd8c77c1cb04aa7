import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

const topUpRequestStates = ['open', 'credited', 'declined'] as const;

export const TopUpRequest = z
  .object({
    id: Id,
    state: z.enum(topUpRequestStates),
    subscriptionId: Id,
    appName: z.string(),
    productName: z.string(),
    developerId: Id,
    developerName: z.string(),
    amountMinor: z.int().describe('In minor units of the currency, such as cents.'),
    currency: z.string(),
    note: z.string(),
    requestedByName: z.string(),
    topUpId: Id.nullable().describe(
      'The top-up for it. While the request is open, that one waits for another person’s approval.',
    ),
    creditedMinor: z.int().nullable().describe('What was paid in, which can differ from what was asked for.'),
    declineReason: z.string().nullable().describe('Shown to the developer.'),
    answeredByName: z.string().nullable(),
    answeredAt: Time.nullable(),
    createdAt: Time,
  })
  .meta({ id: 'TopUpRequest' });
export type TopUpRequest = z.infer<typeof TopUpRequest>;

const exampleRequest: TopUpRequest = {
  id: 'tur_00000000000000000000000001',
  state: 'open',
  subscriptionId: 'sub_00000000000000000000000001',
  appName: 'Shop front end',
  productName: 'Orders',
  developerId: 'dev_00000000000000000000000001',
  developerName: 'Sam Example',
  amountMinor: 50_000,
  currency: 'EUR',
  note: 'Purchase order 4711',
  requestedByName: 'Sam Example',
  topUpId: null,
  creditedMinor: null,
  declineReason: null,
  answeredByName: null,
  answeredAt: null,
  createdAt: '2026-01-14T09:00:00.000Z',
};
const exampleReason = 'Please pay invoice 1042 first.';

export const topUpRequestOperations = [
  defineOperation({
    id: 'listTopUpRequests',
    method: 'GET',
    path: '/billing/top-up-requests',
    tag: 'Billing',
    summary: 'List what developers ask to top up in the portal',
    description: 'A top-up with the `requestId` credits a request.',
    access: 'billing.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'amountMinor'], {
        state: TopUpRequest.shape.state.optional(),
        developerId: Id.optional(),
        subscriptionId: Id.optional(),
      }),
    },
    data: listData('topUpRequests', TopUpRequest),
    example: { request: { query: { state: 'open' } }, data: { topUpRequests: [exampleRequest], total: 1 } },
  }),
  defineOperation({
    id: 'declineTopUpRequest',
    method: 'POST',
    path: '/billing/top-up-requests/:topUpRequestId/decline',
    tag: 'Billing',
    summary: 'Decline a top-up request',
    access: 'billing.write',
    audit: { category: 'configuration', severity: 'low', entityType: 'top_up_request' },
    production: { exempt: 'one_consumer' },
    request: {
      params: z.object({ topUpRequestId: Id }),
      body: z.strictObject({ reason: z.string().trim().min(1).max(500).describe('The portal shows it.') }),
    },
    data: TopUpRequest,
    errors: ['conflict'],
    example: {
      request: { params: { topUpRequestId: exampleRequest.id }, body: { reason: exampleReason } },
      data: {
        ...exampleRequest,
        state: 'declined',
        declineReason: exampleReason,
        answeredByName: 'Kim Example',
        answeredAt: '2026-01-15T10:00:00.000Z',
      },
    },
  }),
] as const;
