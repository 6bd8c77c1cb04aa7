import { TaxCategory } from '@millrace/pricing';
import * as z from 'zod';
import { PostalAddress, VatId } from '../../consumers/developers/billing.ts';
import { defineOperation } from '../../frame/operation.ts';
import { Email, TimeZone } from '../../identity/auth/contract.ts';
import { OrganizationSettings } from '../../identity/organizations/contract.ts';

const text = (longest: number) => z.string().trim().min(1).max(longest);

export const PeriodUnit = z.enum(['week', 'month', 'quarter']);

export const Seller = z.strictObject({
  name: text(100),
  registration: text(100).nullable().default(null).describe('Number in a register of companies.'),
  vatId: VatId.nullable().default(null),
  taxNumber: text(40).nullable().default(null).describe('National tax number.'),
  email: Email,
  phone: text(40).nullable().default(null),
  contactName: text(100),
  address: PostalAddress,
  bank: z
    .strictObject({
      iban: z
        .string()
        .trim()
        .regex(/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/, 'Must be an IBAN without spaces, such as DE02120300000000202051.')
        .refine(hasCheckDigits, 'The check digits of this IBAN are wrong.'),
      bic: z
        .string()
        .trim()
        .regex(/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, 'Must be a BIC, such as BYLADEM1001.')
        .nullable()
        .default(null),
      accountName: text(70),
    })
    .nullable()
    .default(null)
    .describe('Where payments go; null: invoices name no account.'),
});

/** ISO 13616: the remainder of the rearranged number by 97 is 1. */
function hasCheckDigits(iban: string): boolean {
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return /^\d+$/.test(digits) && BigInt(digits) % 97n === 1n;
}

const mostReminders = 10;

export const BillingSettings = z
  .object({
    timeZone: TimeZone.describe(
      'In which periods begin and invoices are dated. A change applies from the next period.',
    ),
    period: PeriodUnit.describe('How long billing periods are. A change applies from the next period.'),
    graceHours: z
      .int()
      .min(0)
      .max(168)
      .describe('How long closing waits after the end of a period for usage that gateway nodes report late.'),
    paymentTermDays: z.int().min(0).max(365).describe('Days from the date of an invoice until it is due.'),
    autoIssue: z.boolean().describe('Closing issues invoices; otherwise they stay drafts.'),
    tax: z
      .strictObject({
        category: TaxCategory.describe(
          'VAT category of EN 16931 for customers with standard treatment; S uses the organization’s tax rate.',
        ),
        exemptionReason: text(200).nullable().default(null).describe('Why no tax is charged; needed for category E.'),
      })
      .refine(({ category, exemptionReason }) => category !== 'E' || exemptionReason !== null, {
        path: ['exemptionReason'],
        error: 'Say why sales are exempt; the invoice states it.',
      }),
    creditNoteNumbering: OrganizationSettings.shape.invoiceNumbering,
    seller: Seller.nullable().describe('Who issues invoices; null: they stay drafts.'),
    reminders: z
      .array(z.int().min(1).max(365))
      .max(mostReminders)
      .refine((days) => days.every((day, index) => index === 0 || day > days[index - 1]!), 'List days in rising order.')
      .describe('Days after the due date on which unpaid invoices are reminded of.'),
    approvalAboveMinor: z
      .int()
      .min(0)
      .max(1_000_000_000_000)
      .nullable()
      .describe(
        'Credit notes and top-ups above this amount, in minor units of the organization’s currency, wait for another person’s approval, as do all in other currencies; null: none does.',
      ),
  })
  .meta({ id: 'BillingSettings' });
export type BillingSettings = z.infer<typeof BillingSettings>;

const Presented = BillingSettings.extend({
  logo: z
    .object({ sizeBytes: z.int(), sha256: z.string() })
    .nullable()
    .describe('The logo on invoices; null: there is none.'),
  version: z.int(),
}).meta({ id: 'BillingSettingsWithLogo' });

/** As base64: about 200 KB of PNG. */
const longestLogo = 280_000;

const audit = { category: 'configuration', severity: 'medium', entityType: 'billing_settings' } as const;
const tag = 'Billing';

export const exampleSeller = {
  name: 'Acme GmbH',
  registration: 'HRB 12345 B',
  vatId: 'DE123456789',
  taxNumber: null,
  email: 'billing@acme.example',
  phone: '+49 30 1234567',
  contactName: 'Robin Example',
  address: { lines: ['Musterstraße 1'], postalCode: '10115', city: 'Berlin', countryCode: 'DE' },
  bank: { iban: 'DE02120300000000202051', bic: 'BYLADEM1001', accountName: 'Acme GmbH' },
};
const exampleSettings = {
  timeZone: 'Europe/Berlin',
  period: 'month' as const,
  graceHours: 1,
  paymentTermDays: 14,
  autoIssue: true,
  tax: { category: 'S' as const, exemptionReason: null },
  creditNoteNumbering: { prefix: 'CN-', next: 1 },
  seller: exampleSeller,
  reminders: [7, 21],
  approvalAboveMinor: 50_000,
  logo: null,
  version: 1,
};
/** One transparent pixel. */
const examplePng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const billingSettingsOperations = [
  defineOperation({
    id: 'getBillingSettings',
    method: 'GET',
    path: '/billing/settings',
    tag,
    summary: 'Show the billing settings',
    description:
      'Currency, default tax and the numbering of invoices are part of the organization’s settings. Without any settings, the defaults apply.',
    access: 'billing.read',
    audit: null,
    request: {},
    data: Presented,
    example: { request: {}, data: exampleSettings },
  }),
  defineOperation({
    id: 'updateBillingSettings',
    method: 'PATCH',
    path: '/billing/settings',
    tag,
    summary: 'Change the billing settings',
    description: 'Changes the given settings, each as a whole. Invoices that are issued already stay as they are.',
    access: 'billing.write',
    audit,
    production: 'never',
    request: { body: z.strictObject(BillingSettings.shape).partial() },
    data: Presented,
    errors: ['version_conflict', 'conflict'],
    example: {
      request: { body: { timeZone: 'Europe/Berlin', period: 'month', seller: exampleSeller } },
      data: { ...exampleSettings, version: 2 },
    },
  }),
  defineOperation({
    id: 'getBillingLogo',
    method: 'GET',
    path: '/billing/settings/logo',
    tag,
    summary: 'Show the logo on invoices',
    access: 'billing.read',
    audit: null,
    request: {},
    data: z.object({ png: z.string().nullable().describe('A PNG file as base64; null: there is none.') }),
    example: { request: {}, data: { png: examplePng } },
  }),
  defineOperation({
    id: 'setBillingLogo',
    method: 'PUT',
    path: '/billing/settings/logo',
    tag,
    summary: 'Set or remove the logo on invoices',
    access: 'billing.write',
    audit,
    production: 'never',
    request: {
      body: z.strictObject({
        png: z
          .base64()
          .max(longestLogo, 'A logo may have at most 200 KB.')
          .nullable()
          .describe('A PNG file as base64, at most 200 KB; null removes the logo.'),
      }),
    },
    data: Presented,
    errors: ['version_conflict'],
    example: {
      request: { body: { png: examplePng } },
      data: { ...exampleSettings, logo: { sizeBytes: 70, sha256: 'a'.repeat(64) }, version: 2 },
    },
  }),
] as const;
