import type { Database, PreparedStatement } from '@millrace/postgres';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { hashSecret, newSecret } from './secrets.ts';
import { type Hashed, lookUpBy } from './token-lookup.ts';

/*
 * Sessions stand in a table of the application: `id`, `user_id`, `token_hash` (unique), `previous_token_hash`,
 * `previous_valid_until`, `user_agent`, `created_at`, `last_seen_at`, and what its table names by other names.
 */

/** How an application's table of sessions differs from another's, and how long they last. */
export interface SessionTable {
  readonly sessions: string;
  /** Whose sessions they are: `id` and the tenant. */
  readonly users: string;
  readonly tenantColumn: string;
  /** Where the session was begun. */
  readonly addressColumn: string;
  /** The time at which it ends, however much it is used. */
  readonly endColumn: string;
  readonly days: number;
  /** Without a call for so long, a session ends. */
  readonly idleHours: number;
  readonly rotation: {
    /** SQL: whether the token is to be changed. */
    readonly due: string;
    /** SQL, as in `set`: what notes that it was. */
    readonly done: string;
    /** How long the token before is still taken, for the calls in flight. */
    readonly graceSeconds: number;
  };
}

/** A session as its user sees it. */
export interface StoredSession {
  readonly id: string;
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly ends_at: Date;
}

interface FoundSession extends Hashed {
  session_id: string;
  tenant_id: string;
  user_id: string;
  stale: boolean;
  rotate: boolean;
}

interface SessionDatabase extends Pick<Database<unknown>, 'prepared'> {
  readonly system: QueryExecutorProvider;
}

/** A user who signs in once more ends the session that was longest unused. */
const mostSessions = 100;

/** The sessions of an application. A user is named by the tenant's id and their own. */
export interface Sessions {
  /** SQL: whether a session is not over. */
  live(): RawBuilder<boolean>;
  /** When a session ends, should nobody use it again. */
  expiryOf(lastSeenAt: Date, endsAt: Date): Date;
  /** Begins a session, and clears away those of the user that are over or too many. */
  begin(
    database: QueryExecutorProvider,
    tenantId: string,
    userId: string,
    session: { readonly id: string; readonly tokenHash: Buffer; readonly address: string; readonly userAgent: string },
  ): Promise<StoredSession>;
  /** Gives a session a new token; the one before is worth nothing from now on. */
  renew(database: QueryExecutorProvider, tenantId: string, sessionId: string, tokenHash: Buffer): Promise<void>;
  /** Ends one session of the user; null where they have none of this id. */
  end(database: QueryExecutorProvider, tenantId: string, userId: string, id: string): Promise<StoredSession | null>;
  /** Ends the session that a token is of, whosever it is. */
  endOfToken(system: QueryExecutorProvider, token: string): Promise<void>;
  /**
   * Ends the sessions of a user, at once and on every process, since each call looks its session up.
   *
   * @param options.except a session that goes on
   * @returns how many ended
   */
  endAll(
    database: QueryExecutorProvider,
    tenantId: string,
    userId: string,
    options?: { readonly except?: string },
  ): Promise<number>;
  /**
   * Finds the live session of a token, null where it has none, and changes the token where that is due.
   *
   * @param more what is read of the session `s`, its user `u` and what is joined to them; `condition`: who may be signed in
   */
  authenticator<Row extends object>(
    database: SessionDatabase,
    more: { readonly columns: string; readonly joins?: string; readonly condition: string },
  ): (token: string) => Promise<{ readonly session: FoundSession & Row; readonly newToken: string | null } | null>;
}

