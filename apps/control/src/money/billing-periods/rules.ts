import {
  beginningOfDay,
  type Calendar,
  civilDayOf,
  nextPeriod,
  type Period,
  periodContaining,
} from '@millrace/pricing';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { BillingPeriod } from './contract.ts';

const hourMs = 3_600_000;
/** Local times differ by at most this. */
const mostShiftMs = 26 * hourMs;
const longestPastYears = 5;

/** The period that the calendar gives from this moment on: to the end of the week, month or quarter. */
export function periodFrom(from: string, calendar: Calendar): Period {
  const natural = periodContaining(from, calendar);
  // After a change of the time zone, the hours up to the new midnight are no period of their own.
  const isShift = Date.parse(natural.to) - Date.parse(from) <= mostShiftMs;
  return { from, to: (isShift ? nextPeriod(natural, calendar) : natural).to };
}

/** The whole week, month or quarter of which fees, allowances and tiers are shares in a period. */
export function wholeOf({ from, to }: Period, calendar: Calendar): Period {
  const natural = periodContaining(new Date(Date.parse(to) - 1).toISOString(), calendar);
  return Date.parse(from) < Date.parse(natural.from) ? { from, to: natural.to } : natural;
}

export interface PeriodRequest {
  readonly firstDay?: string | undefined;
  readonly lastDay?: string | undefined;
}

/** What a new period depends on. */
export interface Opening {
  readonly calendar: Calendar;
  /** When the last period ends; null: there is none. */
  readonly lastEndsAt: string | null;
  /** When the first term began; null: there is none. */
  readonly firstTermAt: string | null;
  readonly now: Date;
}

/**
 * The period to be opened: the first one contains the beginning of all terms, and each other begins where the one before
 * ends.
 *
 * @throws ApiError where it would overlap another, leave a gap, or begin in the future
 */
export function openedPeriod({ firstDay, lastDay }: PeriodRequest, opening: Opening): Period {
  const { calendar, lastEndsAt, now } = opening;
  const from = lastEndsAt === null ? firstMoment(firstDay, opening) : nextMoment(firstDay, lastEndsAt, calendar);
  if (Date.parse(from) > now.getTime()) {
    if (lastEndsAt === null) throw fieldError('firstDay', 'Choose today or an earlier day.');
    const last = civilDayOf(lastEndsAt, calendar.timeZone, -1);
    throw new ApiError('conflict', {
      message: `The last period ends on ${last}. The next one opens automatically after that.`,
    });
  }
  const { to } = periodFrom(from, calendar);
  if (lastDay === undefined) return { from, to };
  const end = beginningOfDay(
    civilDayOf(beginningOfDay(lastDay, calendar.timeZone), calendar.timeZone, 1),
    calendar.timeZone,
  );
  if (Date.parse(end) <= Date.parse(from))
    throw fieldError('lastDay', 'Choose the first day of the period or a later one.');
  if (Date.parse(end) > Date.parse(to)) {
    const latest = civilDayOf(to, calendar.timeZone, -1);
    throw fieldError(
      'lastDay',
      `A ${calendar.unit} that begins then ends on ${latest}. Choose that day or an earlier one.`,
    );
  }
  return { from, to: end };
}

function firstMoment(firstDay: string | undefined, { calendar, firstTermAt, now }: Opening): string {
  const needed = firstTermAt === null || Date.parse(firstTermAt) > now.getTime() ? now.toISOString() : firstTermAt;
  if (firstDay === undefined) return periodContaining(needed, calendar).from;
  const from = beginningOfDay(firstDay, calendar.timeZone);
  if (firstTermAt !== null && Date.parse(from) > Date.parse(firstTermAt)) {
    const latest = civilDayOf(firstTermAt, calendar.timeZone);
    throw fieldError(
      'firstDay',
      `Subscriptions with rate plans began on ${latest}. Choose that day or an earlier one.`,
    );
  }
  const earliest = new Date(now);
  earliest.setUTCFullYear(earliest.getUTCFullYear() - longestPastYears);
  if (Date.parse(from) < earliest.getTime()) {
    throw fieldError('firstDay', `Choose a day of the last ${longestPastYears} years.`);
  }
  return from;
}

function nextMoment(firstDay: string | undefined, lastEndsAt: string, { timeZone }: Calendar): string {
  const expected = civilDayOf(lastEndsAt, timeZone);
  if (firstDay === undefined || firstDay === expected) return lastEndsAt;
  const fault = firstDay < expected ? 'would overlap an existing one' : 'would leave days that belong to none';
  throw new ApiError('conflict', { message: `This period ${fault}. The next one begins on ${expected}.` });
}

/** When a period can be closed: its end, and the time in which usage may be late. */
export function closableFrom(
  { endsAt }: { readonly endsAt: string },
  { graceHours }: { readonly graceHours: number },
): string {
  return new Date(Date.parse(endsAt) + graceHours * hourMs).toISOString();
}

/** What closing a period depends on. */
interface ToClose {
  readonly period: BillingPeriod;
  /** The oldest period that is not closed. */
  readonly oldest: BillingPeriod | null;
  readonly graceHours: number;
  readonly nodesBehind: readonly { readonly name: string }[];
  readonly now: Date;
}

const mostNamed = 5;

/** Rejects closing a period before its end, before older ones, and before all of its usage has arrived. */
export function refuseClosing(
  { ignoreGrace, ignoreNodesBehind }: { readonly ignoreGrace: boolean; readonly ignoreNodesBehind: boolean },
  { period, oldest, graceHours, nodesBehind, now }: ToClose,
): void {
  const refuse = (message: string) => new ApiError('conflict', { message });
  if (Date.parse(period.endsAt) > now.getTime()) {
    throw refuse(`The period runs until the end of ${period.lastDay} (${period.timeZone}). Close it after that.`);
  }
  if (oldest !== null && oldest.id !== period.id) {
    throw refuse(`The period of ${oldest.firstDay} to ${oldest.lastDay} isn’t closed. Close it first.`);
  }
  const from = closableFrom(period, { graceHours });
  if (!ignoreGrace && Date.parse(from) > now.getTime()) {
    throw refuse(`Late usage is awaited until ${from}. Close the period then, or set ignoreGrace.`);
  }
  if (!ignoreNodesBehind && nodesBehind.length > 0) {
    const named = nodesBehind.slice(0, mostNamed).map(({ name }) => name);
    const others = nodesBehind.length > mostNamed ? ` and ${nodesBehind.length - mostNamed} more` : '';
    throw refuse(
      `Usage of these gateway nodes may be missing: ${named.join(', ')}${others}. Wait for their reports, or set ignoreNodesBehind.`,
    );
  }
}
