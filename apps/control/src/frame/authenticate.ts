import type { PreparedStatement } from '@millrace/postgres';
import { hashSecret } from '@millrace/sign-in/secrets';
import { type Hashed, lookUpBy } from '@millrace/sign-in/token-lookup';
import { sql } from 'kysely';
import type { ControlDatabase } from '../database/schema.ts';
import type { Caller, NodeCaller, PortalCaller } from './caller.ts';
import type { PortalRole } from './operation.ts';
import {
  allPermissions,
  type BuiltInRoleId,
  builtInRoles,
  isBuiltInRole,
  isPermission,
  type Permission,
} from './permissions.ts';
import { portalSessions, sessions } from './sessions.ts';

export const sessionCookieName = 'millrace_session';
export const portalSessionCookieName = 'millrace_portal_session';

/** The caller, and the session's new token if this call rotated it. */
interface Authenticated {
  readonly caller: Caller;
  readonly newToken: string | null;
}

/** The credentials of a request. */
export interface Credentials {
  readonly sessionToken: string | null;
  readonly bearerToken: string | null;
}

interface RolesRow {
  name: string;
  /** Id of each role; with the permissions of a custom one. */
  roles: readonly (readonly [id: string, permissions: readonly string[] | null])[];
}

interface TokenRow extends Hashed {
  id: string;
  organization_id: string;
  name: string;
  permissions: string[];
  owner_ids: string[];
  token_id: string;
  stale: boolean;
}

const serviceAccountByToken: PreparedStatement<TokenRow> = {
  name: 'service account by token',
  text: `
    select t.token_hash as hash, a.id, a.organization_id, a.name, a.permissions, a.owner_ids, t.id as token_id,
           coalesce(t.last_used_at < now() - interval '1 minute', true) as stale
    from service_account_tokens t
    join service_accounts a on a.organization_id = t.organization_id and a.id = t.service_account_id
    join organizations o on o.id = t.organization_id
    where t.token_hash = any($1) and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
      and a.state = 'active' and o.state = 'active'`,
};

/** Distinguishes a gateway node's token from a service account's. */
export const nodeTokenPrefix = 'mrn_';

interface NodeRow extends Hashed {
  id: string;
  organization_id: string;
  environment_id: string;
  name: string;
}

const nodeByToken: PreparedStatement<NodeRow> = {
  name: 'gateway node by token',
  text: `
    select n.token_hash as hash, n.id, n.organization_id, n.environment_id, n.name
    from gateway_nodes n join organizations o on o.id = n.organization_id
    where n.token_hash = any($1) and o.state = 'active'`,
};

/**
 * Finds the caller by a session's cookie, or a service account's or gateway node's token; null where nothing valid was
 * sent. The database is asked after each call came, so that what was revoked is revoked at once, on every process;
 * calls that come while it is being asked share the next statement.
 */
export type Authenticate = (sent: Credentials) => Promise<Authenticated | null>;

export function createAuthenticate(database: ControlDatabase): Authenticate {
  const findSession = sessions.authenticator<RolesRow>(database, {
    columns: `u.name,
      (select coalesce(json_agg(json_build_array(ur.role_id, r.permissions) order by ur.role_id), '[]')
       from user_roles ur left join roles r on r.organization_id = ur.organization_id and r.id = ur.role_id
       where ur.organization_id = s.organization_id and ur.user_id = s.user_id) as roles`,
    joins: 'join organizations o on o.id = s.organization_id',
    condition: "u.state = 'active' and o.state = 'active'",
  });
  const serviceAccounts = lookUpBy(database, serviceAccountByToken);
  const nodes = lookUpBy(database, nodeByToken);
  return async ({ sessionToken, bearerToken }) => {
    if (bearerToken?.startsWith(nodeTokenPrefix)) return nodeOf(await nodes(hashSecret(bearerToken)));
    if (bearerToken !== null) return serviceAccountOf(database, await serviceAccounts(hashSecret(bearerToken)));
    const found = sessionToken === null ? null : await findSession(sessionToken);
    if (found === null) return null;
    const { session, newToken } = found;
    const roleIds = session.roles.map(([id]) => id);
    return {
      newToken,
      caller: {
        kind: 'user',
        id: session.user_id,
        name: session.name,
        userIds: [session.user_id],
        sessionId: session.session_id,
        homeOrganizationId: session.tenant_id,
        roleIds,
        permissions: permissionsOf(
          roleIds,
          session.roles.flatMap(([, permissions]) => permissions ?? []),
        ),
        superAdmin: roleIds.includes('super_admin'),
      },
    };
  };
}

