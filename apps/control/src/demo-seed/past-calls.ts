import { beginningOfDay, civilDayOf, periodContaining } from '@millrace/pricing';

/** The time that past calls are from. */
export interface Past {
  /** When the subscription shall have begun: the first moment of a day of the time zone. */
  readonly startsAt: string;
  readonly now: Date;
  readonly timeZone: string;
}

/** The first day of the month before last, in a time zone, such as `2026-01-01`. */
export function monthBeforeLast(now: Date, timeZone: string): string {
  const calendar = { unit: 'month', timeZone } as const;
  const monthBefore = (instant: string) =>
    periodContaining(new Date(Date.parse(instant) - 1).toISOString(), calendar).from;
  const thisMonth = periodContaining(now.toISOString(), calendar).from;
  return civilDayOf(monthBefore(monthBefore(thisMonth)), timeZone);
}

/** A call as the gateway counted it. */
export interface Call {
  readonly atMs: number;
  /** Of the response; 429 is the gateway's own, because of the quota. */
  readonly status: 200 | 400 | 429 | 503;
  readonly pages: number;
  /** ISO 3166-1 alpha-2, of the caller's address. */
  readonly country: string;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly gatewayMicros: number;
  readonly targetMicros: number;
}

/** Any number; the same one gives the same calls for the same days. */
const seed = 20_240_229;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Calls of a usual working day, and their share on a day of the weekend. */
const callsOfWorkday = 48;
const weekendShare = 0.12;
/** Growth from one day to the next. */
const growth = 1.004;
/** How many of a day's calls fall into each hour from 7 to 18. */
const hourWeights = [2, 6, 11, 13, 10, 5, 6, 11, 12, 10, 6, 2];
const firstHour = 7;

/** Where its customers' offices are, by their share of the calls together with those before. */
const countries = [
  ['DE', 0.72],
  ['AT', 0.85],
  ['CH', 0.94],
  ['NL', 0.98],
  ['US', 1],
] as const;

/** The time in which the target was down: on the last working day before today. */
export interface Outage {
  readonly fromMs: number;
  readonly toMs: number;
}

const outageBeginsMinute = 10 * 60 + 12;
const outageMinutes = 18;
/** How often the program tried again each minute while the target was down. */
const triesAMinute = 3;

/** The outage among the past calls; null where the time is too short to have a working day. */
export function pastOutage({ startsAt, now, timeZone }: Past): Outage | null {
  const today = civilDayOf(now.toISOString(), timeZone);
  for (let back = 1; back <= 7; back++) {
    const day = civilDayOf(beginningOfDay(today, timeZone), timeZone, -back);
    if (day < civilDayOf(startsAt, timeZone)) return null;
    if (isWeekend(day)) continue;
    const fromMs = Date.parse(beginningOfDay(day, timeZone)) + outageBeginsMinute * minuteMs;
    return { fromMs, toMs: fromMs + outageMinutes * minuteMs };
  }
  return null;
}

/** The calls of a bookkeeping program from the beginning until the beginning of this hour, in their order. */
export function pastCalls(past: Past): readonly Call[] {
  const outage = pastOutage(past);
  const calls = [...callsOfDays(past)].map((call) => (outage && isDuring(outage, call) ? failing(call) : call));
  return [...calls, ...(outage ? triesDuring(outage) : [])].toSorted((one, other) => one.atMs - other.atMs);
}

function isDuring({ fromMs, toMs }: Outage, { atMs }: Call): boolean {
  return atMs >= fromMs && atMs < toMs;
}

function failing(call: Call): Call {
  return call.status === 429 ? call : { ...call, status: 503, pages: 0, responseBytes: 168, targetMicros: 2_000 };
}

function* triesDuring({ fromMs, toMs }: Outage): Generator<Call> {
  const random = randomNumbers(seed + 2);
  for (let atMs = fromMs; atMs < toMs; atMs += minuteMs / triesAMinute) {
    const sent = { requestBytes: 90_000, responseBytes: 168, gatewayMicros: 700, targetMicros: 2_000 };
    yield { atMs, status: 503, pages: 0, country: countryAt(random()), ...sent };
  }
}

function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}

/** @param share from 0 to 1 */
function countryAt(share: number): string {
  return countries.find(([, upTo]) => share < upTo)![0];
}

function* callsOfDays({ startsAt, now, timeZone }: Past): Generator<Call> {
  const random = randomNumbers(seed);
  const places = randomNumbers(seed + 1);
  const today = civilDayOf(now.toISOString(), timeZone);
  const endsMs = Math.floor(now.getTime() / hourMs) * hourMs;
  for (let past = 0; ; past++) {
    const day = civilDayOf(startsAt, timeZone, past);
    if (day > today) return;
    const share = isWeekend(day) ? weekendShare : 1;
    const count = Math.round(callsOfWorkday * share * growth ** past * (0.75 + 0.5 * random()));
    const beginsMs = Date.parse(beginningOfDay(day, timeZone));
    for (let call = 0; call < count; call++) {
      const made = { ...callAt(beginsMs + minuteOfDay(random) * minuteMs, random), country: countryAt(places()) };
      if (made.atMs < endsMs) yield made;
    }
  }
}

function minuteOfDay(random: () => number): number {
  const hours = hourWeights.flatMap((weight, hour) => Array.from({ length: weight }, () => hour));
  const hour = hours[Math.floor(random() * hours.length)]!;
  return (firstHour + hour) * 60 + Math.floor(random() * 60);
}

function callAt(atMs: number, random: () => number): Omit<Call, 'country'> {
  const outcome = random();
  const between = (low: number, high: number) => Math.round(low + (high - low) * random());
  // Mostly invoices of a page or two, now and then a statement.
  const pages = random() < 0.08 ? between(4, 10) : between(1, 2);
  const sent = { atMs, requestBytes: pages * between(40_000, 180_000), gatewayMicros: between(300, 1_500) };
  if (outcome < 0.012) return { ...sent, status: 429, pages: 0, responseBytes: between(180, 220), targetMicros: 0 };
  const failed = { ...sent, pages: 0, responseBytes: between(140, 200), targetMicros: between(15_000, 60_000) };
  if (outcome < 0.04) return { ...failed, status: 400 };
  if (outcome < 0.045) return { ...failed, status: 503 };
  return {
    ...sent,
    status: 200,
    pages,
    responseBytes: pages * between(2_000, 5_000),
    targetMicros: pages * between(30_000, 400_000),
  };
}

/** Numbers in [0, 1), the same on every machine for the same seed (mulberry32 by Tommy Ettinger). */
function randomNumbers(state: number): () => number {
  let sum = state;
  return () => {
    sum = (sum + 0x6d2b79f5) | 0;
    let mixed = Math.imul(sum ^ (sum >>> 15), sum | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
