import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PreparedStatement } from '@millrace/postgres';
import { inBatches } from '@millrace/postgres/batches';
import type { ExtractionDatabase } from '../database/schema.ts';

/** Who calls, as handlers know them. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  /** Aborted when the caller hangs up before the answer. */
  readonly signal: AbortSignal;
}

/** A rate limit's window after a call was counted. */
export interface RateWindow {
  readonly limit: number;
  /** Calls in this window, this one among them; beyond the limit where the call is refused. */
  readonly used: number;
  /** Unix seconds. */
  readonly resetSeconds: number;
}

interface AuthenticatedKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly expired: boolean;
  readonly window: RateWindow;
}

/** Longer texts are no key of ours and are not worth hashing. */
const longestKey = 512;

/** The raw key of a request, from `X-API-Key` or `Authorization: Bearer`; null where it has none. */
export function keyOf(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-api-key'];
  const key = typeof own === 'string' ? own.trim() : /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return key && key.length <= longestKey ? key : null;
}

/** Finds the key of a call and counts the call against the key's limit. */
export interface KeyAuthenticator {
  /** @returns null where there is no such key, or it was revoked. */
  authenticate(rawKey: string): Promise<AuthenticatedKey | null>;
}

/**
 * Authenticates by one SQL statement, which finds the key, counts the call in the key's window of one minute and notes
 * the key's last use at most once a minute. The database is asked after each call arrived, so a revoked key is refused
 * from the next request on and the count is exact over all processes.
 *
 * @param defaultLimit calls a minute of a key without a limit of its own.
 */
export function createKeyAuthenticator(database: ExtractionDatabase, defaultLimit: number): KeyAuthenticator {
  const authenticate = inBatches<Buffer, AuthenticatedKey | null>({
    groupOf: () => '',
    largest: 1_000,
    async run(hashes) {
      const calls = new Map<string, number>();
      const places = hashes.map((hash) => {
        const text = hash.toString('base64');
        const place = (calls.get(text) ?? 0) + 1;
        calls.set(text, place);
        return { text, place };
      });
      const found = await countCalls(database, calls, defaultLimit);
      return places.map(({ text, place }) => {
        const key = found.get(text);
        return key ? keyOfRow(key, key.used - calls.get(text)! + place) : null;
      });
    },
  });
  return { authenticate: (rawKey) => authenticate(keyHash(rawKey)) };
}

interface CountedKey {
  readonly id: string;
  readonly account_id: string;
  readonly key_hash: Buffer;
  readonly scopes: readonly string[];
  readonly expired: boolean;
  readonly call_limit: number;
  /** In the window, after all calls of the statement. */
  readonly used: number;
  readonly reset_seconds: number;
}

function keyOfRow(row: CountedKey, used: number): AuthenticatedKey {
  return {
    keyId: row.id,
    accountId: row.account_id,
    scopes: row.scopes,
    expired: row.expired,
    window: { limit: row.call_limit, used, resetSeconds: row.reset_seconds },
  };
}

/** Windows are locked in the order of their keys, so that statements of several processes cannot block one another. */
const countByKey: PreparedStatement<CountedKey> = {
  name: 'count calls by key',
  text: `
    with asked as (
      select * from unnest($1::bytea[], $2::int[]) as asked (key_hash, calls)
    ), known as (
      select api_keys.id, api_keys.account_id, api_keys.key_hash, api_keys.last_used_at, api_keys.scopes, asked.calls,
        coalesce(api_keys.expires_at <= now(), false) as expired,
        coalesce(api_keys.rate_limit_per_minute, $3::int) as call_limit
      from asked join api_keys on api_keys.key_hash = asked.key_hash
      where api_keys.revoked_at is null
    ), counted as (
      insert into rate_windows as present (key_id, window_start, used)
      select id, date_trunc('minute', now()), calls from known order by id
      on conflict (key_id) do update set
        used = case when present.window_start >= excluded.window_start then present.used else 0 end + excluded.used,
        window_start = greatest(present.window_start, excluded.window_start)
      returning key_id, window_start, used
    ), noted as (
      update api_keys set last_used_at = now() from known
      where api_keys.account_id = known.account_id and api_keys.id = known.id
        and (known.last_used_at is null or known.last_used_at < now() - interval '1 minute')
    )
    select known.id, known.account_id, known.key_hash, known.scopes, known.expired, known.call_limit, counted.used,
      extract(epoch from counted.window_start)::int + 60 as reset_seconds
    from known join counted on counted.key_id = known.id`,
};

/**
 * @param calls the number of calls to count, by the base-64 text of the key's hash
 * @returns the keys that are valid, by the same text
 */
async function countCalls(
  database: ExtractionDatabase,
  calls: ReadonlyMap<string, number>,
  defaultLimit: number,
): Promise<ReadonlyMap<string, CountedKey>> {
  const hashes = [...calls.keys()].map((text) => Buffer.from(text, 'base64'));
  const rows = await database.prepared(countByKey, [hashes, [...calls.values()], defaultLimit]);
  return new Map(rows.map((row) => [row.key_hash.toString('base64'), row]));
}

/** What is stored of a raw key. */
export function keyHash(raw: string): Buffer {
  return hash('sha256', raw, 'buffer');
}
