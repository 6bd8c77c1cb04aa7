import { Temporal } from 'temporal-polyfill';
import type { RecurringDays, SilenceSchedule } from './silence.ts';

/** A half-open span of time in milliseconds since 1970. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Days that are searched for the next window: every schedule that has one has it within that. */
const searchedDays = 4 * 366 + 31;

/** The window that is in force at a moment: the last to begin, where several are; null if none is. */
export function windowAt(schedule: SilenceSchedule, atMs: number): Window | null {
  if (schedule.kind === 'once') {
    const window = { fromMs: Date.parse(schedule.startsAt), toMs: Date.parse(schedule.endsAt) };
    return window.fromMs <= atMs && atMs < window.toMs ? window : null;
  }
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(schedule.timeZone).toPlainDate();
  // A window of seven days that began on a day which had 25 hours is still in force eight days later.
  for (let daysAgo = 0; daysAgo <= Math.ceil(schedule.durationMinutes / 1_440) + 1; daysAgo++) {
    const window = windowOf(schedule, today.subtract({ days: daysAgo }));
    if (window !== null && window.fromMs <= atMs && atMs < window.toMs) return window;
  }
  return null;
}

/** The first window that begins after a moment; null if none does. */
export function windowAfter(schedule: SilenceSchedule, atMs: number): Window | null {
  if (schedule.kind === 'once') {
    const window = { fromMs: Date.parse(schedule.startsAt), toMs: Date.parse(schedule.endsAt) };
    return window.fromMs > atMs ? window : null;
  }
  let day = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(schedule.timeZone).toPlainDate();
  if (schedule.from !== null) {
    const first = Temporal.PlainDate.from(schedule.from);
    if (Temporal.PlainDate.compare(day, first) < 0) day = first;
  }
  const until = schedule.until === null ? null : Temporal.PlainDate.from(schedule.until);
  for (let searched = 0; searched < searchedDays; searched++, day = day.add({ days: 1 })) {
    if (until !== null && Temporal.PlainDate.compare(day, until) > 0) return null;
    const window = windowOf(schedule, day);
    if (window !== null && window.fromMs > atMs) return window;
  }
  return null;
}

type Recurring = Extract<SilenceSchedule, { kind: 'recurring' }>;

/** The window that begins on a civil day; null if none does. It lasts its minutes, whatever the clock does meanwhile. */
function windowOf({ days, timeZone, startTime, durationMinutes, from, until }: Recurring, day: Temporal.PlainDate) {
  const name = day.toString();
  if ((from !== null && name < from) || (until !== null && name > until) || !isDay(days, day)) return null;
  const begin = day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(startTime) });
  const fromMs = begin.epochMilliseconds;
  return { fromMs, toMs: fromMs + durationMinutes * 60_000 };
}

function isDay(days: RecurringDays, day: Temporal.PlainDate): boolean {
  switch (days.kind) {
    case 'weekly':
      return days.weekdays.includes(day.dayOfWeek);
    case 'monthly':
      return days.daysOfMonth.includes(day.day) || (days.daysOfMonth.includes(-1) && day.day === day.daysInMonth);
    case 'monthly_weekday':
      return (
        day.dayOfWeek === days.weekday &&
        (days.weeks.includes(Math.ceil(day.day / 7)) || (days.weeks.includes(-1) && day.day + 7 > day.daysInMonth))
      );
  }
}
