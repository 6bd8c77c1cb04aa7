import type { PreparedStatement } from '@millrace/postgres';
import { inBatches } from '@millrace/postgres/batches';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import { sql } from 'kysely';
import type { ControlDatabase } from '../database/schema.ts';
import type { Caller, NodeCaller } from './caller.ts';
import {
  allPermissions,
  type BuiltInRoleId,
  builtInRoles,
  isBuiltInRole,
  isPermission,
  type Permission,
} from './permissions.ts';

export const sessionCookieName = 'millrace_session';

/** Without a call for so long, a session ends. */
export const slidingHours = 12;
export const absoluteDays = 7;
/** How long the token before a rotation is still accepted, for calls in progress. */
const rotationGraceSeconds = 60;

/** Who calls, and the session's token where it was rotated by this call. */
interface Authenticated {
  readonly caller: Caller;
  readonly newToken: string | null;
}

/** What a request says of its sender. */
export interface Credentials {
  readonly sessionToken: string | null;
  readonly bearerToken: string | null;
}

/** What is found by a token's hash. */
interface Hashed {
  hash: Buffer;
}

interface SessionRow extends Hashed {
  session_id: string;
  user_id: string;
  organization_id: string;
  name: string;
  /** Id of each role; with the permissions of a custom one. */
  roles: readonly (readonly [id: string, permissions: readonly string[] | null])[];
  stale: boolean;
  rotate: boolean;
}

/** Live sessions of active users, by the condition on the hash of one of their tokens. */
const sessionStatement = (name: string, hash: string, condition: string): PreparedStatement<SessionRow> => ({
  name,
  text: `
    select ${hash} as hash, s.id as session_id, s.user_id, s.organization_id, u.name, s.rotate,
           s.last_seen_at < now() - interval '1 minute' as stale,
           (select coalesce(json_agg(json_build_array(ur.role_id, r.permissions) order by ur.role_id), '[]')
            from user_roles ur left join roles r on r.organization_id = ur.organization_id and r.id = ur.role_id
            where ur.organization_id = s.organization_id and ur.user_id = s.user_id) as roles
    from sessions s
    join users u on u.organization_id = s.organization_id and u.id = s.user_id
    join organizations o on o.id = s.organization_id
    where ${condition} and s.last_seen_at > now() - interval '${slidingHours} hours' and s.absolute_expires_at > now()
      and u.state = 'active' and o.state = 'active'`,
});
const byToken = sessionStatement('session by token', 's.token_hash', 's.token_hash = any($1)');
/** For calls in progress when the token changed. Separate, so that each statement is one index look-up. */
const byPreviousToken = sessionStatement(
  'session by previous token',
  's.previous_token_hash',
  's.previous_token_hash = any($1) and s.previous_valid_until > now()',
);

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
  const sessions = {
    current: lookUpBy(database, byToken),
    previous: lookUpBy(database, byPreviousToken),
  };
  const serviceAccounts = lookUpBy(database, serviceAccountByToken);
  const nodes = lookUpBy(database, nodeByToken);
  return async ({ sessionToken, bearerToken }) => {
    if (bearerToken?.startsWith(nodeTokenPrefix)) return nodeOf(await nodes(hashSecret(bearerToken)));
    if (bearerToken !== null) return serviceAccountOf(database, await serviceAccounts(hashSecret(bearerToken)));
    if (sessionToken === null) return null;
    const hash = hashSecret(sessionToken);
    const current = await sessions.current(hash);
    return current === undefined
      ? userOf(database, await sessions.previous(hash), null)
      : userOf(database, current, hash);
  };
}

/** Bounds what one statement has to find. */
const mostTogether = 100;

function lookUpBy<Row extends Hashed>(
  database: ControlDatabase,
  statement: PreparedStatement<Row>,
): (hash: Buffer) => Promise<Row | undefined> {
  return inBatches<Buffer, Row | undefined>({
    groupOf: () => '',
    largest: mostTogether,
    run: async (hashes) => {
      const rows = await database.prepared(statement, [hashes]);
      return hashes.map((hash) => rows.find((row) => hash.equals(row.hash)));
    },
  });
}

/** @param hash of the session's present token, which may be due to be changed; null where an earlier one was sent */
async function userOf(
  database: ControlDatabase,
  row: SessionRow | undefined,
  hash: Buffer | null,
): Promise<Authenticated | null> {
  if (row === undefined) return null;
  const newToken = hash !== null && row.rotate ? await rotate(database, row, hash) : null;
  if (newToken === null && row.stale) await touch(database, row);
  const roleIds = row.roles.map(([id]) => id);
  return {
    newToken,
    caller: {
      kind: 'user',
      id: row.user_id,
      name: row.name,
      userIds: [row.user_id],
      sessionId: row.session_id,
      homeOrganizationId: row.organization_id,
      roleIds,
      permissions: permissionsOf(
        roleIds,
        row.roles.flatMap(([, permissions]) => permissions ?? []),
      ),
      superAdmin: roleIds.includes('super_admin'),
    },
  };
}

/** Gives the session a new token; null where a call beside this one did so already. */
async function rotate(database: ControlDatabase, session: SessionRow, oldHash: Buffer): Promise<string | null> {
  const { secret, hash } = newSecret();
  const changed = await database.system
    .updateTable('sessions')
    .set({
      token_hash: hash,
      previous_token_hash: oldHash,
      previous_valid_until: sql<Date>`now() + ${rotationGraceSeconds} * interval '1 second'`,
      rotate: false,
      last_seen_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', session.organization_id)
    .where('id', '=', session.session_id)
    .where('token_hash', '=', oldHash)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n ? secret : null;
}

async function touch(database: ControlDatabase, session: SessionRow): Promise<void> {
  await database.system
    .updateTable('sessions')
    .set({ last_seen_at: sql<Date>`now()` })
    .where('organization_id', '=', session.organization_id)
    .where('id', '=', session.session_id)
    .execute();
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
