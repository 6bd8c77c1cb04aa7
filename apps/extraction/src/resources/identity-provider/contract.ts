import {
  ClientSecret,
  exampleProviderFields,
  GroupName,
  hasClientSecret,
  providerAddresses,
  providerFields,
  ResponseParameters,
} from '@millrace/sign-in/provider-fields';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  Nothing,
} from '../../http/dashboard-operation.ts';

const fields = {
  ...providerFields,
  administratorGroups: z.array(GroupName).max(100).default([]).describe('Members of these are administrators.'),
  memberGroups: z
    .array(GroupName)
    .max(100)
    .default([])
    .describe('Others are refused, but for administrators. Empty: anybody of the provider is a member.'),
};

const IdentityProvider = z
  .object({
    ...fields,
    hasClientSecret,
    enforced: z.boolean().describe('Whether members can’t sign in with a password.'),
    breakGlassUserId: z.string().nullable().describe('The administrator who still signs in with a password.'),
  })
  .meta({ id: 'IdentityProvider' });

const Choice = z.object({ ...fields, clientSecret: ClientSecret }).meta({ id: 'IdentityProviderChoice' });

const SignInSettings = z
  .object({
    provider: IdentityProvider.nullable().describe('Null if none is configured.'),
    ...providerAddresses,
    linked: z.boolean().describe('Whether the caller has signed in by the provider.'),
  })
  .meta({ id: 'SignInSettings' });

export type IdentityProviderAnswer = z.output<typeof IdentityProvider>;
export type IdentityProviderChoice = z.output<typeof Choice>;

const tag = 'Sign-in';
const administrators = { ...everyDashboardOperation, role: 'administrator', tag } as const;
const visitors = { auth: 'none', rateClass: 'sign_in', role: 'member', tag } as const;
const visitorErrors = ['invalid_request', 'forbidden', 'rate_limited', 'internal_error', 'unavailable'] as const;

const exampleFields = {
  ...exampleProviderFields,
  administratorGroups: ['document-administrators'],
  memberGroups: [],
};
const exampleSettings = {
  provider: { ...exampleFields, hasClientSecret: true, enforced: false, breakGlassUserId: null },
  redirectUri: 'https://documents.example.com/sign-in/callback',
  backChannelLogoutUri: 'https://documents.example.com/api/auth/back-channel-logout/acc_01kamy4w8q2v6x0r3t5y7z9b1d',
  signOutReturnUri: 'https://documents.example.com/sign-in',
  signInUrl: 'https://documents.example.com/sign-in?organization=acc_01kamy4w8q2v6x0r3t5y7z9b1d',
  linked: true,
};

const getIdentityProvider = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'getIdentityProvider',
  method: 'GET',
  path: '/api/dashboard/v1/identity-provider',
  summary: 'Get the account’s identity provider',
  description: 'With the addresses to register there.',
  request: {},
  responses: { 200: { description: 'The current settings.', body: SignInSettings } },
  errors: anyDashboardErrors,
  examples: [{ summary: 'A provider', request: {}, answer: { status: 200, body: exampleSettings } }],
});

const setIdentityProvider = defineDashboardOperation({
  ...administrators,
  id: 'setIdentityProvider',
  method: 'PUT',
  path: '/api/dashboard/v1/identity-provider',
  summary: 'Configure the account’s identity provider',
  description: 'Another issuer ends enforcement, and sessions that began at the former one.',
  request: { body: Choice },
  responses: { 200: { description: 'The current settings.', body: SignInSettings } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A provider',
      request: { body: { ...exampleFields, clientSecret: 'x3pC9mQ7tV2kR8sW' } },
      answer: { status: 200, body: exampleSettings },
    },
  ],
});

const removeIdentityProvider = defineDashboardOperation({
  ...administrators,
  id: 'removeIdentityProvider',
  method: 'DELETE',
  path: '/api/dashboard/v1/identity-provider',
  summary: 'Remove the account’s identity provider',
  description: 'Sessions that began there end. Members sign in with their passwords again.',
  request: {},
  responses: { 200: { description: 'Removed.', body: Nothing } },
  errors: anyDashboardErrors,
  examples: [{ summary: 'Remove', request: {}, answer: { status: 200, body: {} } }],
});

const testIdentityProvider = defineDashboardOperation({
  ...administrators,
  id: 'testIdentityProvider',
  method: 'POST',
  path: '/api/dashboard/v1/identity-provider/test',
  summary: 'Test the connection to the identity provider',
  description: 'Fetches the provider’s metadata and keys again. Nobody is signed in.',
  request: {},
  responses: {
    200: {
      description: 'What was found.',
      body: z.object({ ok: z.boolean(), message: z.string().describe('What went wrong, or what was found.') }),
    },
  },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'It works',
      request: {},
      answer: { status: 200, body: { ok: true, message: 'Connected: 2 signing keys.' } },
    },
  ],
});

