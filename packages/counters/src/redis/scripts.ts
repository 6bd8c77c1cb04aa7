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

/** What all debits need. Numbers that are sent repeatedly, such as limits, are parsed once. */
const debits = `local call = redis.call
local floor, ceil, format = math.floor, math.ceil, string.format
local time = call('TIME')
local nowMs = time[1] * 1000 + floor(time[2] / 1000)
local now = (time[1] - 1767225600) * 1000000 + time[2]
local numbers = {}
local function number(text)
  local known = numbers[text]
  if not known then
    known = tonumber(text)
    numbers[text] = known
  end
  return known
end
`;

/**
 * Debits one quota. Its key contains what was debited in one window and lives until the end of the window plus a grace
 * period.
 *
 * Wanted: waiting requests; spare: most to lease beyond them; share: how many ways the remainder is divided before any
 * of it is leased; seen: the highest count that this node has received; expires: when the key does, in Unix
 * milliseconds. Returns granted, or -1 if the key would have expired; the count; and 1 if that was lower than before.
 */
const debitQuota = `local function debitQuota(key, wanted, spare, share, seen, limit, expires)
  if number(expires) <= nowMs then return -1, 0, 0 end
  local restored = 0
  if seen ~= '0' and tonumber(call('GET', key) or 0) < tonumber(seen) then
    call('SET', key, seen, 'PXAT', expires)
    restored = 1
  end
  local granted = number(wanted)
  local count = call('INCRBY', key, wanted)
  if count == granted then call('PEXPIREAT', key, expires) end
  local left = number(limit) - count
  if left < 0 then
    local excess = math.min(granted, -left)
    granted = granted - excess
    count = call('DECRBY', key, excess)
  elseif spare ~= '0' then
    local lease = math.min(spare, floor(left / share))
    if lease > 0 then
      granted = granted + lease
      count = call('INCRBY', key, lease)
    end
  end
  return granted, count, restored
end
`;

/**
 * Debits one rate by GCRA (ITU-T I.371, annex A). Its key contains the theoretical arrival time of the next request, in
 * microseconds of Redis's own clock since 2026, so that sixteenths of them are exact for 17 years, and lives until
 * then, for at least a second.
 *
 * Wanted is a number. Spare: most to lease beyond it, out of half of the remainder; interval in microseconds. Returns
 * granted, and how far the arrival time lies ahead, in microseconds, rounded up. A clock that was set back, or a
 * previously slower rate, leaves an empty burst at worst.
 *
 * Most requests find their burst full: the new value is written immediately, and the same command returns the previous
 * one. A call is the most expensive part of a script, and formatting a number in Redis costs as much.
 */
const debitRate = `local function keep(key, arrival)
  local written = arrival % 1 == 0 and format('%d', arrival) or arrival
  local lives = arrival - now < 999000 and '1000' or ceil((arrival - now) / 1000) + 1
  return call('SET', key, written, 'PX', lives, 'GET')
end
local function debitRate(key, wanted, spare, interval, burst)
  interval = number(interval)
  local latest = now + number(burst) * interval
  local arrival = now + wanted * interval
  local before = nil
  if spare == '0' and arrival <= latest then
    before = keep(key, arrival)
    if not before or tonumber(before) <= now then return wanted, ceil(arrival - now) end
  end
  arrival = tonumber(before or call('GET', key) or now)
  if arrival < now then arrival = now elseif arrival > latest then arrival = latest end
  local left = floor((latest - arrival) / interval)
  local granted = math.min(wanted, left)
  if spare ~= '0' then granted = granted + math.min(spare, floor((left - granted) / 2)) end
  arrival = arrival + granted * interval
  if before or granted > 0 then keep(key, arrival) end
  return granted, ceil(arrival - now)
end
`;

/**
 * Debits quotas. Per key: wanted, spare, share, seen, limit, expires. Answers per key: granted, and the count; at the end:
 * how many counts were lower than they had been.
 */
export const debitQuotas = script(
  6,
  `${debits}${debitQuota}local replies = {}
local restored = 0
for index, key in ipairs(KEYS) do
  local at = index * 6
  local granted, count, was =
    debitQuota(key, ARGV[at - 5], ARGV[at - 4], ARGV[at - 3], ARGV[at - 2], ARGV[at - 1], ARGV[at])
  restored = restored + was
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

/** Debits rates. Per key: wanted, spare, interval, burst. Answers per key: granted, and how far it lies ahead. */
export const debitRates = script(
  4,
  `${debits}${debitRate}local replies = {}
for index, key in ipairs(KEYS) do
  local at = index * 4
  local granted, ahead = debitRate(key, number(ARGV[at - 3]), ARGV[at - 2], ARGV[at - 1], ARGV[at])
  replies[2 * index - 1] = granted
  replies[2 * index] = ahead
end
return replies`,
);

/**
 * Debits quotas and, by as many as each of them grants, a rate behind each. Keys come in pairs. Per pair: wanted, seen,
 * limit, expires, interval, burst. Answers per pair: granted by the quota, its count; granted by the rate, and how far it
 * lies ahead; at the end: how many counts of quotas were lower than they had been.
 */
export const debitBoth = script(
  3,
  `${debits}${debitQuota}${debitRate}local replies = {}
local restored = 0
local keys, arguments = KEYS, ARGV
for index = 1, #keys, 2 do
  local at = index * 3
  local granted, count, was =
    debitQuota(keys[index], arguments[at - 2], '0', '1', arguments[at - 1], arguments[at], arguments[at + 1])
  local passed, ahead = 0, 0
  if granted > 0 then
    passed, ahead = debitRate(keys[index + 1], granted, '0', arguments[at + 2], arguments[at + 3])
  end
  restored = restored + was
  replies[2 * index - 1] = granted
  replies[2 * index] = count
  replies[2 * index + 1] = passed
  replies[2 * index + 2] = ahead
end
replies[#replies + 1] = restored
return replies`,
);

/**
 * Debits prepaid credits. A key contains what is used of one; it is kept for 400 days after its last use. Per key: wanted
 * requests, amount of each, spare (most to lease beyond them), share (how many ways the remainder is divided before any of
 * it is leased), adjustment of earlier debits, used (never less is counted), credit. Answers per key: granted requests,
 * leased amount, used.
 */
export const debitBalances = script(
  7,
  `local call = redis.call
local replies = {}
for index, key in ipairs(KEYS) do
  local at = index * 7
  local wanted, amount, spare, share = tonumber(ARGV[at - 6]), tonumber(ARGV[at - 5]), tonumber(ARGV[at - 4]), tonumber(ARGV[at - 3])
  local adjustment, known, credit = tonumber(ARGV[at - 2]), tonumber(ARGV[at - 1]), tonumber(ARGV[at])
  local used = math.max(tonumber(call('GET', key) or 0), known) + adjustment
  if used < 0 then used = 0 end
  local granted = 0
  if wanted > 0 then
    granted = math.max(0, math.min(wanted, math.floor((credit - used) / amount)))
    used = used + granted * amount
  end
  local leased = 0
  if spare > 0 then
    leased = math.max(0, math.min(spare, math.floor((credit - used) / share)))
    used = used + leased
  end
  call('SET', key, string.format('%.0f', used), 'EX', 34560000)
  replies[3 * index - 2] = granted
  replies[3 * index - 1] = leased
  replies[3 * index] = used
end
return replies`,
);

export const scripts: readonly Script[] = [debitQuotas, creditQuotas, debitRates, debitBoth, debitBalances];
