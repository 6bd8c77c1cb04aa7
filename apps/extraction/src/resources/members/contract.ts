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
import { Email } from '../sessions/contract.ts';

const Role = z
  .enum(dashboardRoles)
  .describe('`administrator`: can change everything. `member`: works with documents, can view keys and webhooks.');

export const Member = z
  .object({
    id: z.string().describe('ID of the user or of the invitation.'),
    email: z.string(),
    name: z.string().describe('Empty until it is set.'),
    role: Role,
    state: z.enum(['active', 'disabled', 'invited', 'invitation_expired']),
    createdAt: Time,
    mfa: z.boolean().describe('Whether signing in requires a one-time code.'),
    lastSignInAt: Time.nullable(),
    invitedUntil: Time.nullable().describe('When an invitation’s link expires; null for a user.'),
  })
  .meta({ id: 'Member' });

const tag = 'Members';
const administrators = { ...everyDashboardOperation, role: 'administrator', tag } as const;
const params = z.object({ id: z.string() });

const exampleMember = {
  id: 'usr_01kamy4w8q2v6x0r3t5y7z9b1d',
  email: 'robin@example.com',
  name: 'Robin Example',
  role: 'member' as const,
  state: 'active' as const,
  mfa: false,
  createdAt: '2026-03-14T09:00:00.000Z',
  lastSignInAt: '2026-03-14T09:05:00.000Z',
  invitedUntil: null,
};
const exampleInvited = {
  ...exampleMember,
  id: 'inv_01kamy4w8q2v6x0r3t5y7z9b1d',
  name: '',
  state: 'invited' as const,
  lastSignInAt: null,
  invitedUntil: '2026-03-21T09:00:00.000Z',
};

const listMembers = defineDashboardOperation({
  ...everyDashboardOperation,
  tag,
  id: 'listMembers',
  method: 'GET',
  path: '/api/dashboard/v1/members',
  summary: 'List members and invitations',
  description: 'Members first, oldest first, then invitations.',
  request: { query: z.object(listQuery) },
  responses: { 200: { description: 'A page of members.', body: listOf(Member) } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A member and an invitation',
      request: {},
      answer: { status: 200, body: { items: [exampleMember, exampleInvited], nextCursor: null } },
    },
  ],
});

const inviteMember = defineDashboardOperation({
  ...administrators,
  id: 'inviteMember',
  method: 'POST',
  path: '/api/dashboard/v1/members',
  summary: 'Invite a member',
  description:
    'Sends a link that works once, for 7 days. Inviting the same address again sends a new link; the old one stops working.',
  request: { body: z.strictObject({ email: Email, role: Role }) },
  responses: { 201: { description: 'Invited.', body: Member } },
  errors: ['invalid_request', 'conflict', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A member',
      request: { body: { email: 'robin@example.com', role: 'member' } },
      answer: { status: 201, body: exampleInvited },
    },
  ],
});

const updateMember = defineDashboardOperation({
  ...administrators,
  id: 'updateMember',
  method: 'PATCH',
  path: '/api/dashboard/v1/members/:id',
  summary: 'Change a member',
  description:
    'A disabled member is signed out everywhere and can’t sign in. The last active administrator can’t be demoted or ' +
    'disabled. Only the role of an invitation can be changed.',
  request: { params, body: z.strictObject({ role: Role.optional(), disabled: z.boolean().optional() }) },
  responses: { 200: { description: 'The changed member.', body: Member } },
  errors: ['invalid_request', 'not_found', 'conflict', ...anyDashboardErrors],
  examples: [
    {
      summary: 'Another role',
      request: { params: { id: exampleMember.id }, body: { role: 'administrator' } },
      answer: { status: 200, body: { ...exampleMember, role: 'administrator' } },
    },
  ],
});

const removeMember = defineDashboardOperation({
  ...administrators,
  id: 'removeMember',
  method: 'DELETE',
  path: '/api/dashboard/v1/members/:id',
  summary: 'Remove a member or withdraw an invitation',
  description:
    'The member is signed out everywhere; their work is kept. The last active administrator can’t be removed.',
  request: { params },
  responses: { 200: { description: 'Removed.', body: Nothing } },
  errors: ['not_found', 'conflict', ...anyDashboardErrors],
  examples: [{ summary: 'A member', request: { params: { id: exampleMember.id } }, answer: { status: 200, body: {} } }],
});

export const memberOperations = [listMembers, inviteMember, updateMember, removeMember] as const;
