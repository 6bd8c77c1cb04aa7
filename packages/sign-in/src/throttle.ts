import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';

/*
 * Attempts are counted in the table `sign_in_windows` of the application: `key` (text, primary key), `window_start`,
 * `failures` (integer) and `blocked_until`, under no tenant.
 */

/** What is counted together: attempts at one account, or those from one address. */
export interface Counter {
  readonly key: string;
  /** So many attempts may fail without a wait. */
  readonly free: number;
  /** After so long the count begins anew. */
  readonly windowHours: number;
}

/** One attempt in so many clears away the windows that are over. */
const clearingRate = 1 / 50;

/** Attempts at an account, whether there is one of this name or not: 5 are free, then some 110 a day are possible. */
export function accountCounter(purpose: 'sign_in' | 'reset' | 'password' | 'invitation', name: string): Counter {
  const digest = createHash('sha256').update(name).digest('base64url');
  return { key: `${purpose} account ${digest}`, free: 5, windowHours: 24 };
}

/** Attempts from an address; of IPv6 from its network of 64 bits, which one household or server has as a rule. */
export function addressCounter(purpose: 'sign_in' | 'reset', ip: string): Counter {
  return { key: `${purpose} address ${networkOf(ip)}`, free: 30, windowHours: 1 };
}

function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  // The URL parser writes an address in its one canonical form, an embedded IPv4 address as two groups.
  const canonical = new URL(`http://[${ip.split('%', 1)[0]}]`).hostname.slice(1, -1);
  if (canonical.startsWith('::ffff:')) return canonical;
  const [head = '', tail = ''] = canonical.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = Array<string>(Math.max(0, 8 - groups(head).length - groups(tail).length)).fill('0');
  return [...groups(head), ...(canonical.includes('::') ? zeros : []), ...groups(tail)].slice(0, 4).join(':');
}

/**
 * Counts an attempt before it is made, as one that fails, so that attempts made at once are counted too and one that
 * is never finished stays counted. When a wait is over, one attempt is let through and the next wait begins. What comes
 * within a wait is not counted.
 *
 * Commits by itself: no rolled-back call takes it back, and every process counts together.
 *
 * @returns seconds to wait; 0 where the attempt is let through
 */
export async function countAttempt<Schema>(system: Kysely<Schema>, counters: readonly Counter[]): Promise<number> {
  // Locked in the order of their keys by every process.
  const sorted = counters.toSorted((first, second) => (first.key < second.key ? -1 : 1));
  const keys = sorted.map(({ key }) => key);
  if (Math.random() < clearingRate) await clearOld(system);
  return system.transaction().execute(async (transaction) => {
    await sql`insert into sign_in_windows (key, window_start, failures, blocked_until)
      select key, now(), 0, now() from unnest(${keys}::text[]) as key
      on conflict (key) do nothing`.execute(transaction);
    const { rows } = await sql<{ failures: number; age_seconds: number; blocked_seconds: number }>`
      select failures, extract(epoch from clock_timestamp() - window_start)::float8 as age_seconds,
             extract(epoch from blocked_until - clock_timestamp())::float8 as blocked_seconds
      from sign_in_windows where key = any(${keys}::text[]) order by key collate "C" for update`.execute(transaction);
    const blockedSeconds = Math.max(...rows.map((row) => row.blocked_seconds));
    if (blockedSeconds > 0) return Math.ceil(blockedSeconds);
    for (const [index, { key, free, windowHours }] of sorted.entries()) {
      const row = rows[index]!;
      const over = row.age_seconds > windowHours * 3_600;
      const failures = over ? 1 : row.failures + 1;
      await sql`update sign_in_windows
        set failures = ${failures}, blocked_until = clock_timestamp() + ${waitSeconds(failures, free)} * interval '1 second',
            window_start = case when ${over} then clock_timestamp() else window_start end
        where key = ${key}`.execute(transaction);
    }
    return 0;
  });
}

/** Takes back an attempt that did not fail, together with the wait that it began. */
export async function takeBackAttempt(system: QueryExecutorProvider, counters: readonly Counter[]): Promise<void> {
  const keys = counters.map(({ key }) => key);
  await sql`update sign_in_windows set failures = greatest(failures - 1, 0), blocked_until = now()
    where key in (select key from sign_in_windows where key = any(${keys}::text[])
                  order by key collate "C" for update)`.execute(system);
}

/** Begins a counter anew, as after a success that proves who it is. */
export async function forgetAttempts(database: QueryExecutorProvider, counter: Counter): Promise<void> {
  await sql`delete from sign_in_windows where key = ${counter.key}`.execute(database);
}

async function clearOld(system: QueryExecutorProvider): Promise<void> {
  await sql`delete from sign_in_windows where ctid in (
    select ctid from sign_in_windows
    where window_start < now() - interval '24 hours' and blocked_until < now() limit 1000 for update skip locked)`.execute(
    system,
  );
}

/** The first wait; each further failure doubles it. */
const firstWaitSeconds = 5;
const longestWaitSeconds = 900;

/** How long to wait after a number of failures, of which so many are free. */
function waitSeconds(failures: number, free: number): number {
  if (failures < free) return 0;
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}
