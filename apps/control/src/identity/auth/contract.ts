import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

/** The e-mail address that a user signs in with, in lower case. */
export const Email = z.email('Enter an e-mail address, such as name@example.com.').max(254).toLowerCase();

/** A new password. Further rules depend on its owner. */
export const NewPassword = z
  .string()
  .min(12, 'Choose at least 12 characters.')
  .max(200)
  .describe('At least 12 characters, without your e-mail address or name.');

/** A password as its owner types it to sign in or to confirm a change. */
export const GivenPassword = z.string().min(1).max(200);
/** A code of an authenticator app, or a recovery code. */
export const OneTimeCode = z
  .string()
  .max(40)
  .regex(/^[0-9A-Za-z -]{6,40}$/, 'Enter the 6 digits from your authenticator app, or a recovery code.');
/** A token of a link, of 256 random bits in base64url. */
export const LinkToken = z
  .string()
  .max(100)
  .regex(/^[\w-]{20,100}$/, 'This is not a token of a link.');

export const TimeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, 'Must be an IANA time zone, such as Europe/Berlin.')
  .describe('IANA name, such as Europe/Berlin.');
export const Locale = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/, 'Must be a language tag, such as en or de-AT.')
  .describe('BCP 47 language tag.');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The caller's own account. */
export const Profile = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    timeZone: z.string(),
    locale: z.string(),
    mfa: z.boolean().describe('Whether signing in needs a one-time code.'),
    lastSignInAt: Time.nullable(),
    ...versioned,
  })
  .meta({ id: 'Profile' });

/** The caller, and their permissions. */
export const CurrentSession = z
  .object({
    kind: z.enum(['user', 'service_account']),
    user: Profile.nullable().describe('Null for a service account.'),
    serviceAccount: z.object({ id: Id, name: z.string() }).nullable().describe('Null for a user.'),
    organization: z.object({
      id: Id,
      name: z.string(),
      displayName: z.string(),
      platform: z.boolean().describe('The organization of those who run the platform.'),
    }),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    permissions: z.array(z.string()).describe('Every permission of the caller, in alphabetical order.'),
    superAdmin: z.boolean().describe('May select another organization with every call.'),
    dashboardUrl: z.string().nullable().describe('Where the dashboard of the extraction service is; null if not set.'),
    expiresAt: Time.nullable().describe('When the session expires at the latest; null for a service account.'),
  })
  .meta({ id: 'CurrentSession' });

/** A browser that is signed in. */
export const Session = z
  .object({
    id: Id,
    current: z.boolean().describe('The session of this call.'),
    ip: z.string(),
    userAgent: z.string(),
    createdAt: Time,
    lastSeenAt: Time,
    expiresAt: Time.describe('When it expires without a call; each call extends it.'),
  })
  .meta({ id: 'Session' });

const tag = 'Auth';
const sessionAudit = { category: 'security', severity: 'low', entityType: 'session' } as const;
const accountAudit = { category: 'security', severity: 'medium', entityType: 'user' } as const;

