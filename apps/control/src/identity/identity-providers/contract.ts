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
import { RoleIds } from '../roles/contract.ts';

const GroupRoles = z.strictObject({
  group: GroupName.describe('As the identity provider names it in the claim, or by SCIM.'),
  roleIds: RoleIds,
});

const fields = {
  ...providerFields,
  groupRoles: z.array(GroupRoles).max(100).default([]).describe('The roles that members of a group have.'),
  defaultRoleIds: RoleIds.default([]).describe(
    'Roles of users whom the provider creates, beside those of their groups.',
  ),
};

export const IdentityProvider = z
  .object({
    ...fields,
    hasClientSecret,
    verifiedDomains: z
      .array(z.string())
      .describe('Those of its e-mail domains that the organization has verified: by them, sign-in finds the provider.'),
    enforced: z.boolean().describe('Whether members can’t sign in with a password.'),
    breakGlassUserId: Id.nullable().describe('The administrator who still signs in with a password.'),
    ...versioned,
  })
  .meta({ id: 'IdentityProvider' });
export type IdentityProvider = z.infer<typeof IdentityProvider>;

/** What a connection test found. */
export const ProviderTest = z.object({
  problem: z.string().nullable().describe('Null if the provider can be used.'),
  authorizationEndpoint: z.string().nullable(),
  keys: z.int().describe('Number of its signing keys.'),
  refreshTokens: z.boolean().describe('Whether it states that it issues refresh tokens.'),
  backChannelLogout: z.boolean().describe('Whether it states that it reports logouts.'),
  frontChannelSignOut: z.boolean().describe('Whether users can be signed out there.'),
});

export const exampleProviderTest = {
  problem: null,
  authorizationEndpoint: 'https://id.example.com/authorize',
  keys: 2,
  refreshTokens: true,
  backChannelLogout: true,
  frontChannelSignOut: true,
} satisfies z.output<typeof ProviderTest>;

const Place = {
  ...providerAddresses,
  scimUrl: z.string().describe('The base address for provisioning by SCIM 2.0.'),
};

const tag = 'Access';
const audit = { category: 'security', severity: 'high', entityType: 'identity_provider' } as const;

const exampleGiven = {
  ...exampleProviderFields,
  groupRoles: [{ group: 'api-developers', roleIds: ['developer'] }],
  defaultRoleIds: ['auditor'],
};
const exampleProvider = {
  ...exampleGiven,
  hasClientSecret: true,
  verifiedDomains: ['example.com'],
  enforced: false,
  breakGlassUserId: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const examplePlace = {
  redirectUri: 'https://console.example.com/sign-in/callback',
  backChannelLogoutUri: 'https://console.example.com/api/auth/back-channel-logout/org_00000000000000000000000001',
  signOutReturnUri: 'https://console.example.com/sign-in',
  signInUrl: 'https://console.example.com/sign-in?organization=example',
  scimUrl: 'https://console.example.com/scim/v2',
};

export const identityProviderOperations = [
  defineOperation({
    id: 'getIdentityProvider',
    method: 'GET',
    path: '/identity-provider',
    tag,
    summary: 'Show the organization’s identity provider',
    description: 'With the addresses to register there, and whether the caller has signed in by it.',
    access: 'identity-provider.read',
    audit: null,
    request: {},
    data: z.object({
      provider: IdentityProvider.nullable().describe('Null if none is configured.'),
      ...Place,
      linked: z.boolean().describe('Whether the caller has signed in by the provider.'),
    }),
    example: { request: {}, data: { provider: exampleProvider, ...examplePlace, linked: true } },
  }),
  defineOperation({
    id: 'setIdentityProvider',
    method: 'PUT',
    path: '/identity-provider',
    tag,
    summary: 'Configure the organization’s identity provider',
    description:
      'Signs people in by OpenID Connect. Fields left out take their defaults; the client secret stays if left out, ' +
      'unless issuer or client change. Another issuer ends enforcement, and links to the former one no longer apply.',
    access: 'identity-provider.write',
    audit,
    production: 'never',
    request: { body: z.strictObject({ ...fields, clientSecret: ClientSecret }) },
    data: IdentityProvider,
    errors: ['version_conflict'],
    example: {
      request: { body: { ...exampleGiven, clientSecret: 'x3pC9mQ7tV2kR8sW' } },
      data: { ...exampleProvider, verifiedDomains: [] },
    },
  }),
  defineOperation({
    id: 'deleteIdentityProvider',
    method: 'DELETE',
    path: '/identity-provider',
    tag,
    summary: 'Remove the organization’s identity provider',
    description: 'Sessions that began there end. Members sign in with their passwords again.',
    access: 'identity-provider.write',
    audit,
    production: 'never',
    request: {},
    data: z.object({ endedSessions: z.int() }),
    errors: ['not_found', 'version_conflict'],
    example: { request: {}, data: { endedSessions: 2 } },
  }),
  defineOperation({
    id: 'testIdentityProvider',
    method: 'POST',
    path: '/identity-provider/test',
    tag,
    summary: 'Test the connection to the identity provider',
    description: 'Fetches the provider’s metadata and keys again. Nobody is signed in.',
    access: 'identity-provider.write',
    audit: null,
    request: {},
    data: ProviderTest,
    errors: ['not_found'],
    example: {
      request: {},
      data: exampleProviderTest,
    },
  }),
  defineOperation({
    id: 'enforceIdentityProvider',
    method: 'PUT',
    path: '/identity-provider/enforcement',
    tag,
    summary: 'Enforce sign-in by the identity provider, or stop',
    description:
      'Members then can’t sign in with a password, except for one break-glass administrator, who needs one-time ' +
      'codes; such a sign-in is audited and reported to all administrators. Needs a caller who has signed in by the ' +
      'provider. Sessions that began with a password end, except for the caller’s and the break-glass administrator’s.',
    access: 'identity-provider.write',
    audit,
    production: 'never',
    request: { body: z.strictObject({ enforced: z.boolean(), breakGlassUserId: Id.nullable().default(null) }) },
    data: IdentityProvider,
    errors: ['not_found', 'conflict', 'version_conflict'],
    example: {
      request: { body: { enforced: true, breakGlassUserId: 'usr_00000000000000000000000001' } },
      data: { ...exampleProvider, enforced: true, breakGlassUserId: 'usr_00000000000000000000000001', version: 2 },
    },
  }),
] as const;
