import type { DocumentType } from '../types/definition.ts';

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
export function ownFieldsOf({ fields, issuer }: Pick<DocumentType, 'fields' | 'issuer'>): OwnFields | null {
  if (issuer === undefined) return null;
  const isSeller = issuer === 'vendor';
  const names = fields.map(({ name }) => name);
  const all = names.filter((name) => name.startsWith(`${issuer}_`) || (isSeller && accountFields.includes(name)));
  return { name: `${issuer}_name`, taxId: `${issuer}_tax_id`, iban: isSeller ? 'iban' : null, all };
}
