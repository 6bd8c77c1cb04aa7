import { checkDocument } from '../check.ts';
import type { InvoiceDocument } from '../document.ts';
import { formatsOf } from '../texts/formats.ts';
import { textsOf } from '../texts/texts.ts';
import { invoiceXml, xmlProblems } from '../xml/invoice-xml.ts';
import { drawClosing, drawTotals } from './closing.ts';
import { facturXMetadata } from './factur-x-metadata.ts';
import { Flow } from './flow.ts';
import { drawLetterhead } from './letterhead.ts';
import { lineTable } from './line-table.ts';
import { printableLogo } from './logo.ts';
import { beginPage, drawFooters } from './page-frame.ts';
import { Sheet } from './sheet.ts';

/**
 * The printed invoice: PDF/A-3b with all fonts embedded. It carries its electronic form as `factur-x.xml` unless
 * `xmlProblems(document, 'factur-x')` names a reason why there is none. The same document gives the same bytes.
 *
 * @throws InvoiceDocumentError `invalid_document` or `invalid_logo`
 */
export async function invoicePdf(document: InvoiceDocument): Promise<Uint8Array> {
  checkDocument(document);
  const texts = textsOf(document.language);
  const formats = formatsOf(document);
  const logo = document.logo && (await printableLogo(document.logo));
  const createdAt = new Date(`${document.issueDate}T00:00:00Z`);
  const kind = document.kind === 'invoice' ? texts.invoice : texts.creditNote;
  const sheet = new Sheet({ title: `${kind.title} ${document.number}`, language: document.language, createdAt });

  const top = drawLetterhead(sheet, document, texts, formats, logo);
  const flow = new Flow(sheet, top, (next) => beginPage(sheet, next, document, texts));
  lineTable(sheet, document, texts, formats).draw(flow);
  drawTotals(sheet, flow, document, texts, formats);
  drawClosing(sheet, flow, document, texts);
  drawFooters(sheet, document, texts);

  if (xmlProblems(document, 'factur-x').length === 0) attachXml(sheet, invoiceXml(document, 'factur-x'), createdAt);
  return finish(sheet);
}

/** By Factur-X 1.0, section 6: the XML is an alternative form of the whole document. */
function attachXml(sheet: Sheet, xml: string, createdAt: Date): void {
  const attachment = {
    name: 'factur-x.xml',
    type: 'text/xml',
    description: 'Factur-X invoice',
    relationship: 'Alternative',
    creationDate: createdAt,
    modifiedDate: createdAt,
  };
  sheet.pdf.file(Buffer.from(xml), attachment);
  sheet.pdf.appendXML(facturXMetadata);
}

async function finish(sheet: Sheet): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  sheet.pdf.end();
  for await (const chunk of sheet.pdf) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
