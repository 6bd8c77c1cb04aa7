import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { PermissionNames } from '../roles/contract.ts';
import { exampleUser } from '../users/contract.ts';

const ServiceAccountToken = z
  .object({
    id: Id,
    name: z.string(),
    prefix: z.string().describe('The first characters of the token, to identify it.'),
    expiresAt: Time.nullable().describe('Null: it does not expire.'),
    lastUsedAt: Time.nullable().describe('To the minute.'),
    createdAt: Time,
  })
  .meta({ id: 'ServiceAccountToken' });

export const ServiceAccount = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    permissions: z.array(z.string()),
    state: z.enum(['active', 'suspended']).describe('The tokens of a suspended account are rejected.'),
    owners: z
      .array(
        z.object({
          id: Id,
          name: z.string().nullable().describe('Null for a person of another organization, or of none.'),
        }),
      )
      .describe('People who may be behind its calls: those who created it or issued a token for it.'),
    tokens: z.array(ServiceAccountToken).describe('Tokens that were not revoked, including expired ones.'),
    ...versioned,
  })
  .meta({ id: 'ServiceAccount' });

const AccountName = displayName();
const Description = z.string().trim().max(1_000);

const params = z.object({ serviceAccountId: Id });
const audit = { category: 'security', severity: 'high', entityType: 'service_account' } as const;
const tag = 'Access';

const exampleToken = {
  id: 'tok_00000000000000000000000001',
  name: 'Build server',
  prefix: 'mrs_q4yX0c',
  expiresAt: '2026-04-15T09:00:00.000Z',
  lastUsedAt: null,
  createdAt: '2026-01-15T09:00:00.000Z',
};
const exampleAccount = {
  id: 'sva_00000000000000000000000001',
  name: 'Release pipeline',
  description: 'Deploys to test after each build',
  permissions: ['proxy.read', 'deployment.read', 'deployment.write'],
  state: 'active' as const,
  owners: [{ id: exampleUser.id, name: exampleUser.name }],
  tokens: [exampleToken],
  version: 2,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { serviceAccountId: exampleAccount.id };

export const serviceAccountOperations = [
  defineOperation({
    id: 'listServiceAccounts',
    method: 'GET',
    path: '/service-accounts',
    tag,
    summary: 'List service accounts',
    access: 'service-account.read',
    audit: null,
    request: {
      query: listQuery(['name', 'createdAt', 'updatedAt'], { state: ServiceAccount.shape.state.optional() }),
    },
    data: listData('serviceAccounts', ServiceAccount),
    example: { request: {}, data: { serviceAccounts: [exampleAccount], total: 1 } },
  }),
  defineOperation({
    id: 'createServiceAccount',
    method: 'POST',
    path: '/service-accounts',
    tag,
    summary: 'Create a service account',
    description: 'An account for pipelines and tooling. It can have any permissions that its creator has.',
    access: 'service-account.write',
    audit,
    production: { exempt: 'access' },
    request: {
      body: z.strictObject({ name: AccountName, description: Description.default(''), permissions: PermissionNames }),
    },
    data: ServiceAccount,
    status: 201,
    example: {
      request: { body: { name: 'Nightly export', permissions: ['organization.read', 'organization.export'] } },
      data: { ...exampleAccount, tokens: [], version: 1 },
    },
  }),
  defineOperation({
    id: 'getServiceAccount',
    method: 'GET',
    path: '/service-accounts/:serviceAccountId',
    tag,
    summary: 'Show a service account with its tokens',
    access: 'service-account.read',
    audit: null,
    request: { params },
    data: ServiceAccount,
    example: { request: { params: exampleParams }, data: exampleAccount },
  }),
  defineOperation({
    id: 'updateServiceAccount',
    method: 'PATCH',
    path: '/service-accounts/:serviceAccountId',
    tag,
    summary: 'Change a service account',
    description:
      'Changes take effect with the account’s next call. A service account can’t change itself, and nobody can change ' +
      'one with more permissions than they have.',
    access: 'service-account.write',
    audit,
    production: { exempt: 'access' },
    request: {
      params,
      body: z.strictObject({
        name: AccountName.optional(),
        description: Description.optional(),
        permissions: PermissionNames.optional(),
        state: ServiceAccount.shape.state.optional(),
      }),
    },
    data: ServiceAccount,
    example: { request: { params: exampleParams, body: { permissions: ['proxy.read'] } }, data: exampleAccount },
  }),
  defineOperation({
    id: 'deleteServiceAccount',
    method: 'DELETE',
    path: '/service-accounts/:serviceAccountId',
    tag,
    summary: 'Delete a service account',
    description: 'Its tokens become invalid immediately.',
    access: 'service-account.write',
    audit,
    production: { exempt: 'access' },
    request: { params },
    data: z.object({}),
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'issueServiceAccountToken',
    method: 'POST',
    path: '/service-accounts/:serviceAccountId/tokens',
    tag,
    summary: 'Issue a bearer token of a service account',
    description:
      'The token is only in this response: send it as `Authorization: Bearer`. The issuer becomes one of the ' +
      'account’s owners and can’t approve what is done with it. Nobody can issue one for an account that has more ' +
      'than they do.',
    access: 'service-account.write',
    audit: { ...audit, entityType: 'service_account_token' },
    production: { exempt: 'access' },
    request: {
      params,
      body: z.strictObject({
        name: AccountName,
        lifetimeDays: z
          .int()
          .min(1)
          .max(3_650)
          .nullable()
          .default(90)
          .describe('Days until it expires; null: it does not expire.'),
      }),
    },
    data: ServiceAccountToken.extend({ token: z.string().describe('The secret, shown this once.') }).meta({
      id: 'IssuedServiceAccountToken',
    }),
    status: 201,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { name: 'Build server', lifetimeDays: 90 } },
      data: { ...exampleToken, token: 'mrs_q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk' },
    },
  }),
  defineOperation({
    id: 'revokeServiceAccountToken',
    method: 'DELETE',
    path: '/service-accounts/:serviceAccountId/tokens/:tokenId',
    tag,
    summary: 'Revoke a token of a service account',
    description: 'It becomes invalid immediately, in every process.',
    access: 'service-account.write',
    audit: { ...audit, entityType: 'service_account_token' },
    production: { exempt: 'access' },
    request: { params: params.extend({ tokenId: Id }) },
    data: z.object({}),
    example: { request: { params: { ...exampleParams, tokenId: exampleToken.id } }, data: {} },
  }),
] as const;
