import { hash } from 'node:crypto';
import type { Sealer } from '@millrace/encryption';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { ProviderIdentity, ProviderLogout } from './identity-provider.ts';

/*
 * Links stand in a table of the application: `issuer`, `subject`, `user_id`, `last_sign_in_at`, and the tenant. What
 * sessions began with at a provider stands in another: `session_id`, `user_id`, `issuer`, `subject`,
 * `provider_session_id`, `sealed_id_token`, `sealed_refresh_token`, `check_at`, `failing_since`, and the tenant. Logout
 * tokens that were used stand in `provider_logouts`: `realm`, `token_hash`, `expires_at`, and the tenant.
 */

/** A user at a provider. */
export interface ProviderSubject {
  readonly issuer: string;
  readonly subject: string;
}

/** How an application's tables differ from another's. */
interface LinkTables {
  readonly tenantColumn: string;
  readonly links: string;
  readonly providerSessions: string;
  readonly sessions: string;
  /** Of a session: the time at which it ends, however much it is used. */
  readonly endColumn: string;
  /** Keeps apart several places to sign in that share the table of logouts. */
  readonly realm: string;
}

/** A session that the provider is to be asked about. */
export interface DueSession {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly user_id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly sealed_refresh_token: Buffer;
  readonly failing_since: Date | null;
}

/** What a session began with at a provider. */
interface NewProviderSession extends ProviderSubject {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly providerSessionId: string | null;
  readonly sealedIdToken: Buffer;
  /** Null if the provider can’t be asked about the user. */
  readonly sealedRefreshToken: Buffer | null;
  readonly recheckSeconds: number;
}

/** How long a session lasts whose provider issues no refresh token, so that it can’t be asked about the user. */
export const uncheckedMinutes = 60;

/** The context that a session’s tokens of the provider are sealed with. */
export function tokenContext(sessionId: string): string {
  return `identity provider token ${sessionId}`;
}

/** Notes of a session that it began at a provider, with the tokens that it depends on there, and that its user came. */
export async function noteProviderSession(
  { links, sealer }: { readonly links: ProviderLinks; readonly sealer: Pick<Sealer, 'seal'> },
  database: QueryExecutorProvider,
  session: Pick<NewProviderSession, 'tenantId' | 'sessionId' | 'userId' | 'recheckSeconds'>,
  identity: ProviderIdentity,
  now: Date,
): Promise<void> {
  await links.recordUse(database, session.tenantId, identity, now);
  const { issuer, subject, providerSessionId, idToken, refreshToken } = identity;
  const seal = (token: string) => sealer.seal(Buffer.from(token), tokenContext(session.sessionId));
  await links.insertSession(database, {
    ...session,
    issuer,
    subject,
    providerSessionId,
    sealedIdToken: seal(idToken),
    sealedRefreshToken: refreshToken === null ? null : seal(refreshToken),
  });
}

