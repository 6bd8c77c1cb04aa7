import type * as z from 'zod';
import { bucketsPerFactor, type DayCount, type DurationCount, type Standing } from '../documents/counts.ts';
import type { Home } from './contract.ts';

const dayMs = 24 * 3_600_000;
const shownDays = 30;

/** The middle of a bucket of durations, in seconds. */
function bucketSeconds(bucket: number): number {
  return Math.exp((bucket + 0.5) / bucketsPerFactor);
}

/**
 * The time within which a share of the documents was done, in seconds, on 3 % exactly; null where there is none.
 *
 * @param counts the shortest times first
 */
export function percentileSeconds(counts: readonly DurationCount[], share: number): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  let before = 0;
  for (const { bucket, count } of counts) {
    before += count;
    if (before >= total * share) return Number(bucketSeconds(bucket).toPrecision(3));
  }
  return null;
}

/** The beginning of the first day that is shown. */
export function firstDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / dayMs) * dayMs - (shownDays - 1) * dayMs);
}

/** Each shown day with what arrived on it, the oldest first, also where that was nothing. */
export function daysAnswer(counts: readonly DayCount[], now: Date): z.input<typeof Home>['days'] {
  const first = firstDay(now).getTime();
  return Array.from({ length: shownDays }, (_, index) => {
    const date = new Date(first + index * dayMs).toISOString().slice(0, 10);
    const ofDay = counts.filter(({ day }) => day === date);
    const byType: Record<string, number> = {};
    for (const { doc_type, count } of ofDay) byType[doc_type] = (byType[doc_type] ?? 0) + count;
    return { date, done: sumOf(ofDay, 'done'), error: sumOf(ofDay, 'error'), byType };
  });
}

/** Between 0 and 1; null where nothing was finished. */
export function successRate(counts: readonly DayCount[]): number | null {
  const done = sumOf(counts, 'done');
  const finished = done + sumOf(counts, 'error');
  return finished === 0 ? null : done / finished;
}

export function firstSteps(standing: Standing): z.input<typeof Home>['firstSteps'] {
  return [
    { id: 'create_key', done: standing.has_key },
    { id: 'send_document', done: standing.has_document },
    { id: 'add_webhook', done: standing.has_webhook },
    { id: 'review_document', done: standing.has_reviewed },
  ];
}

function sumOf(counts: readonly DayCount[], state: DayCount['state']): number {
  return counts.reduce((sum, entry) => (entry.state === state ? sum + entry.count : sum), 0);
}
