import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

/** A client that provisions users and groups by SCIM 2.0. */
export const ScimToken = z
  .object({
    id: Id,
    name: z.string(),
    prefix: z.string().describe('How the token begins, to recognize it.'),
    expiresAt: Time.nullable(),
    lastUsedAt: Time.nullable(),
    createdAt: Time,
  })
  .meta({ id: 'ScimToken' });

const tag = 'Access';
const audit = { category: 'security', severity: 'high', entityType: 'scim_token' } as const;
const exampleToken = {
  id: 'sct_00000000000000000000000001',
  name: 'Example ID',
  prefix: 'mrc_q4yX0c',
  expiresAt: null,
  lastUsedAt: null,
  createdAt: '2026-01-15T09:00:00.000Z',
};

export const provisioningOperations = [
  defineOperation({
    id: 'listScimTokens',
    method: 'GET',
    path: '/scim-tokens',
    tag,
    summary: 'List provisioning tokens',
    access: 'identity-provider.read',
    audit: null,
    request: { query: listQuery(['-createdAt', 'name'], {}) },
    data: listData('tokens', ScimToken),
    example: { request: { query: {} }, data: { tokens: [exampleToken], total: 1 } },
  }),
  defineOperation({
    id: 'createScimToken',
    method: 'POST',
    path: '/scim-tokens',
    tag,
    summary: 'Create a provisioning token',
    description:
      'For SCIM 2.0 under `/scim/v2`: creates, changes, deactivates and deletes users, and gives them roles by their ' +
      'groups. The token is only in this response. To rotate it, create a second one, use it, and delete the first.',
    access: 'identity-provider.write',
    audit,
    production: 'never',
    request: {
      body: z.strictObject({
        name: displayName(60),
        lifetimeDays: z.int().min(1).max(3_650).nullable().default(365).describe('Null: until it is deleted.'),
      }),
    },
    data: ScimToken.extend({ token: z.string().describe('Shown only once.') }).meta({ id: 'NewScimToken' }),
    status: 201,
    errors: ['conflict'],
    example: {
      request: { body: { name: 'Second token', lifetimeDays: null } },
      data: { ...exampleToken, name: 'Second token', token: 'mrc_q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk' },
    },
  }),
  defineOperation({
    id: 'deleteScimToken',
    method: 'DELETE',
    path: '/scim-tokens/:scimTokenId',
    tag,
    summary: 'Delete a provisioning token',
    description: 'It is no longer valid, on every process. What it provisioned stays.',
    access: 'identity-provider.write',
    audit,
    production: 'never',
    request: { params: z.object({ scimTokenId: Id }) },
    data: z.object({}),
    example: { request: { params: { scimTokenId: exampleToken.id } }, data: {} },
  }),
] as const;
