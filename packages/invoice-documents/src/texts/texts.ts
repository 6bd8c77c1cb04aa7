import type { InvoiceLanguage, TaxCategory } from '../document.ts';
import { german } from './de.ts';
import { english } from './en.ts';

/** Captions of an invoice or of a credit note, whose words differ. */
interface KindTexts {
  readonly title: string;
  readonly number: string;
  readonly issueDate: string;
  readonly total: string;
  readonly due: string;
}

/** Everything that is printed beside the document's own values, in one language. */
export interface Texts {
  /** For `Intl`: numbers and names of countries. */
  readonly locale: string;
  /** In UTC. */
  readonly dates: Intl.DateTimeFormat;
  readonly invoice: KindTexts;
  readonly creditNote: KindTexts;
  readonly billTo: string;
  readonly dueDate: string;
  readonly period: string;
  readonly precedingInvoice: string;
  readonly precedingInvoiceDate: string;
  readonly buyerReference: string;
  readonly buyerVatId: string;
  readonly columns: {
    readonly description: string;
    readonly quantity: string;
    readonly unitPrice: string;
    readonly tax: string;
    readonly amount: string;
  };
  /** Behind a group's heading that is repeated on the next page. */
  readonly continued: string;
  readonly subtotal: string;
  /** The tax of one rate; its basis only where there are several rates. */
  readonly tax: (rate: string, basis: string | null) => string;
  /** The tax row of lines outside the scope of VAT. */
  readonly noTax: string;
  readonly taxTotal: string;
  readonly paid: string;
  readonly summary: {
    readonly dueOn: (amount: string, date: string) => string;
    readonly due: (amount: string) => string;
    readonly paid: (amount: string) => string;
    readonly credit: (amount: string, invoice: string, date: string) => string;
  };
  readonly payment: {
    readonly heading: string;
    readonly terms: string;
    readonly accountName: string;
    readonly reference: string;
  };
  readonly registration: string;
  readonly vatId: string;
  readonly taxNumber: string;
  readonly phone: string;
  readonly page: (number: number, count: number) => string;
  /** The usual reason why a category bears no tax; for S and Z there is none. */
  readonly exemptionReasons: Readonly<Record<TaxCategory, string | null>>;
}

const textsByLanguage: Readonly<Record<InvoiceLanguage, Texts>> = { en: english, de: german };

export function textsOf(language: InvoiceLanguage): Texts {
  return textsByLanguage[language];
}
