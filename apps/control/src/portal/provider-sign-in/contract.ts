import { ResponseParameters } from '@millrace/sign-in/provider-fields';
import * as z from 'zod';
import { defineOperation, Id } from '../../frame/operation.ts';
import { Email } from '../../identity/auth/contract.ts';
import { examplePortalSession, PortalSession } from '../auth/contract.ts';

/** What the entrance knows of a provider before anybody has signed in. */
const SignInChoice = z.object({
  developerId: Id.describe('The developer account that it signs in to.'),
  name: z.string().describe('The provider’s name.'),
  enforced: z.boolean(),
});

const tag = 'Portal';
const audit = { category: 'security', severity: 'low', entityType: 'portal_session' } as const;
const developerId = examplePortalSession.account.id;
const exampleUrl = 'https://id.example.com/authorize?client_id=millrace&response_type=code';

export const portalProviderSignInOperations = [
  defineOperation({
    id: 'findPortalSignInProvider',
    method: 'POST',
    path: '/portal/identity-provider',
    tag,
    summary: 'Find the identity provider to sign in to the developer portal by',
    description: 'By the domain of an e-mail address, or by the developer account.',
    access: 'portal_visitor',
    rateClass: 'sign_in',
    audit: null,
    request: { body: z.strictObject({ email: Email.optional(), developerId: Id.optional() }) },
    data: z.object({ provider: SignInChoice.nullable().describe('Null: sign in with a password.') }),
    example: {
      request: { body: { email: 'sam@example.com' } },
      data: { provider: { developerId, name: 'Example ID', enforced: false } },
    },
  }),
  defineOperation({
    id: 'startPortalProviderSignIn',
    method: 'POST',
    path: '/portal/provider-sign-ins',
    tag,
    summary: 'Begin signing in to the developer portal by an identity provider',
    description:
      'Returns the address at the provider to open in this browser, and sets the cookie that binds the sign-in to it. ' +
      'It can be finished once, within 15 minutes.',
    access: 'portal_visitor',
    rateClass: 'sign_in',
    audit: null,
    request: {
      body: z.strictObject({
        developerId: Id,
        next: z.string().max(500).optional().describe('Path to open afterwards.'),
        email: Email.optional().describe('Suggested to the provider.'),
        link: z
          .boolean()
          .default(false)
          .describe('Links the caller’s own portal user to the provider’s user instead of signing in.'),
      }),
    },
    data: z.object({ url: z.string() }),
    errors: ['unprocessable', 'not_signed_in'],
    example: { request: { body: { developerId, next: '/account' } }, data: { url: exampleUrl } },
  }),
  defineOperation({
    id: 'finishPortalProviderSignIn',
    method: 'POST',
    path: '/portal/provider-sign-ins/finish',
    tag,
    summary: 'Finish signing in to the developer portal by an identity provider',
    description:
      'Takes the query of the address that the provider sent the browser to, checks it and sets the session cookie. ' +
      'The session of the call, if any, ends.',
    access: 'portal_visitor',
    rateClass: 'sign_in',
    audit,
    production: 'never',
    request: { body: z.strictObject({ parameters: ResponseParameters }) },
    data: z.object({ session: PortalSession, next: z.string().describe('Path to open now.') }),
    errors: ['sign_in_failed'],
    example: {
      request: {
        body: { parameters: 'code=Kq4yX0cJ5o0b0W1m&state=YtJ6oS3rQ8vN2kL7uH9gF1dC3aZkq4yX0cJ5o0b0W1m' },
      },
      data: { session: examplePortalSession, next: '/account' },
    },
  }),
  defineOperation({
    id: 'getOwnPortalProvider',
    method: 'GET',
    path: '/portal/identity-provider',
    tag,
    summary: 'Show whether your company’s identity provider signs you in to the developer portal',
    access: 'portal',
    audit: null,
    request: {},
    data: z.object({
      provider: z.object({ name: z.string(), enforced: z.boolean() }).nullable().describe('Null if there is none.'),
      linked: z.boolean().describe('Whether you have signed in by the provider.'),
    }),
    example: { request: {}, data: { provider: { name: 'Example ID', enforced: false }, linked: false } },
  }),
] as const;
