import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import { PricingError } from './decimal.ts';
import { dayOf, lastDayOf, type Period } from './periods.ts';

export const Proration = z
  .enum(['second', 'day', 'none'])
  .describe(
    'How fees, allowances and tiers of a part of a period are calculated: by second, by civil day begun, or whole.',
  );

/** The part of a period that a fee is charged for: `part` of `whole` seconds or days; for `none` 0 or 1 of 1. */
export const Share = z.object({
  unit: Proration,
  part: z.int().min(0),
  whole: z.int().min(1),
});
export type Share = z.infer<typeof Share>;

export interface ProratedSpan {
  readonly period: Period;
  /** Part of the period in which the version of the plan held; without it, all of it. */
  readonly within?: Period | undefined;
  /**
   * `within` begins where another version of a plan ends. The day that this one continues was begun by the other, which
   * is charged for it, so that no day counts twice.
   */
  readonly isContinuation?: boolean | undefined;
  /** Instant before which nothing is charged. */
  readonly trialEndsAt?: string | null | undefined;
  readonly timeZone: string;
}

/**
 * The instant at which a trial ends: the time of day of the subscription, some civil days later, rounded up to a quarter
 * of an hour of UTC, by which usage is counted.
 */
export function trialEndOf(subscribedAt: string, trialDays: number, timeZone: string): string {
  return Temporal.Instant.from(subscribedAt)
    .toZonedDateTimeISO(timeZone)
    .add({ days: trialDays })
    .toInstant()
    .round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'ceil' })
    .toString();
}

/** The share of a period that is charged: what is in the period, in `within` and after the trial. */
export function shareOf(proration: z.infer<typeof Proration>, span: ProratedSpan): Share {
  const { period, within = period, timeZone } = span;
  const begin = latest([period.from, within.from, ...(span.trialEndsAt ? [span.trialEndsAt] : [])]);
  const end = Temporal.Instant.compare(within.to, period.to) < 0 ? within.to : period.to;
  if (Temporal.Instant.compare(period.from, period.to) >= 0)
    throw new PricingError('A period must end after it begins.');
  const isEmpty = Temporal.Instant.compare(begin, end) >= 0;
  if (proration === 'none') return { unit: 'none', part: isEmpty ? 0 : 1, whole: 1 };
  if (proration === 'second') {
    const whole = secondOf(period.to) - secondOf(period.from);
    return { unit: 'second', part: isEmpty ? 0 : secondOf(end) - secondOf(begin), whole: Math.max(whole, 1) };
  }
  const whole = daysBegun(dayOf(period.from, timeZone), lastDayOf(period.to, timeZone));
  if (isEmpty) return { unit: 'day', part: 0, whole };
  const first = dayOf(begin, timeZone);
  const isBegunByOther = span.isContinuation === true && areSame(begin, within.from) && !beginsDay(begin, timeZone);
  return {
    unit: 'day',
    part: daysBegun(isBegunByOther ? first.add({ days: 1 }) : first, lastDayOf(end, timeZone)),
    whole,
  };
}

function latest(instants: readonly string[]): string {
  return instants.reduce((late, instant) => (Temporal.Instant.compare(instant, late) > 0 ? instant : late));
}

function secondOf(instant: string): number {
  return Math.floor(Temporal.Instant.from(instant).epochMilliseconds / 1_000);
}

/** Days from the first to the last, both included. */
function daysBegun(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  return first.until(last).days + 1;
}

function areSame(one: string, other: string): boolean {
  return Temporal.Instant.compare(one, other) === 0;
}

function beginsDay(instant: string, timeZone: string): boolean {
  return dayOf(instant, timeZone).toZonedDateTime({ timeZone }).toInstant().equals(Temporal.Instant.from(instant));
}
