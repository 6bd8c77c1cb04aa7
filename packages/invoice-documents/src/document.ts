/** VAT category codes of EN 16931 (BT-118, BT-151), a part of UNTDID 5305. */
export const taxCategories = ['S', 'Z', 'E', 'AE', 'G', 'O', 'K'] as const;

/**
 * S standard rate, Z zero rate, E exempt, AE reverse charge, G export outside the EU, O outside the scope of VAT,
 * K supply within the EU.
 */
export type TaxCategory = (typeof taxCategories)[number];

export type InvoiceLanguage = 'en' | 'de';

export interface PostalAddress {
  /** Street and further lines, at most 6. */
  readonly lines: readonly string[];
  readonly postalCode: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
}

export interface BankAccount {
  readonly iban: string;
  readonly bic?: string;
  readonly accountName: string;
}

export interface Seller {
  readonly name: string;
  /** Number in a register of companies. */
  readonly registration?: string;
  readonly vatId?: string;
  /** National tax number. */
  readonly taxNumber?: string;
  readonly email: string;
  readonly phone?: string;
  readonly contactName: string;
  readonly address: PostalAddress;
  readonly bank: BankAccount | null;
}

export interface Buyer {
  readonly name: string;
  readonly contactName?: string;
  readonly vatId?: string;
  readonly email?: string;
  /** The buyer's own reference; for public buyers in Germany the Leitweg-ID. */
  readonly reference?: string;
  readonly address: PostalAddress;
}

/** Civil dates, `YYYY-MM-DD`, both included. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
}

export interface InvoiceLine {
  /** Heading that the line stands under: product, plan or app. Lines of one group follow each other. */
  readonly group: string;
  readonly name: string;
  readonly description: string;
  /** Exact decimal. */
  readonly quantity: string;
  /** UN/ECE recommendation 20, such as `C62` for one. */
  readonly unitCode: string;
  /** Exact decimal in major units of the currency. */
  readonly unitPrice: string;
  /** In minor units, without tax. */
  readonly amountMinor: number;
  readonly taxCategory: TaxCategory;
  /** Percent as an exact decimal; `0` for every category but S. */
  readonly taxRate: string;
  /** Period of the line where it has its own. */
  readonly period: DateRange | null;
}

export interface TaxTotal {
  readonly category: TaxCategory;
  /** Percent as an exact decimal. */
  readonly rate: string;
  readonly basisMinor: number;
  readonly taxMinor: number;
  /** Why no tax is charged. Where it is null, the document states the category's usual reason. */
  readonly exemptionReason: string | null;
}

/** An invoice or credit note with everything that is printed on it. A credit note's amounts are positive. */
export interface InvoiceDocument {
  readonly kind: 'invoice' | 'credit_note';
  readonly number: string;
  /** Civil dates, `YYYY-MM-DD`. */
  readonly issueDate: string;
  readonly dueDate: string | null;
  readonly period: DateRange | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Decimals of the currency: amounts are whole numbers of 1 / 10^minorUnit. */
  readonly minorUnit: 0 | 2 | 3;
  readonly language: InvoiceLanguage;
  readonly seller: Seller;
  readonly buyer: Buyer;
  readonly lines: readonly InvoiceLine[];
  readonly taxes: readonly TaxTotal[];
  readonly linesMinor: number;
  readonly taxMinor: number;
  /** `linesMinor` and `taxMinor` together. */
  readonly totalMinor: number;
  readonly paidMinor: number;
  /** `totalMinor` without `paidMinor`. */
  readonly dueMinor: number;
  /** The invoice that a credit note corrects. */
  readonly precedingInvoice: { readonly number: string; readonly issueDate: string } | null;
  readonly notes: readonly string[];
  /** Such as "Payable within 14 days."; empty for none. */
  readonly paymentTerms: string;
  /** A PNG file; null for none. */
  readonly logo: Uint8Array | null;
}
