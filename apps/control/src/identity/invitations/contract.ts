import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { Email, LinkToken, Locale, NewPassword, TimeZone } from '../auth/contract.ts';
import { RoleIds, RoleReference } from '../roles/contract.ts';
import { exampleUser, PersonName, User } from '../users/contract.ts';

export const Invitation = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string().describe('As entered by the person who invites; the invited person can change it.'),
    roles: z.array(RoleReference),
    state: z
      .enum(['pending', 'expired', 'accepted', 'withdrawn'])
      .describe('An expired invitation can be sent again and is then pending.'),
    invitedBy: z.object({ id: Id, name: z.string().nullable().describe('Null if the user no longer exists.') }),
    expiresAt: Time,
    ...versioned,
  })
  .meta({ id: 'Invitation' });

const params = z.object({ invitationId: Id });
const audit = { category: 'security', severity: 'medium', entityType: 'invitation' } as const;
const tag = 'Access';

const exampleInvitation = {
  id: 'inv_00000000000000000000000001',
  email: 'kim@example.com',
  name: 'Kim Example',
  roles: [{ id: 'developer', name: 'Developer' }],
  state: 'pending' as const,
  invitedBy: { id: exampleUser.id, name: exampleUser.name },
  expiresAt: '2026-01-22T09:00:00.000Z',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { invitationId: exampleInvitation.id };

export const invitationOperations = [
  defineOperation({
    id: 'listInvitations',
    method: 'GET',
    path: '/invitations',
    tag,
    summary: 'List invitations',
    access: 'user.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'email', 'name', 'expiresAt', 'updatedAt'], {
        state: Invitation.shape.state.optional(),
      }),
    },
    data: listData('invitations', Invitation),
    example: { request: {}, data: { invitations: [exampleInvitation], total: 1 } },
  }),
  defineOperation({
    id: 'createInvitation',
    method: 'POST',
    path: '/invitations',
    tag,
    summary: 'Invite someone by e-mail',
    description:
      'Sends a link that works once, for 7 days; the recipient sets a name and password and gets the roles. The ' +
      'response doesn’t reveal whether the address is used in another organization; only its owner learns that. An ' +
      'address gets at most 5 invitation e-mails a day, including withdrawn and repeated ones.',
    access: 'user.write',
    audit: { ...audit, severity: 'high' },
    production: { exempt: 'access' },
    request: { body: z.strictObject({ email: Email, name: PersonName, roleIds: RoleIds }) },
    data: Invitation,
    status: 201,
    errors: ['too_many_requests'],
    example: {
      request: { body: { email: 'noor.new@example.com', name: 'Noor New', roleIds: ['developer'] } },
      data: exampleInvitation,
    },
  }),
  defineOperation({
    id: 'withdrawInvitation',
    method: 'DELETE',
    path: '/invitations/:invitationId',
    tag,
    summary: 'Withdraw an invitation',
    description: 'The link becomes invalid; the invitation stays in the list as withdrawn.',
    access: 'user.write',
    audit,
    production: { exempt: 'access' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'resendInvitation',
    method: 'POST',
    path: '/invitations/:invitationId/resend',
    tag,
    summary: 'Send an invitation again',
    description: 'Sends a new link, valid for 7 days; the previous one becomes invalid.',
    access: 'user.write',
    audit,
    production: { exempt: 'access' },
    request: { params },
    data: Invitation,
    errors: ['conflict', 'too_many_requests'],
    example: { request: { params: exampleParams }, data: exampleInvitation },
  }),
  defineOperation({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/invitations/accept',
    tag,
    summary: 'Accept an invitation with its link’s token',
    description: 'Creates the user, who can then sign in with the e-mail address and this password.',
    access: 'public',
    scope: 'platform',
    audit: { category: 'security', severity: 'high', entityType: 'user' },
    production: { exempt: 'access' },
    request: {
      body: z.strictObject({
        token: LinkToken,
        name: PersonName,
        password: NewPassword,
        timeZone: TimeZone.optional(),
        locale: Locale.optional(),
      }),
    },
    data: User,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        body: {
          token: 'q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk',
          name: 'Kim Example',
          password: 'correct horse battery staple',
        },
      },
      data: { ...exampleUser, lastSignInAt: null },
    },
  }),
] as const;
