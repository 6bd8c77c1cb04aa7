import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, versioned } from '../../frame/operation.ts';
import { RoleIds } from '../roles/contract.ts';

const EmailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?=.*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/,
    'Enter a domain, such as example.com.',
  );

const Scope = z
  .string()
  .max(100)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'This is not a scope.');

const GroupRoles = z.strictObject({
  group: z.string().trim().min(1).max(256).describe('As the identity provider names it in the claim, or by SCIM.'),
  roleIds: RoleIds,
});

const fields = {
  name: displayName(60).describe('As the button names it: Sign in with …'),
  issuer: z.url({ protocol: /^https?$/, error: 'Enter the address that the provider names itself by.' }).max(300),
  clientId: z.string().trim().min(1).max(300),
  scopes: z
    .array(Scope)
    .max(20)
    .refine((scopes) => scopes.includes('openid'), 'Keep the scope openid.')
    .default(['openid', 'email', 'profile', 'offline_access'])
    .describe('With `offline_access`, the provider is asked again and again whether the user is still active.'),
  groupsClaim: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('The claim with the user’s groups; null: roles don’t follow from the sign-in.'),
  groupRoles: z.array(GroupRoles).max(100).default([]).describe('The roles that members of a group have.'),
  defaultRoleIds: RoleIds.default([]).describe(
    'Roles of users whom the provider creates, beside those of their groups.',
  ),
  emailDomains: z
    .array(EmailDomain)
    .max(50)
    .default([])
    .describe('Users with other addresses are refused. Empty: any address of the provider is accepted.'),
  createsUsers: z.boolean().default(false).describe('Whether somebody unknown gets an account at the first sign-in.'),
  recheckSeconds: z
    .int()
    .min(20)
    .max(86_400)
    .default(45)
    .describe('How often the provider is asked by the refresh token whether a signed-in user is still active.'),
};

export const IdentityProvider = z
  .object({
    ...fields,
    hasClientSecret: z.boolean().describe('Whether a client secret is stored. It is never returned.'),
    verifiedDomains: z
      .array(z.string())
      .describe('Those of its e-mail domains that the organization has verified: by them, sign-in finds the provider.'),
    enforced: z.boolean().describe('Whether members can’t sign in with a password.'),
    breakGlassUserId: Id.nullable().describe('The administrator who still signs in with a password.'),
    ...versioned,
  })
  .meta({ id: 'IdentityProvider' });
export type IdentityProvider = z.infer<typeof IdentityProvider>;

const Place = {
  redirectUri: z.string().describe('The address to register at the provider for responses.'),
  backChannelLogoutUri: z.string().describe('The address to register at the provider for back-channel logout.'),
  signOutReturnUri: z.string().describe('The address to register at the provider for the return after signing out.'),
  signInUrl: z.string().describe('Opens the sign-in of this organization.'),
  scimUrl: z.string().describe('The base address for provisioning by SCIM 2.0.'),
};

const tag = 'Access';
const audit = { category: 'security', severity: 'high', entityType: 'identity_provider' } as const;

const exampleGiven = {
  name: 'Example ID',
  issuer: 'https://id.example.com',
  clientId: 'millrace',
  scopes: ['openid', 'email', 'profile', 'offline_access'],
  groupsClaim: 'groups',
  groupRoles: [{ group: 'api-developers', roleIds: ['developer'] }],
  defaultRoleIds: ['auditor'],
  emailDomains: ['example.com'],
  createsUsers: true,
  recheckSeconds: 45,
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
    request: {
      body: z.strictObject({
        ...fields,
        clientSecret: z
          .string()
          .min(1)
          .max(1_000)
          .nullable()
          .optional()
          .describe('Null: a public client, which proves itself by PKCE alone.'),
      }),
    },
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
    data: z.object({
      problem: z.string().nullable().describe('Null if the provider can be used.'),
      authorizationEndpoint: z.string().nullable(),
      keys: z.int().describe('Number of its signing keys.'),
      refreshTokens: z.boolean().describe('Whether it states that it issues refresh tokens.'),
      backChannelLogout: z.boolean().describe('Whether it states that it reports logouts.'),
      frontChannelSignOut: z.boolean().describe('Whether users can be signed out there.'),
    }),
    errors: ['not_found'],
    example: {
      request: {},
      data: {
        problem: null,
        authorizationEndpoint: 'https://id.example.com/authorize',
        keys: 2,
        refreshTokens: true,
        backChannelLogout: true,
        frontChannelSignOut: true,
      },
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
