import { type QueryExecutorProvider, sql } from 'kysely';

/*
 * Links stand in a table of the application: `id`, `user_id`, `token_hash` (unique), `expires_at`, `used_at`, and the
 * tenant.
 */

/** A user, named by the tenant's id and their own. */
export interface ResetOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/** The links by which users of an application set a new password, each once. */
export interface PasswordResets {
  /** Makes a link valid, if there is a user; the same statement, without effect, if there is none. */
  insert(
    database: QueryExecutorProvider,
    owner: ResetOwner | null,
    reset: { readonly id: string; readonly tokenHash: Buffer; readonly expiresAt: Date },
  ): Promise<void>;
  /** The user that a link’s token is valid for; null if it is wrong, used or expired. */
  find(system: QueryExecutorProvider, tokenHash: Buffer): Promise<ResetOwner | null>;
  /** Uses a link up: true once, within its time. */
  take(database: QueryExecutorProvider, owner: ResetOwner, tokenHash: Buffer): Promise<boolean>;
  /** Invalidates every link that the user was sent. */
  deleteAll(database: QueryExecutorProvider, owner: ResetOwner): Promise<void>;
}

export function passwordResetsIn(table: {
  readonly resets: string;
  readonly users: string;
  readonly tenantColumn: string;
}): PasswordResets {
  const resets = sql.table(table.resets);
  const tenant = sql.ref(table.tenantColumn);
  const valid = (tokenHash: Buffer) =>
    sql<boolean>`(token_hash = ${tokenHash} and used_at is null and expires_at > now())`;
  return {
    async insert(database, owner, { id, tokenHash, expiresAt }) {
      await sql`
        insert into ${resets} (id, ${tenant}, user_id, token_hash, expires_at)
        select ${id}, ${tenant}, id, ${tokenHash}, ${expiresAt} from ${sql.table(table.users)}
        where ${tenant} = ${owner?.tenantId ?? ''} and id = ${owner?.userId ?? ''}`.execute(database);
    },

    async find(system, tokenHash) {
      const { rows } = await sql<{ tenant_id: string; user_id: string }>`
        select ${tenant} as tenant_id, user_id from ${resets} where ${valid(tokenHash)}`.execute(system);
      const row = rows[0];
      return row === undefined ? null : { tenantId: row.tenant_id, userId: row.user_id };
    },

    async take(database, { tenantId, userId }, tokenHash) {
      const { numAffectedRows } = await sql`
        update ${resets} set used_at = now()
        where ${tenant} = ${tenantId} and user_id = ${userId} and ${valid(tokenHash)}`.execute(database);
      return numAffectedRows === 1n;
    },

    async deleteAll(database, { tenantId, userId }) {
      await sql`delete from ${resets} where ${tenant} = ${tenantId} and user_id = ${userId}`.execute(database);
    },
  };
}
