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
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly gatewayMicros: number;
  readonly targetMicros: number;
}

/** Any number; the same one gives the same calls for the same days. */
const seed = 20_240_229;
const minuteMs = 60_000;
/** Calls of a usual working day, and their share on a day of the weekend. */
const callsOfWorkday = 48;
const weekendShare = 0.12;
/** Growth from one day to the next. */
const growth = 1.004;
/** How many of a day's calls fall into each hour from 7 to 18. */
const hourWeights = [2, 6, 11, 13, 10, 5, 6, 11, 12, 10, 6, 2];
const firstHour = 7;

/** The calls of a bookkeeping program from the beginning until the end of yesterday, in their order. */
export function pastCalls(past: Past): readonly Call[] {
  return [...callsOfDays(past)].toSorted((one, other) => one.atMs - other.atMs);
}

function* callsOfDays({ startsAt, now, timeZone }: Past): Generator<Call> {
  const random = randomNumbers(seed);
  const today = civilDayOf(now.toISOString(), timeZone);
  for (let past = 0; ; past++) {
    const day = civilDayOf(startsAt, timeZone, past);
    if (day >= today) return;
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const share = weekday === 0 || weekday === 6 ? weekendShare : 1;
    const count = Math.round(callsOfWorkday * share * growth ** past * (0.75 + 0.5 * random()));
    const beginsMs = Date.parse(beginningOfDay(day, timeZone));
    for (let call = 0; call < count; call++) yield callAt(beginsMs + minuteOfDay(random) * minuteMs, random);
  }
}

function minuteOfDay(random: () => number): number {
  const hours = hourWeights.flatMap((weight, hour) => Array.from({ length: weight }, () => hour));
  const hour = hours[Math.floor(random() * hours.length)]!;
  return (firstHour + hour) * 60 + Math.floor(random() * 60);
}

function callAt(atMs: number, random: () => number): Call {
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
