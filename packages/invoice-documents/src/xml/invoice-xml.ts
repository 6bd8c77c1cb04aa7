import { checkDocument } from '../check.ts';
import type { InvoiceDocument } from '../document.ts';
import { InvoiceDocumentError } from '../errors.ts';
import { crossIndustryInvoice } from './cii.ts';
import { facturX, facturXProblems } from './factur-x.ts';
import { xrechnung, xrechnungProblems } from './xrechnung.ts';

export type XmlFormat = 'factur-x' | 'xrechnung';

/**
 * The electronic invoice: a Cross Industry Invoice that meets EN 16931, as Factur-X (profile EN 16931) or XRechnung 3.0.
 *
 * @throws InvoiceDocumentError `invalid_document`, or `xml_not_possible` with everything that is missing
 */
export function invoiceXml(document: InvoiceDocument, format: XmlFormat): string {
  checkDocument(document);
  const problems = xmlProblems(document, format);
  if (problems.length > 0) {
    const name = format === 'xrechnung' ? 'an XRechnung' : 'an electronic invoice';
    throw new InvoiceDocumentError('xml_not_possible', `${document.number} can't be ${name}: ${problems.join('; ')}.`);
  }
  return crossIndustryInvoice(document, format === 'xrechnung' ? xrechnung : facturX);
}

/**
 * Why a document can't be written in a format, each as a clause; empty where it can. Ask before an invoice is issued,
 * while its data can still be completed.
 */
export function xmlProblems(document: InvoiceDocument, format: XmlFormat): readonly string[] {
  return format === 'xrechnung'
    ? [...facturXProblems(document), ...xrechnungProblems(document)]
    : facturXProblems(document);
}
