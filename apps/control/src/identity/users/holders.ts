import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { builtInRoles, type Permission } from '../../frame/permissions.ts';

/** A user whom a notice or mail can reach. */
export interface Person {
  readonly id: string;
  readonly email: string;
}

const mostPeople = 100;

/**
 * Active users of the organization who hold a permission, by a built-in or a custom role; at most 100, the oldest
 * accounts first.
 *
 * @param excluded users who are left out
 */
export async function listHolders(
  transaction: TenantTransaction,
  permission: Permission,
  excluded: readonly string[] = [],
): Promise<readonly Person[]> {
  const builtIn = Object.entries(builtInRoles)
    .filter(([, { permissions }]) => (permissions as readonly Permission[]).includes(permission))
    .map(([id]) => id);
  const { rows } = await sql<Person>`
    select id, email from users
    where organization_id = ${transaction.tenantId} and state = 'active' and not id = any(${[...excluded]}::text[])
      and exists (
        select from user_roles held
        left join roles on roles.organization_id = held.organization_id and roles.id = held.role_id
        where held.organization_id = users.organization_id and held.user_id = users.id
          and (held.role_id = any(${builtIn}::text[]) or ${permission} = any(roles.permissions)))
    order by created_at, id limit ${mostPeople}`.execute(transaction);
  return rows;
}

/** Those of {@link listHolders} who may deploy to an environment. */
export function listDeployers(transaction: TenantTransaction, production: boolean): Promise<readonly Person[]> {
  return listHolders(transaction, production ? 'deployment.prod' : 'deployment.write');
}
