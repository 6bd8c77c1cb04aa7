import { createHash } from 'node:crypto';

/** A script that runs in Redis as one step: nothing else is done in between. */
export interface Script {
  readonly text: string;
  /** By which Redis knows it: SHA-1 of the text, as hex digits. */
  readonly sha: string;
  readonly argumentsPerKey: number;
}

function script(argumentsPerKey: number, text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex'), argumentsPerKey };
}

/**
 * Debits quotas. A key holds what was debited in one window and lives until the window has ended, and a grace time.
 *
 * Per key: wanted (requests that wait), spare (most to lease beyond them), share (how many ways what is left is divided
 * before any of it is leased), seen (the highest count that this node was told of), limit, and when the key expires in
 * Unix milliseconds. Answers per key: granted, or -1 where the key would have expired; and the count. At the end: how many
 * counts were lower than they had been.
 */
export const debitQuotas = script(
  6,
  `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local call = redis.call
local replies = {}
local restored = 0
for index = 1, #KEYS do
  local key = KEYS[index]
  local first = index * 6 - 5
  local spare, seen, expires = ARGV[first + 1], ARGV[first + 3], ARGV[first + 5]
  local granted = -1
  local count = 0
  if tonumber(expires) > now then
    if seen ~= '0' and tonumber(call('GET', key) or 0) < tonumber(seen) then
      call('SET', key, seen, 'PXAT', expires)
      restored = restored + 1
    end
    local limit = tonumber(ARGV[first + 4])
    granted = tonumber(ARGV[first])
    count = call('INCRBY', key, granted)
    if count == granted then call('PEXPIREAT', key, expires) end
    if count > limit then
      local excess = math.min(granted, count - limit)
      granted = granted - excess
      count = call('DECRBY', key, excess)
    elseif spare ~= '0' then
      local lease = math.min(spare, math.floor((limit - count) / ARGV[first + 2]))
      if lease > 0 then
        granted = granted + lease
        count = call('INCRBY', key, lease)
      end
    end
  end
  replies[2 * index - 1] = granted
  replies[2 * index] = count
end
replies[#replies + 1] = restored
return replies`,
);

/** Gives leased requests back. Per key: how many. Answers nothing. */
export const creditQuotas = script(
  1,
  `for index, key in ipairs(KEYS) do
  local count = tonumber(redis.call('GET', key) or 0)
  if count >= tonumber(ARGV[index]) then redis.call('DECRBY', key, ARGV[index]) end
end
return 0`,
);

/**
 * Debits rates by GCRA (ITU-T I.371, annex A). A key holds the theoretical arrival time of the next request, in
 * microseconds of Redis's own clock since 2026, so that sixteenths of them are exact for 17 years, and lives until then.
 *
 * Per key: wanted, spare (most to lease beyond them, of half of what is left), interval in microseconds, burst. Answers per
 * key: granted, and how far the arrival time lies ahead, in microseconds, rounded up. A clock that was set back, or a rate
 * that was slower before, leave an empty burst at worst.
 */
export const debitRates = script(
  4,
  `local time = redis.call('TIME')
local now = (time[1] - 1767225600) * 1000000 + time[2]
local call = redis.call
local replies = {}
for index = 1, #KEYS do
  local key = KEYS[index]
  local first = index * 4 - 3
  local interval = tonumber(ARGV[first + 2])
  local latest = now + ARGV[first + 3] * interval
  local arrival = tonumber(call('GET', key) or now)
  if arrival < now then arrival = now elseif arrival > latest then arrival = latest end
  local left = math.floor((latest - arrival) / interval)
  local granted = tonumber(ARGV[first])
  if granted > left then granted = left end
  local spare = ARGV[first + 1]
  if spare ~= '0' then granted = granted + math.min(spare, math.floor((left - granted) / 2)) end
  if granted > 0 then
    arrival = arrival + granted * interval
    call('SET', key, arrival, 'PX', math.ceil((arrival - now) / 1000) + 1)
  end
  replies[2 * index - 1] = granted
  replies[2 * index] = math.ceil(arrival - now)
end
return replies`,
);

export const scripts: readonly Script[] = [debitQuotas, creditQuotas, debitRates];
