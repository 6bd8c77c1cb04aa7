import type { ErrorCode } from '@millrace/extraction-contract/errors';
import { operationsIn } from '@millrace/operations';
import * as z from 'zod';
import type { DashboardErrorCode } from './dashboard-errors.ts';

/** Who may call an operation: every user, or only administrators. */
export const dashboardRoles = ['member', 'administrator'] as const;

export type DashboardRole = (typeof dashboardRoles)[number];

/** Declares an operation of the dashboard, under `/api/dashboard/v1`. Names are in camel case, times in UTC. */
export const defineDashboardOperation = operationsIn<{
  errorCode: ErrorCode | DashboardErrorCode;
  auth: 'session' | 'none';
  rateClass: 'session' | 'sign_in';
  extension: { readonly role: DashboardRole };
}>();

/** What almost every operation has in common; one for administrators only overrides `role`. */
export const everyDashboardOperation = { auth: 'session', rateClass: 'session', role: 'member' } as const;

/** Errors of any call with a session. */
export const anyDashboardErrors = [
  'not_signed_in',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

/** An empty response. */
export const Nothing = z.object({}).meta({ id: 'Nothing' });

/** A time, such as `2026-03-14T09:26:53.589Z`. */
export const Time = z.iso.datetime();

/** The parameters of every list. */
export const listQuery = {
  cursor: z.string().min(1).max(500).optional().describe('The `nextCursor` of the previous page.'),
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Maximum items per page.'),
} as const;

/** A page of a list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
  });
