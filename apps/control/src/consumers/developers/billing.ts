import * as z from 'zod';
import { Email } from '../../identity/auth/contract.ts';

const text = (longest: number) => z.string().trim().min(1).max(longest);

export const PostalAddress = z
  .strictObject({
    lines: z.array(text(100)).min(1).max(6).describe('Street, and what else stands above the city.'),
    postalCode: z.string().trim().max(20),
    city: text(100),
    countryCode: z.string().regex(/^[A-Z]{2}$/, 'Must be a country code of ISO 3166, such as DE.'),
  })
  .meta({ id: 'PostalAddress' });

export const VatId = z
  .string()
  .trim()
  .regex(/^[A-Z]{2}[A-Z0-9+*]{2,13}$/, 'Must be a VAT number with its country code, such as DE123456789.');

/** To whom and how a developer is billed. */
export const DeveloperBilling = z
  .strictObject({
    name: text(100).describe('Company or person on the invoice.'),
    contactName: text(100).nullable().default(null),
    address: PostalAddress,
    vatId: VatId.nullable().default(null),
    email: Email.nullable().default(null).describe('Where invoices are sent; null: the developer’s own address.'),
    reference: text(100)
      .nullable()
      .default(null)
      .describe('The buyer’s own reference; for public buyers in Germany the Leitweg-ID.'),
    language: z.enum(['en', 'de']).default('en').describe('Of invoices.'),
    taxTreatment: z
      .enum(['standard', 'reverse_charge', 'exempt', 'export', 'outside'])
      .default('standard')
      .describe(
        'standard: as the organization’s settings say. reverse_charge: the buyer owes the tax. export: outside the EU. outside: not subject to VAT.',
      ),
  })
  .meta({ id: 'DeveloperBilling' });
export type DeveloperBilling = z.infer<typeof DeveloperBilling>;