const exampleProfile = {
  id: 'usr_00000000000000000000000001',
  email: 'robin@example.com',
  name: 'Robin Example',
  timeZone: 'Europe/Berlin',
  locale: 'en',
  mfa: false,
  lastSignInAt: '2026-01-15T09:00:00.000Z',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
export const exampleCurrent = {
  kind: 'user' as const,
  user: exampleProfile,
  serviceAccount: null,
  organization: {
    id: 'org_00000000000000000000000001',
    name: 'example',
    displayName: 'Example',
    platform: false,
  },
  roles: [{ id: 'developer', name: 'Developer' }],
  permissions: ['proxy.read', 'proxy.write'],
  superAdmin: false,
  dashboardUrl: 'https://documents.example.com',
  expiresAt: '2026-01-22T09:00:00.000Z',
};
const exampleSession = {
  id: 'ses_00000000000000000000000001',
  current: true,
  ip: '192.0.2.10',
  userAgent: 'Mozilla/5.0',
  createdAt: '2026-01-15T09:00:00.000Z',
  lastSeenAt: '2026-01-15T09:30:00.000Z',
  expiresAt: '2026-01-15T21:30:00.000Z',
};
const examplePassword = 'correct horse battery staple';

export const authOperations = [
  defineOperation({
    id: 'login',
    method: 'POST',
    path: '/auth/login',
    tag,
    summary: 'Sign in',
    description:
      'Signs in with e-mail address and password and sets the session cookie. If the account requires a one-time ' +
      'code, a call without one returns 401 with `errors.oneTimeCode`: send it again with the code from the ' +
      'authenticator app or with a recovery code. The session of the call, if any, ends. After several failures ' +
      'the response is 429 with `Retry-After`. Failures are counted by account and address together, ' +
      'by address, and by account; a device that signed in to the account before has a cookie and its own count.',
    access: 'public',
    scope: 'platform',
    rateClass: 'sign_in',
    audit: sessionAudit,
    production: 'never',
    request: {
      body: z.strictObject({ email: Email, password: GivenPassword, oneTimeCode: OneTimeCode.optional() }),
    },
    data: CurrentSession,
    errors: ['sign_in_failed'],
    example: {
      request: { body: { email: exampleProfile.email, password: examplePassword } },
      data: exampleCurrent,
    },
  }),
  defineOperation({
    id: 'logout',
    method: 'POST',
    path: '/auth/logout',
    tag,
    summary: 'Sign out',
    description: 'Ends this session immediately, in every process.',
    access: 'session',
    scope: 'home',
    audit: sessionAudit,
    production: 'never',
    request: {},
    data: z.object({
      signOutUrl: z.string().nullable().describe('Where to sign out at the identity provider as well; null: nowhere.'),
    }),
    example: { request: {}, data: { signOutUrl: null } },
  }),
  defineOperation({
    id: 'getSession',
    method: 'GET',
    path: '/auth/session',
    tag,
    summary: 'Show who is signed in',
    description: 'The caller: user or service account, its organization, its roles and its permissions.',
    access: 'session',
    scope: 'home',
    audit: null,
    request: {},
    data: CurrentSession,
    example: { request: {}, data: exampleCurrent },
  }),
  defineOperation({
    id: 'updateProfile',
    method: 'PATCH',
    path: '/auth/profile',
    tag,
    summary: 'Change your profile',
    access: 'session',
    scope: 'home',
    audit: { ...accountAudit, severity: 'low' },
    production: 'never',
    request: {
      body: z.strictObject({
        name: displayName().optional(),
        timeZone: TimeZone.optional(),
        locale: Locale.optional(),
      }),
    },
    data: Profile,
    errors: ['version_conflict'],
    example: { request: { body: { timeZone: 'Europe/Berlin' } }, data: exampleProfile },
  }),
  defineOperation({
    id: 'changePassword',
    method: 'POST',
    path: '/auth/password',
    tag,
    summary: 'Change your password',
    description: 'Sets a new password. Ends all other sessions; this one gets a new cookie.',
    access: 'session',
    scope: 'home',
    rateClass: 'sign_in',
    audit: accountAudit,
    production: 'never',
    request: { body: z.strictObject({ currentPassword: GivenPassword, newPassword: NewPassword }) },
    data: z.object({ endedSessions: z.int().describe('How many other sessions ended.') }),
    example: {
      request: { body: { currentPassword: examplePassword, newPassword: 'a different horse battery' } },
      data: { endedSessions: 1 },
    },
  }),
  defineOperation({
    id: 'requestPasswordReset',
    method: 'POST',
    path: '/auth/password-resets',
    tag,
    summary: 'Request a password reset link',
    description:
      'Sends a link that works once, for one hour. The response is the same whether the account exists or not.',
    access: 'public',
    scope: 'platform',
    rateClass: 'sign_in',
    audit: accountAudit,
    production: 'never',
    request: { body: z.strictObject({ email: Email }) },
    data: z.object({}),
    example: { request: { body: { email: exampleProfile.email } }, data: {} },
  }),
  defineOperation({
    id: 'confirmPasswordReset',
    method: 'POST',
    path: '/auth/password-resets/confirm',
    tag,
    summary: 'Set a new password with a link’s token',
    description:
      'The link can’t be used again, and all sessions of the user end. A one-time code is still required if it was before.',
    access: 'public',
    scope: 'platform',
    audit: accountAudit,
    production: 'never',
    request: { body: z.strictObject({ token: LinkToken, newPassword: NewPassword }) },
    data: z.object({}),
    example: {
      request: {
        body: { token: 'q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk', newPassword: 'a different horse battery' },
      },
      data: {},
    },
  }),
  defineOperation({
    id: 'listOwnSessions',
    method: 'GET',
    path: '/auth/sessions',
    tag,
    summary: 'List your sessions',
    access: 'session',
    scope: 'home',
    audit: null,
    request: { query: listQuery(['-lastSeenAt', 'createdAt'], {}) },
    data: listData('sessions', Session),
    example: { request: {}, data: { sessions: [exampleSession], total: 1 } },
  }),
  defineOperation({
    id: 'endOtherSessions',
    method: 'DELETE',
    path: '/auth/sessions',
    tag,
    summary: 'End all your other sessions',
    access: 'session',
    scope: 'home',
    audit: sessionAudit,
    production: 'never',
    request: {},
    data: z.object({ endedSessions: z.int() }),
    example: { request: {}, data: { endedSessions: 2 } },
  }),
  defineOperation({
    id: 'endOwnSession',
    method: 'DELETE',
    path: '/auth/sessions/:sessionId',
    tag,
    summary: 'End one of your sessions',
    access: 'session',
    scope: 'home',
    audit: sessionAudit,
    production: 'never',
    request: { params: z.object({ sessionId: Id }) },
    data: z.object({}),
    example: { request: { params: { sessionId: exampleSession.id } }, data: {} },
  }),
  defineOperation({
    id: 'startMfa',
    method: 'POST',
    path: '/auth/mfa',
    tag,
    summary: 'Set up one-time codes',
    description:
      'Creates a secret for an authenticator app (TOTP, RFC 6238). Codes are required at sign-in once the first one ' +
      'is confirmed. Starting again creates another secret.',
    access: 'session',
    scope: 'home',
    rateClass: 'sign_in',
    audit: accountAudit,
    production: 'never',
    request: { body: z.strictObject({ password: GivenPassword }) },
    data: z.object({
      secret: z.string().describe('In base 32, for typing.'),
      otpauthUrl: z.string().describe('The `otpauth://` address, for a QR code.'),
    }),
    errors: ['conflict'],
    example: {
      request: { body: { password: examplePassword } },
      data: {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        otpauthUrl:
          'otpauth://totp/Millrace:robin%40example.com?issuer=Millrace&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      },
    },
  }),
  defineOperation({
    id: 'confirmMfa',
    method: 'POST',
    path: '/auth/mfa/confirm',
    tag,
    summary: 'Confirm the first one-time code',
    description:
      'Signing in then needs a one-time code. The response contains the recovery codes, which are shown only ' +
      'once: each can be used once instead of a code. Your other sessions end.',
    access: 'session',
    scope: 'home',
    audit: accountAudit,
    production: 'never',
    request: { body: z.strictObject({ oneTimeCode: z.string().regex(/^\d{6}$/, 'Give 6 digits.') }) },
    data: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['conflict'],
    example: {
      request: { body: { oneTimeCode: '123456' } },
      data: { recoveryCodes: ['abcd-efgh-jkmn-pqrs'] },
    },
  }),
  defineOperation({
    id: 'removeMfa',
    method: 'DELETE',
    path: '/auth/mfa',
    tag,
    summary: 'Stop using one-time codes',
    description:
      'Needs the password and a one-time code or recovery code. Codes are no longer required, and the recovery codes are deleted.',
    access: 'session',
    scope: 'home',
    rateClass: 'sign_in',
    audit: { ...accountAudit, severity: 'high' },
    production: 'never',
    request: { body: z.strictObject({ password: GivenPassword, oneTimeCode: OneTimeCode }) },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { body: { password: examplePassword, oneTimeCode: '123456' } }, data: {} },
  }),
] as const;
