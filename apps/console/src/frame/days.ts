const dayMs = 86_400_000;

/** The day a number of days from now in a time zone, such as `2026-03-01`. */
export function dayAfter(days: number, timeZone: string, now: Date = new Date()): string {
  return dayOf(new Date(now.getTime() + days * dayMs), timeZone);
}

/**
 * The last millisecond of a day in a time zone, also on days of 23 or 25 hours.
 *
 * @param day such as `2026-12-31`
 * @returns null if it is not a date
 */
export function endOfDay(day: string, timeZone: string): Date | null {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(start)) return null;
  // Days end between 14 hours before and 12 hours after their end in UTC: search for the first moment of the next day.
  let before = start + dayMs - 15 * 3_600_000;
  let after = start + dayMs + 13 * 3_600_000;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(new Date(middle), timeZone) > day) after = middle;
    else before = middle;
  }
  return new Date(before);
}

function dayOf(at: Date, timeZone: string): string {
  // Canada writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
}
