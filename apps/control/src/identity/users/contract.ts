import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { Email, Locale, NewPassword, Session, TimeZone } from '../auth/contract.ts';
import { RoleId, RoleIds, RoleReference } from '../roles/contract.ts';

export const User = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    timeZone: z.string(),
    locale: z.string(),
    state: z.enum(['active', 'suspended']),
    roles: z.array(RoleReference),
    mfaEnabled: z.boolean().describe('Whether signing in needs a one-time code.'),
    lastSignInAt: Time.nullable(),
    ...versioned,
  })
  .meta({ id: 'User' });

/** How somebody is called. */
export const PersonName = displayName();

const params = z.object({ userId: Id });
const audit = { category: 'security', severity: 'medium', entityType: 'user' } as const;
const tag = 'Access';

/** A user in the examples of the reference. */
export const exampleUser = {
  id: 'usr_00000000000000000000000001',
  email: 'robin@example.com',
  name: 'Robin Example',
  timeZone: 'Europe/Berlin',
  locale: 'en',
  state: 'active' as const,
  roles: [{ id: 'developer', name: 'Developer' }],
  mfaEnabled: false,
  lastSignInAt: '2026-01-15T09:00:00.000Z',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { userId: exampleUser.id };

export const userOperations = [
  defineOperation({
    id: 'listUsers',
    method: 'GET',
    path: '/users',
    tag,
    summary: 'List users',
    access: 'user.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'name', 'email', 'lastSignInAt', 'updatedAt'], {
        state: z.enum(['active', 'suspended']).optional(),
        roleId: RoleId.optional().describe('Those who have this role.'),
      }),
    },
    data: listData('users', User),
    example: { request: {}, data: { users: [exampleUser], total: 1 } },
  }),
  defineOperation({
    id: 'createUser',
    method: 'POST',
    path: '/users',
    tag,
    summary: 'Create a user',
    description:
      'Without a password the user gets a link to set one, valid for 7 days. An e-mail address belongs to one user of ' +
      'the whole platform: one that is used elsewhere returns 409, and after several of those the caller has to wait. ' +
      'An invitation reveals nothing of the kind.',
    access: 'user.write',
    audit: { ...audit, severity: 'high' },
    production: { exempt: 'access' },
    request: {
      body: z.strictObject({
        email: Email,
        name: PersonName,
        roleIds: RoleIds,
        password: NewPassword.optional(),
        timeZone: TimeZone.optional(),
        locale: Locale.optional(),
      }),
    },
    data: User,
    status: 201,
    errors: ['conflict', 'too_many_requests'],
    example: {
      request: { body: { email: 'sasha.new@example.com', name: 'Sasha New', roleIds: ['developer'] } },
      data: { ...exampleUser, lastSignInAt: null },
    },
  }),
  defineOperation({
    id: 'getUser',
    method: 'GET',
    path: '/users/:userId',
    tag,
    summary: 'Show a user',
    access: 'user.read',
    audit: null,
    request: { params },
    data: User,
    example: { request: { params: exampleParams }, data: exampleUser },
  }),
  defineOperation({
    id: 'updateUser',
    method: 'PATCH',
    path: '/users/:userId',
    tag,
    summary: 'Change a user',
    description:
      'The previous e-mail address is notified of a change, and links sent there become invalid. ' +
      'A user with more permissions than the caller can’t be changed.',
    access: 'user.write',
    audit,
    production: { exempt: 'access' },
    request: {
      params,
      body: z.strictObject({
        email: Email.optional(),
        name: PersonName.optional(),
        timeZone: TimeZone.optional(),
        locale: Locale.optional(),
      }),
    },
    data: User,
    errors: ['conflict', 'too_many_requests'],
    example: { request: { params: exampleParams, body: { name: 'Robin Example-Smith' } }, data: exampleUser },
  }),
  defineOperation({
    id: 'deleteUser',
    method: 'DELETE',
    path: '/users/:userId',
    tag,
    summary: 'Delete a user',
    description:
      'Ends the user’s sessions immediately; the audit trail stays. The last administrator can be deleted only once the ' +
      'organization is suspended, and nobody can delete themselves or a user with more permissions.',
    access: 'user.delete',
    audit: { ...audit, severity: 'high' },
    production: { exempt: 'access' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'suspendUser',
    method: 'POST',
    path: '/users/:userId/suspend',
    tag,
    summary: 'Suspend a user',
    description: 'Ends the user’s sessions immediately; the user can’t sign in until activated again.',
    access: 'user.write',
    audit: { ...audit, severity: 'high' },
    production: { exempt: 'access' },
    request: { params },
    data: User,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleUser, state: 'suspended' } },
  }),
  defineOperation({
    id: 'activateUser',
    method: 'POST',
    path: '/users/:userId/activate',
    tag,
    summary: 'Activate a suspended user',
    access: 'user.write',
    audit: { ...audit, severity: 'high' },
    production: { exempt: 'access' },
    request: { params },
    data: User,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: exampleUser },
  }),
  defineOperation({
    id: 'setUserRoles',
    method: 'PUT',
    path: '/users/:userId/roles',
    tag,
    summary: 'Set a user’s roles',
    description:
      'Replaces all of the user’s roles, effective with the user’s next call. Nobody can assign more ' +
      'than they have, change someone who has more, or change their own roles. An organization keeps an ' +
      'administrator, and the platform a Super Admin.',
    access: 'user.write',
    audit: { ...audit, severity: 'high' },
    production: { exempt: 'access' },
    request: { params, body: z.strictObject({ roleIds: RoleIds }) },
    data: User,
    errors: ['conflict'],
    example: { request: { params: exampleParams, body: { roleIds: ['developer', 'auditor'] } }, data: exampleUser },
  }),
  defineOperation({
    id: 'listUserSessions',
    method: 'GET',
    path: '/users/:userId/sessions',
    tag,
    summary: 'List a user’s sessions',
    access: 'user.read',
    audit: null,
    request: { params, query: listQuery(['-lastSeenAt', 'createdAt'], {}) },
    data: listData('sessions', Session),
    example: {
      request: { params: exampleParams },
      data: {
        sessions: [
          {
            id: 'ses_00000000000000000000000001',
            current: false,
            ip: '192.0.2.10',
            userAgent: 'Mozilla/5.0',
            createdAt: '2026-01-15T09:00:00.000Z',
            lastSeenAt: '2026-01-15T09:30:00.000Z',
            expiresAt: '2026-01-15T21:30:00.000Z',
          },
        ],
        total: 1,
      },
    },
  }),
  defineOperation({
    id: 'endUserSessions',
    method: 'DELETE',
    path: '/users/:userId/sessions',
    tag,
    summary: 'End all sessions of a user',
    description:
      'Ends them immediately, in every process. Not allowed for a user with more permissions than the caller.',
    access: 'user.write',
    audit,
    production: { exempt: 'access' },
    request: { params },
    data: z.object({ endedSessions: z.int() }),
    example: { request: { params: exampleParams }, data: { endedSessions: 2 } },
  }),
] as const;
