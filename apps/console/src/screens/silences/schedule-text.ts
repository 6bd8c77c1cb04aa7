import type { Matcher, RecurringDays, SilenceSchedule } from '@millrace/alerting';
import { durationText } from '../../frame/duration-text.ts';

/** Days of the week as the API numbers them: 1 is Monday. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

const weeks: Readonly<Record<number, string>> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  [-1]: 'last',
};

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

/** Weeks of a month, as options of a field. */
export const weekOptions = [1, 2, 3, 4, 5, -1].map((week) => ({ value: String(week), label: weeks[week]! }));

/** Days of a month, as options of a field. */
export const dayOptions = [...Array.from({ length: 31 }, (_empty, index) => index + 1), -1].map((day) => ({
  value: String(day),
  label: dayText(day),
}));

/**
 * When a silence applies, such as `Sundays at 02:00 for 2 hours, Europe/Berlin`.
 *
 * @param rangeOf formats a range of time for the reader
 */
export function scheduleText(schedule: SilenceSchedule, rangeOf: (from: string, to: string) => string): string {
  if (schedule.kind === 'once') return `Once, ${rangeOf(schedule.startsAt, schedule.endsAt)}`;
  const { days, startTime, durationMinutes, timeZone, from, until } = schedule;
  const bounds = `${from === null ? '' : `, from ${from}`}${until === null ? '' : `, until ${until}`}`;
  return `${daysText(days)} at ${startTime} for ${durationText(durationMinutes * 60)}, ${timeZone.replaceAll('_', ' ')}${bounds}`;
}

function daysText(days: RecurringDays): string {
  switch (days.kind) {
    case 'weekly':
      return days.weekdays.length === 7
        ? 'Every day'
        : listed([...days.weekdays].sort((one, other) => one - other).map((day) => `${weekdays[day - 1]}s`));
    case 'monthly':
      return `The ${listed(days.daysOfMonth.map(dayText))} of each month`;
    case 'monthly_weekday':
      return `The ${listed(days.weeks.map((week) => weeks[week] ?? String(week)))} ${weekdays[days.weekday - 1]} of each month`;
  }
}

function dayText(day: number): string {
  if (day === -1) return 'last day';
  const suffix = { one: 'st', two: 'nd', few: 'rd', other: 'th' }[
    ordinals.select(day) as 'one' | 'two' | 'few' | 'other'
  ];
  return `${day}${suffix}`;
}

function listed(texts: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(texts);
}

/** How a matcher compares, as options of a field. */
export const operatorOptions = [
  { value: '=', label: 'is' },
  { value: '!=', label: 'is not' },
  { value: '=~', label: 'matches' },
  { value: '!~', label: 'doesn’t match' },
] as const;

/** A matcher, such as `environment is production`. */
export function matcherText({ label, operator, value }: Matcher): string {
  const text = operatorOptions.find((option) => option.value === operator)?.label ?? operator;
  return `${label} ${text} ${value === '' ? 'empty' : value}`;
}
