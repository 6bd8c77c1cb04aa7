import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  Nothing,
  Time,
} from '../../http/dashboard-operation.ts';

const ScimToken = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('How the token begins, to recognize it.'),
    expiresAt: Time.nullable(),
    lastUsedAt: Time.nullable(),
    createdAt: Time,
  })
  .meta({ id: 'ScimToken' });

const tag = 'Sign-in';
const administrators = { ...everyDashboardOperation, role: 'administrator', tag } as const;
const exampleToken = {
  id: 'sct_01kamy4w8q2v6x0r3t5y7z9b1d',
  name: 'Example ID',
  prefix: 'mrc_q4yX0c',
  expiresAt: '2027-03-14T09:00:00.000Z',
  lastUsedAt: null,
  createdAt: '2026-03-14T09:00:00.000Z',
};

const listScimTokens = defineDashboardOperation({
  ...administrators,
  id: 'listScimTokens',
  method: 'GET',
  path: '/api/dashboard/v1/scim-tokens',
  summary: 'List provisioning tokens',
  description: 'With the address for SCIM 2.0. The newest token first; an account has at most 10.',
  request: {},
  responses: {
    200: { description: 'The tokens.', body: z.object({ tokens: z.array(ScimToken), scimUrl: z.string() }) },
  },
  errors: anyDashboardErrors,
  examples: [
    {
      summary: 'One token',
      request: {},
      answer: {
        status: 200,
        body: { tokens: [exampleToken], scimUrl: 'https://documents.example.com/scim/v2' },
      },
    },
  ],
});

const createScimToken = defineDashboardOperation({
  ...administrators,
  id: 'createScimToken',
  method: 'POST',
  path: '/api/dashboard/v1/scim-tokens',
  summary: 'Create a provisioning token',
  description:
    'For SCIM 2.0 under `/scim/v2`: creates, changes, disables and removes members, and gives them roles by their ' +
    'groups. The token is only in this response. To rotate it, create a second one, use it, and delete the first.',
  request: {
    body: z.strictObject({
      name: displayName(60),
      lifetimeDays: z.int().min(1).max(3_650).nullable().default(365).describe('Null: until it is deleted.'),
    }),
  },
  responses: {
    201: {
      description: 'Created.',
      body: ScimToken.extend({ token: z.string().describe('Shown only once.') }).meta({ id: 'NewScimToken' }),
    },
  },
  errors: ['invalid_request', 'conflict', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A token',
      request: { body: { name: 'Example ID' } },
      answer: {
        status: 201,
        body: { ...exampleToken, token: 'mrc_q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk' },
      },
    },
  ],
});

const deleteScimToken = defineDashboardOperation({
  ...administrators,
  id: 'deleteScimToken',
  method: 'DELETE',
  path: '/api/dashboard/v1/scim-tokens/:id',
  summary: 'Delete a provisioning token',
  description: 'It is no longer valid, on every process. What it provisioned stays.',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: 'Deleted.', body: Nothing } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'A token', request: { params: { id: exampleToken.id } }, answer: { status: 200, body: {} } }],
});

export const provisioningOperations = [listScimTokens, createScimToken, deleteScimToken] as const;
