import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { Email, LinkToken, NewPassword } from '../../identity/auth/contract.ts';
import { PersonName } from '../../identity/users/contract.ts';
import { examplePortalSession, PortalLocale, PortalSession } from '../auth/contract.ts';
import { PortalRole } from '../roles.ts';

/** Somebody who signs in to the developer portal for a developer account. */
export const PortalUser = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    role: PortalRole,
    state: z.enum(['active', 'suspended']),
    mfa: z.boolean().describe('Whether signing in needs a one-time code.'),
    lastSignInAt: Time.nullable(),
    ...versioned,
  })
  .meta({ id: 'PortalUser' });

/** Somebody who was asked to join a developer account and hasn’t yet. */
export const PortalInvitation = z
  .object({
    id: Id,
    email: z.string(),
    role: PortalRole,
    invitedByName: z.string(),
    expiresAt: Time,
    createdAt: Time,
  })
  .meta({ id: 'PortalInvitation' });

const sorts = ['-createdAt', 'name', 'email', 'lastSignInAt'] as const;
const filters = { role: PortalRole.optional(), state: PortalUser.shape.state.optional() } as const;
const usersData = listData('users', PortalUser).extend({
  invitations: z.array(PortalInvitation).describe('Pending ones, the newest first.'),
});
const NewInvitation = z.strictObject({
  email: Email,
  role: PortalRole,
  locale: PortalLocale.default('en').describe('Of the e-mail.'),
});

const tag = 'Portal';
const userAudit = { category: 'security', severity: 'medium', entityType: 'portal_user' } as const;
const invitationAudit = { category: 'security', severity: 'medium', entityType: 'portal_invitation' } as const;

const { locale: _, ...exampleMember } = examplePortalSession.user;
const exampleUser = { ...exampleMember, state: 'active' as const };
const exampleInvitation = {
  id: 'piv_00000000000000000000000001',
  email: 'kim@example.com',
  role: 'developer' as const,
  invitedByName: 'Sam Example',
  expiresAt: '2026-01-22T09:00:00.000Z',
  createdAt: '2026-01-15T09:00:00.000Z',
};
const exampleUsers = { users: [exampleUser], total: 1, invitations: [exampleInvitation] };
const ofUser = { params: z.object({ portalUserId: Id }) };
const ofInvitation = { params: z.object({ invitationId: Id }) };
const ofDeveloper = { params: z.object({ developerId: Id }) };
const ofDeveloperUser = { params: z.object({ developerId: Id, portalUserId: Id }) };
const exampleDeveloperParams = { developerId: examplePortalSession.account.id };
const exampleDeveloperUserParams = { ...exampleDeveloperParams, portalUserId: exampleUser.id };