/** Which users are which provider’s, and what their sessions depend on there. */
export interface ProviderLinks {
  /** The user whom a provider’s user is; null if nobody is linked. */
  find(database: QueryExecutorProvider, tenantId: string, subject: ProviderSubject): Promise<string | null>;
  /** Links a provider’s user; a user has one link at each issuer. */
  link(database: QueryExecutorProvider, tenantId: string, userId: string, subject: ProviderSubject): Promise<void>;
  /** Notes that a linked user signed in. */
  recordUse(database: QueryExecutorProvider, tenantId: string, subject: ProviderSubject, now: Date): Promise<void>;
  /**
   * Whether the user has signed in by the issuer at least once.
   *
   * @param userId null: anybody
   */
  hasSignedIn(
    database: QueryExecutorProvider,
    tenantId: string,
    userId: string | null,
    issuer: string,
  ): Promise<boolean>;
  /** Removes every link, or those of some users. */
  deleteAll(database: QueryExecutorProvider, tenantId: string, userIds?: readonly string[]): Promise<void>;
  /** Notes of a session what it began with; one that nobody can be asked about lasts {@link uncheckedMinutes}. */
  insertSession(database: QueryExecutorProvider, session: NewProviderSession): Promise<void>;
  /** The ID token that a session began with, to sign out at the provider; null for a session by password. */
  findIdToken(
    database: QueryExecutorProvider,
    tenantId: string,
    sessionId: string,
  ): Promise<{ readonly issuer: string; readonly sealed: Buffer } | null>;
  /** Ends sessions that didn’t begin at the provider, of everybody or of some users; returns how many. */
  endPasswordSessions(
    database: QueryExecutorProvider,
    tenantId: string,
    except: { readonly userId: string | null; readonly sessionId: string | null },
    userIds?: readonly string[],
  ): Promise<number>;
  /** Ends the sessions that began at the provider, of everybody or of some users; returns how many. */
  endProviderSessions(database: QueryExecutorProvider, tenantId: string, userIds?: readonly string[]): Promise<number>;
  /**
   * Uses up a logout token and ends the sessions that it names.
   *
   * @returns the users whose sessions ended; null if the token was used before
   */
  endByLogout(
    database: QueryExecutorProvider,
    tenantId: string,
    logout: ProviderLogout,
  ): Promise<readonly string[] | null>;
  /** Claims sessions whose check is due: no other process gets them before the lease is over. */
  claimDue(
    system: QueryExecutorProvider,
    claim: { readonly most: number; readonly leaseSeconds: number },
  ): Promise<readonly DueSession[]>;
  /** Notes that the provider still lets the user be signed in, and when to ask again. */
  keep(
    system: QueryExecutorProvider,
    session: DueSession,
    next: { readonly sealedRefreshToken: Buffer; readonly recheckSeconds: number },
  ): Promise<void>;
  /** Notes that the provider didn’t answer. */
  noteFailure(system: QueryExecutorProvider, session: DueSession): Promise<void>;
}

