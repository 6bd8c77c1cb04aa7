import { beginningOfDay, civilDayOf } from '@millrace/pricing';

export const hourMs = 3_600_000;
/** Hours are summed this long after their end: most of what is late has come by then. */
export const settlingMs = 300_000;

const keptHoursMonths = 13;
const keptDaysYears = 5;
/** How long the minutes of deployments are kept. */
export const keptMinutesDays = 30;

/** What an organization's hours are made days by. */
export interface Days {
  readonly timeZone: string;
  /** Hours before this are dropped; null: none is. */
  readonly hoursFrom: Date | null;
  /** The day of `hoursFrom`, such as 2026-01-31. */
  readonly firstDay: string | null;
}

export function floorToHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

export function ceilToHour(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / hourMs) * hourMs);
}

export function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/**
 * The first hour of a day: where midnight is within an hour, as in India, that hour belongs to the day before. The first day
 * that is made of hours begins with the first of them, wherever midnight is.
 */
export function startOfDay(day: string, { timeZone, hoursFrom, firstDay }: Days): Date {
  if (day === firstDay && hoursFrom !== null) return hoursFrom;
  const start = ceilToHour(new Date(beginningOfDay(day, timeZone)));
  if (hoursFrom === null || firstDay === null) return start;
  return day < firstDay === start < hoursFrom ? start : hoursFrom;
}

/** The day that an hour belongs to. */
export function dayOfHour(hour: Date, days: Days): string {
  const civil = civilDayOf(hour.toISOString(), days.timeZone);
  if (hour < startOfDay(civil, days)) return addDays(civil, -1);
  return hour < startOfDay(addDays(civil, 1), days) ? civil : addDays(civil, 1);
}

/** The first of the months, in UTC, whose hours are kept. */
export function firstMonthOfHours(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keptHoursMonths, 1));
}

/** The first of the months whose days are kept. */
export function firstMonthOfDays(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear() - keptDaysYears, now.getUTCMonth(), 1));
}

/** The first day that is whole within the months whose hours are kept. */
export function firstKeptDay(now: Date, timeZone: string): string {
  const month = firstMonthOfHours(now);
  const day = civilDayOf(month.toISOString(), timeZone);
  return startOfDay(day, { timeZone, hoursFrom: null, firstDay: null }) >= month ? day : addDays(day, 1);
}
