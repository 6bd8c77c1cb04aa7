import * as z from 'zod';
import { Email } from '../../identity/auth/contract.ts';

const text = (longest: number) => z.string().trim().min(1).max(longest);

export const PostalAddress = z.strictObject({
  lines: z.array(text(100)).min(1).max(6).describe('Street, and what else stands above the city.'),
  postalCode: z.string().trim().max(20),
  city: text(100),
  countryCode: z.string().regex(/^[A-Z]{2}$/, 'Must be a country code of ISO 3166, such as DE.'),
});

export const VatId = z
  .string()
  .trim()
  .regex(/^[A-Z]{2}[A-Z0-9+*]{2,13}$/, 'Must be a VAT number with its country code, such as DE123456789.');

const profile = {
  name: text(100).describe('Company or person on the invoice.'),
  contactName: text(100).nullable(),
  address: PostalAddress,
  vatId: VatId.nullable(),
  email: Email.nullable().describe('Where invoices are sent; null: the developer’s own address.'),
  reference: text(100).nullable().describe('The buyer’s own reference; for public buyers in Germany the Leitweg-ID.'),
  language: z.enum(['en', 'de']).describe('Of invoices.'),
  taxTreatment: z
    .enum(['standard', 'reverse_charge', 'exempt', 'export', 'outside'])
    .describe(
      'standard: as the organization’s settings say. reverse_charge: the buyer owes the tax. export: outside the EU. outside: not subject to VAT.',
    ),
};

/** To whom and how a developer is billed. */
export const DeveloperBilling = z.strictObject(profile).meta({ id: 'DeveloperBilling' });
export type DeveloperBilling = z.infer<typeof DeveloperBilling>;

/** The same as it is given, with what may be left out. */
export const GivenDeveloperBilling = z
  .strictObject({
    ...profile,
    contactName: profile.contactName.default(null),
    vatId: profile.vatId.default(null),
    email: profile.email.default(null),
    reference: profile.reference.default(null),
    language: profile.language.default('en'),
    taxTreatment: profile.taxTreatment.default('standard'),
  })
  .meta({ id: 'GivenDeveloperBilling' });

/** Of a customer in another country of the EU. */
export const exampleDeveloperBilling = {
  name: 'Example Shops',
  contactName: null,
  address: { lines: ['12 High Street'], postalCode: 'D02 XY00', city: 'Dublin', countryCode: 'IE' },
  vatId: 'IE1234567T',
  email: null,
  reference: null,
  language: 'en' as const,
  taxTreatment: 'reverse_charge' as const,
};