export function providerLinksIn(tables: LinkTables): ProviderLinks {
  const tenant = sql.ref(tables.tenantColumn);
  const links = sql.table(tables.links);
  const began = sql.table(tables.providerSessions);
  const sessions = sql.table(tables.sessions);
  return {
    async find(database, tenantId, { issuer, subject }) {
      const { rows } = await sql<{ user_id: string }>`
        select user_id from ${links}
        where ${tenant} = ${tenantId} and issuer = ${issuer} and subject = ${subject}`.execute(database);
      return rows[0]?.user_id ?? null;
    },

    async link(database, tenantId, userId, { issuer, subject }) {
      await sql`delete from ${links}
        where ${tenant} = ${tenantId} and user_id = ${userId} and issuer = ${issuer}`.execute(database);
      await sql`insert into ${links} (${tenant}, issuer, subject, user_id)
        values (${tenantId}, ${issuer}, ${subject}, ${userId})`.execute(database);
    },

    async recordUse(database, tenantId, { issuer, subject }, now) {
      await sql`update ${links} set last_sign_in_at = ${now}
        where ${tenant} = ${tenantId} and issuer = ${issuer} and subject = ${subject}`.execute(database);
    },

    async hasSignedIn(database, tenantId, userId, issuer) {
      const { rows } = await sql`
        select from ${links} where ${tenant} = ${tenantId} and (${userId}::text is null or user_id = ${userId})
          and issuer = ${issuer} and last_sign_in_at is not null limit 1`.execute(database);
      return rows.length > 0;
    },

    async deleteAll(database, tenantId, userIds) {
      await sql`delete from ${links} where ${tenant} = ${tenantId} and ${isOf(userIds)}`.execute(database);
    },

    async insertSession(database, session) {
      const asks = session.sealedRefreshToken !== null;
      await sql`
        insert into ${began} (${tenant}, session_id, user_id, issuer, subject, provider_session_id, sealed_id_token,
          sealed_refresh_token, check_at)
        values (${session.tenantId}, ${session.sessionId}, ${session.userId}, ${session.issuer}, ${session.subject},
          ${session.providerSessionId}, ${session.sealedIdToken}, ${session.sealedRefreshToken},
          case when ${asks} then now() + ${session.recheckSeconds} * interval '1 second' end)`.execute(database);
      if (asks) return;
      await sql`
        update ${sessions} set ${sql.ref(tables.endColumn)} = now() + ${uncheckedMinutes} * interval '1 minute'
        where ${tenant} = ${session.tenantId} and id = ${session.sessionId}`.execute(database);
    },

    async findIdToken(database, tenantId, sessionId) {
      const { rows } = await sql<{ issuer: string; sealed_id_token: Buffer }>`
        select issuer, sealed_id_token from ${began}
        where ${tenant} = ${tenantId} and session_id = ${sessionId}`.execute(database);
      const row = rows[0];
      return row === undefined ? null : { issuer: row.issuer, sealed: row.sealed_id_token };
    },

    async endPasswordSessions(database, tenantId, except, userIds) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sessions} ended where ended.${tenant} = ${tenantId}
          and id is distinct from ${except.sessionId} and user_id is distinct from ${except.userId} and ${isOf(userIds)}
          and not exists (select from ${began} began
                          where began.${tenant} = ended.${tenant} and began.session_id = ended.id)`.execute(database);
      return Number(numAffectedRows);
    },

    async endProviderSessions(database, tenantId, userIds) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sessions} ended using ${began} began
        where ended.${tenant} = ${tenantId} and began.${tenant} = ended.${tenant}
          and began.session_id = ended.id and ${isOf(userIds, sql.ref('ended.user_id'))}`.execute(database);
      return Number(numAffectedRows);
    },

    async endByLogout(database, tenantId, logout) {
      const tokenHash = hash('sha256', `${logout.issuer} ${logout.tokenId}`, 'buffer');
      // An hour more than the token is good for.
      const until = new Date(logout.expiresAt.getTime() + 3_600_000);
      const { numAffectedRows = 0n } = await sql`
        insert into provider_logouts (${tenant}, realm, token_hash, expires_at)
        values (${tenantId}, ${tables.realm}, ${tokenHash}, ${until}) on conflict do nothing`.execute(database);
      if (numAffectedRows === 0n) return null;
      const { rows } = await sql<{ user_id: string }>`
        delete from ${sessions} ended using ${began} began
        where ended.${tenant} = ${tenantId} and began.${tenant} = ended.${tenant}
          and began.session_id = ended.id and began.issuer = ${logout.issuer}
          and (${logout.subject}::text is null or began.subject = ${logout.subject})
          and (${logout.providerSessionId}::text is null or began.provider_session_id = ${logout.providerSessionId})
        returning ended.user_id`.execute(database);
      return [...new Set(rows.map(({ user_id: userId }) => userId))];
    },

    async claimDue(system, { most, leaseSeconds }) {
      const { rows } = await sql<DueSession>`
        update ${began} set check_at = now() + ${leaseSeconds} * interval '1 second' where ctid = any(array(
          select ctid from ${began} where check_at <= now() order by check_at limit ${most} for update skip locked))
        returning ${tenant} as tenant_id, session_id, user_id, issuer, subject, sealed_refresh_token,
          failing_since`.execute(system);
      return rows;
    },

    async keep(system, session, { sealedRefreshToken, recheckSeconds }) {
      await sql`update ${began} set sealed_refresh_token = ${sealedRefreshToken}, failing_since = null,
          check_at = now() + ${recheckSeconds} * interval '1 second'
        where ${tenant} = ${session.tenant_id} and session_id = ${session.session_id}`.execute(system);
    },

    async noteFailure(system, session) {
      await sql`update ${began} set failing_since = coalesce(failing_since, now())
        where ${tenant} = ${session.tenant_id} and session_id = ${session.session_id}`.execute(system);
    },
  };
}

/** Whether a row is of one of some users; of everybody without them. */
function isOf(userIds: readonly string[] | undefined, userId: RawBuilder<unknown> = sql.ref('user_id')) {
  return userIds === undefined ? sql<boolean>`true` : sql<boolean>`${userId} = any(${[...userIds]}::text[])`;
}
