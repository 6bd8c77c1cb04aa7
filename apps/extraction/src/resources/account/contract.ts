import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  Time,
} from '../../http/dashboard-operation.ts';

export const Account = z
  .object({
    id: z.string(),
    name: z.string(),
    reviewThreshold: z.int().min(0).max(100).describe('Values with a lower confidence need review.'),
    retentionDays: z.int().min(1).nullable().describe('Documents are deleted after this many days; null for never.'),
    defaultRateLimitPerMinute: z.int().describe('For keys without their own limit. Set by the service.'),
    maxFileSizeBytes: z.int().describe('Set by the service.'),
    maxPages: z.int().describe('Per document. Set by the service.'),
    createdAt: Time,
  })
  .meta({ id: 'Account' });

const tag = 'Account';
const exampleAccount = {
  id: 'acc_01kamy4w8q2v6x0r3t5y7z9b1d',
  name: 'Example',
  reviewThreshold: 80,
  retentionDays: null,
  defaultRateLimitPerMinute: 60,
  maxFileSizeBytes: 20_971_520,
  maxPages: 50,
  createdAt: '2026-03-14T09:00:00.000Z',
};

const getAccount = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'getAccount',
  method: 'GET',
  path: '/api/dashboard/v1/account',
  summary: 'Get the account and its limits',
  description: '',
  request: {},
  responses: { 200: { description: 'The account.', body: Account } },
  errors: anyDashboardErrors,
  examples: [{ summary: 'An account', request: {}, answer: { status: 200, body: exampleAccount } }],
});

const updateAccount = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  tag,
  id: 'updateAccount',
  method: 'PATCH',
  path: '/api/dashboard/v1/account',
  summary: 'Change the account',
  description: 'A shorter retention soon deletes older documents permanently.',
  request: {
    body: z.strictObject({
      name: displayName().optional(),
      reviewThreshold: z.int().min(0).max(100).optional(),
      retentionDays: z.int().min(1).max(3_650).nullable().optional(),
    }),
  },
  responses: { 200: { description: 'The changed account.', body: Account } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A retention of 30 days',
      request: { body: { retentionDays: 30 } },
      answer: { status: 200, body: { ...exampleAccount, retentionDays: 30 } },
    },
  ],
});

export const accountOperations = [getAccount, updateAccount] as const;
