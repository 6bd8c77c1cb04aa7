import { scopes } from '@millrace/extraction-contract/scopes';
import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  listOf,
  listQuery,
  Time,
} from '../../http/dashboard-operation.ts';

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('The first characters of the key.'),
    rateLimitPerMinute: z.int().nullable().describe('Calls per minute; null for the default.'),
    scopes: z.array(z.enum(scopes)).describe('What the key may do.'),
    status: z.enum(['active', 'expired', 'revoked']),
    expiresAt: Time.nullable().describe('When the key expires; null for never.'),
    createdAt: Time,
    lastUsedAt: Time.nullable(),
    revokedAt: Time.nullable(),
  })
  .meta({ id: 'ApiKey' });

const tag = 'Keys';
const administrators = { ...everyDashboardOperation, role: 'administrator', tag } as const;
const params = z.object({ id: z.string() });
const KeyName = displayName();
const Scopes = z
  .array(z.enum(scopes))
  .min(1, 'Choose at least one scope.')
  .max(scopes.length)
  .transform((chosen) => scopes.filter((scope) => chosen.includes(scope)));
const ExpiresAt = Time.nullable();
const RateLimit = z.int().min(1).max(1_000_000).nullable();

const exampleKey = {
  id: 'key_01kamy4w8q2v6x0r3t5y7z9b1d',
  name: 'Accounting',
  prefix: 'mr_live_4fGz',
  rateLimitPerMinute: null,
  scopes: [...scopes],
  status: 'active' as const,
  expiresAt: null,
  createdAt: '2026-03-14T09:00:00.000Z',
  lastUsedAt: '2026-03-14T09:30:00.000Z',
  revokedAt: null,
};

const listKeys = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'listKeys',
  method: 'GET',
  path: '/api/dashboard/v1/keys',
  summary: 'List API keys',
  description: 'Newest first, including revoked keys.',
  request: { query: z.object(listQuery) },
  responses: { 200: { description: 'A page of keys.', body: listOf(ApiKey) } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    { summary: 'One key', request: {}, answer: { status: 200, body: { items: [exampleKey], nextCursor: null } } },
  ],
});

const createKey = defineDashboardOperation({
  ...administrators,
  id: 'createKey',
  method: 'POST',
  path: '/api/dashboard/v1/keys',
  summary: 'Create an API key',
  description: 'Only this response contains the key itself.',
  request: {
    body: z.strictObject({
      name: KeyName,
      rateLimitPerMinute: RateLimit.default(null),
      scopes: Scopes.default([...scopes]).describe('What the key may do; everything by default.'),
      expiresAt: ExpiresAt.default(null).describe('In the future; null for never.'),
    }),
  },
  responses: {
    201: {
      description: 'Created.',
      body: z.object({ key: ApiKey, rawKey: z.string().describe('Only returned here.') }),
    },
  },
  errors: ['invalid_request', 'conflict', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A key',
      request: { body: { name: 'Accounting', scopes: [...scopes] } },
      answer: {
        status: 201,
        body: {
          key: { ...exampleKey, lastUsedAt: null },
          rawKey: 'mr_live_4fGz0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1',
        },
      },
    },
  ],
});

const updateKey = defineDashboardOperation({
  ...administrators,
  id: 'updateKey',
  method: 'PATCH',
  path: '/api/dashboard/v1/keys/:id',
  summary: 'Change an API key',
  description: 'Limit, scopes and expiry apply from the next call on.',
  request: {
    params,
    body: z.strictObject({
      name: KeyName.optional(),
      rateLimitPerMinute: RateLimit.optional(),
      scopes: Scopes.optional(),
      expiresAt: ExpiresAt.optional().describe('In the future; null for never.'),
    }),
  },
  responses: { 200: { description: 'The changed key.', body: ApiKey } },
  errors: ['invalid_request', 'not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A limit',
      request: { params: { id: exampleKey.id }, body: { rateLimitPerMinute: 600 } },
      answer: { status: 200, body: { ...exampleKey, rateLimitPerMinute: 600 } },
    },
  ],
});

const revokeKey = defineDashboardOperation({
  ...administrators,
  id: 'revokeKey',
  method: 'DELETE',
  path: '/api/dashboard/v1/keys/:id',
  summary: 'Revoke an API key',
  description: 'Takes effect with the next call and can’t be undone. The key stays in the list.',
  request: { params },
  responses: { 200: { description: 'Revoked.', body: ApiKey } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A key',
      request: { params: { id: exampleKey.id } },
      answer: { status: 200, body: { ...exampleKey, status: 'revoked', revokedAt: '2026-03-14T10:00:00.000Z' } },
    },
  ],
});

export const keyOperations = [listKeys, createKey, updateKey, revokeKey] as const;
