import { clientNetwork } from '@millrace/sign-in/client-network';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { PortalCaller } from '../../frame/caller.ts';
import { ApiError } from '../../frame/errors.ts';

/** So many requests in a window of time. */
interface Limit {
  readonly key: string;
  readonly most: number;
  readonly seconds: number;
}

const minuteSeconds = 60;
const daySeconds = 86_400;

function limitsOf(caller: PortalCaller | null, ip: string): readonly Limit[] {
  if (caller !== null) return [{ key: `try user ${caller.id}`, most: 60, seconds: minuteSeconds }];
  const network = clientNetwork(ip);
  return [
    { key: `try day ${network}`, most: 100, seconds: daySeconds },
    { key: `try minute ${network}`, most: 10, seconds: minuteSeconds },
  ];
}

/**
 * Counts a request that is tried in the portal: by the user, or by the address of a visitor; of IPv6 by its network.
 * Commits separately, in the table of sign-in attempts, so that all processes count together.
 *
 * @throws ApiError `too_many_requests`
 */
export async function countTry(system: Kysely<Schema>, caller: PortalCaller | null, ip: string): Promise<void> {
  for (const { key, most, seconds } of limitsOf(caller, ip)) {
    const { rows } = await sql<{ count: number; left: number }>`
      insert into sign_in_windows as counted (key, window_start, failures, blocked_until)
      values (${key}, now(), 1, now())
      on conflict (key) do update set
        failures = case when counted.window_start <= now() - ${seconds} * interval '1 second' then 1
          else least(counted.failures + 1, 1000000) end,
        window_start = case when counted.window_start <= now() - ${seconds} * interval '1 second' then now()
          else counted.window_start end
      returning failures as count,
        ceil(extract(epoch from window_start + ${seconds} * interval '1 second' - now()))::int as left`.execute(system);
    const { count, left } = rows[0]!;
    if (count <= most) continue;
    const waitSeconds = Math.max(1, left);
    throw new ApiError('too_many_requests', {
      message:
        caller === null
          ? `You can try ${most} requests in ${seconds === minuteSeconds ? 'a minute' : 'a day'} without signing in. Sign in to try more.`
          : `You can try ${most} requests in a minute. Wait ${waitSeconds} seconds.`,
      headers: { 'retry-after': String(waitSeconds) },
    });
  }
}
