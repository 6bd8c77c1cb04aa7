import {
  ClientSecret,
  exampleProviderFields,
  GroupName,
  hasClientSecret,
  providerAddresses,
  providerFields,
} from '@millrace/sign-in/provider-fields';
import * as z from 'zod';
import { defineOperation, Id, versioned } from '../../frame/operation.ts';
import { exampleProviderTest, ProviderTest } from '../../identity/identity-providers/contract.ts';
import { PortalRole } from '../roles.ts';

const GroupRole = z.strictObject({
  group: GroupName.describe('As the identity provider names it in the claim.'),
  role: PortalRole,
});

const fields = {
  ...providerFields,
  emailDomains: providerFields.emailDomains
    .unwrap()
    .min(1)
    .describe('Users with other addresses are refused. By them, the portal finds the provider; each has one provider.'),
  createsUsers: z
    .boolean()
    .default(true)
    .describe('Whether somebody unknown becomes a portal user of the developer account at the first sign-in.'),
  role: PortalRole.default('developer').describe('Role of new users, and of those in none of the groups.'),
  groupRoles: z
    .array(GroupRole)
    .max(100)
    .default([])
    .describe('The role that members of a group have; the first that applies.'),
  enforced: z
    .boolean()
    .default(false)
    .describe('Whether users of the developer account can’t sign in with a password. Their sessions by password end.'),
};

export const PortalIdentityProvider = z
  .object({ ...fields, hasClientSecret, ...versioned })
  .meta({ id: 'PortalIdentityProvider' });
export type PortalIdentityProvider = z.infer<typeof PortalIdentityProvider>;

const tag = 'Portal';
const audit = { category: 'security', severity: 'high', entityType: 'portal_identity_provider' } as const;
const params = z.object({ developerId: Id });
const developerId = 'dev_00000000000000000000000001';

const exampleGiven = {
  ...exampleProviderFields,
  groupRoles: [{ group: 'api-owners', role: 'owner' as const }],
  role: 'developer' as const,
  enforced: false,
};
const exampleProvider = {
  ...exampleGiven,
  hasClientSecret: true,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleAddresses = {
  redirectUri: 'https://developers.example.com/sign-in/callback',
  backChannelLogoutUri: `https://console.example.com/api/portal/back-channel-logout/org_00000000000000000000000001.${developerId}`,
  signOutReturnUri: 'https://developers.example.com/sign-in',
  signInUrl: `https://developers.example.com/sign-in?organization=${developerId}`,
};

export const portalIdentityProviderOperations = [
  defineOperation({
    id: 'getPortalIdentityProvider',
    method: 'GET',
    path: '/developers/:developerId/identity-provider',
    tag,
    summary: 'Show a developer’s identity provider for the portal',
    description: 'With the addresses to register there.',
    access: 'identity-provider.read',
    audit: null,
    request: { params },
    data: z.object({
      provider: PortalIdentityProvider.nullable().describe('Null if none is configured.'),
      ...providerAddresses,
    }),
    example: { request: { params: { developerId } }, data: { provider: exampleProvider, ...exampleAddresses } },
  }),
  defineOperation({
    id: 'setPortalIdentityProvider',
    method: 'PUT',
    path: '/developers/:developerId/identity-provider',
    tag,
    summary: 'Configure a developer’s identity provider for the portal',
    description:
      'Signs portal users of this developer account in by OpenID Connect. Fields left out take their defaults; the ' +
      'client secret stays if left out, unless issuer or client change. Another issuer ends the sessions that began at ' +
      'the former one.',
    access: 'identity-provider.write',
    audit,
    production: 'never',
    request: { params, body: z.strictObject({ ...fields, clientSecret: ClientSecret }) },
    data: PortalIdentityProvider,
    errors: ['conflict'],
    example: {
      request: { params: { developerId }, body: { ...exampleGiven, clientSecret: 'x3pC9mQ7tV2kR8sW' } },
      data: exampleProvider,
    },
  }),
  defineOperation({
    id: 'deletePortalIdentityProvider',
    method: 'DELETE',
    path: '/developers/:developerId/identity-provider',
    tag,
    summary: 'Remove a developer’s identity provider from the portal',
    description: 'Sessions that began there end. Users without a password ask for a link that sets one.',
    access: 'identity-provider.write',
    audit,
    production: 'never',
    request: { params },
    data: z.object({ endedSessions: z.int() }),
    example: { request: { params: { developerId } }, data: { endedSessions: 2 } },
  }),
  defineOperation({
    id: 'testPortalIdentityProvider',
    method: 'POST',
    path: '/developers/:developerId/identity-provider/test',
    tag,
    summary: 'Test the connection to a developer’s identity provider',
    description: 'Fetches the provider’s metadata and keys again. Nobody is signed in.',
    access: 'identity-provider.write',
    audit: null,
    request: { params },
    data: ProviderTest,
    example: {
      request: { params: { developerId } },
      data: exampleProviderTest,
    },
  }),
] as const;
