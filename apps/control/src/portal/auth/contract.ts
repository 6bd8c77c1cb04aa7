import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { Email, GivenPassword, LinkToken, NewPassword, OneTimeCode, Session } from '../../identity/auth/contract.ts';
import { PersonName } from '../../identity/users/contract.ts';
import { PortalRole } from '../roles.ts';

/** The languages of the developer portal and of its e-mails. */
export const PortalLocale = z.enum(['en', 'de']).describe('Language of the portal and of its e-mails.');
export type PortalLocale = z.infer<typeof PortalLocale>;

/** The portal user's own account. */
export const PortalProfile = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    role: PortalRole,
    locale: PortalLocale.nullable().describe('Null: the browser’s.'),
    mfa: z.boolean().describe('Whether signing in needs a one-time code.'),
    lastSignInAt: Time.nullable(),
    ...versioned,
  })
  .meta({ id: 'PortalProfile' });

/** Who is signed in to the developer portal. */
export const PortalSession = z
  .object({
    user: PortalProfile,
    account: z.object({ id: Id, name: z.string(), company: z.string() }).describe('The developer account.'),
    organization: z.object({ name: z.string(), displayName: z.string() }).describe('Whose portal it is.'),
    expiresAt: Time.describe('When the session expires at the latest.'),
  })
  .meta({ id: 'PortalSession' });
export type PortalSession = z.infer<typeof PortalSession>;

const tag = 'Portal';
const sessionAudit = { category: 'security', severity: 'low', entityType: 'portal_session' } as const;
const userAudit = { category: 'security', severity: 'medium', entityType: 'portal_user' } as const;