const enforceIdentityProvider = defineDashboardOperation({
  ...administrators,
  id: 'enforceIdentityProvider',
  method: 'PUT',
  path: '/api/dashboard/v1/identity-provider/enforcement',
  summary: 'Enforce sign-in by the identity provider, or stop',
  description:
    'Members then can’t sign in with a password, except for one break-glass administrator with one-time codes. Needs a ' +
    'caller who has signed in by the provider. Other sessions that began with a password end.',
  request: {
    body: z.strictObject({ enforced: z.boolean(), breakGlassUserId: z.string().max(64).nullable().default(null) }),
  },
  responses: { 200: { description: 'The current settings.', body: SignInSettings } },
  errors: ['invalid_request', 'conflict', 'not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'Stop enforcing',
      request: { body: { enforced: false } },
      answer: { status: 200, body: exampleSettings },
    },
  ],
});

const linkIdentityProvider = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'linkIdentityProvider',
  method: 'POST',
  path: '/api/dashboard/v1/identity-provider/links',
  summary: 'Link your account to the identity provider',
  description: 'Returns the address at the provider to open; sign in there as yourself.',
  request: {},
  responses: { 200: { description: 'Begun.', body: z.object({ url: z.string() }) } },
  errors: ['not_found', 'invalid_request', ...anyDashboardErrors],
  examples: [
    { summary: 'Link', request: {}, answer: { status: 200, body: { url: 'https://id.example.com/authorize' } } },
  ],
});

const AccountId = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'Enter the id of an account.');

const findSignInProvider = defineDashboardOperation({
  ...visitors,
  id: 'findSignInProvider',
  method: 'POST',
  path: '/api/dashboard/v1/sign-in-provider',
  summary: 'Find the identity provider to sign in by',
  description:
    'That of the account; by the domain of an e-mail address, if an account has verified it; otherwise that of the only ' +
    'account of the installation.',
  request: {
    body: z.strictObject({ organization: AccountId.optional(), email: z.string().max(254).optional() }),
  },
  responses: {
    200: {
      description: 'The provider, if there is one.',
      body: z.object({
        provider: z.object({ organization: z.string(), name: z.string(), enforced: z.boolean() }).nullable(),
      }),
    },
  },
  errors: visitorErrors,
  examples: [
    {
      summary: 'A provider',
      request: { body: {} },
      answer: {
        status: 200,
        body: {
          provider: { organization: 'acc_01kamy4w8q2v6x0r3t5y7z9b1d', name: 'Example ID', enforced: true },
        },
      },
    },
  ],
});

const startProviderSignIn = defineDashboardOperation({
  ...visitors,
  id: 'startProviderSignIn',
  method: 'POST',
  path: '/api/dashboard/v1/provider-sign-ins',
  summary: 'Begin signing in by an identity provider',
  description: 'Returns the address at the provider to open in this browser, and sets the cookie that binds it.',
  request: {
    body: z.strictObject({
      organization: AccountId,
      next: z.string().max(500).optional().describe('Path to open afterwards.'),
      email: z.string().max(254).optional().describe('Suggested to the provider.'),
    }),
  },
  responses: { 200: { description: 'Begun.', body: z.object({ url: z.string() }) } },
  errors: ['not_found', ...visitorErrors],
  examples: [
    {
      summary: 'Begin',
      request: { body: { organization: 'acc_01kamy4w8q2v6x0r3t5y7z9b1d' } },
      answer: { status: 200, body: { url: 'https://id.example.com/authorize' } },
    },
  ],
});

const finishProviderSignIn = defineDashboardOperation({
  ...visitors,
  id: 'finishProviderSignIn',
  method: 'POST',
  path: '/api/dashboard/v1/provider-sign-ins/finish',
  summary: 'Finish signing in by an identity provider',
  description: 'Takes the query of the address that the provider sent the browser to, and sets the session’s cookie.',
  request: { body: z.strictObject({ parameters: ResponseParameters }) },
  responses: { 200: { description: 'Signed in.', body: z.object({ next: z.string().describe('Path to open now.') }) } },
  errors: ['sign_in_failed', ...visitorErrors],
  examples: [
    {
      summary: 'Finish',
      request: { body: { parameters: 'code=Kq4yX0cJ5o0b0W1m&state=YtJ6oS3rQ8vN2kL7uH9gF1dC3aZkq4yX0cJ5o0b0W1m' } },
      answer: { status: 200, body: { next: '/' } },
    },
  ],
});

export const identityProviderOperations = [
  getIdentityProvider,
  setIdentityProvider,
  removeIdentityProvider,
  testIdentityProvider,
  enforceIdentityProvider,
  linkIdentityProvider,
] as const;

export const identityProviderVisitorOperations = [
  findSignInProvider,
  startProviderSignIn,
  finishProviderSignIn,
] as const;
