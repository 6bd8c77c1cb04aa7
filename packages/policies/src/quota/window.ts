import type { QuotaLimit } from '../run.ts';

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/**
 * When the window ends that a moment lies in, in Unix milliseconds. Windows of minutes, hours and days are whole multiples
 * of their length since 1970-01-01T00:00Z; windows of months are months of the UTC calendar, counted from a January: three
 * are a quarter, twelve a year.
 */
export function windowEndMs({ unit, count }: QuotaLimit['window'], momentMs: number): number {
  if (unit !== 'month') {
    const lengthMs = unitMs[unit] * count;
    return (Math.floor(momentMs / lengthMs) + 1) * lengthMs;
  }
  const moment = new Date(momentMs);
  const months = moment.getUTCFullYear() * 12 + moment.getUTCMonth();
  const end = (Math.floor(months / count) + 1) * count;
  return Date.UTC(Math.floor(end / 12), end % 12);
}
