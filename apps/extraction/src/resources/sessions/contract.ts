import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import {
  anyDashboardErrors,
  dashboardRoles,
  defineDashboardOperation,
  everyDashboardOperation,
  listOf,
  listQuery,
  Nothing,
  Time,
} from '../../http/dashboard-operation.ts';

/** The e-mail address that a user signs in with, in lower case. */
export const Email = z.email('Enter an e-mail address, such as name@example.com.').max(254).toLowerCase();

/** A new password. Further rules depend on its owner. */
const NewPassword = z
  .string()
  .min(12, 'Choose at least 12 characters.')
  .max(200)
  .describe('At least 12 characters, without your e-mail address or name.');

/** A person's name. */
const PersonName = displayName();

export const GivenPassword = z.string().min(1).max(200);

/** Of an authenticator app, or a recovery code. */
export const OneTimeCode = z.string().trim().min(6).max(40);

/** A token of a link, of 256 random bits in base64url. */
const LinkToken = z
  .string()
  .max(100)
  .regex(/^[\w-]{20,100}$/, 'This link is incomplete. Copy all of it.');

/** The signed-in user and their account. */
const CurrentSession = z
  .object({
    user: z.object({
      id: z.string(),
      email: z.string(),
      name: z.string().describe('Empty until it is set.'),
      role: z.enum(dashboardRoles),
      mfa: z.boolean().describe('Whether signing in requires a one-time code.'),
    }),
    account: z.object({ id: z.string(), name: z.string() }),
    consoleUrl: z.string().nullable().describe('Where the console of API management is; null if not set.'),
    expiresAt: Time.describe('When the session expires at the latest.'),
  })
  .meta({ id: 'CurrentSession' });

/** A signed-in browser. */
export const Session = z
  .object({
    id: z.string(),
    current: z.boolean().describe('The session of this call.'),
    address: z.string().describe('The network address that signed in.'),
    userAgent: z.string(),
    createdAt: Time,
    lastSeenAt: Time,
    expiresAt: Time.describe('When it expires without a call; each call extends it.'),
  })
  .meta({ id: 'Session' });

const tag = 'Sessions';
const everyVisitorOperation = { auth: 'none', rateClass: 'sign_in', role: 'member', tag } as const;
const anyVisitorErrors = ['invalid_request', 'forbidden', 'rate_limited', 'internal_error', 'unavailable'] as const;

const examplePassword = 'correct horse battery staple';
const exampleToken = 'jXQ1lqg6sB2s8Xo3mJb3o1o5m5Uu0Wf9gC4c3nD7yTk';
const exampleCurrent = {
  user: {
    id: 'usr_01kamy4w8q2v6x0r3t5y7z9b1d',
    email: 'robin@example.com',
    name: 'Robin Example',
    role: 'administrator' as const,
    mfa: false,
  },
  account: { id: 'acc_01kamy4w8q2v6x0r3t5y7z9b1d', name: 'Example' },
  consoleUrl: 'https://console.example.com',
  expiresAt: '2026-03-28T09:00:00.000Z',
};

const signIn = defineDashboardOperation({
  ...everyVisitorOperation,
  id: 'signIn',
  method: 'POST',
  path: '/api/dashboard/v1/session',
  summary: 'Sign in',
  description:
    'Starts a session, sets its cookie, and ends the session that the browser had before. An unknown e-mail address and ' +
    'a wrong password get the same response. If the user has one-time codes, a call without one fails with an error at ' +
    '`oneTimeCode`. After 5 failures for a user from one network address, each further attempt has to wait.',
  request: { body: z.strictObject({ email: Email, password: GivenPassword, oneTimeCode: OneTimeCode.optional() }) },
  responses: { 200: { description: 'Signed in.', body: CurrentSession } },
  errors: ['sign_in_failed', ...anyVisitorErrors],
  examples: [
    {
      summary: 'With a password',
      request: { body: { email: 'robin@example.com', password: examplePassword } },
      answer: { status: 200, body: exampleCurrent },
    },
  ],
});

const signOut = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'signOut',
  method: 'DELETE',
  path: '/api/dashboard/v1/session',
  summary: 'Sign out',
  description: 'Ends the session of this browser.',
  request: {},
  responses: {
    200: {
      description: 'Signed out.',
      body: z.object({
        signOutUrl: z
          .string()
          .nullable()
          .describe('Where to sign out at the identity provider as well; null: nowhere.'),
      }),
    },
  },
  errors: anyDashboardErrors,
  examples: [{ summary: 'Sign out', request: {}, answer: { status: 200, body: { signOutUrl: null } } }],
});

const getSession = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'getSession',
  method: 'GET',
  path: '/api/dashboard/v1/session',
  summary: 'Get the current session',
  description: '',
  request: {},
  responses: { 200: { description: 'The user and the account.', body: CurrentSession } },
  errors: anyDashboardErrors,
  examples: [{ summary: 'An administrator', request: {}, answer: { status: 200, body: exampleCurrent } }],
});