/** A portal user, and the session's new token if this call rotated it. */
interface PortalAuthenticated {
  readonly caller: PortalCaller;
  readonly newToken: string | null;
}

/** Finds the portal user of a session's token; null where it is none, or the user or their developer account is suspended. */
export type AuthenticatePortal = (token: string | null) => Promise<PortalAuthenticated | null>;

export function createAuthenticatePortal(database: ControlDatabase): AuthenticatePortal {
  const findSession = portalSessions.authenticator<{ name: string; role: PortalRole; developer_id: string }>(database, {
    columns: 'u.name, u.role, u.developer_id',
    joins: `join developers d on d.organization_id = u.organization_id and d.id = u.developer_id
            join organizations o on o.id = s.organization_id`,
    condition: "u.state = 'active' and d.state = 'active' and o.state = 'active'",
  });
  return async (token) => {
    const found = token === null ? null : await findSession(token);
    if (found === null) return null;
    const { session, newToken } = found;
    return {
      newToken,
      caller: {
        kind: 'portal_user',
        id: session.user_id,
        name: session.name,
        userIds: [session.user_id],
        sessionId: session.session_id,
        homeOrganizationId: session.tenant_id,
        developerId: session.developer_id,
        role: session.role,
        roleIds: [],
        permissions: new Set(),
        superAdmin: false,
      },
    };
  };
}

async function serviceAccountOf(database: ControlDatabase, row: TokenRow | undefined): Promise<Authenticated | null> {
  if (row === undefined) return null;
  if (row.stale) {
    await database.system
      .updateTable('service_account_tokens')
      .set({ last_used_at: sql<Date>`now()` })
      .where('organization_id', '=', row.organization_id)
      .where('id', '=', row.token_id)
      .execute();
  }
  return {
    newToken: null,
    caller: {
      kind: 'service_account',
      id: row.id,
      name: row.name,
      userIds: row.owner_ids,
      sessionId: null,
      homeOrganizationId: row.organization_id,
      roleIds: [],
      permissions: new Set(row.permissions.filter(isPermission)),
      superAdmin: false,
    },
  };
}

function nodeOf(row: NodeRow | undefined): Authenticated | null {
  if (row === undefined) return null;
  const caller: NodeCaller = {
    kind: 'gateway_node',
    id: row.id,
    name: row.name,
    userIds: [],
    sessionId: null,
    homeOrganizationId: row.organization_id,
    environmentId: row.environment_id,
    tokenHash: row.hash,
    roleIds: [],
    permissions: new Set(),
    superAdmin: false,
  };
  return { newToken: null, caller };
}

/** What the roles let their holder do: the built-in ones' permissions, and those of the custom ones. */
export function permissionsOf(roleIds: readonly string[], custom: readonly string[]): ReadonlySet<Permission> {
  const builtIn = permissionsOfBuiltIn(roleIds.filter(isBuiltInRole));
  return custom.length === 0 ? builtIn : new Set([...builtIn, ...custom.filter(isPermission)]);
}

/** By the ids of built-in roles, of which there are few combinations. */
const builtInPermissions = new Map<string, ReadonlySet<Permission>>();

function permissionsOfBuiltIn(roleIds: readonly BuiltInRoleId[]): ReadonlySet<Permission> {
  const key = roleIds.join(' ');
  let permissions = builtInPermissions.get(key);
  if (permissions === undefined) {
    permissions = new Set(
      roleIds.includes('super_admin') ? allPermissions : roleIds.flatMap((id) => builtInRoles[id].permissions),
    );
    builtInPermissions.set(key, permissions);
  }
  return permissions;
}
