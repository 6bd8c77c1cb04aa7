import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, listData, listQuery, Time } from '../../frame/operation.ts';
import { allPermissions } from '../../frame/permissions.ts';

/** A role's id: the name of a built-in one, or a custom role's id. */
export const RoleId = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_]{2,63}$/, 'This is not the id of a role.');

/** The roles assigned to a user; duplicates are ignored. */
export const RoleIds = z.array(RoleId).max(20).describe('Roles without permissions that the caller doesn’t have.');

/** A role, as its users see it. */
export const RoleReference = z.object({ id: RoleId, name: z.string() });

/** Permissions granted to a role or a service account; duplicates are ignored. */
export const PermissionNames = z
  .array(z.enum(allPermissions, 'Unknown permission. See GET /api/permissions.'))
  .max(2 * allPermissions.length)
  .describe('Permissions of the catalogue that the caller has.');

export const Role = z
  .object({
    id: RoleId,
    name: z.string(),
    description: z.string(),
    builtIn: z.boolean().describe('Built-in roles exist in every organization and can’t be changed.'),
    permissions: z.array(z.string()),
    users: z.int().describe('How many users have it.'),
    version: z.int(),
    createdAt: Time.nullable().describe('Null for a built-in role.'),
    updatedAt: Time.nullable(),
  })
  .meta({ id: 'Role' });

const PermissionEntry = z
  .object({
    name: z.string(),
    subject: z.string().describe('Its subject: its name up to the dot.'),
    description: z.string(),
    held: z.boolean().describe('Whether the caller has it, and so may grant it to a custom role.'),
    checked: z.boolean().describe('Whether any operation requires it; false for those of future features.'),
  })
  .meta({ id: 'Permission' });

const RoleName = displayName(60);
const Description = z.string().trim().max(1_000);

const params = z.object({ roleId: RoleId });
const audit = { category: 'security', severity: 'high', entityType: 'role' } as const;
const tag = 'Access';

const exampleRole = {
  id: 'rol_00000000000000000000000001',
  name: 'Release manager',
  description: 'Deploys proxies built by others',
  builtIn: false,
  permissions: ['proxy.read', 'deployment.read', 'deployment.write'],
  users: 0,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { roleId: exampleRole.id };

export const roleOperations = [
  defineOperation({
    id: 'listRoles',
    method: 'GET',
    path: '/roles',
    tag,
    summary: 'List built-in and custom roles',
    access: 'role.read',
    audit: null,
    request: { query: listQuery(['name', 'createdAt', 'updatedAt'], { builtIn: z.stringbool().optional() }) },
    data: listData('roles', Role),
    example: { request: {}, data: { roles: [exampleRole], total: 1 } },
  }),
  defineOperation({
    id: 'createRole',
    method: 'POST',
    path: '/roles',
    tag,
    summary: 'Create a custom role',
    description: 'A custom role can contain any permissions that its creator has.',
    access: 'role.write',
    audit,
    production: { exempt: 'access' },
    request: {
      body: z.strictObject({ name: RoleName, description: Description.default(''), permissions: PermissionNames }),
    },
    data: Role,
    status: 201,
    example: {
      request: { body: { name: 'On-call engineer', permissions: ['incident.read', 'incident.write'] } },
      data: exampleRole,
    },
  }),
  defineOperation({
    id: 'getRole',
    method: 'GET',
    path: '/roles/:roleId',
    tag,
    summary: 'Show a role with its permissions',
    access: 'role.read',
    audit: null,
    request: { params },
    data: Role,
    example: { request: { params: exampleParams }, data: exampleRole },
  }),
  defineOperation({
    id: 'updateRole',
    method: 'PATCH',
    path: '/roles/:roleId',
    tag,
    summary: 'Change a custom role',
    description:
      'Changes take effect with its users’ next call. Neither a role with more permissions than the caller’s, nor ' +
      'the permissions of a role that the caller has, can be changed.',
    access: 'role.write',
    audit,
    production: { exempt: 'access' },
    request: {
      params,
      body: z.strictObject({
        name: RoleName.optional(),
        description: Description.optional(),
        permissions: PermissionNames.optional(),
      }),
    },
    data: Role,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { permissions: ['proxy.read', 'deployment.read'] } },
      data: exampleRole,
    },
  }),
  defineOperation({
    id: 'deleteRole',
    method: 'DELETE',
    path: '/roles/:roleId',
    tag,
    summary: 'Delete an unused custom role',
    description: 'Deletes a custom role that no user and no pending invitation has.',
    access: 'role.write',
    audit,
    production: { exempt: 'access' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'listPermissions',
    method: 'GET',
    path: '/permissions',
    tag,
    summary: 'Show the permission catalogue',
    access: 'role.read',
    audit: null,
    request: {
      query: listQuery(['name'], {
        subject: z.string().max(60).optional().describe('Such as `deployment`.'),
        held: z.stringbool().optional(),
        checked: z.stringbool().optional(),
      }),
    },
    data: listData('permissions', PermissionEntry),
    example: {
      request: {},
      data: {
        permissions: [
          {
            name: 'deployment.prod',
            subject: 'deployment',
            description: 'Deploy to production',
            held: false,
            checked: true,
          },
        ],
        total: 1,
      },
    },
  }),
] as const;