export const portalUserOperations = [
  defineOperation({
    id: 'listPortalUsers',
    method: 'GET',
    path: '/portal/users',
    tag,
    summary: 'List the portal users of your developer account',
    access: 'portal',
    audit: null,
    request: { query: listQuery(sorts, filters) },
    data: usersData,
    example: { request: {}, data: exampleUsers },
  }),
  defineOperation({
    id: 'invitePortalUser',
    method: 'POST',
    path: '/portal/users',
    tag,
    summary: 'Invite somebody to your developer account',
    description:
      'Sends a link that works once, for 7 days. Inviting an address again replaces its invitation and sends a new ' +
      'link. The response doesn’t reveal whether the address belongs to another developer account.',
    access: 'portal',
    portalRoles: ['owner'],
    audit: invitationAudit,
    production: 'never',
    request: { body: NewInvitation },
    data: PortalInvitation,
    status: 201,
    errors: ['conflict', 'too_many_requests'],
    example: {
      request: { body: { email: 'noor.new@example.com', role: 'developer' } },
      data: { ...exampleInvitation, email: 'noor.new@example.com' },
    },
  }),
  defineOperation({
    id: 'withdrawPortalInvitation',
    method: 'DELETE',
    path: '/portal/invitations/:invitationId',
    tag,
    summary: 'Withdraw an invitation to your developer account',
    access: 'portal',
    portalRoles: ['owner'],
    audit: invitationAudit,
    production: 'never',
    request: ofInvitation,
    data: z.object({}),
    example: { request: { params: { invitationId: exampleInvitation.id } }, data: {} },
  }),
  defineOperation({
    id: 'acceptPortalInvitation',
    method: 'POST',
    path: '/portal/invitations/accept',
    tag,
    summary: 'Accept an invitation to a developer account with its link’s token',
    description: 'Creates the portal user and signs the browser in. The session of the call, if any, ends.',
    access: 'portal_visitor',
    rateClass: 'sign_in',
    audit: { ...userAudit, severity: 'high' },
    production: 'never',
    request: {
      body: z.strictObject({ token: LinkToken, name: PersonName, password: NewPassword, locale: PortalLocale }),
    },
    data: PortalSession,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        body: {
          token: 'q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk',
          name: 'Kim Example',
          password: 'correct horse battery staple',
          locale: 'en',
        },
      },
      data: examplePortalSession,
    },
  }),
  defineOperation({
    id: 'updatePortalUser',
    method: 'PATCH',
    path: '/portal/users/:portalUserId',
    tag,
    summary: 'Change a portal user’s role in your developer account',
    description: 'A developer account keeps an active owner.',
    access: 'portal',
    portalRoles: ['owner'],
    audit: { ...userAudit, severity: 'high' },
    production: 'never',
    request: { ...ofUser, body: z.strictObject({ role: PortalRole }) },
    data: PortalUser,
    errors: ['conflict'],
    example: {
      request: { params: { portalUserId: exampleUser.id }, body: { role: 'viewer' } },
      data: { ...exampleUser, role: 'viewer' as const, version: 2 },
    },
  }),
  defineOperation({
    id: 'removePortalUser',
    method: 'DELETE',
    path: '/portal/users/:portalUserId',
    tag,
    summary: 'Remove a portal user from your developer account',
    description: 'Their sessions end immediately. A developer account keeps an active owner.',
    access: 'portal',
    portalRoles: ['owner'],
    audit: { ...userAudit, severity: 'high' },
    production: 'never',
    request: ofUser,
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: { portalUserId: exampleUser.id } }, data: {} },
  }),
  defineOperation({
    id: 'leavePortalAccount',
    method: 'DELETE',
    path: '/portal/membership',
    tag,
    summary: 'Leave your developer account',
    description: 'All of your sessions end immediately. A developer account keeps an active owner.',
    access: 'portal',
    audit: { ...userAudit, severity: 'high' },
    production: 'never',
    request: {},
    data: z.object({}),
    errors: ['conflict'],
    example: { request: {}, data: {} },
  }),
  defineOperation({
    id: 'listDeveloperPortalUsers',
    method: 'GET',
    path: '/developers/:developerId/portal-users',
    tag,
    summary: 'List the portal users of a developer',
    access: 'developer.read',
    audit: null,
    request: { ...ofDeveloper, query: listQuery(sorts, filters) },
    data: usersData,
    example: { request: { params: exampleDeveloperParams }, data: exampleUsers },
  }),
  defineOperation({
    id: 'inviteDeveloperPortalUser',
    method: 'POST',
    path: '/developers/:developerId/portal-users',
    tag,
    summary: 'Invite somebody to a developer’s account in the portal',
    description: 'Sends a link that works once, for 7 days. Inviting an address again sends a new link.',
    access: 'developer.write',
    audit: invitationAudit,
    production: { exempt: 'access' },
    request: { ...ofDeveloper, body: NewInvitation },
    data: PortalInvitation,
    status: 201,
    errors: ['conflict', 'too_many_requests'],
    example: {
      request: { params: exampleDeveloperParams, body: { email: 'noor.new@example.com', role: 'owner' } },
      data: { ...exampleInvitation, email: 'noor.new@example.com', role: 'owner' as const },
    },
  }),
  defineOperation({
    id: 'withdrawDeveloperPortalInvitation',
    method: 'DELETE',
    path: '/developers/:developerId/portal-invitations/:invitationId',
    tag,
    summary: 'Withdraw an invitation to a developer’s account in the portal',
    access: 'developer.write',
    audit: invitationAudit,
    production: { exempt: 'access' },
    request: { params: z.object({ developerId: Id, invitationId: Id }) },
    data: z.object({}),
    example: {
      request: { params: { ...exampleDeveloperParams, invitationId: exampleInvitation.id } },
      data: {},
    },
  }),
  defineOperation({
    id: 'suspendDeveloperPortalUser',
    method: 'POST',
    path: '/developers/:developerId/portal-users/:portalUserId/suspend',
    tag,
    summary: 'Suspend a portal user of a developer',
    description: 'Their sessions end immediately. The developer’s apps keep working.',
    access: 'developer.write',
    audit: userAudit,
    production: { exempt: 'access' },
    request: ofDeveloperUser,
    data: PortalUser,
    errors: ['conflict'],
    example: {
      request: { params: exampleDeveloperUserParams },
      data: { ...exampleUser, state: 'suspended' as const, version: 2 },
    },
  }),
  defineOperation({
    id: 'activateDeveloperPortalUser',
    method: 'POST',
    path: '/developers/:developerId/portal-users/:portalUserId/activate',
    tag,
    summary: 'Activate a suspended portal user of a developer',
    access: 'developer.write',
    audit: userAudit,
    production: { exempt: 'access' },
    request: ofDeveloperUser,
    data: PortalUser,
    errors: ['conflict'],
    example: { request: { params: exampleDeveloperUserParams }, data: { ...exampleUser, version: 3 } },
  }),
] as const;
