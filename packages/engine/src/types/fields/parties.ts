import type { FieldDefinition } from '../definition.ts';
import { captions } from './captions/parties.ts';

/** The side that a document's seller or sender takes, in the captions of several languages. */
export const sellerCaptions = captions('seller');

/** The side that a document's buyer takes. */
export const buyerCaptions = captions('buyer');

export const taxIdCaptions = captions('tax_id');

export const emailCaptions = captions('email');

export const phoneCaptions = captions('phone');

export const websiteCaptions = captions('website');

export const addressCaptions = captions('address');

interface PartyOptions {
  /** What the party is called in the descriptions, such as `vendor`. */
  readonly role: string;
  /** Captions that stand before the party's name or above its block. */
  readonly captions: readonly string[];
  /** Which of the party's details the type has. */
  readonly details: readonly ('name' | 'address' | 'tax_id' | 'email' | 'phone' | 'website')[];
}

/** The fields of a party, each named by the prefix and the detail: `vendor_name`, `vendor_tax_id`. */
export function partyFields(prefix: string, options: PartyOptions): FieldDefinition[] {
  const { role, captions, details } = options;
  const definitions: Record<PartyOptions['details'][number], Omit<FieldDefinition, 'name'>> = {
    name: { kind: 'organization', description: `Name of the ${role}.`, captions },
    address: {
      kind: 'address',
      description: `Postal address of the ${role}, its lines joined by commas.`,
      captions: [...captions, ...addressCaptions],
    },
    tax_id: {
      kind: 'tax_id',
      description: `Tax registration of the ${role} (VAT, GST, EIN …) without spaces.`,
      captions: taxIdCaptions,
    },
    email: { kind: 'email', description: `E-mail address of the ${role}.`, captions: emailCaptions },
    phone: { kind: 'phone', description: `Telephone number of the ${role} as printed.`, captions: phoneCaptions },
    website: { kind: 'website', description: `Web address of the ${role}.`, captions: websiteCaptions },
  };
  return details.map((detail) => ({ name: `${prefix}_${detail}`, ...definitions[detail] }));
}
