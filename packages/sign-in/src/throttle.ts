import { createHash } from 'node:crypto';
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { clientNetwork } from './client-network.ts';

/*
 * Attempts are counted in the table `sign_in_windows` of the application: `key` (text, primary key), `window_start`,
 * `failures` (integer) and `blocked_until`, under no tenant.
 */

/** What is counted together, such as attempts at one account or from one address. */
export interface Counter {
  readonly key: string;
  /** So many attempts may fail without a wait. */
  readonly free: number;
  /** After this time the count restarts. */
  readonly windowHours: number;
  readonly longestWaitSeconds: number;
  /** The account's owner is warned after this many failures; undefined: never. */
  readonly noticeAt?: number;
}

const quarterHourSeconds = 900;
/** About 20 guesses a day, including the free ones. */
const sixHoursSeconds = 21_600;

/** One in this many attempts deletes expired windows. */
const clearingRate = 1 / 50;

/**
 * What is counted, apart from the same in other realms.
 *
 * @param realm names one of several places to sign in that have users of their own; empty if there is only one
 */
function countedIn(realm: string, purpose: string): string {
  return realm === '' ? purpose : `${purpose} ${realm}`;
}

/** E-mails requested for a name, whether an account exists or not: 5 are free, then about 110 a day. */
export function mailCounter(purpose: 'reset' | 'invitation' | 'registration', name: string, realm = ''): Counter {
  const key = `${countedIn(realm, purpose)} account ${digestOf(name)}`;
  return { key, free: 5, windowHours: 24, longestWaitSeconds: quarterHourSeconds };
}

/** Passwords and codes requested again within a session; the user's other sessions don't wait. */
export function sessionCounter(sessionId: string): Counter {
  return { key: `password session ${sessionId}`, free: 5, windowHours: 24, longestWaitSeconds: sixHoursSeconds };
}

/** Attempts from an address; for IPv6 from its /64 network, which usually belongs to one household or server. */
export function addressCounter(purpose: 'sign_in' | 'reset' | 'registration', ip: string, realm = ''): Counter {
  const key = `${countedIn(realm, purpose)} address ${clientNetwork(ip)}`;
  return { key, free: 30, windowHours: 1, longestWaitSeconds: quarterHourSeconds };
}

/**
 * What a sign-in counts against, whether an account exists or not. The attacker has to wait, not the owner:
 *
 * - a device that signed in to the account before is counted separately;
 * - any other is counted per address and account, and
 * - per address over all accounts, which limits trying one password on many accounts;
 * - all attempts at an account are counted as well, which limits guesses from many addresses. Beyond that the owner
 *   needs a known device, or the link of a password reset, which makes theirs known.
 *
 * @param deviceId null if the device never signed in to the account
 * @returns the counter that a success resets comes first
 */
export function signInCounters(
  email: string,
  ip: string,
  deviceId: string | null,
  realm = '',
): readonly [Counter, ...(readonly Counter[])] {
  const purpose = countedIn(realm, 'sign_in');
  const own = { free: 5, windowHours: 24, longestWaitSeconds: sixHoursSeconds, noticeAt: 5 };
  if (deviceId !== null) return [{ key: `${purpose} device ${digestOf(email)} ${deviceId}`, ...own }];
  return [
    { key: `${purpose} pair ${digestOf(email)} ${clientNetwork(ip)}`, ...own },
    addressCounter('sign_in', ip, realm),
    {
      key: `${purpose} account ${digestOf(email)}`,
      free: 100,
      windowHours: 24,
      longestWaitSeconds: quarterHourSeconds,
      noticeAt: 20,
    },
  ];
}

function digestOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}

/**
 * Counts an attempt as a failure before it is made, so that concurrent attempts are counted and one that never finishes
 * stays counted. When a wait is over, one attempt is allowed and the next wait starts. Attempts during a wait are not
 * counted.
 *
 * Commits separately: a rolled-back call doesn't undo it, and all processes count together.
 *
 * @returns seconds to wait; 0 if the attempt is allowed
 */
export async function countAttempt<Schema>(system: Kysely<Schema>, counters: readonly Counter[]): Promise<number> {
  return (await countWithNotice(system, counters)).waitSeconds;
}

/** Like {@link countAttempt}; also whether to warn the account's owner if this attempt fails. */
export async function countWithNotice<Schema>(
  system: Kysely<Schema>,
  counters: readonly Counter[],
): Promise<{ readonly waitSeconds: number; readonly notice: boolean }> {
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
    if (blockedSeconds > 0) return { waitSeconds: Math.ceil(blockedSeconds), notice: false };
    let notice = false;
    for (const [index, counter] of sorted.entries()) {
      const row = rows[index]!;
      const over = row.age_seconds > counter.windowHours * 3_600;
      const failures = over ? 1 : row.failures + 1;
      notice ||= counter.noticeAt !== undefined && failures >= counter.noticeAt;
      await sql`update sign_in_windows
        set failures = ${failures}, blocked_until = clock_timestamp() + ${waitSeconds(failures, counter)} * interval '1 second',
            window_start = case when ${over} then clock_timestamp() else window_start end
        where key = ${counter.key}`.execute(transaction);
    }
    return { waitSeconds: 0, notice };
  });
}

/** Takes back an attempt that did not fail, together with the wait that it began. */
export async function takeBackAttempt(system: QueryExecutorProvider, counters: readonly Counter[]): Promise<void> {
  const keys = counters.map(({ key }) => key);
  await sql`update sign_in_windows set failures = greatest(failures - 1, 0), blocked_until = now()
    where key in (select key from sign_in_windows where key = any(${keys}::text[])
                  order by key collate "C" for update)`.execute(system);
}

/** Records a successful sign-in: the first counter is reset, the others are decremented. */
export async function settleSignIn(
  system: QueryExecutorProvider,
  [own, ...others]: readonly [Counter, ...(readonly Counter[])],
): Promise<void> {
  if (others.length > 0) await takeBackAttempt(system, others);
  await forgetAttempts(system, own);
}

/** Whether to warn the owner of an address about failed sign-ins now: once a day. */
export async function claimNotice(system: QueryExecutorProvider, email: string, realm = ''): Promise<boolean> {
  const { rows } = await sql`insert into sign_in_windows as noticed (key, window_start, failures, blocked_until)
    values (${`${countedIn(realm, 'sign_in')} notice ${digestOf(email)}`}, now(), 0, now())
    on conflict (key) do update set window_start = now() where noticed.window_start < now() - interval '24 hours'
    returning 1`.execute(system);
  return rows.length > 0;
}

/** Resets a counter, as after a success that proves the user's identity. */
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

/** How long to wait after a number of failures, some of which are free. */
function waitSeconds(failures: number, { free, longestWaitSeconds }: Counter): number {
  if (failures < free) return 0;
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}
