/**
 * - `invalid_document`: the document exceeds a limit or contradicts itself.
 * - `xml_not_possible`: the document has no form as an electronic invoice.
 * - `invalid_logo`: the logo can't be printed.
 */
export type InvoiceDocumentErrorCode = 'invalid_document' | 'xml_not_possible' | 'invalid_logo';

export class InvoiceDocumentError extends Error {
  readonly code: InvoiceDocumentErrorCode;

  constructor(code: InvoiceDocumentErrorCode, message: string) {
    super(message);
    this.name = 'InvoiceDocumentError';
    this.code = code;
  }
}
