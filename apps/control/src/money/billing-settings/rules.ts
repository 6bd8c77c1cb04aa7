import type { JsonObject } from '../../database/schema.ts';
import { fieldError } from '../../frame/errors.ts';
import type { OrganizationSettings } from '../../identity/organizations/contract.ts';
import type { BillingSettings } from './contract.ts';

const defaultSettings: BillingSettings = {
  timeZone: 'UTC',
  period: 'month',
  graceHours: 1,
  paymentTermDays: 14,
  autoIssue: true,
  tax: { category: 'S', exemptionReason: null },
  creditNoteNumbering: { prefix: 'CN-', next: 1 },
  seller: null,
  reminders: [],
  approvalAboveMinor: null,
};

/** The effective settings, from those that were set. */
export function completeBillingSettings(stored: JsonObject): BillingSettings {
  // Written through the contract alone.
  return { ...defaultSettings, ...(stored as Partial<BillingSettings>) };
}

/** Whether an amount waits for another person's approval. The limit is in the organization's currency. */
export function needsApproval(
  { amountMinor, currency }: { readonly amountMinor: number; readonly currency: string },
  { approvalAboveMinor }: Pick<BillingSettings, 'approvalAboveMinor'>,
  organization: Pick<OrganizationSettings, 'currency'>,
): boolean {
  if (approvalAboveMinor === null) return false;
  return currency !== organization.currency || amountMinor > approvalAboveMinor;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const mostLogoBytes = 204_800;
const mostPixels = 4_000_000;

/** Rejects what is no PNG file, or too large to be set on a page. */
export function refuseLogo(file: Buffer): void {
  if (file.length > mostLogoBytes) throw fieldError('png', 'A logo may have at most 200 KB.');
  // The header's length and type, then width and height (PNG, 11.2.2).
  if (file.length < 33 || !file.subarray(0, 8).equals(pngSignature) || file.toString('latin1', 12, 16) !== 'IHDR') {
    throw fieldError('png', 'This is no PNG file.');
  }
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (width === 0 || height === 0 || width * height > mostPixels) {
    throw fieldError('png', 'A logo may have at most 4 million pixels.');
  }
}