export function sessionsIn(table: SessionTable): Sessions {
  const sessions = sql.table(table.sessions);
  const tenant = sql.ref(table.tenantColumn);
  const end = sql.ref(table.endColumn);
  const address = sql.ref(table.addressColumn);
  const rotated = sql.raw(table.rotation.done);
  const stored = sql`id, ${address} as address, user_agent, created_at, last_seen_at, ${end} as ends_at`;
  const live = () =>
    sql<boolean>`(last_seen_at > now() - ${sql.lit(table.idleHours)} * interval '1 hour' and ${end} > now())`;

  async function rotate(system: QueryExecutorProvider, session: FoundSession, oldHash: Buffer): Promise<string | null> {
    const { secret, hash } = newSecret();
    const { numAffectedRows } = await sql`
      update ${sessions} set token_hash = ${hash}, previous_token_hash = ${oldHash}, last_seen_at = now(), ${rotated},
        previous_valid_until = now() + ${table.rotation.graceSeconds} * interval '1 second'
      where ${tenant} = ${session.tenant_id} and id = ${session.session_id} and token_hash = ${oldHash}`.execute(
      system,
    );
    // None where a call beside this one did so already.
    return numAffectedRows === 1n ? secret : null;
  }

  async function touch(system: QueryExecutorProvider, session: FoundSession): Promise<void> {
    await sql`update ${sessions} set last_seen_at = now()
      where ${tenant} = ${session.tenant_id} and id = ${session.session_id}`.execute(system);
  }

  return {
    live,
    expiryOf: (lastSeenAt, endsAt) =>
      new Date(Math.min(lastSeenAt.getTime() + table.idleHours * 3_600_000, endsAt.getTime())),

    async begin(database, tenantId, userId, session) {
      await sql`
        delete from ${sessions} where ${tenant} = ${tenantId} and user_id = ${userId} and (not ${live()} or id in (
          select own.id from ${sessions} own where own.${tenant} = ${tenantId} and own.user_id = ${userId}
          order by own.last_seen_at desc, own.id offset ${sql.lit(mostSessions - 1)}))`.execute(database);
      const { rows } = await sql<StoredSession>`
        insert into ${sessions} (id, ${tenant}, user_id, token_hash, ${address}, user_agent, ${end})
        values (${session.id}, ${tenantId}, ${userId}, ${session.tokenHash}, ${session.address}, ${session.userAgent},
          now() + ${table.days} * interval '1 day')
        returning ${stored}`.execute(database);
      return rows[0]!;
    },

    async renew(database, tenantId, sessionId, tokenHash) {
      await sql`
        update ${sessions} set token_hash = ${tokenHash}, previous_token_hash = null, previous_valid_until = null, ${rotated}
        where ${tenant} = ${tenantId} and id = ${sessionId}`.execute(database);
    },

    async end(database, tenantId, userId, id) {
      const { rows } = await sql<StoredSession>`
        delete from ${sessions} where ${tenant} = ${tenantId} and user_id = ${userId} and id = ${id}
        returning ${stored}`.execute(database);
      return rows[0] ?? null;
    },

    async endOfToken(system, token) {
      const hash = hashSecret(token);
      await sql`delete from ${sessions} where token_hash = ${hash} or previous_token_hash = ${hash}`.execute(system);
    },

    async endAll(database, tenantId, userId, { except = '' } = {}) {
      const { numAffectedRows } = await sql`
        delete from ${sessions} where ${tenant} = ${tenantId} and user_id = ${userId} and id <> ${except}`.execute(
        database,
      );
      return Number(numAffectedRows ?? 0);
    },

    authenticator<Row extends object>(
      database: SessionDatabase,
      more: { readonly columns: string; readonly joins?: string; readonly condition: string },
    ) {
      const statement = (hash: string, also: string): PreparedStatement<FoundSession & Row> => ({
        name: `${table.sessions} by ${hash}`,
        text: `
          select s.${hash} as hash, s.id as session_id, s.${table.tenantColumn} as tenant_id, s.user_id,
                 ${table.rotation.due} as rotate, s.last_seen_at < now() - interval '1 minute' as stale, ${more.columns}
          from ${table.sessions} s
          join ${table.users} u on u.${table.tenantColumn} = s.${table.tenantColumn} and u.id = s.user_id ${more.joins ?? ''}
          where s.${hash} = any($1) ${also} and s.last_seen_at > now() - interval '${table.idleHours} hours'
            and s.${table.endColumn} > now() and ${more.condition}`,
      });
      const current = lookUpBy(database, statement('token_hash', ''));
      // For the calls that were in flight when the token changed. Apart, so that each statement is one look-up in an index.
      const previous = lookUpBy(database, statement('previous_token_hash', 'and s.previous_valid_until > now()'));
      return async (token: string) => {
        const hash = hashSecret(token);
        const found = await current(hash);
        const session = found ?? (await previous(hash));
        if (session === undefined) return null;
        const newToken = found?.rotate ? await rotate(database.system, session, hash) : null;
        if (newToken === null && session.stale) await touch(database.system, session);
        return { session, newToken };
      };
    },
  };
}