const updateProfile = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'updateProfile',
  method: 'PATCH',
  path: '/api/dashboard/v1/session/user',
  summary: 'Change your name',
  description: '',
  request: { body: z.strictObject({ name: PersonName.optional() }) },
  responses: { 200: { description: 'The changed session.', body: CurrentSession } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    { summary: 'A name', request: { body: { name: 'Robin Example' } }, answer: { status: 200, body: exampleCurrent } },
  ],
});

const listSessions = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'listSessions',
  method: 'GET',
  path: '/api/dashboard/v1/sessions',
  summary: 'List your sessions',
  description: 'Every browser in which the caller is signed in, most recently seen first.',
  request: { query: z.object(listQuery) },
  responses: { 200: { description: 'A page of sessions.', body: listOf(Session) } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'One browser',
      request: {},
      answer: {
        status: 200,
        body: {
          items: [
            {
              id: 'ses_01kamy4w8q2v6x0r3t5y7z9b1d',
              current: true,
              address: '192.0.2.10',
              userAgent: 'Mozilla/5.0',
              createdAt: '2026-03-14T09:00:00.000Z',
              lastSeenAt: '2026-03-14T09:30:00.000Z',
              expiresAt: '2026-03-14T21:30:00.000Z',
            },
          ],
          nextCursor: null,
        },
      },
    },
  ],
});

const endSession = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'endSession',
  method: 'DELETE',
  path: '/api/dashboard/v1/sessions/:id',
  summary: 'End one of your sessions',
  description: 'That browser is signed out with its next call.',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: 'Ended.', body: Nothing } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'Another browser',
      request: { params: { id: 'ses_01kamy4w8q2v6x0r3t5y7z9b1d' } },
      answer: { status: 200, body: {} },
    },
  ],
});

const endOtherSessions = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/dashboard/v1/sessions',
  summary: 'End all your other sessions',
  description: 'Each of those browsers is signed out with its next call; this one stays signed in.',
  request: {},
  responses: {
    200: { description: 'Ended.', body: z.object({ endedSessions: z.int().describe('Other sessions that ended.') }) },
  },
  errors: anyDashboardErrors,
  examples: [{ summary: 'Two other browsers', request: {}, answer: { status: 200, body: { endedSessions: 2 } } }],
});

const changePassword = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'changePassword',
  method: 'PUT',
  path: '/api/dashboard/v1/session/password',
  summary: 'Change your password',
  description:
    'Requires the current password. Ends every other session of the user and invalidates password reset links.',
  request: { body: z.strictObject({ currentPassword: GivenPassword, newPassword: NewPassword }) },
  responses: {
    200: { description: 'Changed.', body: z.object({ endedSessions: z.int().describe('Other sessions that ended.') }) },
  },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A new password',
      request: { body: { currentPassword: 'the password printed at startup', newPassword: examplePassword } },
      answer: { status: 200, body: { endedSessions: 1 } },
    },
  ],
});

const requestPasswordReset = defineDashboardOperation({
  ...everyVisitorOperation,
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/api/dashboard/v1/password-resets',
  summary: 'Request a password reset link',
  description: 'Sends a link that works once, for one hour. The response is the same for an unknown address.',
  request: { body: z.strictObject({ email: Email }) },
  responses: { 200: { description: 'Sent, if there is such a user.', body: Nothing } },
  errors: anyVisitorErrors,
  examples: [
    { summary: 'A link', request: { body: { email: 'robin@example.com' } }, answer: { status: 200, body: {} } },
  ],
});

const resetPassword = defineDashboardOperation({
  ...everyVisitorOperation,
  id: 'resetPassword',
  method: 'POST',
  path: '/api/dashboard/v1/password-resets/confirmation',
  summary: 'Set a new password with a link’s token',
  description: 'The link contains the token as `token`. Ends every session of the user.',
  request: { body: z.strictObject({ token: LinkToken, newPassword: NewPassword }) },
  responses: {
    200: {
      description: 'Set; sign in with it.',
      body: z.object({ email: z.string().describe('The user’s address.') }),
    },
  },
  errors: anyVisitorErrors,
  examples: [
    {
      summary: 'A new password',
      request: { body: { token: exampleToken, newPassword: examplePassword } },
      answer: { status: 200, body: { email: 'robin@example.com' } },
    },
  ],
});

const acceptInvitation = defineDashboardOperation({
  ...everyVisitorOperation,
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/dashboard/v1/invitations/acceptance',
  summary: 'Accept an invitation',
  description: 'Creates the invited user. The link contains the token as `token`.',
  request: { body: z.strictObject({ token: LinkToken, name: PersonName, password: NewPassword }) },
  responses: {
    200: {
      description: 'Accepted; sign in.',
      body: z.object({ email: z.string().describe('The address to sign in with.') }),
    },
  },
  errors: ['conflict', ...anyVisitorErrors],
  examples: [
    {
      summary: 'A new member',
      request: { body: { token: exampleToken, name: 'Robin Example', password: examplePassword } },
      answer: { status: 200, body: { email: 'robin@example.com' } },
    },
  ],
});

export const sessionOperations = [
  signOut,
  getSession,
  updateProfile,
  listSessions,
  endSession,
  endOtherSessions,
  changePassword,
] as const;

export const sessionVisitorOperations = [signIn, requestPasswordReset, resetPassword, acceptInvitation] as const;
