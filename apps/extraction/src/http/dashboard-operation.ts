import type { ErrorCode } from '@millrace/extraction-contract/errors';
import { operationsIn } from '@millrace/operations';
import * as z from 'zod';
import type { DashboardErrorCode } from './dashboard-errors.ts';

/** Whose users may call an operation: every user's, or an administrator's alone. */
export const dashboardRoles = ['member', 'administrator'] as const;

export type DashboardRole = (typeof dashboardRoles)[number];

/** Declares an operation of the dashboard, under `/api/dashboard/v1`. Names are in camel case, times in UTC. */
export const defineDashboardOperation = operationsIn<{
  errorCode: ErrorCode | DashboardErrorCode;
  auth: 'session' | 'none';
  rateClass: 'session' | 'sign_in';
  extension: { readonly role: DashboardRole };
}>();

/** What almost every operation has in common; one that is for administrators alone states its own `role`. */
export const everyDashboardOperation = { auth: 'session', rateClass: 'session', role: 'member' } as const;

/** Errors that any call with a session may meet. */
export const anyDashboardErrors = [
  'not_signed_in',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

/** The answer of an operation that has nothing to tell. */
export const Nothing = z.object({}).meta({ id: 'Nothing' });

/** A time, such as `2026-03-14T09:26:53.589Z`. */
export const Time = z.iso.datetime();

/** What every list takes. A cursor is what the answer before said. */
export const listQuery = {
  cursor: z.string().min(1).max(500).optional().describe('The `nextCursor` of the page before.'),
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Most items of a page.'),
} as const;

/** What every list answers. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('For the page behind this one; null at the end.'),
  });
