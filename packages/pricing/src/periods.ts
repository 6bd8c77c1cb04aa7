import { Temporal } from 'temporal-polyfill';

/** A half-open span of time: `from` is in it, `to` is not. Both are instants such as 2026-01-31T23:00:00Z. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

export type PeriodUnit = 'week' | 'month' | 'quarter';

export interface Calendar {
  readonly unit: PeriodUnit;
  /** IANA name, such as Europe/Berlin. */
  readonly timeZone: string;
}

/**
 * The week, month or quarter of a time zone's civil calendar that an instant is in. Weeks begin on Monday (ISO 8601).
 * A period begins at the first moment of its first day, which is not midnight where daylight saving skips that.
 *
 * @throws RangeError for text that is no instant or no time zone
 */
export function periodContaining(instant: string, { unit, timeZone }: Calendar): Period {
  const at = Temporal.Instant.from(instant);
  const first = firstDay(at.toZonedDateTimeISO(timeZone).toPlainDate(), unit);
  const from = first.toZonedDateTime({ timeZone }).toInstant();
  const to = first.add(lengths[unit]).toZonedDateTime({ timeZone }).toInstant();
  // Clocks that go back over midnight repeat the end of a day after the next has begun.
  if (Temporal.Instant.compare(at, to) >= 0) return periodContaining(to.toString(), { unit, timeZone });
  return { from: from.toString(), to: to.toString() };
}

/** The period after one of the same calendar; it begins where that ends. */
export function nextPeriod(period: Period, calendar: Calendar): Period {
  return periodContaining(period.to, calendar);
}

/** The civil days of a period, both included, as a document shows them. */
export function civilDays({ from, to }: Period, timeZone: string): { readonly from: string; readonly to: string } {
  return { from: dayOf(from, timeZone).toString(), to: lastDayOf(to, timeZone).toString() };
}

/** The latest quarter of an hour of UTC at or before an instant. Midnights of all time zones are whole quarters. */
export function instantFloorToQuarterHour(instant: string): string {
  return Temporal.Instant.from(instant)
    .round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'floor' })
    .toString();
}

/** The first moment of a civil day, such as 2026-01-31, as an instant. */
export function beginningOfDay(day: string, timeZone: string): string {
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone }).toInstant().toString();
}

/** The civil day that an instant is in, such as 2026-01-31, or one that is some days later. */
export function civilDayOf(instant: string, timeZone: string, daysLater = 0): string {
  return dayOf(instant, timeZone).add({ days: daysLater }).toString();
}

/** The civil day that an instant is in. */
export function dayOf(instant: string, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** The civil day of the last moment before an instant. */
export function lastDayOf(instant: string, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.from(instant).subtract({ nanoseconds: 1 }).toZonedDateTimeISO(timeZone).toPlainDate();
}

const lengths = { week: { weeks: 1 }, month: { months: 1 }, quarter: { months: 3 } } as const;

function firstDay(day: Temporal.PlainDate, unit: PeriodUnit): Temporal.PlainDate {
  if (unit === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  return day.with({ day: 1, month: unit === 'month' ? day.month : day.month - ((day.month - 1) % 3) });
}
