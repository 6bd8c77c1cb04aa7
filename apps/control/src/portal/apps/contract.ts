import { displayName } from '@millrace/operations/display-name';
import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import {
  App,
  appFilters,
  appSorts,
  Credential,
  exampleApp,
  exampleCredential,
  exampleKey,
  GraceSeconds,
} from '../../consumers/apps/contract.ts';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

/** An app as the portal users of its developer account see it. */
const PortalApp = App.omit({ developerId: true, developerName: true })
  .extend({
    credentials: z.int().describe('Keys that are not revoked, including expired ones.'),
    subscriptions: z.int().describe('Approved subscriptions.'),
  })
  .meta({ id: 'PortalApp' });
export type PortalApp = z.infer<typeof PortalApp>;

const withKey = (id: string, description: string) =>
  Credential.extend({ key: z.string().describe(description) }).meta({ id });

const fields = {
  displayName: displayName(),
  description: z.string().max(5_000),
  callbackUrl: z
    .url({ protocol: /^https?$/, error: 'Must start with https:// or http://.' })
    .max(500)
    .nullable(),
};

const params = z.object({ appId: Id });
const credentialParams = z.object({ appId: Id, credentialId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'app' } as const;
const credentialAudit = { category: 'security', severity: 'medium', entityType: 'credential' } as const;
const tag = 'Portal';
const writers = ['owner', 'developer'] as const;

const { developerId: _, developerName: __, ...ofApp } = exampleApp;
const examplePortalApp = { ...ofApp, credentials: 1, subscriptions: 1 };
const exampleParams = { appId: exampleApp.id };
const exampleCredentialParams = { ...exampleParams, credentialId: exampleCredential.id };

export const portalAppOperations = [
  defineOperation({
    id: 'listPortalApps',
    method: 'GET',
    path: '/portal/apps',
    tag,
    summary: 'List your apps',
    access: 'portal',
    audit: null,
    request: { query: listQuery(appSorts, appFilters) },
    data: listData('apps', PortalApp),
    example: { request: { query: { state: 'active' } }, data: { apps: [examplePortalApp], total: 1 } },
  }),
  defineOperation({
    id: 'createPortalApp',
    method: 'POST',
    path: '/portal/apps',
    tag,
    summary: 'Register an app',
    description: 'An app uses its own keys and can only call what it is subscribed to. You can have at most 10.',
    access: 'portal',
    portalRoles: writers,
    audit,
    production: { exempt: 'one_consumer' },
    request: {
      body: z.strictObject({
        ...fields,
        name: Name.optional().describe('Default: made of the display name.'),
        description: fields.description.default(''),
        callbackUrl: fields.callbackUrl.default(null),
      }),
    },
    data: PortalApp,
    status: 201,
    errors: ['conflict'],
    example: {
      request: { body: { displayName: 'Warehouse' } },
      data: {
        ...examplePortalApp,
        name: 'warehouse',
        displayName: 'Warehouse',
        callbackUrl: null,
        credentials: 0,
        subscriptions: 0,
      },
    },
  }),
  defineOperation({
    id: 'getPortalApp',
    method: 'GET',
    path: '/portal/apps/:appId',
    tag,
    summary: 'Show one of your apps',
    access: 'portal',
    audit: null,
    request: { params },
    data: PortalApp,
    example: { request: { params: exampleParams }, data: examplePortalApp },
  }),
  defineOperation({
    id: 'updatePortalApp',
    method: 'PATCH',
    path: '/portal/apps/:appId',
    tag,
    summary: 'Change one of your apps',
    access: 'portal',
    portalRoles: writers,
    audit,
    production: { exempt: 'one_consumer' },
    request: { params, body: z.strictObject({ ...fields, name: Name }).partial() },
    data: PortalApp,
    example: {
      request: { params: exampleParams, body: { displayName: 'Shop' } },
      data: { ...examplePortalApp, displayName: 'Shop', version: 2 },
    },
  }),
  defineOperation({
    id: 'deletePortalApp',
    method: 'DELETE',
    path: '/portal/apps/:appId',
    tag,
    summary: 'Delete one of your apps',
    description:
      'Also deletes its keys and ends its subscriptions. Every gateway node rejects it within a second. What it used until then is billed.',
    access: 'portal',
    portalRoles: writers,
    audit: { ...audit, severity: 'medium' },
    production: { exempt: 'one_consumer' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'listPortalCredentials',
    method: 'GET',
    path: '/portal/apps/:appId/credentials',
    tag,
    summary: 'List an app’s keys, without their secrets',
    access: 'portal',
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
    id: 'issuePortalCredential',
    method: 'POST',
    path: '/portal/apps/:appId/credentials',
    tag,
    summary: 'Create a key of an app',
    description: 'The key is only in this response. An app has at most 10 that are not revoked.',
    access: 'portal',
    portalRoles: writers,
    audit: credentialAudit,
    production: { exempt: 'one_consumer' },
    request: {
      params,
      body: z.strictObject({
        name: displayName(),
        expiresAt: Time.nullable().default(null).describe('Null: it does not expire.'),
      }),
    },
    data: withKey('IssuedPortalCredential', 'The secret that the app calls with, shown only once.'),
    status: 201,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { name: 'Staging' } },
      data: { ...exampleCredential, name: 'Staging', key: exampleKey },
    },
  }),
  defineOperation({
    id: 'rotatePortalCredential',
    method: 'POST',
    path: '/portal/apps/:appId/credentials/:credentialId/rotate',
    tag,
    summary: 'Rotate a key',
    description:
      'The new key is only in this response. The old one is accepted until the grace period ends or the key expires, and one from an earlier rotation is no longer accepted.',
    access: 'portal',
    portalRoles: writers,
    audit: credentialAudit,
    production: { exempt: 'one_consumer' },
    request: { params: credentialParams, body: z.strictObject({ graceSeconds: GraceSeconds }) },
    data: withKey('RotatedPortalCredential', 'The new secret, shown only once.'),
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
    id: 'revokePortalCredential',
    method: 'POST',
    path: '/portal/apps/:appId/credentials/:credentialId/revoke',
    tag,
    summary: 'Revoke a key',
    description: 'Permanent. Within a second every gateway node rejects it, and one from before a rotation.',
    access: 'portal',
    portalRoles: writers,
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
] as const;
