import * as z from 'zod';
import { defineOperation, Id, listData, listQuery } from '../../frame/operation.ts';
import {
  ExpiringCredit,
  exampleExpiring,
  mostExpiring,
  mostMinor,
  PrepaidAccount,
  PrepaidMovement,
} from '../../money/prepaid/contract.ts';
import { TopUpRequest } from '../../money/top-up-requests/contract.ts';

/** The prepaid balance of one subscription. */
const PortalPrepaidAccount = PrepaidAccount.pick({
  subscriptionId: true,
  currency: true,
  balanceMinor: true,
  paidInMinor: true,
  expiredMinor: true,
  usedMinor: true,
  isLow: true,
})
  .extend({
    appName: z.string(),
    productName: z.string(),
    ratePlanName: z.string().nullable(),
    expiring: z
      .array(ExpiringCredit)
      .describe(`Top-ups of which something is left that expires, the next to expire first; at most ${mostExpiring}.`),
  })
  .meta({ id: 'PortalPrepaidAccount' });
export type PortalPrepaidAccount = z.infer<typeof PortalPrepaidAccount>;

const PortalMovement = PrepaidMovement.pick({
  id: true,
  subscriptionId: true,
  kind: true,
  amountMinor: true,
  createdAt: true,
})
  .extend({ currency: z.string() })
  .meta({ id: 'PortalPrepaidMovement' });
export type PortalMovement = z.infer<typeof PortalMovement>;

const PortalTopUpRequest = TopUpRequest.pick({
  id: true,
  state: true,
  subscriptionId: true,
  amountMinor: true,
  currency: true,
  note: true,
  requestedByName: true,
  creditedMinor: true,
  declineReason: true,
  answeredAt: true,
  createdAt: true,
}).meta({ id: 'PortalTopUpRequest' });
export type PortalTopUpRequest = z.infer<typeof PortalTopUpRequest>;

const tag = 'Portal';
const portalRoles = ['owner', 'billing'] as const;

const exampleAccount = {
  subscriptionId: 'sub_00000000000000000000000001',
  appName: 'Shop front end',
  productName: 'Orders',
  ratePlanName: 'Prepaid',
  currency: 'EUR',
  balanceMinor: '49993.3',
  paidInMinor: 50_000,
  expiredMinor: 0,
  expiring: [exampleExpiring],
  usedMinor: '6.7',
  isLow: false,
};
const exampleRequest = {
  id: 'tur_00000000000000000000000001',
  state: 'open' as const,
  subscriptionId: exampleAccount.subscriptionId,
  amountMinor: 50_000,
  currency: 'EUR',
  note: 'Purchase order 4711',
  requestedByName: 'Sam Example',
  creditedMinor: null,
  declineReason: null,
  answeredAt: null,
  createdAt: '2026-01-14T09:00:00.000Z',
};

export const portalBalanceOperations = [
  defineOperation({
    id: 'getPortalBalance',
    method: 'GET',
    path: '/portal/balance',
    tag,
    summary: 'Show your prepaid balances and their movements',
    description: 'Usage is not listed as movements: it is the price of the metered calls.',
    access: 'portal',
    portalRoles,
    audit: null,
    request: { query: listQuery(['-createdAt'], { subscriptionId: Id.optional() }) },
    data: listData('movements', PortalMovement)
      .extend({
        accounts: z.array(PortalPrepaidAccount).describe('Of each prepaid subscription; at most 100.'),
        topUpRequests: z.array(PortalTopUpRequest).describe('Newest first; at most 20.'),
      })
      .meta({ id: 'PortalBalance' }),
    example: {
      request: { query: {} },
      data: {
        movements: [
          {
            id: 'pmv_00000000000000000000000001',
            subscriptionId: exampleAccount.subscriptionId,
            kind: 'top_up',
            amountMinor: 50_000,
            currency: 'EUR',
            createdAt: '2026-01-15T09:00:00.000Z',
          },
        ],
        total: 1,
        accounts: [exampleAccount],
        topUpRequests: [exampleRequest],
      },
    },
  }),
  defineOperation({
    id: 'requestPortalTopUp',
    method: 'POST',
    path: '/portal/balance/top-up-requests',
    tag,
    summary: 'Ask the organization to top up a prepaid balance',
    description:
      'Sends an e-mail to the organization. The balance changes once the organization has recorded the payment; it can decline with a reason.',
    access: 'portal',
    portalRoles,
    audit: { category: 'configuration', severity: 'low', entityType: 'top_up_request' },
    production: 'never',
    request: {
      body: z.strictObject({
        subscriptionId: Id,
        amountMinor: z.int().min(1).max(mostMinor).describe('In minor units of the balance’s currency, such as cents.'),
        note: z.string().trim().max(500).default('').describe('For the organization, such as your order number.'),
      }),
    },
    data: PortalTopUpRequest,
    status: 201,
    errors: ['conflict', 'too_many_requests'],
    example: {
      request: {
        body: { subscriptionId: exampleAccount.subscriptionId, amountMinor: 50_000, note: exampleRequest.note },
      },
      data: exampleRequest,
    },
  }),
] as const;
