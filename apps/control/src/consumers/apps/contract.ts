import { displayName } from '@millrace/operations/display-name';
import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

export const App = z
  .object({
    id: Id,
    developerId: Id,
    developerName: z.string(),
    name: Name,
    displayName: z.string(),
    description: z.string(),
    callbackUrl: z.string().nullable(),
    state: z.enum(['active', 'suspended']).describe('The keys of a suspended app are rejected.'),
    ...versioned,
  })
  .meta({ id: 'App' });

/** The filters of a list of apps, but the developer. */
export const appFilters = {
  state: App.shape.state.optional(),
  productId: Id.optional().describe('Those with an approved subscription to this product.'),
} as const;
export const appSorts = ['-createdAt', 'name', 'displayName', 'updatedAt'] as const;

const fields = {
  name: Name,
  displayName: displayName(),
  description: z.string().max(5_000),
  callbackUrl: z
    .url({ protocol: /^https?$/, error: 'Must start with https:// or http://.' })
    .max(500)
    .nullable(),
};

export const Credential = z
  .object({
    id: Id,
    appId: Id,
    name: z.string(),
    prefix: z.string().describe('The first characters of the key, to identify it.'),
    state: z
      .enum(['active', 'rotating', 'revoked', 'expired'])
      .describe('`rotating`: the key before the last rotation is still accepted.'),
    previousValidUntil: Time.nullable().describe('When the key before the last rotation expires.'),
    expiresAt: Time.nullable().describe('Null: it does not expire.'),
    revokedAt: Time.nullable(),
    ...versioned,
  })
  .meta({ id: 'Credential' });

const withKey = (id: string, description: string) =>
  Credential.extend({ key: z.string().describe(description) }).meta({ id });

const longestGraceSeconds = 30 * 86_400;

export const GraceSeconds = z
  .int()
  .min(0)
  .max(longestGraceSeconds)
  .default(86_400)
  .describe('How long the old key is still accepted, at most 30 days; 0: not at all.');

const CredentialName = displayName();

