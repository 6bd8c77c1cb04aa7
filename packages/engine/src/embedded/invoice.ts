import type { Attachment } from '@millrace/document-model';
import { readCrossIndustryInvoice } from './cii.ts';
import { readUniversalBusinessLanguage } from './ubl.ts';
import type { EmbeddedValues } from './value.ts';
import { parseXml } from './xml.ts';

/** An e-invoice that a PDF carries as an attachment, in the engine's field and column names. */
export interface EmbeddedInvoice {
  /** What the document says of itself that it is. */
  readonly docType: 'invoice' | 'credit_note';
  /** False where the XML is broken: it was read up to the fault, and lines may be missing. */
  readonly complete: boolean;
  /** By the names of an invoice's fields, `original_invoice_number` and `currency` among them. */
  readonly fields: EmbeddedValues;
  /** In the order of the document; empty for the profiles without lines (Factur-X MINIMUM and BASIC WL). */
  readonly lines: readonly EmbeddedValues[];
}

/** A PDF has one e-invoice, and seldom more than a few other attachments. */
const attachmentLimit = 100;

/** The names that Factur-X, ZUGFeRD and XRechnung prescribe for the e-invoice among the attachments. */
const prescribedNames = /^(factur-x|zugferd-invoice|xrechnung)\.xml$/i;

/**
 * Finds the e-invoice among a PDF's attachments, whatever its name, and reads it: ZUGFeRD 1.0, ZUGFeRD 2, Factur-X
 * (UN/CEFACT CII), UBL 2.1 Invoice and CreditNote. Of several, one with a prescribed name is taken, then one without
 * a fault, then the one that says most.
 *
 * @returns null where no attachment is an e-invoice with anything in it. Never throws for what an attachment contains.
 */
export function readEmbeddedInvoice(attachments: readonly Attachment[]): EmbeddedInvoice | null {
  const found = attachments.slice(0, attachmentLimit).flatMap((attachment) => {
    const invoice = mayBeInvoice(attachment.bytes) ? readInvoice(attachment.bytes) : null;
    return invoice ? [{ invoice, rank: rankOf(attachment.name, invoice) }] : [];
  });
  return found.sort((a, b) => b.rank - a.rank)[0]?.invoice ?? null;
}

function readInvoice(bytes: Uint8Array): EmbeddedInvoice | null {
  const xml = parseXml(bytes);
  if (!xml) return null;
  const invoice =
    readCrossIndustryInvoice(xml.root, xml.complete) ?? readUniversalBusinessLanguage(xml.root, xml.complete);
  return invoice && Object.keys(invoice.fields).length > 0 ? invoice : null;
}

/** Looks for an e-invoice's root element in the beginning, so that other attachments cost nothing. */
function mayBeInvoice(bytes: Uint8Array): boolean {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 16 * 1024)).replaceAll('\0', '');
  return /<([\w.-]+:)?(CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote)[\s>]/.test(beginning);
}

function rankOf(name: string, invoice: EmbeddedInvoice): number {
  const values = Object.keys(invoice.fields).length + invoice.lines.length;
  return (prescribedNames.test(name) ? 2e6 : 0) + (invoice.complete ? 1e6 : 0) + Math.min(values, 1e5);
}
