import type { JsonObject } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { OrganizationSettings } from './contract.ts';

/** Default settings of an organization. */
const defaultSettings: OrganizationSettings = {
  currency: 'EUR',
  tax: { name: 'VAT', ratePercent: '0', registrationId: null },
  invoiceNumbering: { prefix: 'INV-', next: 1 },
  approval: { requiredFor: ['approved'], productionChanges: false },
  retention: { usageDays: 400, notificationDays: 90 },
};

/** The effective settings, from those that were set. */
export function completeSettings(stored: JsonObject): OrganizationSettings {
  // Written through the contract, which has a default for what came later.
  const set = stored as Partial<OrganizationSettings>;
  return { ...defaultSettings, ...set, approval: { ...defaultSettings.approval, ...set.approval } };
}

/** Only a Super Admin can see other organizations than their own; for anyone else they don't exist. */
export function refuseForeignOrganization(caller: Caller, organizationId: string): void {
  if (organizationId !== caller.homeOrganizationId && !caller.superAdmin) throw new ApiError('not_found');
}

/** The platform's own organization, whose users are the Super Admins, can't be removed. */
export function refuseChangeOfPlatform(organization: { readonly platform: boolean }, change: string): void {
  if (organization.platform) {
    throw new ApiError('conflict', { message: `The platform’s own organization can’t be ${change}.` });
  }
}

export function refuseState(state: string, wanted: string): void {
  if (state === wanted) {
    const other = wanted === 'active' ? 'suspend' : 'activate';
    throw new ApiError('conflict', {
      message: `The organization is already ${state}. Next: ${other} it.`,
    });
  }
}

/** What an organization still contains; null if it is empty. */
export function refuseUnlessEmpty(held: Readonly<Record<string, number>>): void {
  const left = Object.entries(held).filter(([, count]) => count > 0);
  if (left.length === 0) return;
  const list = left.map(([noun, count]) => `${count} ${noun}`).join(', ');
  throw new ApiError('conflict', { message: `Delete what the organization still holds first: ${list}.` });
}

interface Numbering {
  readonly prefix: string;
  readonly next: number;
}

/**
 * Rejects a next number that was given already, or one that leaves a gap: a new series has a prefix of its own.
 *
 * @param last highest number that was given with the prefix; null: none was
 * @param field of the request
 */
export function refuseNumbering({ prefix, next }: Numbering, last: number | null, field: string): void {
  if (last === null || next === last + 1) return;
  throw fieldError(
    `${field}.next`,
    `Numbers up to ${prefix}${last} are given, so the next is ${last + 1}. Choose another prefix to begin a new series.`,
  );
}
