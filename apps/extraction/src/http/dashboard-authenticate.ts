import type { PreparedStatement } from '@millrace/postgres';
import { inBatches } from '@millrace/postgres/batches';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import { sql } from 'kysely';
import type { ExtractionDatabase, UserRole } from '../database/schema.ts';

/** Without a call for so long, a session ends. */
export const idleHours = 12;
/** A token that is used after so long is changed. */
const rotationHours = 1;
/** How long the token before a rotation is still taken, for the calls under way. */
const rotationGraceSeconds = 30;

/** Who calls, and the session's token where this call changed it. */
export interface SignedIn {
  readonly accountId: string;
  readonly userId: string;
  readonly role: UserRole;
  readonly sessionId: string;
  readonly newToken: string | null;
}

interface SessionRow {
  hash: Buffer;
  id: string;
  account_id: string;
  user_id: string;
  role: UserRole;
  stale: boolean;
  rotate: boolean;
}

/** Live sessions of active users, by the condition on the hash of one of their tokens. */
const sessionStatement = (name: string, hash: string, condition: string): PreparedStatement<SessionRow> => ({
  name,
  text: `
    select ${hash} as hash, s.id, s.account_id, s.user_id, u.role,
           s.last_seen_at < now() - interval '1 minute' as stale,
           s.rotated_at < now() - interval '${rotationHours} hours' as rotate
    from sessions s join users u on u.account_id = s.account_id and u.id = s.user_id
    where ${condition} and s.last_seen_at > now() - interval '${idleHours} hours' and s.expires_at > now()
      and u.disabled_at is null and u.removed_at is null`,
});
const byToken = sessionStatement('dashboard session by token', 's.token_hash', 's.token_hash = any($1)');
/** For the calls that were under way when the token changed. Apart, so that each statement is one look-up in an index. */
const byPreviousToken = sessionStatement(
  'dashboard session by previous token',
  's.previous_token_hash',
  's.previous_token_hash = any($1) and s.previous_valid_until > now()',
);

/** Bounds what one statement has to find. */
const mostTogether = 100;

/**
 * Finds who calls by the token of a session, null where it is none. The database is asked after each call came, so that
 * a session which has ended is over at once, on every process; calls that come while it is being asked share the next
 * statement.
 */
export function createSessionAuthenticator(database: ExtractionDatabase): (token: string) => Promise<SignedIn | null> {
  const lookUp = (statement: PreparedStatement<SessionRow>) =>
    inBatches<Buffer, SessionRow | undefined>({
      groupOf: () => '',
      largest: mostTogether,
      run: async (hashes) => {
        const rows = await database.prepared(statement, [hashes]);
        return hashes.map((hash) => rows.find((row) => hash.equals(row.hash)));
      },
    });
  const current = lookUp(byToken);
  const previous = lookUp(byPreviousToken);
  return async (token) => {
    const hash = hashSecret(token);
    const found = await current(hash);
    const row = found ?? (await previous(hash));
    if (row === undefined) return null;
    const newToken = found?.rotate ? await rotate(database, row, hash) : null;
    if (newToken === null && row.stale) await touch(database, row);
    return { accountId: row.account_id, userId: row.user_id, role: row.role, sessionId: row.id, newToken };
  };
}

/** Gives the session a new token; null where a call beside this one did so already. */
async function rotate({ system }: ExtractionDatabase, session: SessionRow, oldHash: Buffer): Promise<string | null> {
  const { secret, hash } = newSecret();
  const changed = await system
    .updateTable('sessions')
    .set({
      token_hash: hash,
      previous_token_hash: oldHash,
      previous_valid_until: sql<Date>`now() + ${rotationGraceSeconds} * interval '1 second'`,
      rotated_at: sql<Date>`now()`,
      last_seen_at: sql<Date>`now()`,
    })
    .where('account_id', '=', session.account_id)
    .where('id', '=', session.id)
    .where('token_hash', '=', oldHash)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n ? secret : null;
}

async function touch({ system }: ExtractionDatabase, session: SessionRow): Promise<void> {
  await system
    .updateTable('sessions')
    .set({ last_seen_at: sql<Date>`now()` })
    .where('account_id', '=', session.account_id)
    .where('id', '=', session.id)
    .execute();
}
