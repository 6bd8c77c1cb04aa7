import type { DocType } from '@millrace/document-model';
import { documentTypeOf } from '../types/registry.ts';

/** The party that sends documents of a type, as the beginning of its fields' names. */
const senderPrefixes: Readonly<Partial<Record<DocType, string>>> = {
  invoice: 'vendor',
  credit_note: 'vendor',
  quote: 'vendor',
  receipt: 'merchant',
  purchase_order: 'buyer',
  delivery_note: 'sender',
  bank_statement: 'bank',
  utility_bill: 'provider',
  payslip: 'employer',
  insurance_card: 'insurer',
};

/** Where a seller wants to be paid. */
const accountFields = ['iban', 'bic', 'bank_account_number'];

/** The fields of a type that tell of its sender, and are the same in all its documents. */
export interface OwnFields {
  readonly name: string;
  readonly taxId: string;
  readonly iban: string | null;
  readonly all: readonly string[];
}

/** Null for types whose sender is not among their fields. */
export function ownFieldsOf(docType: DocType): OwnFields | null {
  const prefix = senderPrefixes[docType];
  if (prefix === undefined) return null;
  const isSeller = prefix === 'vendor';
  const names = documentTypeOf(docType).fields.map(({ name }) => name);
  const all = names.filter((name) => name.startsWith(`${prefix}_`) || (isSeller && accountFields.includes(name)));
  return { name: `${prefix}_name`, taxId: `${prefix}_tax_id`, iban: isSeller ? 'iban' : null, all };
}
