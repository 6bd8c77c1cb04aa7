export type {
  BankAccount,
  Buyer,
  DateRange,
  InvoiceDocument,
  InvoiceLanguage,
  InvoiceLine,
  PostalAddress,
  Seller,
  TaxCategory,
  TaxTotal,
} from './document.ts';
export { InvoiceDocumentError, type InvoiceDocumentErrorCode } from './errors.ts';
export { invoicePdf } from './pdf/invoice-pdf.ts';
export { checkLogo } from './pdf/logo.ts';
export { invoiceXml, type XmlFormat, xmlProblems } from './xml/invoice-xml.ts';
