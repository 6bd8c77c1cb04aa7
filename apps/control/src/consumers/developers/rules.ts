import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import type * as z from 'zod';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Developer } from './contract.ts';

interface Balance {
  readonly currency: string;
  readonly amountMinor: number;
}

const dayMs = 86_400_000;
const mostDays = 366;
const usualDays = 30;
/** There are no calls before this day. */
const firstDay = '1970-01-01';

/** The developer, as gateway nodes see it. */
export function developerConsumer({ id, name, state }: z.infer<typeof Developer>): ConsumerChange {
  return { kind: 'developer', id, value: { id, name, active: state === 'active' } };
}

/** Rejects deleting a developer who has apps, or whose money would be lost. */
export function refuseHolding({ apps }: z.infer<typeof Developer>, balances: readonly Balance[]): void {
  if (apps > 0) {
    throw new ApiError('conflict', {
      message: `The developer has ${apps} apps. Delete them first, or suspend the developer.`,
    });
  }
  const left = balances.filter(({ amountMinor }) => amountMinor !== 0);
  if (left.length > 0) {
    const amounts = left.map(({ currency, amountMinor }) => `${amountMinor} minor units of ${currency}`).join(', ');
    throw new ApiError('conflict', {
      message: `The developer’s unassigned balance is ${amounts}. Suspend the developer instead.`,
    });
  }
}

/** Rejects deleting a developer whose usage invoices need. */
export function refuseBilled(hasTerms: boolean): void {
  if (!hasTerms) return;
  throw new ApiError('conflict', {
    message: 'The developer’s apps had rate plans, and invoices need their usage. Suspend the developer instead.',
  });
}

/** Days of UTC, both included, as `2026-01-15`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The requested days; by default, the last thirty. */
export function usageDays(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): Days {
  const to = asked.to ?? dayOf(now.getTime());
  const from = asked.from ?? dayOf(Date.parse(to) - (usualDays - 1) * dayMs);
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) throw fieldError('from', 'The first day is after the last.');
  if (from < firstDay) {
    throw fieldError(asked.from === undefined ? 'to' : 'from', `Must be ${firstDay} or later.`);
  }
  if (days > mostDays) throw fieldError('from', `These are ${days} days; the maximum is ${mostDays}.`);
  return { from, to };
}

/** Every day from the first to the last. */
export function everyDay({ from, to }: Days): readonly string[] {
  const days: string[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += dayMs) days.push(dayOf(time));
  return days;
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