const params = z.object({ appId: Id });
const credentialParams = z.object({ appId: Id, credentialId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'app' } as const;
const stopping = { ...audit, severity: 'medium' } as const;
const credentialAudit = { category: 'security', severity: 'medium', entityType: 'credential' } as const;
const tag = 'Apps';

/** An app in the examples of the reference. */
export const exampleApp = {
  id: 'app_00000000000000000000000001',
  developerId: 'dev_00000000000000000000000001',
  developerName: 'Sam Example',
  name: 'shop-frontend',
  displayName: 'Shop front end',
  description: '',
  callbackUrl: 'https://shop.example/callback',
  state: 'active' as const,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { appId: exampleApp.id };
/** A credential in the examples of the reference, and its key. */
export const exampleCredential = {
  id: 'crd_00000000000000000000000001',
  appId: exampleApp.id,
  name: 'Production',
  prefix: 'mrk_q4yX0c',
  state: 'active' as const,
  previousValidUntil: null,
  expiresAt: null,
  revokedAt: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleCredentialParams = { ...exampleParams, credentialId: exampleCredential.id };
export const exampleKey = 'mrk_q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk';

export const appOperations = [
  defineOperation({
    id: 'listApps',
    method: 'GET',
    path: '/apps',
    tag,
    summary: 'List apps',
    access: 'app.read',
    audit: null,
    request: { query: listQuery(appSorts, { ...appFilters, developerId: Id.optional() }) },
    data: listData('apps', App),
    example: { request: { query: { state: 'active' } }, data: { apps: [exampleApp], total: 1 } },
  }),
  defineOperation({
    id: 'createApp',
    method: 'POST',
    path: '/apps',
    tag,
    summary: 'Register an app for a developer',
    description: 'An app uses its own credentials and can only call what it is subscribed to.',
    access: 'app.write',
    audit,
    production: { exempt: 'one_consumer' },
    request: {
      body: z.strictObject({
        developerId: Id,
        ...fields,
        description: fields.description.default(''),
        callbackUrl: fields.callbackUrl.default(null),
      }),
    },
    data: App,
    status: 201,
    example: {
      request: { body: { developerId: exampleApp.developerId, name: 'warehouse', displayName: 'Warehouse' } },
      data: { ...exampleApp, name: 'warehouse', displayName: 'Warehouse', callbackUrl: null },
    },
  }),
  defineOperation({
    id: 'getApp',
    method: 'GET',
    path: '/apps/:appId',
    tag,
    summary: 'Show an app',
    access: 'app.read',
    audit: null,
    request: { params },
    data: App,
    example: { request: { params: exampleParams }, data: exampleApp },
  }),
  defineOperation({
    id: 'updateApp',
    method: 'PATCH',
    path: '/apps/:appId',
    tag,
    summary: 'Change an app',
    description: 'Changes the given fields. An app can’t move to another developer.',
    access: 'app.write',
    audit,
    production: { exempt: 'one_consumer' },
    request: { params, body: z.strictObject(fields).partial() },
    data: App,
    example: {
      request: { params: exampleParams, body: { displayName: 'Shop' } },
      data: { ...exampleApp, displayName: 'Shop', version: 2 },
    },
  }),
  defineOperation({
    id: 'deleteApp',
    method: 'DELETE',
    path: '/apps/:appId',
    tag,
    summary: 'Delete an app',
    description:
      'Also deletes its credentials and subscriptions. Every gateway node rejects it within a second. To stop it for a ' +
      'while, suspend it.',
    access: 'app.delete',
    audit: stopping,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: z.object({}),
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'suspendApp',
    method: 'POST',
    path: '/apps/:appId/suspend',
    tag,
    summary: 'Suspend an app',
    description: 'Within a second every gateway node rejects all of its credentials.',
    access: 'app.write',
    audit: stopping,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: App,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleApp, state: 'suspended', version: 2 } },
  }),
  defineOperation({
    id: 'activateApp',
    method: 'POST',
    path: '/apps/:appId/activate',
    tag,
    summary: 'Activate a suspended app',
    access: 'app.write',
    audit: stopping,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: App,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleApp, version: 3 } },
  }),
  defineOperation({
    id: 'listCredentials',
    method: 'GET',
    path: '/apps/:appId/credentials',
    tag,
    summary: 'List an app’s credentials, without their keys',
    access: 'credential.read',
    audit: null,
    request: {
      params,
      query: listQuery(['-createdAt', 'name', 'expiresAt', 'updatedAt'], { state: Credential.shape.state.optional() }),
    },
    data: listData('credentials', Credential),
    example: {
      request: { params: exampleParams, query: {} },
      data: { credentials: [exampleCredential], total: 1 },
    },
  }),
  defineOperation({
    id: 'issueCredential',
    method: 'POST',
    path: '/apps/:appId/credentials',
    tag,
    summary: 'Issue a credential of an app',
    description: 'The key is only in this response. An app has at most 50 credentials that are not revoked.',
    access: 'credential.write',
    audit: credentialAudit,
    production: { exempt: 'one_consumer' },
    request: {
      params,
      body: z.strictObject({
        name: CredentialName,
        expiresAt: Time.nullable().default(null).describe('Null: it does not expire.'),
      }),
    },
    data: withKey('IssuedCredential', 'The secret that the app calls with, shown only once.'),
    status: 201,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { name: 'Staging' } },
      data: { ...exampleCredential, key: exampleKey },
    },
  }),
  defineOperation({
    id: 'getCredential',
    method: 'GET',
    path: '/apps/:appId/credentials/:credentialId',
    tag,
    summary: 'Show a credential, without its key',
    access: 'credential.read',
    audit: null,
    request: { params: credentialParams },
    data: Credential,
    example: { request: { params: exampleCredentialParams }, data: exampleCredential },
  }),
  defineOperation({
    id: 'rotateCredential',
    method: 'POST',
    path: '/apps/:appId/credentials/:credentialId/rotate',
    tag,
    summary: 'Rotate a credential',
    description:
      'The new key is only in this response. The old one is accepted until the grace period ends or the credential expires, ' +
      'and a key from an earlier rotation is no longer accepted.',
    access: 'credential.write',
    audit: credentialAudit,
    production: { exempt: 'one_consumer' },
    request: {
      params: credentialParams,
      body: z.strictObject({ graceSeconds: GraceSeconds }),
    },
    data: withKey('RotatedCredential', 'The new secret, shown only once.'),
    errors: ['conflict'],
    example: {
      request: { params: exampleCredentialParams, body: { graceSeconds: 3_600 } },
      data: {
        ...exampleCredential,
        state: 'rotating',
        previousValidUntil: '2026-01-15T10:00:00.000Z',
        key: exampleKey,
        version: 2,
      },
    },
  }),
  defineOperation({
    id: 'revokeCredential',
    method: 'POST',
    path: '/apps/:appId/credentials/:credentialId/revoke',
    tag,
    summary: 'Revoke a credential',
    description: 'Permanent. Within a second every gateway node rejects its key, and one from before a rotation.',
    access: 'credential.write',
    audit: credentialAudit,
    production: { exempt: 'one_consumer' },
    request: { params: credentialParams },
    data: Credential,
    errors: ['conflict'],
    example: {
      request: { params: exampleCredentialParams },
      data: { ...exampleCredential, state: 'revoked', revokedAt: '2026-01-15T09:00:00.000Z', version: 2 },
    },
  }),
  defineOperation({
    id: 'revealCredential',
    method: 'POST',
    path: '/apps/:appId/credentials/:credentialId/reveal',
    tag,
    summary: 'Reveal a credential’s key',
    description: 'Each reveal is audited with high severity. The keys of revoked credentials are deleted.',
    access: 'credential.reveal',
    audit: { ...credentialAudit, severity: 'high' },
    production: 'never',
    request: { params: credentialParams },
    data: withKey('RevealedCredential', 'The secret that the app calls with.'),
    errors: ['conflict'],
    example: { request: { params: exampleCredentialParams }, data: { ...exampleCredential, key: exampleKey } },
  }),
] as const;