const exampleProfile = {
  id: 'pus_00000000000000000000000001',
  email: 'sam@example.com',
  name: 'Sam Example',
  role: 'owner' as const,
  locale: 'en' as const,
  mfa: false,
  lastSignInAt: '2026-01-15T09:00:00.000Z',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
/** A session in the examples of the reference. */
export const examplePortalSession = {
  user: exampleProfile,
  account: { id: 'dev_00000000000000000000000001', name: 'Sam Example', company: 'Example Shops' },
  organization: { name: 'example', displayName: 'Example' },
  expiresAt: '2026-01-22T09:00:00.000Z',
};
const exampleListed = {
  id: 'pss_00000000000000000000000001',
  current: true,
  ip: '192.0.2.10',
  userAgent: 'Mozilla/5.0',
  createdAt: '2026-01-15T09:00:00.000Z',
  lastSeenAt: '2026-01-15T09:30:00.000Z',
  expiresAt: '2026-01-15T21:30:00.000Z',
};
const examplePassword = 'correct horse battery staple';

export const portalAuthOperations = [
  defineOperation({
    id: 'signInToPortal',
    method: 'POST',
    path: '/portal/sessions',
    tag,
    summary: 'Sign in to the developer portal',
    description:
      'Signs in with e-mail address and password and sets the session cookie. If the account requires a one-time ' +
      'code, a call without one returns 401 with `errors.oneTimeCode`: send it again with the code from the ' +
      'authenticator app or with a recovery code. The session of the call, if any, ends. After several failures ' +
      'the response is 429 with `Retry-After`.',
    access: 'portal_visitor',
    rateClass: 'sign_in',
    audit: sessionAudit,
    production: 'never',
    request: {
      body: z.strictObject({ email: Email, password: GivenPassword, oneTimeCode: OneTimeCode.optional() }),
    },
    data: PortalSession,
    errors: ['sign_in_failed'],
    example: {
      request: { body: { email: exampleProfile.email, password: examplePassword } },
      data: examplePortalSession,
    },
  }),
  defineOperation({
    id: 'getPortalSession',
    method: 'GET',
    path: '/portal/session',
    tag,
    summary: 'Show who is signed in to the developer portal',
    access: 'portal',
    audit: null,
    request: {},
    data: PortalSession,
    example: { request: {}, data: examplePortalSession },
  }),
  defineOperation({
    id: 'signOutOfPortal',
    method: 'DELETE',
    path: '/portal/session',
    tag,
    summary: 'Sign out of the developer portal',
    access: 'portal',
    audit: sessionAudit,
    production: 'never',
    request: {},
    data: z.object({
      signOutUrl: z.string().nullable().describe('Where to sign out at the identity provider as well; null: nowhere.'),
    }),
    example: { request: {}, data: { signOutUrl: null } },
  }),
  defineOperation({
    id: 'listPortalSessions',
    method: 'GET',
    path: '/portal/sessions',
    tag,
    summary: 'List your sessions of the developer portal',
    access: 'portal',
    audit: null,
    request: { query: listQuery(['-lastSeenAt', 'createdAt'], {}) },
    data: listData('sessions', Session),
    example: { request: {}, data: { sessions: [exampleListed], total: 1 } },
  }),
  defineOperation({
    id: 'endOtherPortalSessions',
    method: 'DELETE',
    path: '/portal/sessions',
    tag,
    summary: 'End all your other sessions of the developer portal',
    access: 'portal',
    audit: sessionAudit,
    production: 'never',
    request: {},
    data: z.object({ endedSessions: z.int() }),
    example: { request: {}, data: { endedSessions: 2 } },
  }),
  defineOperation({
    id: 'endPortalSession',
    method: 'DELETE',
    path: '/portal/sessions/:sessionId',
    tag,
    summary: 'End one of your sessions of the developer portal',
    access: 'portal',
    audit: sessionAudit,
    production: 'never',
    request: { params: z.object({ sessionId: Id }) },
    data: z.object({}),
    example: { request: { params: { sessionId: exampleListed.id } }, data: {} },
  }),
  defineOperation({
    id: 'updatePortalProfile',
    method: 'PATCH',
    path: '/portal/profile',
    tag,
    summary: 'Change your profile in the developer portal',
    access: 'portal',
    audit: { ...userAudit, severity: 'low' },
    production: 'never',
    request: {
      body: z.strictObject({ name: PersonName.optional(), locale: PortalLocale.nullable().optional() }),
    },
    data: PortalProfile,
    errors: ['version_conflict'],
    example: { request: { body: { locale: 'de' } }, data: { ...exampleProfile, locale: 'de' as const } },
  }),
  defineOperation({
    id: 'changePortalPassword',
    method: 'POST',
    path: '/portal/password',
    tag,
    summary: 'Change your password for the developer portal',
    description: 'Sets a new password. Ends all other sessions; this one gets a new cookie.',
    access: 'portal',
    rateClass: 'sign_in',
    audit: userAudit,
    production: 'never',
    request: { body: z.strictObject({ currentPassword: GivenPassword, newPassword: NewPassword }) },
    data: z.object({ endedSessions: z.int().describe('How many other sessions ended.') }),
    example: {
      request: { body: { currentPassword: examplePassword, newPassword: 'a different horse battery' } },
      data: { endedSessions: 1 },
    },
  }),
  defineOperation({
    id: 'requestPortalPasswordReset',
    method: 'POST',
    path: '/portal/password-resets',
    tag,
    summary: 'Request a link to reset the password for the developer portal',
    description:
      'Sends a link that works once, for one hour. The response is the same whether the account exists or not.',
    access: 'portal_visitor',
    rateClass: 'sign_in',
    audit: userAudit,
    production: 'never',
    request: { body: z.strictObject({ email: Email }) },
    data: z.object({}),
    example: { request: { body: { email: exampleProfile.email } }, data: {} },
  }),
  defineOperation({
    id: 'confirmPortalPasswordReset',
    method: 'POST',
    path: '/portal/password-resets/confirm',
    tag,
    summary: 'Set a new password for the developer portal with a link’s token',
    description:
      'The link can’t be used again, and all sessions of the user end. A one-time code is still required if it was before.',
    access: 'portal_visitor',
    audit: userAudit,
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
    id: 'startPortalMfa',
    method: 'POST',
    path: '/portal/mfa',
    tag,
    summary: 'Set up one-time codes for the developer portal',
    description:
      'Creates a secret for an authenticator app (TOTP, RFC 6238). Codes are required at sign-in once the first one ' +
      'is confirmed. Starting again creates another secret.',
    access: 'portal',
    rateClass: 'sign_in',
    audit: userAudit,
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
        otpauthUrl: 'otpauth://totp/Example:sam%40example.com?issuer=Example&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      },
    },
  }),
  defineOperation({
    id: 'confirmPortalMfa',
    method: 'POST',
    path: '/portal/mfa/confirm',
    tag,
    summary: 'Confirm the first one-time code for the developer portal',
    description:
      'Signing in then needs a one-time code. The response contains the recovery codes, which are shown only ' +
      'once: each can be used once instead of a code. Your other sessions end.',
    access: 'portal',
    audit: userAudit,
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
    id: 'removePortalMfa',
    method: 'DELETE',
    path: '/portal/mfa',
    tag,
    summary: 'Stop using one-time codes for the developer portal',
    description:
      'Needs the password and a one-time code or recovery code. Codes are no longer required, and the recovery codes are deleted.',
    access: 'portal',
    rateClass: 'sign_in',
    audit: { ...userAudit, severity: 'high' },
    production: 'never',
    request: { body: z.strictObject({ password: GivenPassword, oneTimeCode: OneTimeCode }) },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { body: { password: examplePassword, oneTimeCode: '123456' } }, data: {} },
  }),
] as const;
