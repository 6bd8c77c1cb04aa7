import { ResponseParameters } from '@millrace/sign-in/provider-fields';
import * as z from 'zod';
import { defineOperation } from '../../frame/operation.ts';
import { CurrentSession, Email, exampleCurrent } from '../auth/contract.ts';

/** What the entrance knows of a provider before anybody has signed in. */
const SignInChoice = z.object({
  organization: z.string().describe('The organization’s name.'),
  name: z.string().describe('The provider’s name.'),
  enforced: z.boolean(),
});

const OrganizationName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'Enter the name of an organization, such as acme.');

const tag = 'Auth';
const audit = { category: 'security', severity: 'low', entityType: 'session' } as const;

export const providerSignInOperations = [
  defineOperation({
    id: 'findSignInProvider',
    method: 'POST',
    path: '/auth/identity-provider',
    tag,
    summary: 'Find the identity provider to sign in by',
    description:
      'By the domain of an e-mail address, if its organization has verified it, or by the organization’s name.',
    access: 'public',
    scope: 'platform',
    audit: null,
    request: {
      body: z.strictObject({ email: Email.optional(), organization: OrganizationName.optional() }),
    },
    data: z.object({ provider: SignInChoice.nullable().describe('Null: sign in with a password.') }),
    example: {
      request: { body: { email: 'robin@example.com' } },
      data: { provider: { organization: 'example', name: 'Example ID', enforced: true } },
    },
  }),
  defineOperation({
    id: 'startProviderSignIn',
    method: 'POST',
    path: '/auth/provider-sign-ins',
    tag,
    summary: 'Begin signing in by an identity provider',
    description:
      'Returns the address at the provider to open in this browser, and sets the cookie that binds the sign-in to it. ' +
      'It can be finished once, within 15 minutes.',
    access: 'public',
    scope: 'platform',
    audit: null,
    request: {
      body: z.strictObject({
        organization: OrganizationName,
        next: z.string().max(500).optional().describe('Path to open afterwards.'),
        email: Email.optional().describe('Suggested to the provider.'),
        link: z
          .boolean()
          .default(false)
          .describe('Links the caller’s own account to the provider’s user instead of signing in.'),
      }),
    },
    data: z.object({ url: z.string() }),
    errors: ['not_found', 'unprocessable', 'not_signed_in'],
    example: {
      request: { body: { organization: 'example', next: '/proxies' } },
      data: { url: 'https://id.example.com/authorize?client_id=millrace&response_type=code' },
    },
  }),
  defineOperation({
    id: 'finishProviderSignIn',
    method: 'POST',
    path: '/auth/provider-sign-ins/finish',
    tag,
    summary: 'Finish signing in by an identity provider',
    description:
      'Takes the query of the address that the provider sent the browser to, checks it and sets the session cookie. ' +
      'The session of the call, if any, ends.',
    access: 'public',
    scope: 'platform',
    audit,
    production: 'never',
    request: { body: z.strictObject({ parameters: ResponseParameters }) },
    data: z.object({ session: CurrentSession, next: z.string().describe('Path to open now.') }),
    errors: ['sign_in_failed', 'forbidden'],
    example: {
      request: {
        body: {
          parameters:
            'code=Kq4yX0cJ5o0b0W1m&state=YtJ6oS3rQ8vN2kL7uH9gF1dC3aZkq4yX0cJ5o0b0W1m&iss=https://id.example.com',
        },
      },
      data: { session: exampleCurrent, next: '/proxies' },
    },
  }),
] as const;
