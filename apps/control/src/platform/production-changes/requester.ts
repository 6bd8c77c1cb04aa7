import { sql } from 'kysely';
import type { ControlDatabase } from '../../database/schema.ts';
import { permissionsOf } from '../../frame/authenticate.ts';
import type { Caller } from '../../frame/caller.ts';
import { isPermission } from '../../frame/permissions.ts';

interface Found {
  name: string;
  organization_id: string;
  user_ids: string[];
  roles: readonly (readonly [id: string, permissions: readonly string[] | null])[];
  permissions: string[];
}

/**
 * Whoever requested a change, with the rights that they have now, in whatever organization: a Super Admin may be of
 * another one.
 *
 * @returns null where the account is gone or suspended
 */
export async function findRequester(
  { system }: Pick<ControlDatabase, 'system'>,
  { id, kind }: { readonly id: string; readonly kind: 'user' | 'service_account' },
): Promise<Caller | null> {
  const { rows } =
    kind === 'user'
      ? await sql<Found>`
          select u.name, u.organization_id, array[u.id] as user_ids, '{}'::text[] as permissions,
            (select coalesce(json_agg(json_build_array(ur.role_id, r.permissions)), '[]')
             from user_roles ur left join roles r on r.organization_id = ur.organization_id and r.id = ur.role_id
             where ur.organization_id = u.organization_id and ur.user_id = u.id) as roles
          from users u join organizations o on o.id = u.organization_id
          where u.id = ${id} and u.state = 'active' and o.state = 'active'`.execute(system)
      : await sql<Found>`
          select a.name, a.organization_id, a.owner_ids as user_ids, a.permissions, '[]'::json as roles
          from service_accounts a join organizations o on o.id = a.organization_id
          where a.id = ${id} and a.state = 'active' and o.state = 'active'`.execute(system);
  const [row] = rows;
  if (row === undefined) return null;
  const roleIds = row.roles.map(([role]) => role);
  const custom = row.roles.flatMap(([, permissions]) => permissions ?? []);
  return {
    kind,
    id,
    name: row.name,
    userIds: row.user_ids,
    sessionId: null,
    homeOrganizationId: row.organization_id,
    roleIds,
    permissions: kind === 'user' ? permissionsOf(roleIds, custom) : new Set(row.permissions.filter(isPermission)),
    superAdmin: roleIds.includes('super_admin'),
  };
}
